// `try` as choices in front of what may raise:
//     try:                                    if raises("ZeroDivisionError", x / y):
//         out.append(x / y)                       out.append(nan)
//     except ZeroDivisionError:      ->       else:
//         out.append(nan)                         out.append(x / y)
// Where several statements may raise, or one in a loop, a number says which handler runs. Of exceptions of Python's own those that
// divisions, indices, keys and functions of math raise, and those that the body raises itself. What else could raise one of them,
// such as a function of the user's, is refused. `finally` assigns names behind all of it.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "code/ast.h"

namespace sluice::frontend {

/// The call of this name, with the name of an exception and an expression, asks whether the last operation of the expression raises
/// it.
inline constexpr const char* kRaises = "__raises";

/// The function without `try`, in the functions inside of it as well; itself where there is none.
code::StmtPtr with_choices_for_handlers(const code::StmtPtr& function);

/// Names that mean dictionaries of the program's own: (those that raise KeyError, those with a default).
std::pair<std::set<std::string>, std::set<std::string>> dictionaries(const code::Body& body);

}  // namespace sluice::frontend
