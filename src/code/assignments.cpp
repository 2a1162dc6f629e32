#include "code/assignments.h"

#include <algorithm>

namespace sluice::code {

namespace {

bool is_bound_by(const Expr& target, const std::string& name) {
    if (const auto* plain = std::get_if<NameExpr>(&target.node)) return plain->id == name;
    const auto* tuple = std::get_if<TupleExpr>(&target.node);
    return tuple && std::ranges::any_of(tuple->elements, [&](const ExprPtr& element) { return is_bound_by(*element, name); });
}

}  // namespace

bool assigned_on_every_path(const Body& body, const std::string& name) {
    return std::ranges::any_of(body, [&](const StmtPtr& stmt) {
        if (const auto* assign = std::get_if<AssignStmt>(&stmt->node))
            return std::ranges::any_of(assign->targets, [&](const ExprPtr& target) { return is_bound_by(*target, name); });
        if (const auto* annotated = std::get_if<AnnAssignStmt>(&stmt->node))
            return annotated->value && is_bound_by(*annotated->target, name);
        if (const auto* branch = std::get_if<IfStmt>(&stmt->node))
            return assigned_on_every_path(branch->then_body, name) && assigned_on_every_path(branch->else_body, name);
        return false;
    });
}

}  // namespace sluice::code
