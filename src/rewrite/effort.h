// What the engine did, counted: numbers that depend on the program and not on the machine, so that tests can ask how they grow.
#pragma once

#include <cstddef>

namespace sluice::rewrite {

struct Effort {
    std::size_t searched = 0;    ///< Nodes, blocks and SDFGs at which a pattern was begun.
    std::size_t planned = 0;     ///< Matches whose transformation was asked for a plan.
    std::size_t applied = 0;     ///< Edits that were made.
    std::size_t touched = 0;     ///< Nodes, edges, blocks and transitions that differed after an edit.
    std::size_t propagated = 0;  ///< Nodes of states whose memlets were propagated.
    std::size_t verified = 0;    ///< Nodes, edges, blocks and transitions that were verified.
    std::size_t indexed = 0;     ///< Nodes and edges that were looked at to know who is joined to whom.
};

}  // namespace sluice::rewrite
