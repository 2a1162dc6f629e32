// What rows.cpp makes of a row, and the forms of expressions that it knows.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "code/ast.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

struct RowCode {
    using Row = std::pair<std::string, code::ExprPtr>;  ///< Of a list of lists, by its prefix; the number.

    static constexpr const char* kAll = "_kept_all";  ///< Ends the name of the list of all elements (kKept).

    /// What the names of functions and lists in it begin with stands for '@'.
    static constexpr std::string_view kFunctions = R"(
def @append(u, value):
    if @size[u] == @room[u]:
        first = len(@_kept_all)
        for k in range(@size[u]):
            @_kept_all.append(@_kept_all[@begin[u] + k])
        for k in range(@size[u] + 1):
            @_kept_all.append(value)
        @begin[u] = first
        @room[u] = 2 * @size[u] + 1
    else:
        @_kept_all[@begin[u] + @size[u]] = value
    @size[u] += 1
def @place(u, k):
    if k < -@size[u] or k >= @size[u]:
        raise IndexError("list index out of range")
    return @begin[u] + (k if k >= 0 else k + @size[u])
def @number(u):
    if u < -len(@size) or u >= len(@size):
        raise IndexError("list index out of range")
    return u if u >= 0 else u + len(@size)
def @pop(u):
    if @size[u] == 0:
        raise IndexError("pop from empty list")
    @size[u] -= 1
    return @_kept_all[@begin[u] + @size[u]]
def @popfirst(u):
    if @size[u] == 0:
        raise IndexError("pop from empty list")
    @begin[u] += 1
    @size[u] -= 1
    @room[u] -= 1
    return @_kept_all[@begin[u] - 1]
)";

    static code::ExprPtr part(const std::string& list, const code::ExprPtr& at) {
        return make_subscript(make_name(list, at->span), {at}, at->span);
    }
    static code::ExprPtr end_of(const Row& row) {
        return make_binary(code::BinaryOp::Add, part(row.first + "begin", row.second), part(row.first + "size", row.second),
                           row.second->span);
    }
    /// A list of the row's elements.
    static code::ExprPtr elements(const Row& row) {
        const code::ExprPtr slice =
            make_expression(code::SliceExpr{part(row.first + "begin", row.second), end_of(row), nullptr}, row.second->span);
        return make_subscript(make_name(row.first + kAll, slice->span), {slice}, slice->span);
    }
    static code::ExprPtr length(const std::string& own, const Span& span) {
        return make_call("len", {make_name(own + "size", span)}, span);
    }
    static code::StmtPtr call(const std::string& function, std::vector<code::ExprPtr> arguments, const Span& span) {
        return make_statement(code::ExprStmt{make_call(function, std::move(arguments), span)}, span);
    }
    static code::StmtPtr append_to(const std::string& list, const code::ExprPtr& value, const Span& span) {
        return make_statement(code::ExprStmt{make_expression(
                                  code::CallExpr{make_attribute(make_name(list, span), "append", span), {value}, {}}, span)},
                              span);
    }

    static bool is_list(const code::ExprPtr& e) {
        const auto* comprehension = std::get_if<code::ComprehensionExpr>(&e->node);
        const auto* call = std::get_if<code::CallExpr>(&e->node);
        return std::holds_alternative<code::ListExpr>(e->node) || (comprehension && comprehension->is_list) ||
               (call && (name_of(call->function) == "list" || name_of(call->function) == "sorted"));
    }
    /// `[[], []]`, `[[] for ...]`; `[]` may be one.
    static bool holds_lists(const code::ExprPtr& e) {
        const auto* comprehension = std::get_if<code::ComprehensionExpr>(&e->node);
        if (comprehension) return comprehension->is_list && is_list(comprehension->element);
        return std::holds_alternative<code::ListExpr>(e->node) && std::ranges::all_of(elements_of(e), is_list);
    }
    static const code::CallExpr* method(const code::ExprPtr& e, const code::ExprPtr** object, std::string* name) {
        const auto* found = std::get_if<code::CallExpr>(&e->node);
        const auto* attribute =
            found && found->keywords.empty() ? std::get_if<code::AttributeExpr>(&found->function->node) : nullptr;
        if (!attribute) return nullptr;
        *object = &attribute->object;
        *name = attribute->name;
        return found;
    }
};

}  // namespace sluice::frontend
