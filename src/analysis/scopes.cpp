#include "analysis/scopes.h"

#include "ir/query.h"
#include "support/check.h"

namespace sluice::analysis {

using ir::NodeId;

namespace {

// Sets of nodes that lie in one scope, each with that scope's entry once it is known.
class SameScope {
public:
    explicit SameScope(std::size_t nodes) : leader_(nodes), entry_(nodes) {
        for (std::uint32_t at = 0; at < nodes; ++at) leader_[at] = NodeId(at);
    }
    NodeId find(NodeId node) {
        while (leader_[node.value] != node) node = leader_[node.value] = leader_[leader_[node.value].value];
        return node;
    }
    void join(NodeId a, NodeId b) {
        a = find(a), b = find(b);
        if (a == b) return;
        leader_[b.value] = a;
        if (!entry_[a.value].valid()) entry_[a.value] = entry_[b.value];
    }
    void lies_in(NodeId node, NodeId entry) { entry_[find(node).value] = entry; }
    NodeId entry_around(NodeId node) { return entry_[find(node).value]; }

private:
    std::vector<NodeId> leader_, entry_;
};

}  // namespace

// Every edge joins two nodes of one scope, if an entry counts as inside for its outputs and an exit for its inputs: an equation
// that settles the scopes of all nodes at once, also of those that no path from the entry reaches. What no equation ties to an
// entry lies at top level.
ScopeTree::ScopeTree(const ir::State& state, const ir::Adjacency& adjacency)
    : parent_(state.nodes.id_bound()), exit_(state.nodes.id_bound()), children_(state.nodes.id_bound()) {
    // Nodes and edges are large: each is read once.
    std::vector<NodeId> opens(state.nodes.id_bound()), closes(state.nodes.id_bound());
    for (auto [id, node] : state.nodes) {
        if (is_entry(node)) opens[id.value] = id;
        closes[id.value] = entry_of_exit(node);
    }
    SameScope scope(state.nodes.id_bound());
    for (auto [id, edge] : state.edges) {
        const NodeId opened = opens[edge.src.value], closed = closes[edge.dst.value], left = closes[edge.src.value];
        const NodeId src = left.valid() ? left : edge.src;
        if (opened.valid() && !closed.valid()) scope.lies_in(edge.dst, opened);
        if (!opened.valid() && closed.valid()) scope.lies_in(src, closed);
        if (!opened.valid() && !closed.valid()) scope.join(src, edge.dst);
    }
    for (auto [id, node] : state.nodes) {
        const NodeId entry = closes[id.value];
        if (entry.valid()) exit_[entry.value] = id;
        parent_[id.value] = entry.valid() ? entry : scope.entry_around(id);
    }
    const std::vector<NodeId> order = topological_order(state, adjacency);
    for (const NodeId id : order)
        if (!closes[id.value].valid()) (parent_[id.value].valid() ? children_[parent_[id.value].value] : top_).push_back(id);
    for (const NodeId id : order)
        if (exit_[id.value].valid()) children_[id.value].push_back(exit_[id.value]);
}

NodeId ScopeTree::parent(NodeId node) const {
    check(node.value < parent_.size(), "node outside the state: ", node.value);
    return parent_[node.value];
}

NodeId ScopeTree::exit_of(NodeId entry) const {
    check(entry.value < exit_.size(), "node outside the state: ", entry.value);
    return exit_[entry.value];
}

std::span<const NodeId> ScopeTree::children(NodeId entry) const {
    if (!entry.valid()) return top_;
    check(entry.value < children_.size(), "node outside the state: ", entry.value);
    return children_[entry.value];
}

bool ScopeTree::encloses(NodeId entry, NodeId node) const {
    for (NodeId at = parent(node); at.valid(); at = parent(at))
        if (at == entry) return true;
    return false;
}

}  // namespace sluice::analysis
