// Queues: pushes, pops and moves between streams and arrays.
#pragma once

#include "lower/layout.h"

namespace sluice::lower {

/// Which queue of an array of streams the subset names.
ValuePtr queue_index(const Location& location);
void push(StateContext& state, const Location& location, const ValuePtr& value, NodeId at, Body& body);
/// Pops into a fresh variable and returns it.
ValuePtr pop(StateContext& state, const Location& location, const std::string& name_hint, Body& body);
/// array -> stream, stream -> array and stream -> stream along a copy edge.
void copy_stream(StateContext& state, const Location& source, const Location& destination, const ir::Memlet& memlet, NodeId at,
                 Body& body);

}  // namespace sluice::lower
