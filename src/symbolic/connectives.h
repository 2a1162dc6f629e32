// Conditions of many operands.
#pragma once

#include <span>

#include "symbolic/expr.h"

namespace sluice::symbolic {

/// The conjunction and the disjunction of all operands, of which there is at least one. Joined pairwise: one after the other would
/// make as many expressions as there are operands, each as long as those before it.
Expr logical_and(std::span<const Expr> operands);
Expr logical_or(std::span<const Expr> operands);

}  // namespace sluice::symbolic
