#include "transform/map/scope_edits.h"

#include <algorithm>

#include "analysis/liveness.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"
#include "transform/kept_order.h"

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;

namespace {

std::vector<EdgeId> edges_from(const ir::State& state, NodeId node) {
    std::vector<EdgeId> found;
    for (const auto& [id, edge] : state.edges)
        if (edge.src == node) found.push_back(id);
    return found;
}
std::vector<EdgeId> edges_to(const ir::State& state, NodeId node) {
    std::vector<EdgeId> found;
    for (const auto& [id, edge] : state.edges)
        if (edge.dst == node) found.push_back(id);
    return found;
}

bool joined(const ir::State& state, NodeId src, NodeId dst) {
    return std::ranges::any_of(state.edges, [&](const auto& entry) { return entry.second.src == src && entry.second.dst == dst; });
}

/// Everything of `before` runs before everything of `after`: an empty memlet wherever no edge says so yet.
void order(ir::State& state, const std::set<NodeId>& before, const std::set<NodeId>& after) {
    for (const NodeId src : before)
        for (const NodeId dst : after)
            if (src != dst && !joined(state, src, dst)) state.edges.add({src, "", dst, "", ir::no_memlet()});
}

bool is_access(const ir::State& state, NodeId node) {
    return std::holds_alternative<ir::Access>(state.nodes[node].kind);
}

}  // namespace

Scope nest_scope(ir::State& state, Scope scope, ir::MapEntry inner) {
    Scope inside;
    ir::Metadata place = state.nodes[scope.entry].metadata;
    place.guid.clear();
    inside.entry = state.nodes.add({.kind = std::move(inner), .in = {}, .out = {}, .metadata = place});
    inside.exit = state.nodes.add({.kind = ir::MapExit{inside.entry}, .in = {}, .out = {}, .metadata = place});
    const std::vector<EdgeId> opening = edges_from(state, scope.entry), closing = edges_to(state, scope.exit);
    std::map<std::string, std::string> passing;  // connector of the outer node -> x of the inner one
    for (const EdgeId id : opening) {
        ir::Edge outer = state.edges[id];
        state.edges[id].src = inside.entry;
        if (outer.src_connector.empty()) continue;
        const bool first = !passing.contains(outer.src_connector);
        if (first)
            passing[outer.src_connector] =
                rewrite::add_passing_connector(state.nodes[inside.entry], std::string(ir::port_name(outer.src_connector)));
        const std::string& x = passing[outer.src_connector];
        state.edges[id].src_connector = ir::port_out(x);
        outer.dst = inside.entry;
        outer.dst_connector = ir::port_in(x);
        if (first) state.edges.add(std::move(outer));
    }
    passing.clear();
    for (const EdgeId id : closing) {
        ir::Edge outer = state.edges[id];
        state.edges[id].dst = inside.exit;
        if (outer.dst_connector.empty()) continue;
        const bool first = !passing.contains(outer.dst_connector);
        if (first)
            passing[outer.dst_connector] =
                rewrite::add_passing_connector(state.nodes[inside.exit], std::string(ir::port_name(outer.dst_connector)));
        const std::string& x = passing[outer.dst_connector];
        state.edges[id].dst_connector = ir::port_in(x);
        outer.src = inside.exit;
        outer.src_connector = ir::port_out(x);
        if (first) state.edges.add(std::move(outer));
    }
    if (edges_from(state, scope.entry).empty()) state.edges.add({scope.entry, "", inside.entry, "", ir::no_memlet()});
    if (edges_to(state, scope.exit).empty()) state.edges.add({inside.exit, "", scope.exit, "", ir::no_memlet()});
    return inside;
}

