// Streams in the memory of a device: a buffer, and how many elements are in it. Threads of launches push by an atomic update of the
// count. The host makes room for all that a launch can push before it begins, copies out what there is, and launches a consume
// scope again for each generation of elements: no thread ever waits for another.
#pragma once

#include "lower/layout.h"

namespace sluice::lower {

bool is_device_stream(const Location& location);
void allocate_device_stream(const Slot& slot, const ir::Container& container, Body& body);
/// In a launch.
void push_on_device(StateContext& state, const Location& location, const ValuePtr& value, NodeId at, Body& body);
/// On the host, in front of the launch of a map or consume scope: room for what `points` runs of its body push into streams.
void make_room(StateContext& state, NodeId entry, const Expr& points, Body& body);
/// Moves all elements, at most as many as the destination has, which lie one behind the other. What is left is in front then.
void drain_on_device(StateContext& state, const Location& source, const Location& destination, NodeId at, Body& body);
/// A consume scope whose stream lies on a device.
void consume_on_device(StateContext& state, NodeId entry, const Location& stream, Body& body);

}  // namespace sluice::lower
