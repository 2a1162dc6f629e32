// May two pieces of the program run side by side, iteration by iteration?
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// Two maps of one scope of the state, the first before the second (MapFusion), or beside it (horizontally). Point p of the fused
/// map runs p of the first, then the point of the second whose parameter `pairing[d]` is p's parameter d (empty: in order). Legal
/// if both have the same points, and nothing that one point of the first touches conflicts with another point of the second.
Verdict maps_fusible(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId first_entry, ir::NodeId second_entry,
                     const symbolic::Assumptions& known, std::span<const std::size_t> pairing = {});

/// What two states, the second right after the first, touch in common: what a fused state must keep in order by a path.
struct StateConflict {
    ir::NodeId first,
        second;  ///< Tasklet, nested SDFG, library node, or the access node that a copy writes; at the top level the entry.
    std::string container;
    bool first_writes = false, second_writes = false;
};
struct StateFusion {
    Verdict verdict;  ///< No: two instances and the element; unknown: what hides the answer.
    std::optional<StateConflict> conflict = {};
};
/// `unordered` are pairs of nodes of the two states, as StateConflict names them, that no path of the fused state would keep in
/// order. Yes if none of the pairs touches one element, one of the two writing it; else the first pair that does or may. They are
/// asked about a few at a time: one conflict decides.
StateFusion states_fusible(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId first, ir::BlockId second,
                           const symbolic::Assumptions& known, std::span<const std::pair<ir::NodeId, ir::NodeId>> unordered);

}  // namespace sluice::analysis
