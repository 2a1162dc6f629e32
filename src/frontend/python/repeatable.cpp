#include "frontend/python/repeatable.h"

#include <algorithm>

#include "code/walk.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

bool is_repeatable(const ExprPtr& e) {
    if (std::holds_alternative<CallExpr>(e->node) || std::holds_alternative<SubscriptExpr>(e->node) ||
        std::holds_alternative<ComprehensionExpr>(e->node) || std::holds_alternative<LambdaExpr>(e->node) ||
        std::holds_alternative<NamedExpr>(e->node) || std::holds_alternative<BoolExpr>(e->node))
        return false;
    bool plain = true;
    for_each_child(*e, [&](const ExprPtr& child) { plain = plain && is_repeatable(child); });
    return plain;
}

bool is_pure(const ExprPtr& e) {
    const auto* call = std::get_if<CallExpr>(&e->node);
    const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
    if (call)
        return (name_of(call->function) == "int" || name_of(call->function) == "abs") && call->keywords.empty() &&
               std::ranges::all_of(call->arguments, is_pure);
    if (subscript) return !name_of(subscript->object).empty() && is_pure(subscript->index);
    if (std::holds_alternative<TupleExpr>(e->node)) return std::ranges::all_of(elements_of(e), is_pure);
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node)) return is_pure(binary->left) && is_pure(binary->right);
    return is_repeatable(e);
}

bool mentions_name(const ExprPtr& e, const std::string& name) {
    bool found = name_of(e) == name;
    for_each_child(*e, [&](const ExprPtr& child) { found = found || mentions_name(child, name); });
    return found;
}

}  // namespace sluice::frontend
