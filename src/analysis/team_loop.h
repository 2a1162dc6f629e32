// Loops that one team of threads can run from their first iteration to their last: every thread goes through all of the control
// flow, the maps at the top of states are shared, one thread runs everything else, and the threads wait for each other in between.
#pragma once

#include <string>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::analysis {

/// Why one team cannot run the loop, in a sentence; empty if it can. All threads take the same way, because bounds, conditions and
/// assignments are made of symbols and of memory that they share; nothing returns. Nothing in it may fail, or a thread would wait
/// for one that is gone: states hold tasklets in Python, copies, maps, calls of SDFGs of these, and calls of libraries. Its
/// transients lie outside of it.
std::string why_no_team(const ir::Sdfg& sdfg, const ir::LoopRegion& loop);

/// Transients that states in the loop allocate for themselves; they would have to lie outside of it.
std::vector<std::string> allocated_inside(const ir::Sdfg& sdfg, const ir::LoopRegion& loop);

/// Does a team that runs the loop around share the map, which stands at the top of a state? By its properties.
bool shared_by_team(const ir::MapEntry& map);

}  // namespace sluice::analysis
