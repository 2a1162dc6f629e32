// Small trees and questions about trees that the translation keeps asking: builders, renaming, names that occur.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "code/ast.h"

namespace sluice::frontend {

code::ExprPtr make_name(const std::string& id, const Span& span = {});
code::ExprPtr make_text(const std::string& text, const Span& span = {});
code::ExprPtr make_integer(std::int64_t value, const Span& span = {});
code::ExprPtr make_real(double value, const Span& span = {});
code::ExprPtr make_boolean(bool value, const Span& span = {});
code::ExprPtr make_unary(code::UnaryOp op, code::ExprPtr operand, const Span& span = {});
code::ExprPtr make_binary(code::BinaryOp op, code::ExprPtr left, code::ExprPtr right, const Span& span = {});
code::ExprPtr make_compare(code::ExprPtr left, code::CompareOp op, code::ExprPtr right, const Span& span = {});
code::ExprPtr make_call(const std::string& function, std::vector<code::ExprPtr> arguments, const Span& span = {});
code::ExprPtr make_attribute(code::ExprPtr object, const std::string& name, const Span& span = {});
code::ExprPtr make_subscript(code::ExprPtr object, std::vector<code::ExprPtr> index, const Span& span = {});
code::ExprPtr make_conditional(code::ExprPtr condition, code::ExprPtr if_true, code::ExprPtr if_false, const Span& span = {});
code::StmtPtr make_assignment(code::ExprPtr target, code::ExprPtr value, const Span& span = {});
/// The method call `name.method(...)`; null for others.
const code::CallExpr* method_of(const code::ExprPtr& e, std::string* name, std::string* method);
/// Of any kind of node.
code::ExprPtr make_expression(auto node, const Span& span) {
    return std::make_shared<const code::Expr>(code::Expr{std::move(node), span});
}
code::StmtPtr make_statement(auto node, const Span& span) {
    return std::make_shared<const code::Stmt>(code::Stmt{std::move(node), span});
}

/// The tree with each name for which `replace` returns a tree replaced by it; lambda parameters shadow. Names of called functions
/// are replaced where they are in the map.
using NameReplacement = std::function<code::ExprPtr(const code::NameExpr&)>;
code::ExprPtr replace_names(const code::ExprPtr& e, const NameReplacement& replace);
/// The same for expressions of any kind, outer ones first; lambda parameters do not shadow.
using Replacement = std::function<code::ExprPtr(const code::ExprPtr&)>;
code::ExprPtr replace_parts(const code::ExprPtr& e, const Replacement& replace);
code::ExprPtr replace_names(const code::ExprPtr& e, const std::map<std::string, code::ExprPtr>& replacement);

/// The elements of a tuple or list, or the expression alone.
std::vector<code::ExprPtr> elements_of(const code::ExprPtr& e);
/// The id of a NameExpr; empty for anything else.
std::string_view name_of(const code::ExprPtr& e);
/// The literal None.
bool is_none(const code::ExprPtr& e);
/// The text of a literal; null for anything else.
const std::string* text_of(const code::ExprPtr& e);
/// Of an f-string; null for any other expression.
const std::vector<code::ExprPtr>* formatted_parts(const code::ExprPtr& e);

/// How often each name is bound by an assignment, augmented assignment or loop (definitions and their bodies excluded).
/// An augmented assignment rebinds a number but changes an array in place: without it, the counts hold for arrays.
struct BindingOptions {
    bool augmented = true;
};
std::map<std::string, int> binding_counts(const code::Body& body, const BindingOptions& options = {});
/// The names that functions, lambdas and comprehensions inside of the statements have for themselves: parameters and what they
/// bind.
std::set<std::string> inner_names(const code::Body& body);
/// How often each name occurs, in any role and at any depth; connectors of tasklets are names of their own.
std::map<std::string, int> occurrences(const code::Body& body);
/// What the statements do with a name first: read it on some path, or bind it on every path before; None: neither.
enum class FirstUse : std::uint8_t { None, Bind, Read };
FirstUse first_use(const code::Body& body, const std::string& name);
/// Whether a break leaves the loop of this body.
bool has_break(const code::Body& body);
/// The body with a statement in front of each break that leaves its loop.
code::Body before_breaks(const code::Body& body, const code::StmtPtr& statement);
/// Calls `visit` for every statement at any depth; it returns whether to go into the statement.
void walk_statements(const code::Body& body, const std::function<bool(const code::Stmt&)>& visit);
/// The statement with what `of_expr` and `of_body` make of the expressions and statement lists directly in it. Of a function inside
/// of a function only the decorators and defaults are such expressions.
code::StmtPtr with_parts(const code::StmtPtr& statement, const Replacement& of_expr,
                         const std::function<code::Body(const code::Body&)>& of_body);
/// The statements with what `of_expr` makes of every expression in them, at any depth.
code::Body with_expressions(const code::Body& body, const Replacement& of_expr);
/// Calls `visit` for every expression directly in a statement (not in the statements inside it).
void for_each_expr(const code::Stmt& statement, const std::function<void(const code::ExprPtr&)>& visit);

}  // namespace sluice::frontend
