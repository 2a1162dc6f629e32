// Where an access node of a stream joins two sides without ordering them.
#pragma once

#include "ir/adjacency.h"
#include "ir/sdfg.h"

namespace sluice::ir {

/// Does the access node join a producer and a consumer of a bounded stream, which then may run at the same time: only the elements
/// order them? A consume scope is neither: it pushes to its own stream, whose size therefore is no bound. Nor is a copy of all
/// elements that wait, or of several: it takes what has come and cannot begin before the last has.
bool joins_parts(const Sdfg& sdfg, const State& state, const Adjacency& adjacency, NodeId node);

/// Is a bounded stream pushed to through one access node of the state and popped through another, by what could run at the same
/// time?
bool streams_between_nodes(const Sdfg& sdfg, const State& state, const Adjacency& adjacency);

}  // namespace sluice::ir
