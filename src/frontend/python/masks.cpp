// Assignment through a boolean mask: every element of the place is written, with its old value where the mask does not hold.
//     a[a > 0] = 0            ->   a[:] = 0 if a > 0 else a
//     a[mask] += b[mask]      ->   a[:] = a + b if mask else a
// What is read through the same mask stays where it is, so no size depends on data.
#include "code/print.h"
#include "code/walk.h"
#include "frontend/python/bindings.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/syntax.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;

namespace {

ExprPtr whole_slice(const Span& span) {
    return std::make_shared<const code::Expr>(code::Expr{SliceExpr{}, span});
}

ExprPtr tuple_of(std::vector<ExprPtr> items, const Span& span) {
    return std::make_shared<const code::Expr>(code::Expr{TupleExpr{std::move(items)}, span});
}

/// Whether the index item is written like a mask; evaluating anything else here could repeat work.
bool may_be_mask(const ExprPtr& item) {
    if (const auto* unary = std::get_if<UnaryExpr>(&item->node)) return unary->op == UnaryOp::Invert;
    if (const auto* binary = std::get_if<BinaryExpr>(&item->node))
        return binary->op == BinaryOp::BitAnd || binary->op == BinaryOp::BitOr || binary->op == BinaryOp::BitXor;
    return std::holds_alternative<CompareExpr>(item->node) || std::holds_alternative<NameExpr>(item->node) ||
           std::holds_alternative<CallExpr>(item->node);
}

}  // namespace

std::optional<Value> Translator::mask_of(const ExprPtr& item) {
    if (!may_be_mask(item)) return std::nullopt;
    if (const auto name = std::string(name_of(item)); !name.empty() && !variables_.contains(name)) return std::nullopt;
    if (const auto* call = std::get_if<CallExpr>(&item->node)) {
        const Function* function = code::find_function(qualified_name(*call->function, bindings_));
        if (!function || !call->keywords.empty()) return std::nullopt;
    }
    Value value = evaluate(item);
    const bool masks = value.is_elements() && value.rank() > 0 && value.type.dtype == DType(Scalar::Bool);
    return masks ? std::optional(std::move(value)) : std::nullopt;
}

bool Translator::is_masked(const ExprPtr& target) {
    const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
    if (!subscript) return false;
    for (const ExprPtr& item : elements_of(subscript->index))
        if (mask_of(item)) return true;
    return false;
}

std::optional<Translator::MaskedPlace> Translator::masked_place(const ExprPtr& target) {
    const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
    if (!subscript) return std::nullopt;
    std::vector<ExprPtr> items;
    std::optional<Value> mask;
    std::size_t before = 0;  // Dimensions of the place in front of the mask's.
    for (const ExprPtr& item : elements_of(subscript->index)) {
        auto found = mask_of(item);
        if (!found) {
            const auto* constant = std::get_if<ConstantExpr>(&item->node);
            const bool ellipsis = constant && std::holds_alternative<EllipsisValue>(constant->value);
            if (!mask && ellipsis) before = static_cast<std::size_t>(-1);
            if (!mask && (is_none(item) || std::holds_alternative<SliceExpr>(item->node))) ++before;
            items.push_back(item);
            continue;
        }
        if (mask || before == static_cast<std::size_t>(-1))
            unsupported("a boolean mask beside another mask or behind an ellipsis", item->span, "write one mask, and whole slices");
        mask = std::move(found);
        items.insert(items.end(), mask->rank(), whole_slice(item->span));
    }
    if (!mask) return std::nullopt;
    MaskedPlace place{tuple_of(std::move(items), subscript->index->span), code::to_string(*subscript->index), {}, {}};
    place.whole = index(evaluate(subscript->object), place.whole_index, target->span);
    check(before + mask->rank() <= place.whole.rank(), "a mask lies outside of its place");
    const std::size_t behind = place.whole.rank() - before - mask->rank();
    for (std::size_t dim = 0; dim < mask->rank(); ++dim)
        require_equal(mask->shape[dim], place.whole.shape[before + dim], "a mask and the dimension that it selects from",
                      target->span);
    symbolic::Substitution moved;
    for (std::size_t r = 0; r < mask->rank(); ++r) moved.emplace(iteration_name(r), iteration(r + behind));
    place.mask = substitute(*mask, moved);
    place.mask.shape.insert(place.mask.shape.end(), behind, Expr(1));
    return place;
}

/// The value of an expression whose arrays are all read through the place's mask; numbers stand for themselves.
Value Translator::masked_value(const ExprPtr& e, const MaskedPlace& place) {
    const auto inner = [&](const ExprPtr& operand) { return masked_value(operand, place); };
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
        subscript && code::to_string(*subscript->index) == place.index_text) {
        const Value value = index(evaluate(subscript->object), place.whole_index, e->span);
        bool same = value.rank() == place.whole.rank();
        for (std::size_t dim = 0; same && dim < value.rank(); ++dim) same = same_size(value.shape[dim], place.whole.shape[dim]);
        if (!same) refuse("F004", "the mask selects from arrays of different shapes", e->span, "use arrays of one shape");
        return value;
    }
    if (const auto* unary = std::get_if<UnaryExpr>(&e->node))
        return combine({inner(unary->operand)}, e->span, [&](const auto& c) { return make_unary(unary->op, c[0], e->span); });
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node); binary && binary->op != BinaryOp::MatMul)
        return combine({inner(binary->left), inner(binary->right)}, e->span,
                       [&](const auto& c) { return make_binary(binary->op, c[0], c[1], e->span); });
    if (const auto* call = std::get_if<CallExpr>(&e->node); call && call->keywords.empty())
        if (const Function* function = code::find_function(qualified_name(*call->function, bindings_))) {
            std::vector<Value> operands;
            for (const ExprPtr& operand : call->arguments) operands.push_back(inner(operand));
            return call_function(qualified_name(*call->function, bindings_), std::string(function->name), operands, e->span);
        }
    const Value value = evaluate(e);
    if (!value.is_scalar())
        refuse("F004", "the number of elements that a mask selects is known at run time only", e->span,
               "assign a number, or read with the same mask: a[mask] = b[mask]");
    return value;
}

void Translator::assign_masked(const MaskedPlace& place, const ExprPtr& e, const Span& span) {
    refuse_flat();
    const Target target = target_of(place.whole, span);
    Value value = masked_value(e, place);
    Value zero = integer(0);
    if (!conflict_resolution(target, BinaryOp::Add, zero).empty())
        unsupported("a masked assignment to elements that several iterations of a map reach", span,
                    "write to a part of the array that belongs to the iteration");
    const DType& type = place.whole.type.dtype;
    if (code::is_complex(value.type.dtype.scalar) && !code::is_complex(type.scalar))
        refuse("F009", "a complex value does not fit a real target", span, "take its .real or .imag part");
    value = cast(value, type, span);
    assign(target,
           combine({place.mask, value, place.whole}, span, [&](const auto& c) { return make_conditional(c[0], c[1], c[2], span); }),
           "masked");
}

void Translator::augment_masked(const MaskedPlace& place, const AugAssignStmt& statement, const Span& span) {
    assign_masked(place, make_binary(statement.op, statement.target, statement.value, span), span);
}

}  // namespace sluice::frontend
