// One state: first that it is a graph at all, then the topics that rely on it.
#include <span>

#include "ir/port.h"
#include "ir/query.h"
#include "ir/verify/verification.h"

namespace sluice::ir::verification {

std::string node_place(const State& state, NodeId id) {
    const std::string label = label_of(state, id);
    return "n" + std::to_string(id.value) + " (" + std::string(kind_name(state.nodes[id])) + (label.empty() ? "" : " " + label) +
           ")";
}

std::string edge_place(const Edge& edge) {
    const auto end = [](NodeId node, const std::string& connector) {
        return "n" + std::to_string(node.value) + (connector.empty() ? "" : "." + connector);
    };
    return end(edge.src, edge.src_connector) + " -> " + end(edge.dst, edge.dst_connector);
}

const Span& span_of(const State& state, const Edge& edge) {
    if (edge.memlet.metadata.where.known()) return edge.memlet.metadata.where;
    const Span& src = state.nodes[edge.src].metadata.where;
    return src.known() ? src : state.nodes[edge.dst].metadata.where;
}

NodeId Dataflow::scope_of_edge(const Edge& edge) const {
    const Node& src = state.nodes[edge.src];
    if (is_entry(src)) return edge.src;
    if (!is_exit(src)) return scope[edge.src.value];
    const NodeId entry = entry_of_exit(src);
    return entry.valid() && entry.value < scope.size() ? scope[entry.value] : NodeId();
}

namespace {

bool ends_exist(Report& report, const State& state, const Span& where) {
    bool exist = true;
    for (auto [id, edge] : state.edges) {
        if (state.nodes.contains(edge.src) && state.nodes.contains(edge.dst)) continue;
        exist = false;
        const Span& memlet = edge.memlet.metadata.where;
        report.add("V301", "an end of the edge does not exist", memlet.known() ? memlet : where, edge_place(edge));
    }
    return exist;
}

/// Follows memlet paths through scopes: forward for their sources, backward for their sinks.
void trace_paths(Dataflow& flow) {
    flow.source.assign(flow.state.edges.id_bound(), NodeId());
    flow.sink = flow.source;
    std::unordered_map<std::string_view, EdgeId> at;
    for (NodeId node : flow.order) {
        at.clear();
        const bool scope = is_entry(flow.state.nodes[node]) || is_exit(flow.state.nodes[node]);
        if (scope)
            for (EdgeId edge : flow.adjacency.in(node)) at.emplace(flow.state.edges[edge].dst_connector, edge);
        for (EdgeId edge : flow.adjacency.out(node)) {
            const auto before = scope ? at.find(across(flow.state.edges[edge].src_connector)) : at.end();
            flow.source[edge.value] = before == at.end() ? node : flow.source[before->second.value];
        }
    }
    for (auto node = flow.order.rbegin(); node != flow.order.rend(); ++node) {
        at.clear();
        const bool scope = is_entry(flow.state.nodes[*node]) || is_exit(flow.state.nodes[*node]);
        if (scope)
            for (EdgeId edge : flow.adjacency.out(*node)) at.emplace(flow.state.edges[edge].src_connector, edge);
        for (EdgeId edge : flow.adjacency.in(*node)) {
            const auto after = scope ? at.find(across(flow.state.edges[edge].dst_connector)) : at.end();
            flow.sink[edge.value] = after == at.end() ? *node : flow.sink[after->second.value];
        }
    }
}

struct CheckNode {
    Report& report;
    Names& names;
    const Dataflow& flow;
    NodeId id;

    void operator()(const Access& access) const {
        const Node& node = flow.state.nodes[id];
        if (!names.container(access.data))
            report.add("V501", "no container is named " + access.data, node.metadata.where, node_place(flow.state, id));
        else
            check_bindings(report, names, flow, id, access);
    }
    void operator()(const Tasklet& tasklet) const { check_tasklet(report, names, flow, id, tasklet); }
    void operator()(const MapEntry& map) const { check_map(report, names, flow, id, map); }
    void operator()(const MapExit&) const {}
    void operator()(const ConsumeEntry& consume) const { check_consume(report, names, flow, id, consume); }
    void operator()(const ConsumeExit&) const {}
    void operator()(const NestedSdfg& nested) const { check_nested(report, names, flow, id, nested); }
    void operator()(const LibraryNode& library) const {
        if (library.operation.empty())
            report.add("V551", "the library node has no operation", flow.state.nodes[id].metadata.where,
                       node_place(flow.state, id));
    }
};

}  // namespace

void check_parts(Report& report, Names& names, const Dataflow& flow, std::span<const NodeId> nodes, std::span<const EdgeId> edges) {
    report.elements += nodes.size() + edges.size();
    for (const NodeId id : nodes) std::visit(CheckNode{report, names, flow, id}, flow.state.nodes[id].kind);
    for (const EdgeId id : edges) check_memlet(report, names, flow, id);
}

void check_state(Report& report, Names& names, const State& state, const Span& where) {
    if (!ends_exist(report, state, where)) return;
    Adjacency adjacency(state);
    std::vector<NodeId> nodes;
    std::vector<EdgeId> edges;
    for (auto [id, node] : state.nodes) nodes.push_back(id);
    for (auto [id, edge] : state.edges) edges.push_back(id);
    for (const NodeId id : nodes) check_connectors(report, state, adjacency, id);
    Result<std::vector<NodeId>> order = capture([&] { return topological_order(state, adjacency); });
    if (!order.ok()) {
        const Span& node = order.error().where;
        return report.add("V302", order.error().message, node.known() ? node : where);
    }
    Dataflow flow{.state = state,
                  .adjacency = std::move(adjacency),
                  .order = std::move(order).value(),
                  .scope = {},
                  .exit_of = {},
                  .source = {},
                  .sink = {}};
    check_scopes(report, flow);
    trace_paths(flow);
    check_parts(report, names, flow, nodes, edges);
}

}  // namespace sluice::ir::verification
