// Map scopes: loop nests, their parallelism, and accumulators for what their iterations reduce.
#pragma once

#include "lower/layout.h"

namespace sluice::lower {

void lower_map(StateContext& state, NodeId entry, Body& body);

}  // namespace sluice::lower
