#include "frontend/python/map_updates.h"

#include <algorithm>
#include <map>
#include <vector>

#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

bool same(const ExprPtr& one, const ExprPtr& other) {
    return equal(*one, *other);
}
bool is_element(const ExprPtr& target) {
    return std::holds_alternative<SubscriptExpr>(target->node);
}

}  // namespace

std::optional<AugAssignStmt> update_said_by(const ExprPtr& target, const ExprPtr& value) {
    const auto* both = is_element(target) ? std::get_if<BinaryExpr>(&value->node) : nullptr;
    if (!both) return std::nullopt;
    const bool commutes = both->op == BinaryOp::Add || both->op == BinaryOp::Mul || both->op == BinaryOp::BitAnd ||
                          both->op == BinaryOp::BitOr || both->op == BinaryOp::BitXor;
    if ((commutes || both->op == BinaryOp::Sub) && same(target, both->left)) return AugAssignStmt{target, both->op, both->right};
    if (commutes && same(target, both->right)) return AugAssignStmt{target, both->op, both->left};
    return std::nullopt;
}

std::optional<ExtremeUpdate> extreme_said_by(const ExprPtr& target, const ExprPtr& value) {
    const auto* call = is_element(target) ? std::get_if<CallExpr>(&value->node) : nullptr;
    if (!call || !call->keywords.empty() || call->arguments.size() != 2) return std::nullopt;
    const std::string name(name_of(call->function));
    if (name != "max" && name != "min") return std::nullopt;
    const std::string beyond = name == "max" ? ">" : "<";
    if (same(target, call->arguments[0]))
        return ExtremeUpdate{name, call->arguments[1], "lambda a, b: a if not b " + beyond + " a else b"};
    if (same(target, call->arguments[1]))
        return ExtremeUpdate{name, call->arguments[0], "lambda a, b: b if not a " + beyond + " b else a"};
    return std::nullopt;
}

namespace {

/// Do two subscripts always name different elements, as `[i, 0]` and `[i, 1]`?
bool apart(const ExprPtr& one, const ExprPtr& other) {
    const std::vector<ExprPtr> left = elements_of(one), right = elements_of(other);
    const auto number = [](const ExprPtr& index) {
        const auto* constant = std::get_if<ConstantExpr>(&index->node);
        return constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
    };
    for (std::size_t at = 0; at < std::min(left.size(), right.size()); ++at)
        if (const auto* a = number(left[at]), *b = number(right[at]); a && b && *a != *b) return true;
    return false;
}

}  // namespace

bool updates_several_places(const Body& body) {
    std::map<std::string, std::vector<ExprPtr>> places;
    bool several = false;
    const auto note = [&](const ExprPtr& target) {
        if (const auto* element = std::get_if<SubscriptExpr>(&target->node))
            if (const std::string name(name_of(element->object)); !name.empty()) {
                std::vector<ExprPtr>& before = places[name];
                several = several || std::ranges::any_of(before, [&](const ExprPtr& index) {
                              return !equal(*index, *element->index) && !apart(index, element->index);
                          });
                before.push_back(element->index);
            }
    };
    walk_statements(body, [&](const Stmt& statement) {
        if (const auto* update = std::get_if<AugAssignStmt>(&statement.node)) note(update->target);
        if (const auto* assign = std::get_if<AssignStmt>(&statement.node))
            for (const ExprPtr& target : assign->targets) note(target);
        return true;
    });
    return several;
}

}  // namespace sluice::frontend
