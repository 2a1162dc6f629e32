// Native loops for every operation that is a sum of products: out = beta * out + alpha * sum over the sizes that the output lacks
// of the inputs' product, as its form says.
#pragma once

#include <string>

#include "library/contract.h"

namespace sluice::library {

struct LoopOrder {
    std::string innermost = {};  ///< A size of the output whose loop goes inside of the sums, because rows lie along it.
};
/// Replaces the node by a map over the output's sizes around a sequential map over the summed ones. Sums that have another type
/// than the output run in a container of their own.
void expand_sum_of_products(NodeDraft& draft, const LoopOrder& order = {});

/// The container of `body` that holds the output's old values: `result`, where the output lies, or one of its own where the graph
/// brings them from elsewhere. The edge that brings them is led there.
std::string old_values(const NodeContext& context, const Binding& binding, ir::Sdfg& body, std::vector<Lead>& inputs,
                       const std::string& result);

/// `FPGA`: each sum runs in a scalar of one element of the output, which is written once; one state. For those who ask for it.
Expansion sums_on_chip();
/// `GPU`: products of matrices by tiles that a block shares, other sums as one map with updates. For those who ask for it.
Expansion sums_in_blocks();
/// `native`, with aliases of DaCe.
Expansion native_sum_of_products(const LoopOrder& order = {});

}  // namespace sluice::library
