#include "frontend/python/map_updates.h"

#include <algorithm>
#include <map>
#include <vector>

#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"

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

std::optional<ExtremeUpdate> extreme_said_by(const ExprPtr& target, const ExprPtr& value, const Bindings& bindings) {
    const auto* call = is_element(target) ? std::get_if<CallExpr>(&value->node) : nullptr;
    if (!call || !call->keywords.empty() || call->arguments.size() != 2) return std::nullopt;
    const bool first = same(target, call->arguments[0]);
    if (!first && !same(target, call->arguments[1])) return std::nullopt;
    const ExprPtr other = call->arguments[first ? 1 : 0];
    const std::string numpys = qualified_name(*call->function, bindings), name(name_of(call->function));
    if (numpys == "numpy.maximum") return ExtremeUpdate{other, "lambda a, b: max(a, b)"};
    if (numpys == "numpy.minimum") return ExtremeUpdate{other, "lambda a, b: min(a, b)"};
    if ((name != "max" && name != "min") || bindings.contains(name)) return std::nullopt;
    const std::string beyond = name == "max" ? " > " : " < ";
    return ExtremeUpdate{other,
                         first ? "lambda a, b: a if not b" + beyond + "a else b" : "lambda a, b: b if not a" + beyond + "b else a"};
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

bool updates_several_places(const Body& body, const std::function<std::string(const std::string&)>& container_of) {
    struct Place {
        std::string name;
        ExprPtr index;
    };
    std::map<std::string, std::vector<Place>> places;
    bool several = false;
    const auto note = [&](const ExprPtr& target) {
        const auto* element = std::get_if<SubscriptExpr>(&target->node);
        const std::string name(element ? name_of(element->object) : std::string_view());
        if (name.empty()) return;
        std::vector<Place>& before = places[container_of(name)];
        several = several || std::ranges::any_of(before, [&](const Place& one) {
                      return one.name != name || (!equal(*one.index, *element->index) && !apart(one.index, element->index));
                  });
        before.push_back({name, element->index});
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
