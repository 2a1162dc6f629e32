// Boolean masks as indices. What is read through the mask of the target stays where it is, so that no size depends on data:
//     a[mask] = value         ->   a[:] = value if mask else a
//     a[mask] += b[mask]      ->   a[:] = a + b if mask else a
// Anything else is what NumPy documents, the index arrays of the elements that the mask selects:
//     b[:, mask]              ->   b[:, np.nonzero(mask)[0]]
#include "frontend/python/masks.h"

#include <algorithm>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/reshape.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/overflow.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

ExprPtr whole_slice(const Span& span) {
    return std::make_shared<const code::Expr>(code::Expr{SliceExpr{}, span});
}

ExprPtr tuple_of(std::vector<ExprPtr> items, const Span& span) {
    return std::make_shared<const code::Expr>(code::Expr{TupleExpr{std::move(items)}, span});
}

bool has_call(const ExprPtr& e) {
    bool found = std::holds_alternative<CallExpr>(e->node);
    for_each_child(*e, [&](const ExprPtr& child) { found = found || has_call(child); });
    return found;
}

/// Whether the index item is written like a mask; evaluating anything else here could repeat work.
bool may_be_mask(const ExprPtr& item) {
    if (const auto* unary = std::get_if<UnaryExpr>(&item->node)) return unary->op == UnaryOp::Invert;
    if (const auto* binary = std::get_if<BinaryExpr>(&item->node))
        return binary->op == BinaryOp::BitAnd || binary->op == BinaryOp::BitOr || binary->op == BinaryOp::BitXor;
    if (std::holds_alternative<SubscriptExpr>(item->node) || std::holds_alternative<AttributeExpr>(item->node))
        return !has_call(item);
    if (const auto* list = std::get_if<ListExpr>(&item->node))
        return std::ranges::any_of(list->elements, [](const ExprPtr& one) {
            const auto* constant = std::get_if<ConstantExpr>(&one->node);
            return constant && std::holds_alternative<bool>(constant->value);
        });
    return std::holds_alternative<CompareExpr>(item->node) || std::holds_alternative<NameExpr>(item->node) ||
           std::holds_alternative<CallExpr>(item->node);
}

}  // namespace

/// Elements of an array of numbers are no mask; to evaluate them could take several states.
bool Masks::has_numbers(const ExprPtr& item) const {
    const auto* subscript = std::get_if<SubscriptExpr>(&item->node);
    if (!subscript) return false;
    const auto variable = t_.variables_.find(std::string(name_of(subscript->object)));
    return variable != t_.variables_.end() && variable->second.value.is_elements() &&
           !(variable->second.value.type.dtype == DType(Scalar::Bool));
}

/// A mask is as long as the dimension that it selects from; where only the run knows, the error is NumPy's.
void Masks::require_extent(const Expr& of_mask, const Expr& size, std::size_t axis, const Span& span) {
    const bool differ = symbolic::is_no(symbolic::decide(symbolic::equal(of_mask, size), t_.assumptions_));
    if (differ || t_.same_size(of_mask, size))
        return t_.require_equal(of_mask, size, "a mask and the dimension that it selects from", span);
    t_.require(make_compare(ir::to_code(of_mask), CompareOp::Eq, ir::to_code(size), span),
               "boolean index did not match indexed array along axis " + std::to_string(axis) +
                   "; size of axis is {} but size of corresponding boolean axis is {}",
               span, {"IndexError", {ir::to_code(size), ir::to_code(of_mask)}});
    t_.checked_.emplace_back(of_mask, size);
}

std::optional<Value> Masks::mask_of(const ExprPtr& item) {
    if (!may_be_mask(item) || has_numbers(item)) return std::nullopt;
    if (const auto name = std::string(name_of(item)); !name.empty() && !t_.variables_.contains(name)) return std::nullopt;
    if (const auto* call = std::get_if<CallExpr>(&item->node)) {
        const Function* function = code::find_function(qualified_name(*call->function, t_.bindings_));
        if (!function || !call->keywords.empty()) return std::nullopt;
    }
    if (std::holds_alternative<AttributeExpr>(item->node) && !qualified_name(*item, t_.bindings_).empty()) return std::nullopt;
    Value value = t_.evaluate(item);
    if (std::holds_alternative<ListExpr>(item->node)) value = t_.as_array(value, item->span);
    const bool masks = value.is_elements() && value.rank() > 0 && value.type.dtype == DType(Scalar::Bool);
    return masks ? std::optional(std::move(value)) : std::nullopt;
}

