// One state, and the contents of one scope: nodes in topological order.
#pragma once

#include "lower/context.h"

namespace sluice::lower {

void lower_state(FunctionContext& function, const ir::State& state, const std::string& label, Body& body);
/// Everything directly inside a scope (an invalid id: the top level).
void lower_children(StateContext& state, NodeId entry, Body& body);

/// One node; `alone`: the only code of its scope.
void lower_node(StateContext& state, NodeId node, bool alone, Body& body);

/// Emits the body under a timer or counters if the element is instrumented; `path`: of the element.
void emit_timed(Body& body, ir::Instrumentation instrument, const std::string& path, Body timed);

}  // namespace sluice::lower
