// Expressions whose conditions are decided.
#pragma once

#include "symbolic/assumptions.h"

namespace sluice::symbolic {

/// With the branch in place of each choice whose condition is decided.
Expr without_choices(const Expr& e, const Assumptions& assumptions);

}  // namespace sluice::symbolic
