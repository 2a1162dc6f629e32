// Operators and methods that make sets of sets, in terms of what tables.cpp knows: sets.cpp says how.
#pragma once

#include <functional>
#include <string>

#include "code/ast.h"
#include "frontend/python/frontend.h"

namespace sluice::frontend {

/// The function's statements with new sets in front of those that computed with sets. `own` makes a name of the function's own of
/// another.
code::Body with_set_operators(const code::FunctionStmt& function, const Bindings& globals,
                              const std::function<std::string(const std::string&)>& own);

}  // namespace sluice::frontend
