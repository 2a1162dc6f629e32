// What of a map's contents becomes a vector: asked by Vectorization, whose conditions these are.
#pragma once

#include <map>
#include <set>
#include <string>
#include <variant>

#include "transform/map/scope_edits.h"

namespace sluice::transform {

/// How the points of one vector meet a container, over one edge at the map's entry or exit.
struct LaneAccess {
    enum class Kind {
        Same,        ///< One element for all of them: read and handed to each lane, or updated by each.
        Neighbours,  ///< Elements next to each other in memory.
        Apart,       ///< Elements at a constant distance.
    } kind = Kind::Same;
    std::size_t dimension = 0;  ///< Of the container, unless Same.
    std::int64_t distance = 1;  ///< In indices of that dimension.
};

struct VectorPlan {
    ir::NodeId entry, exit;
    std::size_t dimension = 0;               ///< Of the map.
    std::map<ir::EdgeId, LaneAccess> moved;  ///< Edges with data at the entry and at the exit.
    std::set<ir::NodeId> wide;               ///< Tasklets that compute in vectors.
    std::set<std::string> wide_scalars;      ///< Private scalars that hold vectors.
};

/// Refusals V2, V3 and V4.
std::variant<VectorPlan, rewrite::Refusal> plan_vectors(const ir::Sdfg& sdfg, const ir::State& state,
                                                        const rewrite::StateView& view, ir::NodeId entry, std::size_t dimension);

}  // namespace sluice::transform
