// Cover and disjointness. Both are products over the dimensions: a subset covers another if it does so in each dimension (or the
// other is empty), two subsets are disjoint if they are in one dimension (or one is empty).
#include <algorithm>
#include <numeric>

#include "symbolic/section.h"

namespace sluice::symbolic {

namespace {

bool holds(const Expr& condition, const Assumptions& assumptions) {
    return is_yes(decide(condition, assumptions));
}

Expr last_of(const Range& range) {
    return max_index(range);
}

// Ascending outer and inner with the indices of inner among those of outer, as far as residues tell.
bool residues_fit(const Range& outer, const Range& inner, const Assumptions& assumptions) {
    if (!holds(less_equal(inner.tile, outer.tile), assumptions)) return false;
    if (!holds(equal(modulo(inner.begin - outer.begin, outer.step), 0), assumptions)) return false;
    return inner.is_index() || modulo(inner.step, outer.step).is_integer(0);
}

Truth covers_constant(const Range& outer, const Range& inner) {
    const auto all = elements(outer), wanted = elements(inner);
    if (!all || !wanted) return Truth::Unknown;
    return std::includes(all->begin(), all->end(), wanted->begin(), wanted->end()) ? Truth::Yes : Truth::No;
}

// Yes: every element of inner, if there is one. No: some element of inner, if there is one, lies outside.
Truth covers_dimension(const Range& outer_range, const Range& inner_range, const Assumptions& assumptions) {
    if (outer_range == inner_range) return Truth::Yes;
    if (const Truth known = covers_constant(outer_range, inner_range); known != Truth::Unknown) return known;
    const auto outer = ascending(outer_range, assumptions), inner = ascending(inner_range, assumptions);
    if (!outer || !inner) return Truth::Unknown;
    const Assumptions facts = with_nonempty(assumptions, inner_range);
    const Expr first = outer->begin, last = last_of(*outer);
    const bool within = holds(less_equal(first, inner->begin), facts) && holds(less_equal(last_of(*inner), last), facts);
    // The formula for the last element of an empty range may lie beyond its begin only if its tile is wider than 1.
    const bool exists = outer->tile.is_integer(1) || is_nonempty(*outer, facts);
    if (within && exists && (is_contiguous(*outer, facts) || residues_fit(*outer, *inner, facts))) return Truth::Yes;
    if (is_empty(outer_range, facts)) return Truth::No;
    if (holds(less(inner->begin, first), facts) || holds(less(last, last_of(*inner)), facts)) return Truth::No;
    const bool single = outer->tile.is_integer(1) && inner->tile.is_integer(1);
    if (single && holds(not_equal(modulo(inner->begin - first, outer->step), 0), facts)) return Truth::No;
    return Truth::Unknown;
}

Truth disjoint_constant(const Range& a, const Range& b) {
    const auto left = elements(a), right = elements(b);
    if (!left || !right) return Truth::Unknown;
    return std::none_of(left->begin(), left->end(), [&](std::int64_t e) { return right->count(e) != 0; }) ? Truth::Yes : Truth::No;
}

// The tiles of both lie in different residues of a stride that divides both steps.
bool residues_apart(const Range& a, const Range& b, const Assumptions& assumptions) {
    Expr stride = a.step;
    if (b.is_index() || a.step == b.step)
        stride = a.step;
    else if (a.is_index())
        stride = b.step;
    else if (a.step.is_integer() && b.step.is_integer())
        stride = std::gcd(a.step.integer(), b.step.integer());
    else
        return false;
    const Expr residue = modulo(b.begin - a.begin, stride);
    return holds(less_equal(a.tile, residue), assumptions) && holds(less_equal(residue + b.tile, stride), assumptions);
}

// Yes or No holds if neither is empty.
Truth disjoint_dimension(const Range& a_range, const Range& b_range, const Assumptions& assumptions) {
    if (a_range == b_range) return Truth::No;
    if (const Truth known = disjoint_constant(a_range, b_range); known != Truth::Unknown) return known;
    const auto a = ascending(a_range, assumptions), b = ascending(b_range, assumptions);
    if (!a || !b) return Truth::Unknown;
    const Assumptions facts = with_nonempty(with_nonempty(assumptions, a_range), b_range);
    if (holds(less(last_of(*a), b->begin), facts) || holds(less(last_of(*b), a->begin), facts)) return Truth::Yes;
    if (residues_apart(*a, *b, facts)) return Truth::Yes;
    const bool solid = is_contiguous(*a, facts) && is_contiguous(*b, facts);
    const bool overlapping = holds(less_equal(a->begin, last_of(*b)), facts) && holds(less_equal(b->begin, last_of(*a)), facts);
    if (solid && overlapping) return Truth::No;
    if (a->begin == b->begin) return Truth::No;
    if (is_yes(covers_dimension(a_range, b_range, facts)) || is_yes(covers_dimension(b_range, a_range, facts))) return Truth::No;
    return Truth::Unknown;
}

bool all_nonempty(const Subset& subset, const Assumptions& assumptions) {
    return std::all_of(subset.dims.begin(), subset.dims.end(), [&](const Range& range) { return is_nonempty(range, assumptions); });
}

}  // namespace

Truth covers(const Subset& outer, const Subset& inner, const Assumptions& assumptions) {
    if (outer.rank() != inner.rank()) return Truth::No;
    if (outer == inner || is_empty(inner, assumptions)) return Truth::Yes;
    bool all = true, none = false;
    Assumptions facts = assumptions;  // an empty inner subset is covered anyway
    for (const Range& range : inner.dims) facts = with_nonempty(facts, range);
    for (std::size_t d = 0; d < outer.rank(); ++d) {
        const Truth own = covers_dimension(outer.dims[d], inner.dims[d], facts);
        all = all && is_yes(own);
        none = none || is_no(own);
    }
    if (all) return Truth::Yes;
    return none && all_nonempty(inner, assumptions) ? Truth::No : Truth::Unknown;
}

Truth disjoint(const Subset& a, const Subset& b, const Assumptions& assumptions) {
    if (a.rank() != b.rank()) return Truth::Unknown;
    if (is_empty(a, assumptions) || is_empty(b, assumptions)) return Truth::Yes;
    Assumptions facts = assumptions;
    for (const Subset* subset : {&a, &b})
        for (const Range& range : subset->dims) facts = with_nonempty(facts, range);
    bool shared = true;
    for (std::size_t d = 0; d < a.rank(); ++d) {
        const Truth own = disjoint_dimension(a.dims[d], b.dims[d], facts);
        if (is_yes(own)) return Truth::Yes;
        shared = shared && is_no(own);
    }
    return shared && all_nonempty(a, assumptions) && all_nonempty(b, assumptions) ? Truth::No : Truth::Unknown;
}

}  // namespace sluice::symbolic
