#include "transform/map/map.h"
#include "ir/port.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/builder.h"
#include "ir/query.h"
#include "transform/map/scope_edits.h"

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

std::set<std::string> names_at(const ir::State& state, const analysis::ScopeTree& scopes, NodeId entry) {
    std::set<std::string> names = names_bound_inside(state, scopes, entry);
    for (NodeId at = entry; at.valid(); at = scopes.parent(at)) {
        const ir::Node& node = state.nodes[at];
        if (const auto* map = std::get_if<ir::MapEntry>(&node.kind)) names.insert(map->params.begin(), map->params.end());
        if (const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind)) names.insert(consume->pe_index);
        for (const auto* connectors : {&node.in, &node.out})
            for (const auto& [connector, type] : *connectors) names.insert(connector);
    }
    return names;
}

std::string fresh_parameter(const ir::Sdfg& sdfg, const std::set<std::string>& names, const std::string& base) {
    const std::vector<std::string> assigned = ir::assigned_symbols(sdfg);
    const auto free = [&](const std::string& name) {
        return !names.contains(name) && !std::ranges::binary_search(assigned, name) && ir::fresh_name(sdfg, name) == name;
    };
    if (free(base)) return base;
    for (std::size_t i = 0;; ++i)
        if (const std::string name = fmt::format("{}_{}", base, i); free(name)) return name;
}

ScopeEdges edges_around(const ir::Adjacency& adjacency, Scope scope) {
    const auto in = adjacency.in(scope.entry), out = adjacency.out(scope.exit);
    return {.in = {in.begin(), in.end()}, .out = {out.begin(), out.end()}};
}

ScopeEdges edges_around(const ir::State& state, Scope scope) {
    return {.in = edges_in(state, scope.entry), .out = edges_out(state, scope.exit)};
}

Scope wrap_scope(ir::State& state, Scope scope, const ScopeEdges& edges, ir::MapEntry outer) {
    Scope around;
    ir::Metadata place = state.nodes[scope.entry].metadata;
    place.guid.clear();
    around.entry = state.nodes.add({.kind = std::move(outer), .in = {}, .out = {}, .metadata = place});
    around.exit = state.nodes.add({.kind = ir::MapExit{around.entry}, .in = {}, .out = {}, .metadata = place});
    for (const EdgeId id : edges.in) {
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
    for (const EdgeId id : edges.out) {
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
    if (edges.in.empty()) state.edges.add({around.entry, "", scope.entry, "", ir::no_memlet()});
    if (edges.out.empty()) state.edges.add({scope.exit, "", around.exit, "", ir::no_memlet()});
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
