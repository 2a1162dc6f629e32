// TensorDot: sums products over pairs of dimensions, as numpy.tensordot. `_left_tensor`, `_right_tensor` -> `_out_tensor`, whose
// dimensions are those left over, in order. Properties: left_axes, right_axes (lists of the same length), permutation (of the
// output, or missing).
#pragma once

#include "library/node_context.h"

namespace sluice::library {

/// Native expansion: contraction.h.
void expand_tensordot(NodeContext& context);

}  // namespace sluice::library
