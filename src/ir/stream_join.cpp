#include "ir/stream_join.h"

#include <algorithm>
#include <set>

#include "ir/query.h"

namespace sluice::ir {

namespace {

const Container* container_at(const Sdfg& sdfg, const Node& node) {
    const auto* access = std::get_if<Access>(&node.kind);
    return access ? find_container(sdfg, access->data) : nullptr;
}

const Stream* stream_at(const Sdfg& sdfg, const Node& node) {
    const Container* container = container_at(sdfg, node);
    return container ? std::get_if<Stream>(&container->kind) : nullptr;
}

/// Is it a copy of one element, which waits for that element?
bool copies_one(const Sdfg& sdfg, const State& state, const Edge& edge) {
    const Memlet& memlet = edge.memlet;
    if (memlet.dynamic) return false;
    const Node& target = state.nodes[edge.dst];
    if (const Container* container = container_at(sdfg, target); container && std::holds_alternative<Scalar>(container->kind))
        return true;
    const bool names_target = memlet.data == std::get<Access>(target.kind).data;
    const auto& subset = names_target ? memlet.subset : memlet.other_subset;
    return subset && symbolic::num_elements(*subset).is_integer(1);
}

/// Do all edges at an access node of a bounded stream come from, and go to, what waits for single elements?
bool waits(const Sdfg& sdfg, const State& state, const Adjacency& adjacency, NodeId node) {
    const Stream* stream = stream_at(sdfg, state.nodes[node]);
    if (!stream || stream->buffer_size.is_integer(0)) return false;
    const auto joins = [&](NodeId other) {
        return !stream_at(sdfg, state.nodes[other]) && !std::holds_alternative<ConsumeEntry>(state.nodes[other].kind);
    };
    const auto drains = [&](EdgeId id) {
        const Edge& edge = state.edges[id];
        return std::holds_alternative<Access>(state.nodes[edge.dst].kind) && !copies_one(sdfg, state, edge);
    };
    return std::ranges::all_of(adjacency.in(node), [&](EdgeId id) { return joins(state.edges[id].src); }) &&
           std::ranges::all_of(adjacency.out(node), [&](EdgeId id) { return joins(state.edges[id].dst) && !drains(id); });
}

}  // namespace

bool joins_parts(const Sdfg& sdfg, const State& state, const Adjacency& adjacency, NodeId node) {
    return !adjacency.in(node).empty() && !adjacency.out(node).empty() && waits(sdfg, state, adjacency, node);
}

bool streams_between_nodes(const Sdfg& sdfg, const State& state, const Adjacency& adjacency) {
    std::set<std::string> pushed, popped, others;
    for (const auto& [id, node] : state.nodes) {
        if (!stream_at(sdfg, node)) continue;
        const std::string& data = std::get<Access>(node.kind).data;
        if (!waits(sdfg, state, adjacency, id))
            others.insert(data);
        else if (adjacency.out(id).empty())
            pushed.insert(data);
        else if (adjacency.in(id).empty())
            popped.insert(data);
    }
    return std::ranges::any_of(pushed, [&](const std::string& data) { return popped.contains(data) && !others.contains(data); });
}

}  // namespace sluice::ir
