// Einsum: the product of its inputs, in the order of their connectors, as `einsum_str` says: `ij,jk->ik`, or `ij,jk`, whose output
// has the letters that occur once, sorted. Properties: alpha (1), beta (0).
#pragma once

#include "library/node_context.h"

namespace sluice::library {

/// Native expansion: contraction.h.
void expand_einsum(NodeContext& context);

}  // namespace sluice::library
