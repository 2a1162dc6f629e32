// States that an FPGA runs: a kernel of processing elements.
#pragma once

#include "lower/context.h"

namespace sluice::lower {

/// Is the state a kernel of the target's FPGA?
bool is_kernel(const StateContext& state);
/// The state as a dataflow launch. Its weakly connected components are the processing elements; a stream joins none, and each point
/// of an unrolled map at the top level is one. Memory on the chip belongs to the element that uses it.
void lower_dataflow(StateContext& state, const std::string& label, ScopedBindings& bindings, Body& body);

}  // namespace sluice::lower
