// Visits the values and the nested bodies of a statement, and the operands of a value, so that an analysis names only the kinds
// it cares about.
#pragma once

#include <concepts>
#include <type_traits>
#include <variant>

#include "loop/ir.h"

namespace sluice::loop {

/// Builds a visitor from lambdas: `std::visit(Overloaded{...}, s.node)`.
template <class... Cases> struct Overloaded : Cases... { using Cases::operator()...; };
template <class... Cases> Overloaded(Cases...) -> Overloaded<Cases...>;

/// Does the host reach it by copies alone?
inline bool lies_on_device(Space space) {
    return space == Space::Global || space == Space::Constant;
}

/// Calls visit(ValuePtr&) for each direct operand; of a value or statement that is const, with a const one.
template <class Of, class Visit>
requires std::same_as<std::remove_const_t<Of>, Value>
void for_each_operand(Of& value, Visit&& visit) {
    std::visit(
        [&](auto& n) {
            if constexpr (requires { n.index; }) visit(n.index);
            if constexpr (requires { n.operand; }) visit(n.operand);
            if constexpr (requires { n.left; }) visit(n.left), visit(n.right);
            if constexpr (requires { n.condition; }) visit(n.condition), visit(n.if_true), visit(n.if_false);
            if constexpr (requires { n.object; }) visit(n.object);
            if constexpr (requires { n.arguments; })
                for (auto& argument : n.arguments) visit(argument);
        },
        value.node);
}

/// Calls visit(ValuePtr&) for each value that the statement itself (not its nested statements) evaluates.
template <class Of, class Visit>
requires std::same_as<std::remove_const_t<Of>, Statement>
void for_each_value(Of& statement, Visit&& visit) {
    const auto one = [&](auto& value) {
        if (value) visit(value);
    };
    std::visit(
        [&](auto& n) {
            if constexpr (requires { n.index; }) one(n.index);
            if constexpr (requires { n.value; }) one(n.value);
            if constexpr (requires { n.combine; }) one(n.combine);
            if constexpr (requires { n.address; }) one(n.address);
            if constexpr (requires { n.destination; }) one(n.destination);
            if constexpr (requires { n.source; }) one(n.source);
            if constexpr (requires { n.condition; }) one(n.condition);
            if constexpr (requires { n.limit; }) one(n.limit);
            if constexpr (requires { n.stop; }) one(n.stop);
            if constexpr (requires { n.part; }) one(n.part.address);
            if constexpr (requires { n.peer; }) one(n.peer), one(n.tag), one(n.request);
            if constexpr (requires { n.requests; }) one(n.requests.address);
            if constexpr (requires { n.root; }) one(n.result.address), one(n.root);
            if constexpr (requires { n.arguments; })
                for (auto& argument : n.arguments) one(argument);
        },
        statement.node);
}

/// Calls visit(Body&) for each statement list directly inside a statement.
template <class Of, class Visit>
requires std::same_as<std::remove_const_t<Of>, Statement>
void for_each_body(Of& statement, Visit&& visit) {
    std::visit(
        [&](auto& n) {
            if constexpr (requires { n.body; }) visit(n.body);
            if constexpr (requires { n.then_body; }) visit(n.then_body), visit(n.else_body);
            if constexpr (requires { n.sections; })
                for (auto& section : n.sections) visit(section);
        },
        statement.node);
}

/// Calls visit(const Statement&) for every statement of a body, outer before inner.
template <class Visit> void for_each_statement(const Body& body, Visit&& visit) {
    for (const Statement& statement : body) {
        visit(statement);
        for_each_body(statement, [&](const Body& inner) { for_each_statement(inner, visit); });
    }
}

}  // namespace sluice::loop
