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
    /// After an edit: `before` is the state that this describes, `touched` the nodes that are new, gone or different in `after` and
    /// the ends of such edges. Both must stay until the next edit. Looks at the scopes that hold what was touched, as far as it is
    /// joined to it; returns at how many nodes.
    std::size_t follow(const ir::State& before, const ir::State& after, const ir::Adjacency& adjacency,
                       std::span<const ir::NodeId> touched);

    /// The innermost entry node around `node`; an invalid id at top level. The entry itself lies in the enclosing scope, the exit
    /// in the scope that it closes (so parent(exit) == entry), as in the .sdfg format.
    ir::NodeId parent(ir::NodeId node) const;
    ir::NodeId exit_of(ir::NodeId entry) const;
    /// Direct children of a scope in topological order, ties in id order, its exit last; `ir::NodeId()` for the top level.
    std::span<const ir::NodeId> children(ir::NodeId entry) const;
    /// Is `node` inside the scope of `entry`, however deep?
    bool encloses(ir::NodeId entry, ir::NodeId node) const;

private:
    /// In the order of execution, once somebody asks.
    struct Children {
        std::vector<ir::NodeId> nodes = {};
        bool ordered = false;
    };
    void build(const ir::State& state, const ir::Adjacency& adjacency);
    void move(ir::NodeId node, ir::NodeId from, ir::NodeId to);
    Children& children_at(ir::NodeId entry) const;
    bool lies_in_itself(ir::NodeId entry) const;

    std::vector<ir::NodeId> parent_, exit_;
    mutable std::vector<Children> children_;  ///< By entry.
    mutable Children top_;
    const ir::State* state_ = nullptr;  ///< After follow().
    const ir::Adjacency* adjacency_ = nullptr;
};

}  // namespace sluice::analysis
