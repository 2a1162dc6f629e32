#include "frontend/python/map_updates.h"

#include <algorithm>
#include <map>
#include <set>

#include "code/print.h"
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

bool updates_several_places(const Body& body) {
    std::map<std::string, std::set<std::string>> places;
    const auto note = [&](const ExprPtr& target) {
        if (const auto* element = std::get_if<SubscriptExpr>(&target->node))
            if (const std::string name(name_of(element->object)); !name.empty()) places[name].insert(to_string(*target));
    };
    walk_statements(body, [&](const Stmt& statement) {
        if (const auto* update = std::get_if<AugAssignStmt>(&statement.node)) note(update->target);
        if (const auto* assign = std::get_if<AssignStmt>(&statement.node))
            for (const ExprPtr& target : assign->targets) note(target);
        return true;
    });
    return std::ranges::any_of(places, [](const auto& one) { return one.second.size() > 1; });
}

}  // namespace sluice::frontend
