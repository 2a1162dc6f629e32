// The graph of a region's blocks with one exit, its dominators and loops: what structured code is recovered from.
#pragma once

#include <optional>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::lower {

/// Blocks are numbered in reverse postorder from the start (0); the exit is the last number.
struct FlowGraph {
    explicit FlowGraph(const ir::Region& region);

    struct Jump {
        const ir::Transition* transition;  ///< Null: control leaves because no transition is taken.
        int target;
        bool otherwise = false;  ///< Taken whenever the jumps before it are not: no test is needed.
    };
    std::vector<ir::BlockId> blocks;       ///< Number -> block; without the exit.
    std::vector<std::vector<Jump>> jumps;  ///< In the order in which conditions are tried.
    std::vector<std::vector<int>> before;  ///< Predecessors.
    std::vector<int> dominator;            ///< Immediate dominator; the start's is itself.
    std::vector<int> join;                 ///< Immediate postdominator; -1 where the exit is not reached.
    bool reducible = true;

    int exit() const { return static_cast<int>(blocks.size()); }
    bool dominates(int above, int below) const;
    bool is_loop_header(int block) const;
    /// Is the block in the natural loop of the header?
    bool in_loop(int header, int block) const;

private:
    std::vector<std::vector<bool>> loop_;  // by header; empty: no header
    void find_loops();
};

}  // namespace sluice::lower
