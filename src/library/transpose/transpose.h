// Transpose: `_inp` [M, N] -> `_out` [N, M].
// TensorTranspose: `_inp_tensor` -> `_out_tensor`, whose dimension d is dimension axes[d] of the input. Properties: axes, alpha
// (1).
#pragma once

#include "library/node_context.h"

namespace sluice::library {

/// Native expansion: contraction.h. Both nodes.
void expand_transpose(NodeContext& context);

}  // namespace sluice::library
