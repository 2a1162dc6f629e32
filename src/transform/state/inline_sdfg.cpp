// InlineSDFG: put the nodes of a nested SDFG of one state in its place.
//     state { nested { A } }   ->   state { A }
// I1 inlining is not forbidden. I2 the nested SDFG is one state. I3 each of its arguments is an aligned part of the container it is
// connected to: its dimensions are dimensions of that container with the same strides; what it takes by value it does not change.
// I4 names mean the same outside: no tasklet hides a symbol that moves into its code, no container is read by an expression. I5
// what the arguments are connected to can take the edges from inside. I6 extents of transients inside do not depend on parameters
// of a scope around. Order is kept: nodes inside that nothing else would order after what came before the nested SDFG get an empty
// memlet, where they touch the same containers.
#include <algorithm>

#include "analysis/symbols.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "rewrite/edit.h"
#include "rewrite/transformation.h"
#include "transform/kept_order.h"
#include "transform/state/inlining.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;

const ir::State* only_state(const ir::Sdfg& sdfg) {
    if (sdfg.body.blocks.size() != 1 || !sdfg.body.transitions.empty()) return nullptr;
    return ir::as_state((*sdfg.body.blocks.begin()).second);
}

bool is_scope_node(const ir::Node& node) {
    const rewrite::Kinds scopes =
        rewrite::kind::map_entry | rewrite::kind::map_exit | rewrite::kind::consume_entry | rewrite::kind::consume_exit;
    return (rewrite::kind_of(node) & scopes) != 0;
}

/// Access nodes of arguments that the outer ends of the connectors take the place of.
struct Ends {
    std::map<NodeId, EdgeId> source, sink;  ///< Inner access node -> outer edge at its connector.
};

Ends ends_of(const rewrite::StateView& view, NodeId nested, const ir::State& inner) {
    Ends ends;
    const ir::Adjacency adjacency(inner);
    for (const auto& [id, node] : inner.nodes) {
        const auto* access = std::get_if<ir::Access>(&node.kind);
        if (!access || access->setzero) continue;
        const auto in = view.adjacency.in_at(nested, access->data), out = view.adjacency.out_at(nested, access->data);
        if (adjacency.in(id).empty() && in) ends.source.emplace(id, *in);
        if (adjacency.out(id).empty() && !adjacency.in(id).empty() && out) ends.sink.emplace(id, *out);
    }
    return ends;
}

Refusal refuse(const char* code, std::string why, NodeId node) {
    return Refusal{.code = code, .why = std::move(why), .nodes = {node}};
}

/// I5: edges of inner access nodes that become edges of the outer ends.
std::optional<std::string> why_not_joined(const rewrite::Site& site, NodeId nested, const ir::State& inner) {
    const ir::State& outer = site.state();
    const rewrite::StateView& view = site.view();
    std::map<std::string, int> outward;
    for (const EdgeId id : view.adjacency.out(nested))
        if (!outer.edges[id].memlet.empty() && ++outward[outer.edges[id].src_connector] > 1)
            return outer.edges[id].src_connector + " goes to several nodes";
    const Ends ends = ends_of(view, nested, inner);
    const ir::Sdfg& inlined = *site.get<ir::NestedSdfg>("nested").sdfg;
    const ir::Adjacency adjacency(inner);
    std::map<std::string, bool> written, sunk;
    for (const auto& [id, node] : inner.nodes) {
        const auto* access = std::get_if<ir::Access>(&node.kind);
        if (!access) continue;
        if (access->setzero && !inlined.containers.at(access->data).transient)
            return access->data + " is set to zero when the call begins";
        if (!adjacency.in(id).empty()) written[access->data] = true;
        if (ends.sink.contains(id)) sunk[access->data] = true;
        const auto at_view = [&](EdgeId edge) {
            return inner.edges[edge].src_connector == "views" || inner.edges[edge].dst_connector == "views";
        };
        if (const auto at = ends.source.find(id);
            at != ends.source.end() && is_scope_node(outer.nodes[outer.edges[at->second].src]))
            if (std::ranges::any_of(adjacency.out(id), at_view)) return "a view of " + access->data + " would lose its access node";
        if (const auto at = ends.sink.find(id); at != ends.sink.end() && is_scope_node(outer.nodes[outer.edges[at->second].dst]))
            if (std::ranges::any_of(adjacency.in(id), at_view)) return "a view of " + access->data + " would lose its access node";
    }
    for (const EdgeId id : view.adjacency.out(nested)) {
        const ir::Edge& edge = outer.edges[id];
        if (edge.memlet.empty()) continue;
        // The connector of a scope exit needs an edge with data; an access node only has to come later.
        if (!sunk[edge.src_connector] && is_scope_node(outer.nodes[edge.dst]))
            return edge.src_connector + (written[edge.src_connector] ? " is read again after it was written" : " is not written");
    }
    for (const auto& [id, edge] : inner.edges) {
        const auto source = ends.source.find(edge.src);
        const auto sink = ends.sink.find(edge.dst);
        if (source == ends.source.end() || sink == ends.sink.end() || edge.memlet.empty()) continue;
        if (is_scope_node(outer.nodes[outer.edges[source->second].src]) &&
            is_scope_node(outer.nodes[outer.edges[sink->second].dst]))
            return "a copy from " + edge.memlet.data + " would lose both of its access nodes";
    }
    for (const EdgeId id : view.adjacency.in(nested)) {
        const ir::Edge& edge = outer.edges[id];
        if (std::holds_alternative<ir::ConsumeEntry>(outer.nodes[edge.src].kind) && !edge.memlet.empty())
            return edge.dst_connector + " is what a consume scope popped";
    }
    return {};
}

