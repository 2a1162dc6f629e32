#include "frontend/python/choices.h"

#include <algorithm>

#include "code/walk.h"
#include "frontend/python/syntax.h"

namespace sluice::frontend {

using namespace code;

/// Whether the value may be an array that has a name, or holds one.
bool Choices::names_array(const ExprPtr& e) {
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) return names_array(subscript->object);
    if (const auto* attribute = std::get_if<AttributeExpr>(&e->node)) return names_array(attribute->object);
    if (const auto* choice = std::get_if<ConditionalExpr>(&e->node))
        return names_array(choice->if_true) || names_array(choice->if_false);
    if (const auto* call = std::get_if<CallExpr>(&e->node)) {
        const auto* method = std::get_if<AttributeExpr>(&call->function->node);
        return method && names_array(method->object);
    }
    std::vector<ExprPtr> parts;
    if (const auto* keyed = std::get_if<DictExpr>(&e->node)) parts = keyed->values;
    if (std::holds_alternative<TupleExpr>(e->node) || std::holds_alternative<ListExpr>(e->node)) parts = elements_of(e);
    if (!parts.empty()) return std::ranges::any_of(parts, [&](const ExprPtr& part) { return names_array(part); });
    const auto known = t_.variables_.find(std::string(name_of(e)));
    if (known == t_.variables_.end()) return false;
    const Value& value = known->second.value;
    return value.rank() > 0 || std::ranges::any_of(value.elements, [](const Value& one) { return one.rank() > 0; });
}

ExprPtr Choices::choice_in(const ExprPtr& e) {
    if (const auto* choice = std::get_if<ConditionalExpr>(&e->node))
        return !t_.decided(choice->condition) && names_array(e) ? e : nullptr;
    std::vector<ExprPtr> parts;
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) parts = {subscript->object};
    if (const auto* attribute = std::get_if<AttributeExpr>(&e->node)) parts = {attribute->object};
    if (const auto* keyed = std::get_if<DictExpr>(&e->node)) parts = keyed->values;
    if (std::holds_alternative<TupleExpr>(e->node) || std::holds_alternative<ListExpr>(e->node)) parts = elements_of(e);
    if (const auto* call = std::get_if<CallExpr>(&e->node)) {
        if (std::holds_alternative<AttributeExpr>(call->function->node)) parts = {call->function};
        parts.insert(parts.end(), call->arguments.begin(), call->arguments.end());
        for (const Keyword& keyword : call->keywords) parts.push_back(keyword.value);
    }
    for (const ExprPtr& part : parts)
        if (const ExprPtr found = choice_in(part)) return found;
    return nullptr;
}

bool Choices::translate(const StmtPtr& statement) {
    if (t_.flat_ || !t_.map_params_.empty()) return false;
    ExprPtr value;
    if (const auto* s = std::get_if<AssignStmt>(&statement->node)) value = s->value;
    if (const auto* s = std::get_if<ExprStmt>(&statement->node)) value = s->value;
    if (const auto* s = std::get_if<ReturnStmt>(&statement->node)) value = s->value;
    if (!value) return false;
    ExprPtr choice = choice_in(value);
    const bool first = choice == value;
    const auto* direct = std::get_if<ConditionalExpr>(&value->node);
    const bool lazily =
        direct && std::holds_alternative<AssignStmt>(statement->node) && (t_.context_.check_indices || t_.has_effects(value));
    if (lazily) choice = value;
    // The condition comes before what else the value calls.
    bool effects = false;
    for_each_child(*value, [&](const ExprPtr& part) { effects = effects || t_.has_effects(part); });
    if (!choice || (!first && !lazily && effects)) return false;
    const auto& arms = std::get<ConditionalExpr>(choice->node);
    const auto with = [&](const ExprPtr& arm) {
        const auto replace = [&](const ExprPtr& e) {
            return e == value ? replace_parts(e, [&](const ExprPtr& part) { return part == choice ? arm : nullptr; }) : e;
        };
        return Body{with_parts(statement, replace, [](const Body& body) { return body; })};
    };
    t_.translate(
        std::make_shared<const Stmt>(Stmt{IfStmt{arms.condition, with(arms.if_true), with(arms.if_false)}, statement->span}));
    return true;
}

}  // namespace sluice::frontend
