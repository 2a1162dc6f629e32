// The scope tree of a state: which nodes lie inside which map or consume scope.
#pragma once

#include <span>
#include <vector>

#include "ir/adjacency.h"
#include "ir/sdfg.h"

namespace sluice::analysis {

class ScopeTree {
public:
    /// Linear in the size of the state. The state must be acyclic with well-nested scopes (verified).
    ScopeTree(const ir::State& state, const ir::Adjacency& adjacency);

    /// The innermost entry node around `node`; an invalid id at top level. The entry itself lies in the enclosing scope, the exit
    /// in the scope that it closes (so parent(exit) == entry), as in the .sdfg format.
    ir::NodeId parent(ir::NodeId node) const;
    ir::NodeId exit_of(ir::NodeId entry) const;
    /// Direct children of a scope in topological order, its exit last; `ir::NodeId()` for the top level.
    std::span<const ir::NodeId> children(ir::NodeId entry) const;
    /// Is `node` inside the scope of `entry`, however deep?
    bool encloses(ir::NodeId entry, ir::NodeId node) const;

private:
    std::vector<ir::NodeId> parent_, exit_;
    std::vector<std::vector<ir::NodeId>> children_;
    std::vector<ir::NodeId> top_;
};

}  // namespace sluice::analysis
