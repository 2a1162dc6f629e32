#include "poly/convert.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "poly/raw.h"
#include "symbolic/expr.h"

namespace sluice::poly {

using symbolic::Expr;
using symbolic::Kind;

bool is_opaque(std::string_view parameter) {
    return !std::ranges::all_of(parameter, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '$' || c == '.'; });
}

Map Affine::graph(const std::string& range_tuple) const {
    return Map(isl_map_from_pw_aff(copy())).with_range_tuple(range_tuple);
}
std::string Affine::to_string() const {
    return take_text(isl_pw_aff_to_str(get()));
}

namespace {

struct NotAffine {
    std::string why;
};

[[noreturn]] void refuse(const std::string& why) {
    throw NotAffine{why};
}

bool is_call_free(const Expr& e) {
    return e.kind() != Kind::Call && e.kind() != Kind::Real && std::ranges::all_of(e.operands(), is_call_free);
}

class Converter {
public:
    explicit Converter(const Space& space) : space_(space) {}

    /// Each subexpression is converted once: as a tree an expression can be exponentially larger than what it is made of.
    Affine affine(const Expr& e) {
        if (e.operands().empty()) return computed(e);
        const auto known = done_.find(e);
        return known != done_.end() ? known->second : done_.emplace(e, computed(e)).first->second;
    }

    Affine computed(const Expr& e) {
        switch (e.kind()) {
            case Kind::Integer:
                return constant(e.integer(), 1);
            case Kind::Rational:
                return constant(e.integer(), e.denominator());
            case Kind::Boolean:
                return constant(e.integer(), 1);
            case Kind::Real:
                refuse("`" + symbolic::to_string(e) + "` is a real number");
            case Kind::Symbol:
                return variable(e.name());
            case Kind::Add:
                return fold(e, isl_pw_aff_add);
            case Kind::Minimum:
                return fold(e, isl_pw_aff_min);
            case Kind::Maximum:
                return fold(e, isl_pw_aff_max);
            case Kind::Multiply:
                return product(e);
            case Kind::FloorDivide:
                return divided(e);
            case Kind::Modulo:
                return divided(e);
            case Kind::Select:
                return selected(e);
            case Kind::Power:
                return opaque(e, "is a power");
            case Kind::Call:
                if (const Expr place = without_check(e); !(place == e)) return affine(place);
                refuse(call_text(e));
            case Kind::Equal:
            case Kind::Less:
            case Kind::LessEqual:
            case Kind::And:
            case Kind::Or:
            case Kind::Not:
                return Affine(isl_set_indicator_function(condition(e, false).copy()));
        }
        refuse("`" + symbolic::to_string(e) + "`");
    }

    Set condition(const Expr& e, bool negated) {
        switch (e.kind()) {
            case Kind::Boolean:
                return (e.integer() != 0) != negated ? Set::universe(space_) : Set::empty(space_);
            case Kind::Not:
                return condition(e.operands()[0], !negated);
            case Kind::And:
            case Kind::Or: {
                const bool meet = (e.kind() == Kind::And) != negated;
                Set all = condition(e.operands()[0], negated);
                for (const Expr& part : e.operands().subspan(1)) {
                    const Set next = condition(part, negated);
                    all = meet ? all.intersect(next) : all.unite(next);
                }
                return all;
            }
            case Kind::Equal:
                return compared(e, negated ? isl_pw_aff_ne_set : isl_pw_aff_eq_set);
            case Kind::Less:
                return compared(e, negated ? isl_pw_aff_ge_set : isl_pw_aff_lt_set);
            case Kind::LessEqual:
                return compared(e, negated ? isl_pw_aff_gt_set : isl_pw_aff_le_set);
            case Kind::Integer:
            case Kind::Rational:
            case Kind::Real:
            case Kind::Symbol:
            case Kind::Add:
            case Kind::Multiply:
            case Kind::Power:
            case Kind::FloorDivide:
            case Kind::Modulo:
            case Kind::Minimum:
            case Kind::Maximum:
            case Kind::Select:
            case Kind::Call: {
                const Affine value = affine(e);
                return Set(negated ? isl_pw_aff_zero_set(value.copy()) : isl_pw_aff_non_zero_set(value.copy()));
            }
        }
        refuse("`" + symbolic::to_string(e) + "`");
    }

