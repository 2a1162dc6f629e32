// Python text of a tree with minimal parentheses; parse(print(x)) equals x. Two constants that
// no literal denotes come back as other trees of the same value: a negative number as a negation, NaN as `math.nan`.
#pragma once

#include <string>

#include "code/ast.h"

namespace sluice::code {

std::string to_string(const Expr& e);
/// Statements, each on its own line, indented by four spaces a level, starting at `level`.
std::string to_string(const Body& body, int level = 0);

}  // namespace sluice::code
