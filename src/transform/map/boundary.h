// What a map scope reads and writes, seen at its boundary: for one point of the map, container by container. Transformations that
// put two scopes together or take one apart ask this.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transform/map/scope_edits.h"

namespace sluice::transform {

/// An edge with data directly inside of a map's entry or exit.
struct BoundaryMemlet {
    ir::EdgeId edge;
    ir::NodeId inside;      ///< The node at the edge's inner end.
    ir::NodeId outside;     ///< The node at the outer end of the scope node's edge: an access node, an entry or exit, ...
    std::string container;  ///< At the far end of the path.
    bool writes = false;
    std::optional<symbolic::Subset> hull;  ///< Elements of the container that one point may touch; missing: any.
};
/// All at the entry and the exit.
std::vector<BoundaryMemlet> boundary_memlets(const ir::State& state, const rewrite::StateView& view, ir::NodeId entry);

/// The elements that one point of the map writes through the memlet whatever happens, exactly: no guard, no resolution, and a
/// regular section. `known` holds inside of the map.
std::optional<symbolic::Subset> surely_written(const ir::State& state, const rewrite::StateView& view,
                                               const BoundaryMemlet& boundary, const symbolic::Assumptions& known);

/// The edge and all edges on the way from it into inner scopes that carry the same data.
std::vector<ir::EdgeId> edges_inward(const ir::State& state, const ir::Adjacency& adjacency, ir::EdgeId edge);

/// Is the node a nested SDFG with the connector as an input and as an output, which must be one memory (V547)?
bool goes_both_ways(const ir::Node& node, const std::string& connector);

/// May the two names be the same memory?
bool may_overlap(const ir::Sdfg& sdfg, const std::string& a, const std::string& b);

/// Is there a path from one node to the other (or are they one)? `skip`: an edge that does not count.
bool reaches(const ir::State& state, const ir::Adjacency& adjacency, ir::NodeId from, ir::NodeId to,
             const std::set<ir::EdgeId>& skip = {});

}  // namespace sluice::transform
