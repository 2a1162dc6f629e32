// A function's body with one exit, so that it can stand where the call stands:
//     if c: return a          if c: result = a
//     return b           ->   else: result = b
// A return in a loop leaves it: `result = a; returned = True; break`, and what follows the loop runs if it did not.
#pragma once

#include <map>
#include <string>

#include "code/ast.h"

namespace sluice::frontend {

bool has_return(const code::Body& body);
/// Some return of the body has a value.
bool returns_value(const code::Body& body);
/// What stands for `return None` where no caller can tell None from a value.
code::StmtPtr raise_for_none(const Span& span, const std::string& why);
/// The body assigns what it would return to the variable `result`. `returned` is free for its use.
code::Body single_exit(const code::Body& body, const std::string& result, const std::string& returned);
/// The same body where all that it assigns to `result` are tuples of one length: a variable for each part, whose meanings do not
/// multiply, and the tuple of these at the end.
code::Body with_parts_of_result(const code::Body& body, const std::string& result);
/// The statements with names replaced at any depth, those of inner functions but for their own parameters and locals.
code::Body renamed(const code::Body& body, const std::map<std::string, code::ExprPtr>& names);

}  // namespace sluice::frontend
