// Messages between ranks.
#pragma once

#include "lower/context.h"

namespace sluice::lower {

/// A node that sends, receives, waits, or does something together with all ranks.
void lower_message(StateContext& state, NodeId node, Body& body);

}  // namespace sluice::lower