void dissolve_scope(ir::State& state, Scope scope) {
    // Plain sources without predecessors order nothing, nor do results that nobody reads. A copy out of the scope is made where it
    // ends.
    std::set<NodeId> before, first, last, copied, after;
    std::map<std::string, ir::Edge> outer_in, outer_out;
    for (const EdgeId id : edges_to(state, scope.entry)) {
        const ir::Edge& edge = state.edges[id];
        if (!edge.dst_connector.empty()) outer_in[std::string(ir::port_name(edge.dst_connector))] = edge;
        if (!is_access(state, edge.src) || !edges_to(state, edge.src).empty()) before.insert(edge.src);
    }
    for (const EdgeId id : edges_from(state, scope.exit)) {
        const ir::Edge& edge = state.edges[id];
        if (!edge.src_connector.empty()) outer_out[std::string(ir::port_name(edge.src_connector))] = edge;
        if (!is_access(state, edge.dst) || !edges_from(state, edge.dst).empty()) after.insert(edge.dst);
    }
    for (const EdgeId id : edges_from(state, scope.entry)) {
        ir::Edge& edge = state.edges[id];
        first.insert(edge.dst);
        if (edge.src_connector.empty()) {
            state.edges.erase(id);
            continue;
        }
        const ir::Edge& outer = outer_in.at(std::string(ir::port_name(edge.src_connector)));
        edge.src = outer.src;
        edge.src_connector = outer.src_connector;
    }
    for (const EdgeId id : edges_to(state, scope.exit)) {
        ir::Edge& edge = state.edges[id];
        last.insert(edge.src);
        if (edge.dst_connector.empty()) {
            state.edges.erase(id);
            continue;
        }
        const ir::Edge& outer = outer_out.at(std::string(ir::port_name(edge.dst_connector)));
        if (is_access(state, edge.src) && is_access(state, outer.dst)) copied.insert(outer.dst);
        edge.dst = outer.dst;
        edge.dst_connector = outer.dst_connector;
    }
    rewrite::erase_node(state, scope.entry);
    rewrite::erase_node(state, scope.exit);
    const ir::Adjacency adjacency(state);
    for (const NodeId id : copied)
        if (const auto earlier = reached_from(state, adjacency, id, false);
            std::ranges::none_of(after, [&](NodeId one) { return one != id && earlier.contains(one); }))
            last.insert(id);
    order(state, before, first);
    order(state, last, after);
}

std::vector<std::string> private_transients(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view,
                                            NodeId entry) {
    std::vector<std::string> found;
    for (const auto& [name, allocation] : analysis::allocation_scopes(sdfg))
        if (allocation.level == analysis::AllocationScope::Level::Scope && allocation.state == &state &&
            (allocation.entry == entry || view.scopes.encloses(entry, allocation.entry)))
            found.push_back(name);
    return found;
}

std::vector<std::string> views_inside(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view, NodeId entry) {
    std::map<std::string, std::size_t> views;
    for (const NodeId id : rewrite::nodes_inside(view.scopes, entry))
        if (const auto* access = std::get_if<ir::Access>(&state.nodes[id].kind))
            if (const ir::Container* container = sdfg.containers.find(access->data);
                container && container->transient && container->binding == ir::Binding::View)
                ++views[access->data];
    std::vector<std::string> found;
    for (const auto& [name, count] : views)
        if (rewrite::count_accesses(sdfg, name) == count) found.push_back(name);
    return found;
}

std::optional<std::string> zeroed_in_scope(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view,
                                           NodeId entry) {
    std::optional<std::vector<std::string>> privates;
    for (const NodeId id : view.scopes.children(entry)) {
        const auto* access = std::get_if<ir::Access>(&state.nodes[id].kind);
        if (!access || !access->setzero) continue;
        if (!privates) privates = private_transients(sdfg, state, view, entry);
        if (std::ranges::find(*privates, access->data) == privates->end()) return access->data;
    }
    return {};
}

std::vector<NodeId> scope_nodes(const analysis::ScopeTree& scopes, NodeId entry) {
    std::vector<NodeId> nodes = rewrite::nodes_inside(scopes, entry);
    nodes.insert(nodes.begin(), entry);
    nodes.push_back(scopes.exit_of(entry));
    return nodes;
}

void rename_inside(ir::State& state, const std::vector<NodeId>& nodes, const std::string& from, const std::string& to) {
    const auto renamed = [&](std::string& data) {
        if (ir::root_name(data) == from) data = to + data.substr(from.size());
    };
    for (const NodeId id : nodes) {
        if (auto* access = std::get_if<ir::Access>(&state.nodes[id].kind)) renamed(access->data);
        if (auto* map = std::get_if<ir::MapEntry>(&state.nodes[id].kind)) std::ranges::for_each(map->private_updates, renamed);
    }
    const std::vector<EdgeId> edges = rewrite::edges_at(state, nodes);
    for (const EdgeId id : edges) renamed(state.edges[id].memlet.data);
    rewrite::substitute(state, nodes, edges, {{from, symbolic::symbol(to)}});
}

std::map<NodeId, NodeId> copy_scope(ir::Sdfg& sdfg, ir::State& state, const std::vector<NodeId>& nodes,
                                    const std::vector<std::string>& privates) {
    const std::map<NodeId, NodeId> copies = rewrite::copy_nodes(state, state, nodes);
    std::vector<ir::Edge> around;
    for (const auto& [id, edge] : state.edges)
        if (copies.contains(edge.src) != copies.contains(edge.dst)) around.push_back(edge);
    for (ir::Edge& edge : around) {
        if (copies.contains(edge.src)) edge.src = copies.at(edge.src);
        if (copies.contains(edge.dst)) edge.dst = copies.at(edge.dst);
        state.edges.add(std::move(edge));
    }
    std::vector<NodeId> copied;
    for (const auto& [old, copy] : copies) copied.push_back(copy);
    for (const std::string& name : privates) {
        const std::string own = rewrite::fresh_symbol(sdfg, name);
        ir::Container container = *sdfg.containers.find(name);
        sdfg.containers.set(own, std::move(container));
        rename_inside(state, copied, name, own);
    }
    return copies;
}