    /// Indices of the range at the dimension that `x` stands for.
    Set within(const symbolic::Range& range, const Expr& x) {
        const std::optional<std::int64_t> step = range.step.constant(), tile = range.tile.constant();
        if (!step || *step == 0) refuse("the step `" + symbolic::to_string(range.step) + "` is no constant");
        if (!tile || *tile < 1) refuse("the tile `" + symbolic::to_string(range.tile) + "` is no constant");
        const bool upwards = *step > 0;
        const std::int64_t stride = upwards ? *step : -*step;
        const Expr span = upwards ? range.end - range.begin : range.begin - range.end;
        const Expr reach = Expr(stride) * symbolic::floor_divide(span - 1, Expr(stride));
        const Expr low = upwards ? range.begin : range.begin - reach, high = upwards ? range.begin + reach : range.begin;
        Set points = condition(symbolic::less(0, span), false).intersect(condition(symbolic::less_equal(low, x), false));
        points = points.intersect(condition(symbolic::less(x, high + *tile), false));
        if (stride > *tile)
            points = points.intersect(condition(symbolic::less(symbolic::modulo(x - low, Expr(stride)), *tile), false));
        return points;
    }

private:
    isl_local_space* local_space(isl_space* space) const { return isl_local_space_from_space(space); }

    Affine constant(std::int64_t numerator, std::int64_t denominator) const {
        isl_val* value = isl_val_int_from_si(context(), numerator);
        if (denominator != 1) value = isl_val_div(value, isl_val_int_from_si(context(), denominator));
        return Affine(isl_pw_aff_from_aff(isl_aff_val_on_domain(local_space(raw_space(space_)), value)));
    }
    Affine variable(const std::string& name) const {
        const auto at = std::ranges::find(space_.dims, name);
        if (at == space_.dims.end()) return parameter(name);
        const auto position = static_cast<unsigned>(at - space_.dims.begin());
        return Affine(isl_pw_aff_from_aff(isl_aff_var_on_domain(local_space(raw_space(space_)), isl_dim_set, position)));
    }
    Affine parameter(const std::string& name) const {
        isl_id* id = isl_id_alloc(context(), name.c_str(), nullptr);
        isl_space* space = isl_space_add_param_id(raw_space(space_), isl_id_copy(id));
        return Affine(isl_pw_aff_from_aff(isl_aff_param_on_domain_space_id(space, id)));
    }
    /// An expression of parameters alone is a parameter of its own.
    Affine opaque(const Expr& e, const std::string& why) const {
        for (const std::string& name : symbolic::free_symbols(e))
            if (std::ranges::find(space_.dims, name) != space_.dims.end()) refuse("`" + symbolic::to_string(e) + "` " + why);
        if (!is_call_free(e)) refuse("`" + symbolic::to_string(e) + "` " + why);
        return parameter(symbolic::to_string(e));
    }
    static std::string call_text(const Expr& e) {
        const bool reads = e.name() == "Subscript" || e.name() == "Attr";
        return "`" + symbolic::to_string(e) + "` " + (reads ? "reads data" : "calls a function");
    }

    template <class Combine> Affine fold(const Expr& e, Combine combine) {
        Affine all = affine(e.operands()[0]);
        for (const Expr& part : e.operands().subspan(1)) all = Affine(combine(all.copy(), affine(part).copy()));
        return all;
    }
    /// Numbers times at most one factor that is not a number.
    Affine product(const Expr& e) {
        std::optional<Expr> rest;
        Affine factor = constant(1, 1);
        for (const Expr& part : e.operands()) {
            if (part.kind() == Kind::Integer || part.kind() == Kind::Rational) {
                factor = Affine(isl_pw_aff_mul(factor.copy(), affine(part).copy()));
            } else {
                rest = rest ? *rest * part : part;
            }
        }
        if (!rest) return factor;
        const Affine variable_part =
            rest->kind() == Kind::Multiply || rest->kind() == Kind::Power ? opaque(*rest, "multiplies variables") : affine(*rest);
        return Affine(isl_pw_aff_mul(factor.copy(), variable_part.copy()));
    }
    Affine divided(const Expr& e) {
        const std::optional<std::int64_t> divisor = e.operands()[1].constant();
        if (!divisor || *divisor == 0) return opaque(e, "divides by a variable");
        const bool modulo = e.kind() == Kind::Modulo;
        const Affine dividend = affine(e.operands()[0]);
        isl_val* value = isl_val_int_from_si(context(), *divisor);
        // Of a rational quotient isl's floor rounds to minus infinity, whatever the signs, as Python does.
        isl_pw_aff* quotient = isl_pw_aff_floor(isl_pw_aff_scale_down_val(dividend.copy(), isl_val_copy(value)));
        if (modulo) quotient = isl_pw_aff_sub(dividend.copy(), isl_pw_aff_scale_val(quotient, isl_val_copy(value)));
        isl_val_free(value);
        return Affine(quotient);
    }
    Affine selected(const Expr& e) {
        const Set holds = condition(e.operands()[0], false), fails = condition(e.operands()[0], true);
        const Affine if_true = affine(e.operands()[1]), if_false = affine(e.operands()[2]);
        return Affine(isl_pw_aff_union_add(isl_pw_aff_intersect_domain(if_true.copy(), holds.copy()),
                                           isl_pw_aff_intersect_domain(if_false.copy(), fails.copy())));
    }
    template <class Compare> Set compared(const Expr& e, Compare compare) {
        const Affine left = affine(e.operands()[0]), right = affine(e.operands()[1]);
        return Set(compare(left.copy(), right.copy()));
    }

