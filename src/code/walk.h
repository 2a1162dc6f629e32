// Visits the direct children of a node, so that an analysis names only the node kinds it cares about.
#pragma once

#include <variant>

#include "code/ast.h"

namespace sluice::code {

/// Builds a visitor from lambdas: `std::visit(Overloaded{...}, e.node)`.
template <class... Cases> struct Overloaded : Cases... { using Cases::operator()...; };
template <class... Cases> Overloaded(Cases...) -> Overloaded<Cases...>;

/// Calls visit(const ExprPtr&) for each direct child that is present, in source order.
template <class Visit> void for_each_child(const Expr& e, Visit&& visit) {
    const auto one = [&](const ExprPtr& child) {
        if (child) visit(child);
    };
    const auto all = [&](const std::vector<ExprPtr>& children) {
        for (const ExprPtr& child : children) one(child);
    };
    std::visit(Overloaded{
                   [](const NameExpr&) {},
                   [](const ConstantExpr&) {},
                   [&](const UnaryExpr& n) { one(n.operand); },
                   [&](const BinaryExpr& n) { one(n.left), one(n.right); },
                   [&](const BoolExpr& n) { all(n.operands); },
                   [&](const CompareExpr& n) { all(n.operands); },
                   [&](const ConditionalExpr& n) { one(n.if_true), one(n.condition), one(n.if_false); },
                   [&](const CallExpr& n) {
                       one(n.function), all(n.arguments);
                       for (const Keyword& keyword : n.keywords) one(keyword.value);
                   },
                   [&](const AttributeExpr& n) { one(n.object); },
                   [&](const SubscriptExpr& n) { one(n.object), one(n.index); },
                   [&](const SliceExpr& n) { one(n.begin), one(n.end), one(n.step); },
                   [&](const TupleExpr& n) { all(n.elements); },
                   [&](const ListExpr& n) { all(n.elements); },
                   [&](const LambdaExpr& n) { one(n.body); },
                   [&](const StarredExpr& n) { one(n.value); },
                   [&](const NamedExpr& n) { one(n.target), one(n.value); },
                   [&](const DictExpr& n) { all(n.keys), all(n.values); },
                   [&](const ComprehensionExpr& n) {
                       one(n.element);
                       for (const ComprehensionClause& clause : n.clauses) {
                           one(clause.target), one(clause.iterable);
                           all(clause.conditions);
                       }
                   },
               },
               e.node);
}

/// Calls visit(const Body&) for each statement list directly inside a statement.
template <class Visit> void for_each_body(const Stmt& s, Visit&& visit) {
    std::visit(
        [&](const auto& n) {
            if constexpr (requires { n.then_body; }) visit(n.then_body);
            if constexpr (requires { n.body; }) visit(n.body);
            if constexpr (requires { n.else_body; }) visit(n.else_body);
        },
        s.node);
}

/// `a.b.c` of names and attributes as text; empty for any other expression.
std::string dotted_name(const Expr& e);

}  // namespace sluice::code
