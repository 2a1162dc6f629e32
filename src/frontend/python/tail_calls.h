// Functions that call themselves at their ends alone, as loops.
#pragma once

#include <optional>

#include "code/ast.h"

namespace sluice::frontend {

/// `return gcd(b, a % b)` as `a, b = b, a % b` and the next turn of a loop; null for a function that calls itself elsewhere, or not
/// at all.
code::StmtPtr as_loop(const code::StmtPtr& function);

}  // namespace sluice::frontend
