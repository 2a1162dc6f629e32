// Consume scopes: workers that pop from a stream until it is quiescent.
#pragma once

#include "lower/context.h"

namespace sluice::lower {

void lower_consume(StateContext& state, NodeId entry, Body& body);

}  // namespace sluice::lower
