// Regions of an SDFG as structured control flow.
#pragma once

#include "lower/context.h"

namespace sluice::lower {

/// The body of the function.
void lower_control_flow(FunctionContext& function, Body& body);

}  // namespace sluice::lower
