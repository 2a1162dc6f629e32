// Copies that stand between a node and its containers where an expansion must not see both: an operand that lies in the output, and
// an output whose memlet resolves conflicts. A node means: read all, compute, write all; expansions write while they read.
#pragma once

#include "library/node_context.h"

namespace sluice::library {

/// Puts transients between the node and operands that are streams, unless the expansion takes those, between the node and operands
/// that may share elements with an output, and between the node and outputs with a conflict resolution. Failure B002: an output
/// that is both updated and resolved.
void stage_operands(NodeDraft& draft, bool takes_streams);

}  // namespace sluice::library
