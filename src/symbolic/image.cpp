// The image of a subset over a map parameter: the union over all values of the parameter, as a box that holds it.
//
// A dimension first * p + c : first * p + c + width is a window that moves with the parameter. Consecutive windows that touch make
// the union a range; single indices that move by a stride make it a range with that stride. Where the dependence is not affine the
// bounds of begin and end over the parameter's values give a box.
#include <algorithm>
#include <unordered_map>

#include "symbolic/polynomial.h"
#include "symbolic/section.h"

namespace sluice::symbolic {

namespace {

/// Bounds of more are not known: what leaves many scopes could double its size with each of them.
constexpr std::size_t kMostExpressions = 32;

struct Bounds {
    Expr low;
    Expr high;
};

// e = slope * parameter + rest, neither mentioning the parameter.
struct Affine {
    Expr slope;
    Expr rest;
};

std::optional<Affine> affine_in(const Expr& e, const std::string& parameter) {
    Affine result{0, 0};
    for (const Term& term : terms_of(e)) {
        const Expr whole = term_expr(term.coefficient, term.monomial);
        if (!depends_on(whole, parameter)) {
            result.rest = result.rest + whole;
            continue;
        }
        const std::optional<Expr> cofactor = divide_monomial(term.monomial, symbol(parameter));
        if (!cofactor || depends_on(*cofactor, parameter)) return std::nullopt;
        result.slope = result.slope + term_expr(term.coefficient, *cofactor);
    }
    return result;
}

class ImageOver {
public:
    ImageOver(const std::string& parameter, const Range& range, const Assumptions& assumptions)
        : parameter_(parameter), assumptions_(assumptions), inside_(assumptions), values_(ascending(range, assumptions)) {
        extremes_ = values_ ? Bounds{values_->begin, max_index({values_->begin, values_->end, values_->step, 1})}
                            : Bounds{min_index({range.begin, range.end, range.step, 1}),
                                     max_index({range.begin, range.end, range.step, 1})};
        inside_.assume_in(parameter, extremes_.low, extremes_.high + 1);
    }

    Image of(const Subset& subset) {
        Image image{{}, true};
        int moving = 0;
        for (const Range& range : subset.dims) {
            if (!depends(range)) {
                image.subset.dims.push_back(range);
                continue;
            }
            ++moving;
            bool exact = false;
            image.subset.dims.push_back(dimension(range, exact));
            image.exact = image.exact && exact;
        }
        image.exact = image.exact && moving <= 1;  // A[i, i] is a diagonal, not a box
        return image;
    }

private:
    bool depends(const Range& range) const {
        return depends_on(range.begin, parameter_) || depends_on(range.end, parameter_) || depends_on(range.step, parameter_) ||
               depends_on(range.tile, parameter_);
    }
    bool holds(const Expr& condition) const { return is_yes(decide(condition, inside_)); }

    Range dimension(const Range& range, bool& exact) {
        const bool fixed_shape = !depends_on(range.step, parameter_) && !depends_on(range.tile, parameter_);
        if (fixed_shape && values_) {
            if (const auto moved = moving_window(range)) {
                exact = true;
                return *moved;
            }
            if (const auto grown = growing_window(range)) {
                exact = true;
                return *grown;
            }
        }
        return box(range);
    }

    // begin and end move alike. Exact if the windows touch, or if they are single indices (or one lattice) at a stride.
    std::optional<Range> moving_window(const Range& range) {
        const auto begin = affine_in(range.begin, parameter_), end = affine_in(range.end, parameter_);
        if (!begin || !end || begin->slope != end->slope) return std::nullopt;
        Expr stride = begin->slope * values_->step;
        Expr first = begin->slope * values_->begin + begin->rest, last = begin->slope * extremes_.high + begin->rest;
        if (holds(less(stride, 0))) {
            stride = -stride;
            std::swap(first, last);
        } else if (!holds(less(0, stride))) {
            return std::nullopt;
        }
        if (range.is_index()) return Range{first, last + 1, stride, 1};
        const Expr width = end->rest - begin->rest;
        if (!holds(less(0, width))) return std::nullopt;
        if (range.step.is_integer(1) && range.tile.is_integer(1) && holds(less_equal(stride, width)))
            return Range{first, last + width, 1, 1};
        const Range origin{0, width, range.step, range.tile};
        const auto own = ascending(origin, inside_);
        if (!own || own->step != range.step) return std::nullopt;
        if (!holds(less_equal(width, range.step))) {  // several indices: the next window must continue the lattice
            const bool continues = modulo(stride, range.step).is_integer(0) && holds(less_equal(stride, width + range.step - 1)) &&
                                   modulo(width, range.step).is_integer(0) && holds(less_equal(stride, width));
            if (!continues) return std::nullopt;
            return Range{first, last + width, range.step, range.tile};
        }
        return Range{first, last + 1, stride, range.tile};
    }

    // One end stands still: the windows contain one another, and the largest is the union.
    std::optional<Range> growing_window(const Range& range) {
        if (!range.step.is_integer(1) || !range.tile.is_integer(1)) return std::nullopt;
        const bool begin_moves = depends_on(range.begin, parameter_), end_moves = depends_on(range.end, parameter_);
        if (begin_moves == end_moves) return std::nullopt;
        const auto moving = affine_in(begin_moves ? range.begin : range.end, parameter_);
        if (!moving) return std::nullopt;
        const bool up = holds(less_equal(0, moving->slope));
        if (!up && !holds(less_equal(moving->slope, 0))) return std::nullopt;
        const Expr at_low = moving->slope * extremes_.low + moving->rest, at_high = moving->slope * extremes_.high + moving->rest;
        if (begin_moves) return Range{up ? at_low : at_high, range.end, 1, 1};
        return Range{range.begin, up ? at_high : at_low, 1, 1};
    }

