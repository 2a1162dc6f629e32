// Union hull and intersection, dimension by dimension.
#include <numeric>

#include "support/check.h"
#include "symbolic/section.h"

namespace sluice::symbolic {

namespace {

bool same_lattice(const Range& a, const Range& b) {
    return a.step == b.step && a.tile == b.tile && modulo(b.begin - a.begin, a.step).is_integer(0);
}

bool is_unit(const Range& range) {
    return range.step.is_integer(1) && range.tile.is_integer(1);
}

Range hull_dimension(const Range& a_range, const Range& b_range, const Assumptions& assumptions) {
    if (a_range == b_range) return a_range;
    const auto a = ascending(a_range, assumptions), b = ascending(b_range, assumptions);
    if (a && b && (is_unit(*a) || same_lattice(*a, *b)) && (is_unit(*b) || same_lattice(*a, *b)))
        return {smaller(a->begin, b->begin, assumptions), larger(a->end, b->end, assumptions), a->step, a->tile};
    const auto first = [](const std::optional<Range>& known, const Range& range) {
        return known ? known->begin : min_index(range);
    };
    const auto last = [](const std::optional<Range>& known, const Range& range) { return max_index(known ? *known : range); };
    return {smaller(first(a, a_range), first(b, b_range), assumptions), larger(last(a, a_range), last(b, b_range), assumptions) + 1,
            1, 1};
}

// The first index of `range` that is not below `bound`; ascending ranges.
Expr first_from(const Range& range, const Expr& bound, const Assumptions& assumptions) {
    if (is_yes(decide(less_equal(bound, range.begin), assumptions))) return range.begin;
    return range.begin + larger(ceil_divide(bound - range.begin, range.step), 0, assumptions) * range.step;
}

Range nothing(const Range& range) {
    return {range.begin, range.begin, 1, 1};
}

// x = 0 mod m and x = r mod n, as the smallest x >= 0; nullopt without a solution. m * n stays small.
std::optional<std::int64_t> common_residue(std::int64_t m, std::int64_t n, std::int64_t r) {
    for (std::int64_t x = 0; x < m * n; x += m)
        if ((x - r) % n == 0) return x;
    return std::nullopt;
}

// Two lattices with constant steps, a constant distance apart.
std::optional<Range> intersect_lattices(const Range& a, const Range& b, const Assumptions& assumptions) {
    const auto m = a.step.constant(), n = b.step.constant(), distance = (b.begin - a.begin).constant();
    if (!m || !n || !distance || *m > 4096 || *n > 4096) return std::nullopt;
    const std::int64_t r = (*distance % *n + *n) % *n;
    const auto x = common_residue(*m, *n, r);
    if (!x) return nothing(a);
    const std::int64_t period = std::lcm(*m, *n), from = std::max<std::int64_t>(*distance, 0);
    const std::int64_t skipped = from > *x ? (from - *x + period - 1) / period : 0;
    return Range{a.begin + *x + skipped * period, smaller(a.end, b.end, assumptions), period, 1};
}

std::optional<Range> intersect_dimension(const Range& a_range, const Range& b_range, const Assumptions& assumptions) {
    const Subset left{{a_range}}, right{{b_range}};
    if (a_range == b_range || is_yes(covers(right, left, assumptions))) return a_range;
    if (is_yes(covers(left, right, assumptions))) return b_range;
    if (is_yes(disjoint(left, right, assumptions))) return nothing(a_range);
    const auto a = ascending(a_range, assumptions), b = ascending(b_range, assumptions);
    if (!a || !b) return std::nullopt;
    if (same_lattice(*a, *b) && (is_unit(*a) || is_unit(*b) || a->tile == b->tile))
        return Range{larger(a->begin, b->begin, assumptions), smaller(a->end, b->end, assumptions), a->step, a->tile};
    if (!a->tile.is_integer(1) || !b->tile.is_integer(1)) return std::nullopt;
    if (a->step.is_integer(1))
        return Range{first_from(*b, a->begin, assumptions), smaller(a->end, b->end, assumptions), b->step, 1};
    if (b->step.is_integer(1))
        return Range{first_from(*a, b->begin, assumptions), smaller(a->end, b->end, assumptions), a->step, 1};
    return intersect_lattices(*a, *b, assumptions);
}

}  // namespace

Subset hull_union(const Subset& a, const Subset& b, const Assumptions& assumptions) {
    check(a.rank() == b.rank(), "hull of subsets of rank ", a.rank(), " and ", b.rank());
    if (a == b || is_empty(b, assumptions)) return a;
    if (is_empty(a, assumptions)) return b;
    Subset result;
    for (std::size_t d = 0; d < a.rank(); ++d) result.dims.push_back(hull_dimension(a.dims[d], b.dims[d], assumptions));
    return result;
}

std::optional<Subset> intersection(const Subset& a, const Subset& b, const Assumptions& assumptions) {
    if (a.rank() != b.rank()) return std::nullopt;
    Subset result;
    for (std::size_t d = 0; d < a.rank(); ++d) {
        const auto range = intersect_dimension(a.dims[d], b.dims[d], assumptions);
        if (!range) return std::nullopt;
        result.dims.push_back(*range);
    }
    return result;
}

}  // namespace sluice::symbolic
