// Parts of a state that run at the same time: the two sides of a bounded stream.
#pragma once

#include <functional>
#include <span>

#include "lower/context.h"

namespace sluice::lower {

/// Emits the whole top level of the state where its schedule says so and bounded streams join parts of it; false, and nothing
/// emitted, otherwise: parts then run one after the other.
bool lower_sections(StateContext& state, Body& body);

/// Copies from access nodes of a part into the streams at its border, which separate it from another.
void lower_feeds(StateContext& state, std::span<const NodeId> members, const std::function<bool(NodeId)>& separates, Body& section);

}  // namespace sluice::lower