    const Space& space_;
    std::unordered_map<Expr, Affine> done_;
};

template <class Body> auto converted(Body&& body) -> Converted<decltype(body())> {
    try {
        const Budget budget;
        auto value = body();
        if (!value.known()) return {.value = std::nullopt, .why = "too costly to convert"};
        return {.value = std::move(value), .why = {}};
    } catch (const NotAffine& reason) {
        return {.value = std::nullopt, .why = reason.why};
    }
}

}  // namespace

Expr without_check(const Expr& index) {
    if (index.kind() != Kind::Call || index.name() != "checked_index") return index;
    const Expr at = index.operands()[0], size = index.operands()[1];
    return symbolic::select(symbolic::less(at, 0), at + size, at);
}

Converted<Affine> to_affine(const Expr& value, const Space& space) {
    return converted([&] { return Converter(space).affine(value); });
}

Converted<Set> to_set(const Expr& condition, const Space& space) {
    return converted([&] { return Converter(space).condition(condition, false); });
}

Converted<Set> in_range(const symbolic::Range& range, const std::string& dimension, const Space& space) {
    return converted([&] { return Converter(space).within(range, symbolic::symbol(dimension)); });
}

namespace {

/// Points of both spaces side by side, taken apart again.
Map taken_apart(const Set& pairs, const Space& from, const std::string& to_tuple) {
    const auto count = static_cast<unsigned>(from.dims.size());
    isl_map* map = isl_map_move_dims(isl_map_from_range(pairs.copy()), isl_dim_in, 0, isl_dim_out, 0, count);
    return Map(map).with_domain_tuple(from.tuple).with_range_tuple(to_tuple);
}

}  // namespace

Converted<Map> to_elements(const symbolic::Subset& subset, const Space& space, const std::string& tuple) {
    return converted([&] {
        Space joint{.tuple = {}, .dims = space.dims};
        const auto element = [](std::size_t d) { return "$" + std::to_string(d); };
        for (std::size_t d = 0; d < subset.rank(); ++d) joint.dims.push_back(element(d));
        Set pairs = Set::universe(joint);
        for (std::size_t d = 0; d < subset.rank(); ++d)
            pairs = pairs.intersect(Converter(joint).within(subset.dims[d], symbolic::symbol(element(d))));
        return taken_apart(pairs, space, tuple);
    });
}

Converted<Map> to_relation(const Expr& condition, const Space& from, const Space& to) {
    return converted([&] {
        Space joint{.tuple = {}, .dims = from.dims};
        joint.dims.insert(joint.dims.end(), to.dims.begin(), to.dims.end());
        return taken_apart(Converter(joint).condition(condition, false), from, to.tuple);
    });
}

Set to_parameters(const symbolic::Assumptions& assumptions, const std::vector<std::string>& symbols) {
    const Space none;
    Set known = Set::universe(none);
    for (const Expr& fact : assumptions.facts())
        if (const Converted<Set> set = to_set(fact, none); set.ok()) known = known.intersect(*set.value);
    for (const std::string& name : symbols) {
        std::optional<std::int64_t> least;
        if (is_opaque(name)) {
            if (const Result<Expr> e = symbolic::parse(name); e.ok()) least = symbolic::lower_bound(*e, assumptions);
        } else if (assumptions.positive_by_default(name)) {
            least = 1;
        }
        if (!least) continue;
        isl_id* id = isl_id_alloc(context(), name.c_str(), nullptr);
        isl_space* space = isl_space_add_param_id(raw_space(none), isl_id_copy(id));
        isl_pw_aff* value = isl_pw_aff_from_aff(isl_aff_param_on_domain_space_id(space, id));
        isl_pw_aff* bound = isl_pw_aff_from_aff(
            isl_aff_val_on_domain(isl_local_space_from_space(raw_space(none)), isl_val_int_from_si(context(), *least)));
        known = known.intersect(Set(isl_pw_aff_ge_set(value, bound)));
    }
    return known.parameters();
}

}  // namespace sluice::poly
