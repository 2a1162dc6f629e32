// Reduce: folds dimensions of its input with a two-argument lambda.
//     input (one edge, no connector needed) [d0, d1, ...]  ->  output without the dimensions in `axes`
// Properties: wcr (lambda), axes (list of integers; missing: all), identity (number; missing: the output's old value takes part).
#pragma once

#include "library/node_context.h"

namespace sluice::library {

/// Native expansion: fill with the identity, then a map over the kept dimensions around a sequential map over the reduced ones; a
/// full reduction is one map that resolves conflicts on a single element.
void expand_reduce(NodeContext& context);

/// The identity as Python text; empty if the node has none.
std::string reduce_identity(const ir::LibraryNode& node);

}  // namespace sluice::library
