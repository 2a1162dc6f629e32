#include "analysis/scopes.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <set>

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

/// Kahn's algorithm on the nodes of one scope, in which a scope inside counts as its entry. `waiting` is room by node id.
void order_scope(const ir::State& state, const ir::Adjacency& adjacency, const std::vector<NodeId>& exits,
                 std::vector<NodeId>& nodes, std::vector<std::uint32_t>& waiting) {
    const auto closes = [&](NodeId id) { return is_exit(state.nodes[id]); };
    std::vector<NodeId> order;
    std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
    for (const NodeId id : nodes) {
        if (closes(id)) continue;
        std::uint32_t before = 0;
        for (const ir::EdgeId edge : adjacency.in(id)) before += is_entry(state.nodes[state.edges[edge].src]) ? 0 : 1;
        waiting[id.value] = before;
        if (before == 0) ready.push(id);
    }
    while (!ready.empty()) {
        const NodeId id = ready.top(), exit = exits[id.value];
        ready.pop();
        order.push_back(id);
        if (is_entry(state.nodes[id]) && !exit.valid()) continue;
        for (const ir::EdgeId edge : adjacency.out(exit.valid() ? exit : id)) {
            const NodeId next = state.edges[edge].dst;
            if (!closes(next) && --waiting[next.value] == 0) ready.push(next);
        }
    }
    for (const NodeId id : nodes)
        if (closes(id)) order.push_back(id);
    if (order.size() < nodes.size()) topological_order(state, adjacency);  // Fails, on the cycle that the others wait for.
    nodes = std::move(order);
}

/// What the edges at a node, and at the exit that it opens, say of the scope that it lies in.
struct Said {
    NodeId by_scope_node;            ///< The entry, if an edge from it or to its exit is among them.
    std::vector<NodeId> neighbours;  ///< Nodes of the same scope; of a scope its entry.
};

}  // namespace

ScopeTree::ScopeTree(const ir::State& state, const ir::Adjacency& adjacency) {
    build(state, adjacency);
}

// Every edge joins two nodes of one scope, if an entry counts as inside for its outputs and an exit for its inputs: an equation
// that settles the scopes of all nodes at once, also of those that no path from the entry reaches. What no equation ties to an
// entry lies at top level.
void ScopeTree::build(const ir::State& state, const ir::Adjacency& adjacency) {
    topological_order(state, adjacency);  // Fails, on a cycle.
    const std::size_t ids = state.nodes.id_bound();
    parent_.assign(ids, {});
    exit_.assign(ids, {});
    children_.assign(ids, {});
    top_ = {.nodes = {}, .ordered = true};
    // Nodes and edges are large: each is read once.
    std::vector<NodeId> opens(ids), closes(ids);
    for (auto [id, node] : state.nodes) {
        if (is_entry(node)) opens[id.value] = id;
        closes[id.value] = entry_of_exit(node);
    }
    SameScope scope(ids);
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
        children_at(parent_[id.value]).nodes.push_back(id);
    }
    std::vector<std::uint32_t> waiting(ids);
    for (Children& children : children_) {
        if (!children.nodes.empty()) order_scope(state, adjacency, exit_, children.nodes, waiting);
        children.ordered = true;
    }
    order_scope(state, adjacency, exit_, top_.nodes, waiting);
}

