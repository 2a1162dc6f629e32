// What an edit touched. Two versions of a program share what neither of them wrote (support/table.h, cow.h), so that comparing them
// costs what differs, and no transformation has to keep a record.
#pragma once

#include <vector>

#include "rewrite/place.h"

namespace sluice::rewrite {

/// Of a state: edges that are new, gone or different; nodes that are, or that such an edge joins. Of a state that is new, or gone:
/// all.
struct StateChange {
    Place place;
    std::vector<ir::NodeId> nodes;
    std::vector<ir::EdgeId> edges;
};
/// Of a region: transitions that are new, gone or different, with the blocks that they join; blocks that are, in more than what is
/// inside of them.
struct RegionChange {
    Place place;
    std::vector<ir::BlockId> blocks;
    std::vector<ir::BlockId> joined;
    std::vector<ir::TransitionId> transitions;
};

struct Changes {
    std::vector<Place> declarations;  ///< SDFGs that differ in more than their control flow: containers, symbols, ...
    std::vector<RegionChange> regions;
    std::vector<StateChange> states;

    bool empty() const { return declarations.empty() && regions.empty() && states.empty(); }
    /// Nodes, edges, blocks and transitions.
    std::size_t elements() const;
    /// How many more elements there are after the edit than before it.
    std::ptrdiff_t growth = 0;
};

Changes changes_between(const ir::Sdfg& before, const ir::Sdfg& after);

}  // namespace sluice::rewrite