rewrite::Planned<Inlining> plan_inline_sdfg(const rewrite::Site& site) {
    const NodeId id = site.node("nested");
    const auto& nested = site.get<ir::NestedSdfg>("nested");
    if (nested.no_inline) return refuse("I1", "inlining " + nested.label + " is forbidden by its property no_inline", id);
    const ir::State* inner = only_state(*nested.sdfg);
    if (!inner) return refuse("I2", nested.label + " is more than one state", id);
    const Inlining inlining(site.sdfg(), site.state(), site.view(), id);
    if (auto why = inlining.why_not_aligned()) return refuse("I3", *why, id);
    if (auto refusal = why_not_by_value(site, "I3")) return std::move(*refusal);
    if (auto why = inlining.why_not_named()) return refuse("I4", *why, id);
    if (auto why = why_not_joined(site, id, *inner)) return refuse("I5", *why, id);
    if (auto why = inlining.why_not_allocated()) return refuse("I6", *why, id);
    return inlining;
}

// ---- the edit -----------------------------------------------------------------------------------------------------------
/// A node of the scope that stood beside the nested SDFG: one that nothing but the scope's entry comes before and that nobody reads
/// any more goes, another stays between entry and exit.
void hold(ir::State& state, NodeId node, NodeId scope, NodeId exit) {
    if (!state.nodes.contains(node)) return;
    const auto* access = std::get_if<ir::Access>(&state.nodes[node].kind);
    bool with_in = false, with_out = false, needed = !access || access->setzero;
    for (const auto& [id, edge] : state.edges) {
        with_out = with_out || edge.src == node;
        with_in = with_in || edge.dst == node;
        needed = needed || (edge.src == node && (edge.dst != exit || !edge.memlet.empty())) ||
                 (edge.dst == node && (edge.src != scope || !edge.memlet.empty()));
    }
    if (!needed) return rewrite::erase_node(state, node);
    if (!with_in) state.edges.add({scope, "", node, "", ir::no_memlet()});
    if (!with_out) state.edges.add({node, "", exit, "", ir::no_memlet()});
}

