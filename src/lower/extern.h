// Calls of libraries, and what code needs from outside.
#pragma once

#include <string>

#include "lower/context.h"

namespace sluice::lower {

/// A node that calls a library's function (library/extern_call.h). Every other operation has been expanded.
void lower_extern(StateContext& state, NodeId node, Body& body);

/// Adds headers, libraries and start-up code of an environment to the module; returns its own name. Refuses one that is unknown
/// (L021) or not installed (L022).
std::string use_environment(StateContext& state, NodeId node, const std::string& name);

}  // namespace sluice::lower
