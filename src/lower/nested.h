// Nested SDFGs: a function of the module and its call.
#pragma once

#include "lower/context.h"

namespace sluice::lower {

void lower_nested(StateContext& state, NodeId node, Body& body);

}  // namespace sluice::lower
