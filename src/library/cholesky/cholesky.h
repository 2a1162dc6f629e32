// Cholesky: `_b` is the triangular factor of the symmetric positive definite `_a`: _b @ _b.T == _a, or with lower=False _b.T @ _b
// == _a. The other triangle of `_b` becomes zero. Properties: lower (True).
#pragma once

#include "library/node_context.h"

namespace sluice::library {

/// Native expansion: the right-looking algorithm; one loop over columns around parallel maps (Golub and Van Loan, Matrix
/// Computations, 4.2).
void expand_cholesky(NodeContext& context);

}  // namespace sluice::library