bool Masks::stand_in(const ExprPtr& target) {
    const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
    if (!subscript) return false;
    return std::ranges::any_of(elements_of(subscript->index), [&](const ExprPtr& item) { return mask_of(item).has_value(); });
}

/// `np.nonzero(mask)`; a mask that stands unchanged is asked once.
Value Masks::places_of(const Value& mask, const Span& span, const std::function<ExprPtr(const Value&, const Span&)>& named) {
    for (const auto& [known, places] : t_.selections_)
        if (same_meaning(known, mask) && known.shape == mask.shape) return places;
    t_.bindings_.emplace("__numpy", ModuleBinding{"numpy"});
    const ExprPtr function = make_attribute(make_name("__numpy", span), "nonzero", span);
    const CallExpr call{function, {named(mask, span)}, {}};
    Value places = t_.call(std::make_shared<const code::Expr>(code::Expr{call, span}), call);
    for (Value& place : places.elements) place.natural = true;
    if (as_view(mask) && std::ranges::all_of(places.elements, [](const Value& place) { return as_view(place) != nullptr; }))
        t_.selections_.emplace_back(mask, places);
    return places;
}

// ---- elements that a mask selects ---------------------------------------------------------------------------------------
std::optional<Value> Masks::read(const Value& base, const ExprPtr& index, const Span& span) {
    std::vector<ExprPtr> items;
    std::vector<std::string> names;
    std::size_t dim = 0;  // Of the base; behind an ellipsis it is not known.
    bool known = true;
    const auto given = std::holds_alternative<ListExpr>(index->node) ? std::vector<ExprPtr>{index} : elements_of(index);
    const auto named = [&](const Value& value, const Span& where) {
        names.push_back(t_.prelude_prefix_ + "__mask" + std::to_string(where.line) + "_" + std::to_string(where.column) + "_" +
                        std::to_string(names.size()));
        t_.bind(names.back(), value);
        return make_name(names.back(), where);
    };
    for (const ExprPtr& item : given) {
        const auto mask = mask_of(item);
        if (!mask) {
            const auto* constant = std::get_if<ConstantExpr>(&item->node);
            known = known && !(constant && std::holds_alternative<EllipsisValue>(constant->value));
            if (!is_none(item)) ++dim;
            items.push_back(item);
            continue;
        }
        for (std::size_t k = 0; known && k < mask->rank() && dim + k < base.rank(); ++k)
            require_extent(mask->shape[k], base.shape[dim + k], dim + k, item->span);
        dim += mask->rank();
        for (const Value& place : places_of(*mask, item->span, named).elements) items.push_back(named(place, item->span));
    }
    if (names.empty()) return std::nullopt;
    Value result = t_.index(base, items.size() == 1 ? items[0] : tuple_of(std::move(items), span), span);
    for (const std::string& name : names) t_.variables_.erase(name);
    return result;
}

// ---- assignments --------------------------------------------------------------------------------------------------------
/// nullopt: no mask, or one beside other arrays of indices.
std::optional<MaskedPlace> Masks::place_of(const ExprPtr& target) {
    const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
    if (!subscript) return std::nullopt;
    std::vector<ExprPtr> items;
    std::optional<Value> mask;
    std::size_t before = 0;  // Dimensions of the place in front of the mask's.
    bool alone = true;
    for (const ExprPtr& item : elements_of(subscript->index)) {
        auto found = mask_of(item);
        if (!found) {
            const auto* constant = std::get_if<ConstantExpr>(&item->node);
            if (constant && std::holds_alternative<EllipsisValue>(constant->value)) alone = false;
            if (!mask && (is_none(item) || std::holds_alternative<SliceExpr>(item->node))) ++before;
            items.push_back(item);
            continue;
        }
        if (mask || !alone) return std::nullopt;
        mask = std::move(found);
        items.insert(items.end(), mask->rank(), whole_slice(item->span));
    }
    if (!mask) return std::nullopt;
    MaskedPlace place{tuple_of(std::move(items), subscript->index->span), code::to_string(*subscript->index), {}, {}};
    Value base = t_.evaluate(subscript->object);
    Reshape(t_).settle(base, subscript->object->span);
    if (base.copied) return std::nullopt;
    place.whole = t_.index(base, place.whole_index, target->span);
    if (place.whole.copied || before + mask->rank() > place.whole.rank()) return std::nullopt;
    const std::size_t behind = place.whole.rank() - before - mask->rank();
    for (std::size_t dim = 0; dim < mask->rank(); ++dim)
        require_extent(mask->shape[dim], place.whole.shape[before + dim], before + dim, target->span);
    symbolic::Substitution moved;
    for (std::size_t r = 0; r < mask->rank(); ++r) moved.emplace(iteration_name(r), iteration(r + behind));
    place.mask = substitute(*mask, moved);
    place.mask.shape.insert(place.mask.shape.end(), behind, Expr(1));
    return place;
}

