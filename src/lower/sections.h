// Parts of a state that must run at the same time: the two sides of a bounded stream.
#pragma once

#include <span>

#include "lower/context.h"

namespace sluice::lower {

/// Emits the whole top level of the state if bounded streams join parts of it; false, and nothing emitted, otherwise. All other
/// parts run one after the other, because maps occupy every core by themselves.
bool lower_sections(StateContext& state, std::span<const NodeId> children, Body& body);

}  // namespace sluice::lower
