#include "transform/map/map.h"
#include "ir/port.h"

#include <algorithm>

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;

bool perfectly_nested(const ir::State& state, const rewrite::StateView& view, NodeId outer, NodeId inner) {
    const NodeId inner_exit = view.scopes.exit_of(inner), outer_exit = view.scopes.exit_of(outer);
    for (const NodeId child : view.scopes.children(outer))
        if (child != inner && child != inner_exit && child != outer_exit) return false;
    for (const EdgeId edge : view.adjacency.out(outer))
        if (state.edges[edge].dst != inner) return false;
    for (const EdgeId edge : view.adjacency.in(outer_exit))
        if (state.edges[edge].src != inner_exit) return false;
    return true;
}

symbolic::Assumptions known_around(const rewrite::Site& site, NodeId entry) {
    symbolic::Assumptions known = site.assumptions(site.view().scopes.parent(entry));
    for (const std::string& name : std::get<ir::MapEntry>(site.state().nodes[entry].kind).params) known.assume_any(name);
    return known;
}

NodeId entry_of(const ir::State& state, NodeId exit) {
    return std::get<ir::MapExit>(state.nodes[exit].kind).entry;
}

bool has_dynamic_range(const ir::Node& entry) {
    return std::ranges::any_of(entry.in, [](const auto& connector) { return !ir::is_port_in(connector.first); });
}

namespace {

/// The edges at a node's side, by connector.
std::vector<EdgeId> edges_out(const ir::State& state, NodeId node) {
    std::vector<EdgeId> found;
    for (const auto& [id, edge] : state.edges)
        if (edge.src == node) found.push_back(id);
    return found;
}
std::vector<EdgeId> edges_in(const ir::State& state, NodeId node) {
    std::vector<EdgeId> found;
    for (const auto& [id, edge] : state.edges)
        if (edge.dst == node) found.push_back(id);
    return found;
}

}  // namespace

Scope wrap_scope(ir::State& state, Scope scope, ir::MapEntry outer) {
    Scope around;
    ir::Metadata place = state.nodes[scope.entry].metadata;
    place.guid.clear();
    around.entry = state.nodes.add({.kind = std::move(outer), .in = {}, .out = {}, .metadata = place});
    around.exit = state.nodes.add({.kind = ir::MapExit{around.entry}, .in = {}, .out = {}, .metadata = place});
    for (const EdgeId id : edges_in(state, scope.entry)) {
        ir::Edge inner = state.edges[id];
        if (!inner.memlet.empty()) {
            const std::string x = rewrite::add_passing_connector(state.nodes[around.entry], inner.memlet.data);
            state.edges[id].dst_connector = ir::port_in(x);
            inner.src_connector = ir::port_out(x);
        } else {
            inner.src_connector.clear();
        }
        state.edges[id].dst = around.entry;
        inner.src = around.entry;
        state.edges.add(std::move(inner));
    }
    for (const EdgeId id : edges_out(state, scope.exit)) {
        ir::Edge inner = state.edges[id];
        if (!inner.memlet.empty()) {
            const std::string x = rewrite::add_passing_connector(state.nodes[around.exit], inner.memlet.data);
            state.edges[id].src_connector = ir::port_out(x);
            inner.dst_connector = ir::port_in(x);
        } else {
            inner.dst_connector.clear();
        }
        state.edges[id].src = around.exit;
        inner.dst = around.exit;
        state.edges.add(std::move(inner));
    }
    // A scope without edges on one side still lies inside: an empty memlet holds it there.
    if (edges_out(state, around.entry).empty()) state.edges.add({around.entry, "", scope.entry, "", ir::no_memlet()});
    if (edges_in(state, around.exit).empty()) state.edges.add({scope.exit, "", around.exit, "", ir::no_memlet()});
    return around;
}

void unwrap_scope(ir::State& state, Scope outer, Scope inner) {
    std::map<std::string, std::string> source_of, target_of;  // x of the inner IN_x / OUT_x -> connector of the outer node
    for (const EdgeId id : edges_in(state, inner.entry))
        if (const ir::Edge& edge = state.edges[id]; !edge.dst_connector.empty())
            source_of[std::string(ir::port_name(edge.dst_connector))] = edge.src_connector;
    for (const EdgeId id : edges_out(state, inner.exit))
        if (const ir::Edge& edge = state.edges[id]; !edge.src_connector.empty())
            target_of[std::string(ir::port_name(edge.src_connector))] = edge.dst_connector;
    for (const EdgeId id : edges_out(state, inner.entry)) {
        ir::Edge& edge = state.edges[id];
        edge.src = outer.entry;
        if (!edge.src_connector.empty()) edge.src_connector = source_of.at(std::string(ir::port_name(edge.src_connector)));
    }
    for (const EdgeId id : edges_in(state, inner.exit)) {
        ir::Edge& edge = state.edges[id];
        edge.dst = outer.exit;
        if (!edge.dst_connector.empty()) edge.dst_connector = target_of.at(std::string(ir::port_name(edge.dst_connector)));
    }
    rewrite::erase_node(state, inner.entry);
    rewrite::erase_node(state, inner.exit);
    rewrite::erase_unused_connectors(state, outer.entry);
    rewrite::erase_unused_connectors(state, outer.exit);
}

}  // namespace sluice::transform
