// Tasklets: connectors become locals, Python becomes typed statements, C++ is taken over as it is.
#pragma once

#include "lower/layout.h"

namespace sluice::lower {

void lower_tasklet(StateContext& state, NodeId node, Body& body);
/// The value at an input connector that carries one element: a wire, an element, a pop.
ValuePtr read_edge(StateContext& state, ir::EdgeId edge, const std::string& name_hint, Body& body);

}  // namespace sluice::lower
