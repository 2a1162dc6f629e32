// Two perfectly nested maps as one: MapCollapse, and part of what fuses a map with a reduction written as two maps.
#pragma once

#include <optional>

#include "transform/map/map.h"

namespace sluice::transform {

/// The conditions C1 to C4 of collapse.cpp.
std::optional<rewrite::Refusal> why_not_collapsible(const ir::State& state, const rewrite::StateView& view, ir::NodeId outer,
                                                    ir::NodeId inner);
/// `outer` gets the parameters of `inner`, which goes.
void collapse(ir::State& state, Scope outer, Scope inner);

}  // namespace sluice::transform