void apply_inline_sdfg(rewrite::Draft& draft, const Inlining& inlining) {
    const rewrite::Site& site = draft.before();
    const NodeId id = draft.node("nested");
    const ir::State& old = site.state();
    const ir::State inner = inlining.translated(draft.sdfg());
    const Ends ends = ends_of(site.view(), id, *only_state(*site.get<ir::NestedSdfg>("nested").sdfg));
    const NodeId scope = site.view().scopes.parent(id), exit = scope.valid() ? site.view().scopes.exit_of(scope) : NodeId();

    ir::State& state = draft.state();
    std::vector<NodeId> kept;
    for (const auto& [node, value] : inner.nodes)
        if (!ends.source.contains(node) && !ends.sink.contains(node)) kept.push_back(node);
    const std::map<NodeId, NodeId> copies = rewrite::copy_nodes(state, inner, kept);
    std::set<NodeId> inside;
    for (const auto& [from, to] : copies) inside.insert(to);
    // Inner edges at the ends of connectors go on to where these lead.
    for (const auto& [edge_id, edge] : inner.edges) {
        const auto source = ends.source.find(edge.src);
        const auto sink = ends.sink.find(edge.dst);
        if (source == ends.source.end() && sink == ends.sink.end()) continue;
        ir::Edge moved = edge;
        if (source != ends.source.end()) {
            moved.src = old.edges[source->second].src;
            if (!edge.memlet.empty()) moved.src_connector = old.edges[source->second].src_connector;
        } else {
            moved.src = copies.at(edge.src);
        }
        if (sink != ends.sink.end()) {
            moved.dst = old.edges[sink->second].dst;
            if (!edge.memlet.empty()) moved.dst_connector = old.edges[sink->second].dst_connector;
        } else {
            moved.dst = copies.at(edge.dst);
        }
        state.edges.add(std::move(moved));
    }
    std::vector<NodeId> before, after;
    for (const EdgeId edge : site.view().adjacency.in(id)) before.push_back(old.edges[edge].src);
    for (const EdgeId edge : site.view().adjacency.out(id)) after.push_back(old.edges[edge].dst);
    rewrite::erase_node(state, id);
    // What lies inside by itself is held in the scope.
    if (scope.valid()) {
        std::set<NodeId> with_in, with_out;
        for (const auto& [edge_id, edge] : state.edges) {
            with_out.insert(edge.src);
            with_in.insert(edge.dst);
        }
        for (const NodeId node : inside) {
            if (!with_in.contains(node)) state.edges.add({scope, "", node, "", ir::no_memlet()});
            if (!with_out.contains(node)) state.edges.add({node, "", exit, "", ir::no_memlet()});
        }
        rewrite::erase_unread_inputs(state, scope);
    }
    const auto vacuous = [&](NodeId node) { return node == scope || node == exit; };
    std::erase_if(before, vacuous);
    std::erase_if(after, vacuous);
    keep_order(draft.sdfg(), state, inside, before, after);
    // What came before the nested SDFG still comes before what followed it.
    const ir::Adjacency adjacency(state);
    for (const NodeId first : before) {
        const std::set<NodeId> reached = reached_from(state, adjacency, first, true);
        for (const NodeId second : after)
            if (!reached.contains(second) && !(adjacency.in(first).empty() && adjacency.out(second).empty()))
                state.edges.add({first, "", second, "", ir::no_memlet()});
    }
    if (scope.valid()) {
        for (const std::vector<NodeId>* neighbours : {&before, &after})
            for (const NodeId node : *neighbours) hold(state, node, scope, exit);
        const auto in_scope = [&](const auto& entry) { return entry.second.src == scope; };
        if (std::ranges::none_of(std::as_const(state).edges, in_scope)) state.edges.add({scope, "", exit, "", ir::no_memlet()});
    }
    rewrite::erase_isolated_accesses(state);
}

}  // namespace

rewrite::Transformation inline_sdfg() {
    return rewrite::transformation(
        {.name = "InlineSDFG",
         .summary = "Puts the nodes of a nested SDFG of one state in its place.",
         .drawing = "state { nested { A } }   ->   state { A }",
         .decided_by = {.predicates = {"values_kept"}},
         .patterns = {{.nodes = {{"nested", rewrite::kind::nested_sdfg}}, .edges = {}}},
         .conditions = {{"I1", "the nested SDFG may be inlined"},
                        {"I2", "it is one state"},
                        {"I3",
                         "each argument is an aligned part of the container that it is connected to; what it "
                         "takes by value it does not change"},
                        {"I4", "names inside can mean the same outside"},
                        {"I5", "the nodes at the connectors can take the edges from inside"},
                        {"I6", "extents of its transients do not depend on a scope around it"}},
         .simplifies = true},
        plan_inline_sdfg, apply_inline_sdfg);
}

}  // namespace sluice::transform