// The equations of build(), solved for what was touched. An untouched neighbour is believed to lie where it did, unless that
// contradicts what an edge at a scope node says, or nothing but neighbours ties it to the scope: then all that is joined to it is
// looked at.
std::size_t ScopeTree::follow(const ir::State& before, const ir::State& after, const ir::Adjacency& adjacency,
                              std::span<const NodeId> touched) {
    state_ = &after;
    adjacency_ = &adjacency;
    // Where much was touched, a look at everything costs less.
    if (touched.size() > 64 && 4 * touched.size() > after.nodes.size()) {
        build(after, adjacency);
        return after.nodes.size();
    }
    // A state that was put in another's place may have handed out fewer ids.
    const std::size_t ids = std::max(before.nodes.id_bound(), after.nodes.id_bound());
    parent_.resize(ids);
    exit_.resize(ids);
    children_.resize(ids);

    std::set<NodeId> changed(touched.begin(), touched.end());
    for (const NodeId id : touched) {
        if (before.nodes.contains(id))
            if (const NodeId entry = entry_of_exit(before.nodes[id]); entry.valid() && exit_[entry.value] == id)
                exit_[entry.value] = {};
        // What it opens or closes says where its neighbours lie.
        if (!after.nodes.contains(id) || !(is_entry(after.nodes[id]) || is_exit(after.nodes[id]))) continue;
        for (const ir::EdgeId edge : adjacency.in(id)) changed.insert(after.edges[edge].src);
        for (const ir::EdgeId edge : adjacency.out(id)) changed.insert(after.edges[edge].dst);
    }
    std::set<NodeId> pending;
    for (const NodeId id : changed) {
        const bool was = before.nodes.contains(id), is = after.nodes.contains(id);
        if (was && !is) std::erase(children_at(parent_[id.value]).nodes, id);
        if (!was && is) children_at({}).nodes.push_back(id);
        if (was != is) children_at(parent_[id.value]).ordered = false;
        if (!is) {
            parent_[id.value] = {};
            continue;
        }
        const NodeId entry = entry_of_exit(after.nodes[id]);
        if (entry.valid()) {
            exit_[entry.value] = id;
            move(id, parent_[id.value], entry);
        }
        if (!entry.valid() || after.nodes.contains(entry)) pending.insert(entry.valid() ? entry : id);
    }

    const auto said = [&](NodeId id) {
        Said result;
        for (const ir::EdgeId edge : adjacency.in(id)) {
            const NodeId src = after.edges[edge].src, entry = entry_of_exit(after.nodes[src]);
            if (is_entry(after.nodes[src]))
                result.by_scope_node = src;
            else
                result.neighbours.push_back(entry.valid() ? entry : src);
        }
        const bool opens = is_entry(after.nodes[id]);
        if (opens && !exit_[id.value].valid()) return result;
        for (const ir::EdgeId edge : adjacency.out(opens ? exit_[id.value] : id)) {
            const NodeId dst = after.edges[edge].dst, entry = entry_of_exit(after.nodes[dst]);
            if (entry.valid())
                result.by_scope_node = entry;
            else
                result.neighbours.push_back(dst);
        }
        return result;
    };
    // All that is joined to the node, as far as `within` goes; the scope that some edge says.
    const auto joined = [&](NodeId id, auto within, std::vector<NodeId>& nodes) {
        NodeId scope;
        std::set<NodeId> seen{id};
        nodes = {id};
        for (std::size_t at = 0; at < nodes.size(); ++at) {
            const Said here = said(nodes[at]);
            if (here.by_scope_node.valid()) scope = here.by_scope_node;
            for (const NodeId next : here.neighbours)
                if (after.nodes.contains(next) && within(next) && seen.insert(next).second) nodes.push_back(next);
        }
        return scope;
    };
    std::size_t looked_at = 0;
    std::set<NodeId> settled;
    for (const NodeId start : pending) {
        if (settled.contains(start)) continue;
        std::vector<NodeId> nodes;
        bool agreed = true;
        std::optional<NodeId> believed;
        NodeId scope = joined(
            start,
            [&](NodeId next) {
                if (pending.contains(next)) return true;
                if (!believed) believed = parent_[next.value];
                agreed = agreed && *believed == parent_[next.value];
                return false;
            },
            nodes);
        looked_at += nodes.size();
        if (!agreed || (believed && *believed != scope)) {
            scope = joined(
                start, [](NodeId) { return true; }, nodes);
            looked_at += nodes.size();
        }
        for (const NodeId id : nodes) {
            move(id, parent_[id.value], scope);
            settled.insert(id);
        }
    }
    for (const NodeId id : pending) children_at(parent_[id.value]).ordered = false;
    if (std::ranges::any_of(pending, [&](NodeId id) { return lies_in_itself(id); })) build(after, adjacency);
    return looked_at;
}

void ScopeTree::move(NodeId node, NodeId from, NodeId to) {
    if (from == to) return;
    for (const NodeId scope : {from, to}) children_at(scope).ordered = false;
    std::erase(children_at(from).nodes, node);
    children_at(to).nodes.push_back(node);
    parent_[node.value] = to;
}

ScopeTree::Children& ScopeTree::children_at(NodeId entry) const {
    return entry.valid() ? children_[entry.value] : top_;
}

/// Only where the dataflow has a cycle.
bool ScopeTree::lies_in_itself(NodeId entry) const {
    NodeId twice = parent_[entry.value];
    for (NodeId at = entry; twice.valid(); at = parent_[at.value]) {
        if (twice == at) return true;
        twice = parent_[twice.value];
        if (twice.valid()) twice = parent_[twice.value];
    }
    return false;
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
    check(!entry.valid() || entry.value < children_.size(), "node outside the state: ", entry.value);
    Children& children = children_at(entry);
    if (!children.ordered) {
        std::vector<std::uint32_t> waiting(parent_.size());
        order_scope(*state_, *adjacency_, exit_, children.nodes, waiting);
        children.ordered = true;
    }
    return children.nodes;
}

bool ScopeTree::encloses(NodeId entry, NodeId node) const {
    for (NodeId at = parent(node); at.valid(); at = parent(at))
        if (at == entry) return true;
    return false;
}

}  // namespace sluice::analysis
