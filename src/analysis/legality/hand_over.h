// Does a map make what the node behind it takes, and nothing else?
#pragma once

#include <string>

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// The map at `entry` writes elements of `container`, and `reader`, a tasklet or a library node of the same scope, reads elements
/// of it. Yes if the elements are the same and each is written for certain, by one point of the map. No: two points that write one
/// element as the witness, or an element in `why`. MapReduceFusion's question. `known` holds at the top of the state.
Verdict handed_over(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId entry, ir::NodeId reader, const std::string& container,
                    const symbolic::Assumptions& known);

}  // namespace sluice::analysis
