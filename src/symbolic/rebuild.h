// Rebuilds an expression with other operands through the canonical constructors. Private to the room.
#pragma once

#include <span>

#include "symbolic/expr.h"

namespace sluice::symbolic {

/// The operation of `e` applied to `operands`, of which there are as many as e has.
Expr rebuild(const Expr& e, std::span<const Expr> operands);

}  // namespace sluice::symbolic
