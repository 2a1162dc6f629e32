// Which scope every node of a state lies in, and which containers its memlet paths join: what the format spells out and the
// graph implies. Both work on any graph, valid or not.
#pragma once

#include <string>
#include <vector>

#include "interchange/grammar.h"

namespace sluice::interchange {

/// Indexed by NodeId: the innermost entry around the node (invalid: none). An exit lies inside its own scope.
std::vector<NodeId> enclosing_entries(const State& state);

/// Containers at the ends of an edge's memlet path, through scope nodes; empty where the path ends in a code node.
struct PathEnds {
    std::string source, target;
};
/// Indexed by EdgeId.
std::vector<PathEnds> path_ends(const State& state);

/// The entry an exit belongs to; invalid if the node is no exit.

}  // namespace sluice::interchange
