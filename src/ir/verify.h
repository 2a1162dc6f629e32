// The verifier: every invariant of docs/spec.md, by its code. It reads, never mends.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/adjacency.h"
#include "ir/sdfg.h"

namespace sluice::ir {

/// All violations, in graph order; empty: the graph is valid. Linear in the size of the graph (but for the symbolic decisions).
std::vector<Diagnostic> verify(const Sdfg& sdfg);

/// Of one SDFG what an edit touched: new or different. What is inside of a block other than a state counts as touched with it;
/// nodes inside of a scope with its entry.
struct Touched {
    const Sdfg* sdfg = nullptr;
    std::string path;                  ///< Of the SDFG, for the diagnostics.
    const NestedSdfg* call = nullptr;  ///< The node that calls it; null for a program.
    bool declarations = false;         ///< Containers, symbols, constants, arguments.

    struct InState {
        const State* state;
        const Adjacency* adjacency;
        std::function<NodeId(NodeId)> scope_of, exit_of;  ///< The entry around a node, the exit of an entry; or invalid ids.
        std::string label;
        std::vector<NodeId> nodes;
        std::vector<EdgeId> edges;
    };
    struct InRegion {
        const Region* region;
        bool in_loop;
        std::vector<BlockId> blocks;
        std::vector<TransitionId> transitions;
    };
    std::vector<InState> states;
    std::vector<InRegion> regions;
};
/// Violations of what was touched. Whoever else relies on it (a container that is gone may be named elsewhere) is not asked.
/// `verified`, if given, is increased by the nodes, edges, blocks and transitions that were looked at.
std::vector<Diagnostic> verify(const Touched& touched, std::size_t* verified = nullptr);

struct Invariant {
    std::string_view code;      ///< `V101`
    std::string_view sentence;  ///< What must hold.
    std::string_view remedy;    ///< What the user should do.
};
/// The numbered list; docs/spec.md prints it.
const std::vector<Invariant>& invariants();

}  // namespace sluice::ir
