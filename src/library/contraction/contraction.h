// Sums of products, which several nodes are: out[i, j] = beta * out[i, j] + alpha * sum over k of x[i, k] * y[k, j], ... Every
// dimension of every operand has a letter; a letter that the output lacks is summed over.
#pragma once

#include <string>
#include <vector>

#include "library/node_context.h"

namespace sluice::library {

struct Contraction {
    struct Operand {
        ir::EdgeId edge;
        std::string letters;  ///< One for each dimension.
    };
    std::vector<Operand> inputs;
    Operand output;
    /// Python text. Unless beta is 0, the output is read: through the edge at the output's own connector if the node has one.
    std::string alpha = "1", beta = "0";
};
/// Replaces the node by a map over the output's letters around a sequential map over the others. Failure B003 where the letters do
/// not fit the dimensions, or the output has a letter that no input has.
void expand_contraction(NodeContext& context, const Contraction& contraction);

}  // namespace sluice::library
