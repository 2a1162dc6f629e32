// Parsed views of Python code blocks. Parsing is memoised by text, so asking again is a hash lookup.
#pragma once

#include <set>
#include <string>

#include "code/ast.h"
#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::ir {

/// `where` is the place of the code's first line in the user's source, if known: syntax errors then point there.
Result<code::Body> parsed_body(const CodeBlock& block, const Span& where = {});
Result<code::ExprPtr> parsed_expr(const std::string& text, const Span& where = {});

/// A Python expression as a symbolic one; Failure-free: Result error R001 names the construct that has no symbolic form.
Result<Expr> to_symbolic(const code::Expr& e);
/// The inverse; total.
code::ExprPtr to_code(const Expr& e);

/// Names that a piece of Python code reads and does not bind itself (function names excluded).
std::set<std::string> free_names(const code::Expr& e);
std::set<std::string> free_names(const code::Body& body);
/// Names that the body gives a value, whole or by element, on any path.
std::set<std::string> assigned_names(const code::Body& body);

}  // namespace sluice::ir
