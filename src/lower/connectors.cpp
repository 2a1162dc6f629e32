#include "lower/connectors.h"

#include <algorithm>

#include "code/walk.h"

namespace sluice::lower {

namespace {

template <class Visit> void for_each_expression(const code::Body& body, const Visit& visit) {
    for (const code::StmtPtr& s : body) {
        std::visit(
            code::Overloaded{
                [&](const code::AssignStmt& n) {
                    for (const code::ExprPtr& target : n.targets) visit(*target, true);
                    visit(*n.value, false);
                },
                [&](const code::AugAssignStmt& n) { visit(*n.target, true), visit(*n.target, false), visit(*n.value, false); },
                [&](const code::AnnAssignStmt& n) {
                    visit(*n.target, true);
                    if (n.value) visit(*n.value, false);
                },
                [&](const code::ExprStmt& n) { visit(*n.value, false); },
                [&](const code::IfStmt& n) { visit(*n.condition, false); },
                [&](const code::ForStmt& n) { visit(*n.iterable, false); },
                [&](const code::WhileStmt& n) { visit(*n.condition, false); },
                [](const auto&) {},
            },
            s->node);
        code::for_each_body(*s, [&](const code::Body& inner) { for_each_expression(inner, visit); });
    }
}

void collect_subscripted(const code::Expr& e, std::set<std::string>& names) {
    if (const auto* subscript = std::get_if<code::SubscriptExpr>(&e.node))
        if (const std::string name = code::dotted_name(*subscript->object); !name.empty()) names.insert(name);
    code::for_each_child(e, [&](const code::ExprPtr& child) { collect_subscripted(*child, names); });
}

bool mentions(const code::Expr& e, const std::string& name) {
    if (const auto* found = std::get_if<code::NameExpr>(&e.node)) return found->id == name;
    bool found = false;
    code::for_each_child(e, [&](const code::ExprPtr& child) { found = found || mentions(*child, name); });
    return found;
}

}  // namespace

std::set<std::string> subscripted_names(const code::Body& body) {
    std::set<std::string> names;
    for_each_expression(body, [&](const code::Expr& e, bool) { collect_subscripted(e, names); });
    return names;
}

bool is_read(const code::Body& body, const std::string& name) {
    bool found = false;
    for_each_expression(body, [&](const code::Expr& e, bool is_target) {
        if (is_target && std::holds_alternative<code::NameExpr>(e.node)) return;
        if (is_target && std::holds_alternative<code::TupleExpr>(e.node)) return;
        found = found || mentions(e, name);
    });
    return found;
}

}  // namespace sluice::lower
