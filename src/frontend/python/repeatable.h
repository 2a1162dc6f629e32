// Whether nobody can tell how often an expression is evaluated.
#pragma once

#include <string>

#include "code/ast.h"

namespace sluice::frontend {

/// Evaluated more than once, or not at all, nobody can tell.
bool is_repeatable(const code::ExprPtr& e);
/// Evaluated more than once, nobody can tell, if nothing happens in between.
bool is_pure(const code::ExprPtr& e);
/// The name occurs in it.
bool mentions_name(const code::ExprPtr& e, const std::string& name);

}  // namespace sluice::frontend