/// The value of an expression whose arrays are all read through the place's mask, where they lie; numbers stand for themselves.
/// nullopt if other arrays take part.
std::optional<Value> Masks::value_in_place(const ExprPtr& e, const MaskedPlace& place) {
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
        subscript && code::to_string(*subscript->index) == place.index_text) {
        const Value value = t_.index(t_.evaluate(subscript->object), place.whole_index, e->span);
        bool same = value.rank() == place.whole.rank();
        for (std::size_t dim = 0; same && dim < value.rank(); ++dim) same = t_.same_size(value.shape[dim], place.whole.shape[dim]);
        return same ? std::optional(value) : std::nullopt;
    }
    if (const auto* unary = std::get_if<UnaryExpr>(&e->node)) {
        const auto operand = value_in_place(unary->operand, place);
        if (!operand) return std::nullopt;
        return t_.combine({*operand}, e->span, [&](const auto& c) { return make_unary(unary->op, c[0], e->span); });
    }
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node); binary && binary->op != BinaryOp::MatMul) {
        const auto left = value_in_place(binary->left, place), right = value_in_place(binary->right, place);
        if (!left || !right) return std::nullopt;
        return t_.binary(binary->op, *left, *right, e->span);
    }
    if (const auto* call = std::get_if<CallExpr>(&e->node); call && call->keywords.empty())
        if (const Function* function = code::find_function(qualified_name(*call->function, t_.bindings_))) {
            std::vector<Value> operands;
            for (const ExprPtr& operand : call->arguments) {
                const auto value = value_in_place(operand, place);
                if (!value) return std::nullopt;
                operands.push_back(*value);
            }
            return t_.call_function(qualified_name(*call->function, t_.bindings_), std::string(function->name), operands, e->span);
        }
    Value value = t_.evaluate(e);
    return value.is_scalar() ? std::optional(std::move(value)) : std::nullopt;
}

bool Masks::assign_in_place(const MaskedPlace& place, const ExprPtr& e, const Span& span, bool updates) {
    t_.refuse_flat();
    const Target target = t_.target_of(place.whole, span);
    auto value = value_in_place(e, place);
    if (!value) return false;
    Value zero = integer(0);
    if (!t_.conflict_resolution(target, BinaryOp::Add, zero).empty())
        unsupported("a masked assignment to elements that several iterations of a map reach", span,
                    "write to a part of the array that belongs to the iteration");
    const DType& type = place.whole.type.dtype;
    if (code::is_complex(value->type.dtype.scalar) && !code::is_complex(type.scalar))
        refuse("F009", "a complex value does not fit a real target", span, "take its .real or .imag part");
    if (updates) Translator::refuse_richer_update(*value, type, span);
    Overflow(t_).require_stored(*value, type, span, Overflow::Floats::Pythons);
    value = t_.cast(*value, type, span);
    const Value chosen = t_.combine({place.mask, *value, place.whole}, span,
                                    [&](const auto& c) { return make_conditional(c[0], c[1], c[2], span); });
    t_.assign(target, chosen, "masked");
    return true;
}

bool Masks::assign(const ExprPtr& target, const ExprPtr& value, const Span& span, bool updates) {
    if (!stand_in(target)) return false;
    if (const auto place = place_of(target); place && !t_.has_effects(value))
        if (assign_in_place(*place, value, span, updates)) return true;
    const Value given = t_.settled(t_.evaluate(value));
    const Target place = t_.target_of(target);
    if (updates) Translator::refuse_richer_update(given, place.view.dtype, span);
    Overflow(t_).assign(place, given, "masked", Overflow::Floats::Pythons);
    return true;
}

}  // namespace sluice::frontend
