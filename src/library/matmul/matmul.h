// MatMul (Gemm, Gemv): _c = alpha * _a @ _b + beta * _c.
//     _a [..., M, K] or [K],  _b [..., K, N] or [K]  ->  _c [..., M, N], [M] or [N];  leading dimensions broadcast.
// Properties: alpha (1), beta (0); transA, transB of Gemm; transA of Gemv. Connectors of Gemv: _A, _x, _y as well.
#pragma once

#include "library/node_context.h"

namespace sluice::library {

/// A call of OpenBLAS where it is at hand and the operands suit it (openblas.h), unless the implementation is `native` or `pure`.
/// Native expansion: parallel over rows, sequential over the inner size, innermost along a row of _b and _c, which vectorises.
void expand_matmul(NodeContext& context);

}  // namespace sluice::library
