#include "ir/views.h"

#include "ir/port.h"
#include "ir/query.h"

namespace sluice::ir {

namespace {

bool is_access_of_another(const State& state, NodeId node, const std::string& data) {
    const auto* access = std::get_if<Access>(&state.nodes[node].kind);
    return access && access->data != data;
}

/// What a consume entry hands out is an element, and no part of its stream.
NodeId source_of_path(const State& state, const Adjacency& adjacency, EdgeId id) {
    for (;;) {
        const Edge& edge = state.edges[id];
        const Node& node = state.nodes[edge.src];
        const bool pops = std::holds_alternative<ConsumeEntry>(node.kind) && edge.src_connector == kStreamOut;
        if ((!is_entry(node) && !is_exit(node)) || !is_port_out(edge.src_connector) || pops) return edge.src;
        const auto outer = adjacency.in_at(edge.src, across(edge.src_connector));
        if (!outer) return edge.src;
        id = *outer;
    }
}

NodeId target_of_path(const State& state, const Adjacency& adjacency, EdgeId id) {
    for (;;) {
        const Edge& edge = state.edges[id];
        if (!is_exit(state.nodes[edge.dst]) || !is_port_in(edge.dst_connector)) return edge.dst;
        const auto outer = adjacency.out_at(edge.dst, across(edge.dst_connector));
        if (!outer) return edge.dst;
        id = *outer;
    }
}

}  // namespace

std::optional<EdgeId> view_edge(const Sdfg& sdfg, const State& state, const Adjacency& adjacency, NodeId node) {
    const auto* access = std::get_if<Access>(&state.nodes[node].kind);
    const Container* container = access ? find_container(sdfg, access->data) : nullptr;
    if (!container || container->binding != Binding::View) return std::nullopt;
    if (const auto edge = adjacency.in_at(node, "views")) return edge;
    if (const auto edge = adjacency.out_at(node, "views")) return edge;
    for (const EdgeId edge : adjacency.in(node))
        if (!state.edges[edge].memlet.empty() && is_access_of_another(state, source_of_path(state, adjacency, edge), access->data))
            return edge;
    for (const EdgeId edge : adjacency.out(node))
        if (!state.edges[edge].memlet.empty() && is_access_of_another(state, target_of_path(state, adjacency, edge), access->data))
            return edge;
    return std::nullopt;
}

bool is_view_edge(const Sdfg& sdfg, const State& state, const Adjacency& adjacency, EdgeId edge) {
    const Edge& e = state.edges[edge];
    return view_edge(sdfg, state, adjacency, e.dst) == edge || view_edge(sdfg, state, adjacency, e.src) == edge;
}

std::optional<std::string> memory_of_argument(const Sdfg& sdfg, const State& state, const Adjacency& adjacency, EdgeId edge,
                                              NodeId call) {
    NodeId node = call;
    for (std::size_t views = 0; views <= state.nodes.size(); ++views) {
        node = state.edges[edge].dst == node ? source_of_path(state, adjacency, edge) : target_of_path(state, adjacency, edge);
        const auto* access = std::get_if<Access>(&state.nodes[node].kind);
        const Container* container = access ? find_container(sdfg, access->data) : nullptr;
        if (!container) return std::nullopt;
        if (container->binding == Binding::Own) return std::string(root_name(access->data));
        const auto viewed = view_edge(sdfg, state, adjacency, node);
        if (!viewed) return std::nullopt;
        edge = *viewed;
    }
    return std::nullopt;
}

bool view_different_places(const Edge& first, const Edge& second) {
    const auto marked = [](const Edge& edge) { return edge.dst_connector == "views" || edge.src_connector == "views"; };
    const Memlet &one = first.memlet, &other = second.memlet;
    const bool same = one.data == other.data && one.subset == other.subset && one.other_subset == other.other_subset;
    return !same && marked(first) && marked(second);
}

}  // namespace sluice::ir