    Range box(const Range& range) {
        const auto own = ascending(range, inside_);
        const Range& known = own ? *own : range;
        Expr first = own ? own->begin : min_index(range), last = max_index(known);
        if (own && own->step.is_integer(1)) last = own->end + own->tile - 2;
        const auto low = bounds(first), high = bounds(last);
        if (!low || !high) return range;
        return {low->low, high->high + 1, 1, 1};
    }

    // Bounds of e over the values of the parameter, free of it. An expression that occurs often is bounded once.
    std::optional<Bounds> bounds(const Expr& e) {
        if (!depends_on(e, parameter_)) return Bounds{e, e};
        if (e.is_symbol()) return extremes_;
        const auto known = bounds_.find(e);
        if (known != bounds_.end()) return known->second;
        if (bounds_.size() >= kMostExpressions) return std::nullopt;
        return bounds_.emplace(e, bounds_of_compound(e)).first->second;
    }

    std::optional<Bounds> bounds_of_compound(const Expr& e) {
        const auto operands = e.operands();
        switch (e.kind()) {
            case Kind::Add:
                return sum_bounds(e);
            case Kind::Multiply:
            case Kind::Power:
                return product_bounds(e);
            case Kind::FloorDivide: {
                const auto above = bounds(operands[0]);
                if (!above || depends_on(operands[1], parameter_) || !holds(less(0, operands[1]))) return std::nullopt;
                return Bounds{floor_divide(above->low, operands[1]), floor_divide(above->high, operands[1])};
            }
            case Kind::Modulo: {
                if (depends_on(operands[1], parameter_) || !holds(less(0, operands[1]))) return std::nullopt;
                const auto inner = bounds(operands[0]);
                if (inner && holds(less_equal(0, inner->low)) && holds(less(inner->high, operands[1]))) return inner;
                return Bounds{0, operands[1] - 1};
            }
            case Kind::Minimum:
            case Kind::Maximum: {
                std::optional<Bounds> result;
                for (const Expr& operand : operands) {
                    const auto own = bounds(operand);
                    if (!own) return std::nullopt;
                    const auto join = e.kind() == Kind::Minimum ? smaller : larger;
                    result = result ? Bounds{join(result->low, own->low, assumptions_), join(result->high, own->high, assumptions_)}
                                    : *own;
                }
                return result;
            }
            case Kind::Select: {
                const auto a = bounds(operands[1]), b = bounds(operands[2]);
                if (!a || !b) return std::nullopt;
                return Bounds{smaller(a->low, b->low, assumptions_), larger(a->high, b->high, assumptions_)};
            }
            default:
                return std::nullopt;
        }
    }

    // Collects the affine part first, so that i - i//2 is not bounded term by term more than needed.
    std::optional<Bounds> sum_bounds(const Expr& e) {
        Bounds result{0, 0};
        Expr affine = 0;
        for (const Expr& operand : e.operands()) {
            if (const auto known = affine_in(operand, parameter_)) {
                affine = affine + operand;
                continue;
            }
            const auto own = bounds(operand);
            if (!own) return std::nullopt;
            result = {result.low + own->low, result.high + own->high};
        }
        const auto own = affine_bounds(affine);
        if (!own) return std::nullopt;
        return Bounds{result.low + own->low, result.high + own->high};
    }

    std::optional<Bounds> affine_bounds(const Expr& e) {
        const auto affine = affine_in(e, parameter_);
        if (!affine) return std::nullopt;
        const Expr low = affine->slope * extremes_.low + affine->rest, high = affine->slope * extremes_.high + affine->rest;
        if (holds(less_equal(0, affine->slope))) return Bounds{low, high};
        if (holds(less_equal(affine->slope, 0))) return Bounds{high, low};
        return Bounds{smaller(low, high, assumptions_), larger(low, high, assumptions_)};
    }

    std::optional<Bounds> product_bounds(const Expr& e) {
        if (const auto known = affine_bounds(e)) return known;
        const Term term = term_of(e);
        const Expr k = constant(term.coefficient);
        Bounds product{k, k};
        for (const Factor& factor : factors_of(term.monomial)) {
            if (factor.exponent < 0 || factor.base == e) return std::nullopt;  // A power with a symbol above has no factors.
            const auto base = bounds(factor.base);
            if (!base) return std::nullopt;
            product = product_bounds(product, power_bounds(*base, factor.exponent));
        }
        return product;
    }

    Bounds power_bounds(const Bounds& base, std::int64_t exponent) {
        const Expr low = power(base.low, Expr(exponent)), high = power(base.high, Expr(exponent));
        if (exponent % 2 == 1 || holds(less_equal(0, base.low))) return {low, high};
        if (holds(less_equal(base.high, 0))) return {high, low};
        return {0, larger(low, high, assumptions_)};
    }

    Bounds product_bounds(const Bounds& a, const Bounds& b) {
        if (holds(less_equal(0, a.low)) && holds(less_equal(0, b.low))) return {a.low * b.low, a.high * b.high};
        const auto extreme = [&](auto join) {
            return join(join(a.low * b.low, a.low * b.high, assumptions_), join(a.high * b.low, a.high * b.high, assumptions_),
                        assumptions_);
        };
        return {extreme(smaller), extreme(larger)};
    }

    const std::string& parameter_;
    const Assumptions& assumptions_;
    Assumptions inside_;
    std::optional<Range> values_;
    Bounds extremes_;
    std::unordered_map<Expr, std::optional<Bounds>> bounds_;
};

}  // namespace

Image image_over(const Subset& subset, const std::string& parameter, const Range& range, const Assumptions& assumptions) {
    return ImageOver(parameter, range, assumptions).of(subset);
}

}  // namespace sluice::symbolic
