// One range: counting, extremes, order and emptiness.
#include "symbolic/section.h"

namespace sluice::symbolic {

namespace {

// Indices minus 1 if there are any.
Expr last_position(const Range& range) {
    if (range.step.is_integer(1)) return range.end - range.begin - 1;
    if (range.step.is_integer(-1)) return range.begin - range.end - 1;
    if (const auto step = range.step.constant())
        return *step > 0 ? floor_divide(range.end - range.begin - 1, range.step)
                         : floor_divide(range.begin - range.end - 1, -range.step);
    return ceil_divide(range.end - range.begin, range.step) - 1;
}

Truth is_positive(const Expr& step, const Assumptions& assumptions) {
    return decide(less(0, step), assumptions);
}

// The last index, the one farthest from begin.
Expr last_index(const Range& range) {
    return range.begin + last_position(range) * range.step;
}

}  // namespace

bool Range::is_index() const {
    return step.is_integer(1) && tile.is_integer(1) && end == begin + 1;
}

Expr count(const Range& range, const Assumptions& assumptions) {
    if (range.is_index()) return 1;
    const Expr indices = last_position(range) + 1;
    return larger(indices, 0, assumptions);
}

Expr num_elements(const Range& range, const Assumptions& assumptions) {
    return count(range, assumptions) * range.tile;
}

Expr min_index(const Range& range) {
    switch (is_positive(range.step, {})) {
        case Truth::Yes:
            return range.begin;
        case Truth::No:
            return last_index(range);
        case Truth::Unknown:
            break;
    }
    return minimum(range.begin, last_index(range));
}

Expr max_index(const Range& range) {
    switch (is_positive(range.step, {})) {
        case Truth::Yes:
            return last_index(range) + range.tile - 1;
        case Truth::No:
            return range.begin + range.tile - 1;
        case Truth::Unknown:
            break;
    }
    return maximum(range.begin, last_index(range)) + range.tile - 1;
}

std::optional<Range> ascending(const Range& range, const Assumptions& assumptions) {
    switch (is_positive(range.step, assumptions)) {
        case Truth::Yes:
            return range;
        case Truth::No:
            return Range{last_index(range), range.begin + 1, -range.step, range.tile};
        case Truth::Unknown:
            break;
    }
    return std::nullopt;
}

bool is_contiguous(const Range& range, const Assumptions& assumptions) {
    return range.step == range.tile || range.step.is_integer(1) || is_yes(decide(less_equal(range.step, range.tile), assumptions));
}

bool is_nonempty(const Range& range, const Assumptions& assumptions) {
    if (range.is_index()) return true;
    const Truth sign = is_positive(range.step, assumptions);
    if (sign == Truth::Unknown) return false;
    return is_yes(decide(is_yes(sign) ? less(range.begin, range.end) : less(range.end, range.begin), assumptions));
}

bool is_empty(const Range& range, const Assumptions& assumptions) {
    if (range.is_index()) return false;
    const Truth sign = is_positive(range.step, assumptions);
    if (sign == Truth::Unknown) return range.begin == range.end;
    return is_yes(decide(is_yes(sign) ? less_equal(range.end, range.begin) : less_equal(range.begin, range.end), assumptions));
}

Assumptions with_nonempty(const Assumptions& assumptions, const Range& range) {
    Assumptions result = assumptions;
    if (range.is_index()) return result;
    const Truth sign = is_positive(range.step, assumptions);
    if (is_yes(sign)) result.assume(less(range.begin, range.end));
    if (is_no(sign)) result.assume(less(range.end, range.begin));
    return result;
}

Expr smaller(const Expr& a, const Expr& b, const Assumptions& assumptions) {
    const Expr least = minimum(a, b);
    if (least.kind() != Kind::Minimum) return least;
    if (is_yes(decide(less_equal(a, b), assumptions))) return a;
    if (is_yes(decide(less_equal(b, a), assumptions))) return b;
    return least;
}

Expr larger(const Expr& a, const Expr& b, const Assumptions& assumptions) {
    const Expr greatest = maximum(a, b);
    if (greatest.kind() != Kind::Maximum) return greatest;
    if (is_yes(decide(less_equal(b, a), assumptions))) return a;
    if (is_yes(decide(less_equal(a, b), assumptions))) return b;
    return greatest;
}

std::optional<std::set<std::int64_t>> elements(const Range& range, std::size_t limit) {
    const auto begin = range.begin.constant(), end = range.end.constant(), step = range.step.constant(),
               tile = range.tile.constant();
    if (!begin || !end || !step || !tile || *step == 0 || *tile < 1) return std::nullopt;
    std::set<std::int64_t> result;
    for (std::int64_t at = *begin; *step > 0 ? at < *end : at > *end;) {
        for (std::int64_t offset = 0; offset < *tile; ++offset) {
            std::int64_t element;
            if (result.size() > limit || __builtin_add_overflow(at, offset, &element)) return std::nullopt;
            result.insert(element);
        }
        if (__builtin_add_overflow(at, *step, &at)) break;
    }
    return result;
}

std::set<std::string> free_symbols(const Range& range) {
    std::set<std::string> names;
    for (const Expr& e : {range.begin, range.end, range.step, range.tile}) names.merge(free_symbols(e));
    return names;
}

Range substitute(const Range& range, const Substitution& replacement) {
    return {substitute(range.begin, replacement), substitute(range.end, replacement), substitute(range.step, replacement),
            substitute(range.tile, replacement)};
}

}  // namespace sluice::symbolic
