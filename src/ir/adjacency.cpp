// Counting sort of the edges by their two ends, and Kahn's algorithm on top of it.
#include "ir/adjacency.h"

#include <functional>
#include <queue>

namespace sluice::ir {

namespace {

/// Groups edge ids by node, ids ascending within a group; `first` has one entry more than there are node ids.
void group(const State& state, NodeId Edge::*end, std::vector<EdgeId>& edges, std::vector<std::uint32_t>& first) {
    first.assign(state.nodes.id_bound() + 1, 0);
    for (auto [id, edge] : state.edges) {
        check(state.nodes.contains(edge.*end), "edge e", id.value, " ends at node n", (edge.*end).value, ", which does not exist");
        ++first[(edge.*end).value + 1];
    }
    for (std::size_t at = 1; at < first.size(); ++at) first[at] += first[at - 1];
    edges.resize(state.edges.size());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (auto [id, edge] : state.edges) edges[next[(edge.*end).value]++] = id;
}

}  // namespace

Adjacency::Adjacency(const State& state) : state_(&state) {
    group(state, &Edge::dst, edges_in_, first_in_);
    group(state, &Edge::src, edges_out_, first_out_);
}

std::span<const EdgeId> Adjacency::in(NodeId node) const {
    check(node.value + 1 < first_in_.size(), "node n", node.value, " was added after the adjacency was built");
    return {edges_in_.data() + first_in_[node.value], edges_in_.data() + first_in_[node.value + 1]};
}

std::span<const EdgeId> Adjacency::out(NodeId node) const {
    check(node.value + 1 < first_out_.size(), "node n", node.value, " was added after the adjacency was built");
    return {edges_out_.data() + first_out_[node.value], edges_out_.data() + first_out_[node.value + 1]};
}

std::optional<EdgeId> Adjacency::in_at(NodeId node, std::string_view connector) const {
    for (EdgeId id : in(node))
        if (state_->edges[id].dst_connector == connector) return id;
    return std::nullopt;
}

std::optional<EdgeId> Adjacency::out_at(NodeId node, std::string_view connector) const {
    for (EdgeId id : out(node))
        if (state_->edges[id].src_connector == connector) return id;
    return std::nullopt;
}

std::vector<NodeId> topological_order(const State& state, const Adjacency& adjacency) {
    std::vector<std::uint32_t> waiting_for(state.nodes.id_bound(), 0);
    std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
    for (auto [id, node] : state.nodes) {
        waiting_for[id.value] = static_cast<std::uint32_t>(adjacency.in(id).size());
        if (waiting_for[id.value] == 0) ready.push(id);
    }
    std::vector<NodeId> order;
    order.reserve(state.nodes.size());
    while (!ready.empty()) {
        const NodeId node = ready.top();
        ready.pop();
        order.push_back(node);
        for (EdgeId edge : adjacency.out(node)) {
            const NodeId next = state.edges[edge].dst;
            if (--waiting_for[next.value] == 0) ready.push(next);
        }
    }
    if (order.size() == state.nodes.size()) return order;
    for (auto [id, node] : state.nodes) {
        if (waiting_for[id.value] == 0) continue;
        fail({.code = "G001",
              .message = "the dataflow edges form a cycle through or before node n" + std::to_string(id.value) + " (" +
                         label_of(state, id) + ")",
              .where = node.metadata.where,
              .path = "n" + std::to_string(id.value),
              .remedy = "write to a second access node of the container instead of leading the edge back",
              .notes = {}});
    }
    check(false, "an order is missing nodes but none is waiting");
    return order;
}

}  // namespace sluice::ir