namespace {

/// Parameters of the scopes inside.
std::set<std::string> parameters_inside(const ir::State& state, const analysis::ScopeTree& scopes, NodeId entry) {
    std::set<std::string> names;
    for (const NodeId id : rewrite::nodes_inside(scopes, entry)) {
        const ir::Node& node = state.nodes[id];
        const auto* map = std::get_if<ir::MapEntry>(&node.kind);
        const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind);
        if (map) names.insert(map->params.begin(), map->params.end());
        if (consume) names.insert(consume->pe_index);
        if (map || consume)
            for (const auto& [connector, type] : node.in)
                if (!ir::is_port_in(connector)) names.insert(connector);
    }
    return names;
}

/// Names that a piece of Python code assigns.
void add_targets(const code::Body& body, std::set<std::string>& names) {
    const auto add = [&](const code::ExprPtr& target) {
        if (!target) return;
        if (const auto* name = std::get_if<code::NameExpr>(&target->node)) names.insert(name->id);
        code::for_each_child(*target, [&](const code::ExprPtr& child) {
            if (const auto* name = child ? std::get_if<code::NameExpr>(&child->node) : nullptr) names.insert(name->id);
        });
    };
    for (const code::StmtPtr& stmt : body) {
        std::visit(
            [&](const auto& s) {
                if constexpr (requires { s.targets; })
                    for (const code::ExprPtr& target : s.targets) add(target);
                if constexpr (requires { s.target; }) add(s.target);
            },
            stmt->node);
        code::for_each_body(*stmt, [&](const code::Body& inner) { add_targets(inner, names); });
    }
}

}  // namespace

std::optional<symbolic::Expr> extent_outside(const ir::State& state, const rewrite::StateView& view, NodeId entry,
                                             const symbolic::Range& range, const symbolic::Assumptions& known) {
    std::set<std::string> around;
    for (NodeId at = view.scopes.parent(entry); at.valid(); at = view.scopes.parent(at)) {
        if (const auto* outer = std::get_if<ir::MapEntry>(&state.nodes[at].kind))
            around.insert(outer->params.begin(), outer->params.end());
        if (const auto* outer = std::get_if<ir::ConsumeEntry>(&state.nodes[at].kind)) around.insert(outer->pe_index);
        for (const auto& [connector, type] : state.nodes[at].in) around.insert(connector);
    }
    if (symbolic::is_empty(symbolic::Subset{{range}}, known)) return std::nullopt;
    const symbolic::Expr extent = symbolic::count(range, known);
    const std::set<std::string> used = symbolic::free_symbols(extent);
    if (std::ranges::none_of(used, [&](const std::string& name) { return around.contains(name); })) return extent;
    const auto most = symbolic::upper_bound(extent, known);
    return most ? std::optional(symbolic::Expr(*most)) : std::nullopt;
}

std::set<std::string> names_bound_inside(const ir::State& state, const analysis::ScopeTree& scopes, NodeId entry) {
    std::set<std::string> names = parameters_inside(state, scopes, entry);
    for (const NodeId id : rewrite::nodes_inside(scopes, entry)) {
        const ir::Node& node = state.nodes[id];
        for (const auto* connectors : {&node.in, &node.out})
            for (const auto& [connector, type] : *connectors) names.insert(connector);
        const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind);
        if (!tasklet || tasklet->code.language != ir::Language::Python) continue;
        if (const auto body = ir::parsed_body(tasklet->code)) add_targets(*body, names);
    }
    return names;
}

std::optional<std::string> hidden_name(const ir::State& state, const analysis::ScopeTree& scopes, NodeId entry,
                                       const symbolic::Substitution& replacement) {
    const std::set<std::string> bound = names_bound_inside(state, scopes, entry);
    for (const auto& [name, value] : replacement) {
        std::set<std::string> names = symbolic::free_symbols(value);
        names.insert(name);
        for (const std::string& used : names)
            if (bound.contains(used)) return used;
    }
    return {};
}

void substitute_inside(ir::State& state, const std::vector<NodeId>& inside, const symbolic::Substitution& replacement) {
    rewrite::substitute(state, inside, rewrite::edges_at(state, inside), replacement);
}

}  // namespace sluice::transform
