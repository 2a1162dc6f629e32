// Counting sort of the edges by their two ends, and Kahn's algorithm on top of it.
#include "ir/adjacency.h"

#include <algorithm>
#include <bit>

namespace sluice::ir {

namespace {

/// An edge and one of its ends. Edges are large; they are read once.
struct End {
    EdgeId edge;
    NodeId node;
};

/// Groups edge ids by node, ids ascending within a group; `first` has one entry more than there are node ids.
void group(const std::vector<End>& ends, std::size_t nodes, std::vector<EdgeId>& edges, std::vector<std::uint32_t>& first) {
    first.assign(nodes + 1, 0);
    for (const End& end : ends) ++first[end.node.value + 1];
    for (std::size_t at = 1; at < first.size(); ++at) first[at] += first[at - 1];
    edges.resize(ends.size());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (const End& end : ends) edges[next[end.node.value]++] = end.edge;
}

/// A set of node ids that gives its least one: bits, and bits that say which words have any.
class ReadyNodes {
public:
    explicit ReadyNodes(std::size_t ids) : bits_(ids / 64 + 1), words_(ids / 4096 + 1) {}
    void insert(NodeId node) {
        bits_[node.value / 64] |= std::uint64_t{1} << node.value % 64;
        words_[node.value / 4096] |= std::uint64_t{1} << node.value / 64 % 64;
        first_ = std::min<std::size_t>(first_, node.value / 4096);
    }
    /// An invalid id if there is none.
    NodeId take_least() {
        while (first_ < words_.size() && words_[first_] == 0) ++first_;
        if (first_ == words_.size()) return {};
        const std::size_t word = first_ * 64 + static_cast<std::size_t>(std::countr_zero(words_[first_]));
        const auto bit = static_cast<std::size_t>(std::countr_zero(bits_[word]));
        bits_[word] &= bits_[word] - 1;
        if (bits_[word] == 0) words_[first_] &= words_[first_] - 1;
        return NodeId(static_cast<std::uint32_t>(word * 64 + bit));
    }

private:
    std::vector<std::uint64_t> bits_, words_;
    std::size_t first_ = 0;  ///< No word before it has any.
};

}  // namespace

Adjacency::Adjacency(const State& state) : state_(&state) {
    build();
}

void Adjacency::build() {
    const State& state = *state_;
    std::vector<End> in, out;
    in.reserve(state.edges.size());
    out.reserve(state.edges.size());
    for (auto [id, edge] : state.edges) {
        for (const NodeId end : {edge.dst, edge.src})
            check(state.nodes.contains(end), "edge e", id.value, " ends at node n", end.value, ", which does not exist");
        in.push_back({id, edge.dst});
        out.push_back({id, edge.src});
    }
    nodes_ = state.nodes.id_bound();
    in_ = out_ = {};
    group(in, state.nodes.id_bound(), in_.grouped, in_.first);
    group(out, state.nodes.id_bound(), out_.grouped, out_.first);
}

void Adjacency::follow(const State& before, const State& after, std::span<const EdgeId> changed) {
    state_ = &after;
    // What was followed costs a look into a map; a quarter of the nodes pays for building anew.
    if (4 * (in_.followed.size() + changed.size()) > after.nodes.size() + 64) return build();
    nodes_ = after.nodes.id_bound();
    for (const EdgeId id : changed) {
        if (before.edges.contains(id)) {
            std::erase(out_.own(before.edges[id].src), id);
            std::erase(in_.own(before.edges[id].dst), id);
        }
        if (!after.edges.contains(id)) continue;
        for (const auto& [edges, end] : {std::pair(&out_, after.edges[id].src), std::pair(&in_, after.edges[id].dst)}) {
            check(after.nodes.contains(end), "edge e", id.value, " ends at node n", end.value, ", which does not exist");
            std::vector<EdgeId>& own = edges->own(end);
            own.insert(std::ranges::lower_bound(own, id), id);
        }
    }
}

std::span<const EdgeId> Adjacency::Edges::at(NodeId node) const {
    if (!followed.empty())
        if (const auto own = followed.find(node); own != followed.end()) return own->second;
    if (node.value + 1 >= first.size()) return {};
    return {grouped.data() + first[node.value], grouped.data() + first[node.value + 1]};
}

std::vector<EdgeId>& Adjacency::Edges::own(NodeId node) {
    const auto [at, added] = followed.try_emplace(node);
    if (added && node.value + 1 < first.size())
        at->second.assign(grouped.begin() + first[node.value], grouped.begin() + first[node.value + 1]);
    return at->second;
}

std::span<const EdgeId> Adjacency::in(NodeId node) const {
    check(node.value < nodes_, "node n", node.value, " was added after the adjacency was built");
    return in_.at(node);
}

std::span<const EdgeId> Adjacency::out(NodeId node) const {
    check(node.value < nodes_, "node n", node.value, " was added after the adjacency was built");
    return out_.at(node);
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
    ReadyNodes ready(state.nodes.id_bound());
    for (auto [id, node] : state.nodes) {
        waiting_for[id.value] = static_cast<std::uint32_t>(adjacency.in(id).size());
        if (waiting_for[id.value] == 0) ready.insert(id);
    }
    std::vector<NodeId> order;
    order.reserve(state.nodes.size());
    for (NodeId node = ready.take_least(); node.valid(); node = ready.take_least()) {
        order.push_back(node);
        for (EdgeId edge : adjacency.out(node)) {
            const NodeId next = state.edges[edge].dst;
            if (--waiting_for[next.value] == 0) ready.insert(next);
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
