// Map scopes: loop nests, their parallelism, and accumulators for what their iterations reduce.
#pragma once

#include "lower/layout.h"

namespace sluice::lower {

/// Can the expression be evaluated before a map: over symbols of the function, no reads of data?
bool is_index(const StateContext& state, const Expr& e);
/// Loops of threads and lanes need to know which way they go.
bool has_direction(const FunctionContext& function, const Expr& step);
void lower_map(StateContext& state, NodeId entry, Body& body);

}  // namespace sluice::lower
