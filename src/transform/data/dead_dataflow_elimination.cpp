// DeadDataflowElimination: leave out what computes values that nobody sees.
//     map i { f } -> t;  map i { g } -> t -> B   ->   map i { g } -> t -> B
// D1 nothing reads from the access node, at the top of a state, of an array or scalar with memory of its own. D2 what writes to it
// writes nothing else, has no effects besides, and cannot fail: copies, tasklets in Python, maps of these. D3 no value that it
// writes is seen: all is overwritten before anybody reads it, or it is a transient that nobody reads any more.
#include <algorithm>

#include "analysis/lanes.h"
#include "analysis/legality/dead.h"
#include "analysis/symbols.h"
#include "ir/query.h"
#include "rewrite/wires.h"
#include "transform/data/data.h"
#include "transform/kept_order.h"

namespace sluice::transform {

namespace {

using ir::NodeId;
using rewrite::Refusal;

/// Nodes and copies that go.
struct Dead {
    std::set<NodeId> nodes;
    std::vector<ir::EdgeId> copies;
};

/// D2 of a single node.
bool is_pure(const rewrite::Site& site, NodeId id) {
    const ir::Node& node = site.state().nodes[id];
    if (const auto* access = std::get_if<ir::Access>(&node.kind)) {
        const ir::Container* container = ir::find_container(site.sdfg(), access->data);
        return container && container->binding == ir::Binding::Own && container->transient &&
               container->lifetime == ir::Lifetime::Scope && !std::holds_alternative<ir::Stream>(container->kind);
    }
    if (std::holds_alternative<ir::MapEntry>(node.kind) || std::holds_alternative<ir::MapExit>(node.kind)) return true;
    const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind);
    return tasklet && analysis::only_assigns(*tasklet);
}

bool takes_from_stream(const rewrite::Site& site, NodeId node) {
    return std::ranges::any_of(site.view().adjacency.in(node), [&](ir::EdgeId edge) {
        const auto* access = std::get_if<ir::Access>(&site.state().nodes[site.state().edges[edge].src].kind);
        const ir::Container* container = access ? ir::find_container(site.sdfg(), access->data) : nullptr;
        return container && std::holds_alternative<ir::Stream>(container->kind);
    });
}

/// The node that makes what arrives by an edge, with its scope; empty where it makes something else as well.
std::set<NodeId> maker_of(const rewrite::Site& site, ir::EdgeId in, NodeId access) {
    const ir::State& state = site.state();
    const rewrite::StateView& view = site.view();
    const NodeId last = state.edges[in].src;
    std::set<NodeId> nodes{last};
    NodeId first = last;
    if (std::holds_alternative<ir::MapExit>(state.nodes[last].kind)) {
        first = view.scopes.parent(last);
        nodes.insert(first);
        for (const NodeId inside : rewrite::nodes_inside(view.scopes, first)) nodes.insert(inside);
    }
    const bool elsewhere = std::ranges::any_of(view.adjacency.out(last), [&](ir::EdgeId edge) {
        return !state.edges[edge].memlet.empty() && state.edges[edge].dst != access;
    });
    const bool handed = std::ranges::any_of(view.adjacency.in(first), [&](ir::EdgeId edge) {
        return !state.edges[edge].memlet.empty() && std::holds_alternative<ir::Tasklet>(state.nodes[state.edges[edge].src].kind);
    });
    if (elsewhere || handed || takes_from_stream(site, first)) return {};
    const auto uses = [&](const std::string& data) {
        return static_cast<std::size_t>(std::ranges::count_if(nodes, [&](NodeId node) {
            const auto* other = std::get_if<ir::Access>(&state.nodes[node].kind);
            return other && other->data == data;
        }));
    };
    // What the scope keeps for itself nobody else looks at.
    const bool pure = std::ranges::all_of(nodes, [&](NodeId node) {
        const auto* inside = std::get_if<ir::Access>(&state.nodes[node].kind);
        return is_pure(site, node) && (!inside || (uses(inside->data) == rewrite::count_accesses(site.sdfg(), inside->data) &&
                                                   !rewrite::used_in_control(site.sdfg(), inside->data)));
    });
    return pure ? nodes : std::set<NodeId>();
}

rewrite::Planned<Dead> plan_dead_dataflow(const rewrite::Site& site) {
    const NodeId node = site.node("access");
    const ir::State& state = site.state();
    const rewrite::StateView& view = site.view();
    const auto& access = site.get<ir::Access>("access");
    const ir::Container* container = site.sdfg().containers.find(access.data);
    const bool own = container && container->binding == ir::Binding::Own &&
                     (std::holds_alternative<ir::Array>(container->kind) || std::holds_alternative<ir::Scalar>(container->kind));
    if (!own || access.setzero || access.instrument != ir::DataInstrumentation::No_Instrumentation ||
        view.scopes.parent(node).valid())
        return Refusal{.code = "D1", .why = access.data + " is no array or scalar at the top of the state", .nodes = {node}};
    for (const ir::EdgeId edge : view.adjacency.out(node))
        if (!state.edges[edge].memlet.empty())
            return Refusal{.code = "D1", .why = access.data + " is read from here", .nodes = {node}};
    Dead dead;
    for (const ir::EdgeId edge : view.adjacency.in(node)) {
        if (state.edges[edge].memlet.empty()) continue;
        if (std::holds_alternative<ir::Access>(state.nodes[state.edges[edge].src].kind)) {
            if (takes_from_stream(site, node)) return Refusal{.code = "D2", .why = "it empties a stream", .nodes = {node}};
            dead.copies.push_back(edge);
            continue;
        }
        const std::set<NodeId> maker = maker_of(site, edge, node);
        if (maker.empty())
            return Refusal{.code = "D2",
                           .why = "what writes to " + access.data + " does something else as well",
                           .nodes = {node, state.edges[edge].src}};
        dead.nodes.insert(maker.begin(), maker.end());
    }
    if (dead.nodes.empty() && dead.copies.empty())
        return Refusal{.code = "D1", .why = "nothing is written to " + access.data + " here", .nodes = {node}};
    if (!aliases(site.sdfg(), access.data).empty())
        return Refusal{.code = "D3", .why = access.data + " may be the same memory as another argument", .nodes = {node}};
    if (rewrite::used_in_control(site.sdfg(), access.data))
        return Refusal{.code = "D3", .why = access.data + " is read by control flow, a range or a shape", .nodes = {node}};
    const symbolic::Assumptions everywhere = site.match().place.nested.empty() ? analysis::assumptions_of(site.sdfg())
                                                                               : analysis::assumptions_wherever_called(site.sdfg());
    const analysis::Verdict verdict = analysis::never_seen(site.sdfg(), state, node, site.assumptions(), everywhere);
    if (!verdict.yes()) return Refusal{.code = "D3", .why = verdict.why, .nodes = verdict.nodes};
    return dead;
}

/// What came before what goes still comes before what came after it.
void bridge(ir::State& state, const ir::State& old, const std::set<NodeId>& gone) {
    std::set<NodeId> before, after;
    for (const auto& [id, edge] : old.edges) {
        if (gone.contains(edge.dst) && !gone.contains(edge.src)) before.insert(edge.src);
        if (gone.contains(edge.src) && !gone.contains(edge.dst)) after.insert(edge.dst);
    }
    for (const NodeId first : before)
        for (const NodeId second : after)
            if (!reached_from(state, ir::Adjacency(state), first, true).contains(second))
                state.edges.add({first, "", second, "", ir::no_memlet()});
}

void apply_dead_dataflow(rewrite::Draft& draft, const Dead& dead) {
    const NodeId node = draft.node("access");
    const ir::State& old = draft.before().state();
    const std::string data = draft.before().get<ir::Access>("access").data;
    ir::State& state = draft.state();
    std::set<NodeId> gone = dead.nodes;
    gone.insert(node);
    for (const NodeId id : gone) rewrite::erase_node(state, id);
    bridge(state, old, gone);
    rewrite::erase_isolated_accesses(state);
    std::set<std::string> names{data};
    for (const NodeId id : gone)
        if (const auto* access = std::get_if<ir::Access>(&old.nodes[id].kind)) names.insert(access->data);
    for (const std::string& name : names)
        if (draft.sdfg().containers.at(name).transient && rewrite::count_accesses(draft.sdfg(), name) == 0 &&
            !rewrite::used_in_control(draft.sdfg(), name))
            rewrite::erase_container(draft.sdfg(), name);
}

}  // namespace

rewrite::Transformation dead_dataflow_elimination() {
    return rewrite::transformation(
        {.name = "DeadDataflowElimination",
         .summary = "Leaves out what computes values that nobody sees.",
         .drawing = "map i { f } -> t;  map i { g } -> t -> B   ->   map i { g } -> t -> B",
         .decided_by = {.predicates = {"never_seen"}},
         .patterns = {{.nodes = {{"access", rewrite::kind::access}}, .edges = {}}},
         .conditions = {{"D1",
                         "nothing reads from the access node, at the top of a state, of an array or scalar with memory of its own"},
                        {"D2",
                         "what writes to it writes nothing else, has no effects besides, and cannot fail: copies, tasklets in "
                         "Python, maps of these"},
                        {"D3",
                         "no value that it writes is seen: all is overwritten before anybody reads it, or it is a transient that "
                         "nobody reads any more"}}},
        plan_dead_dataflow, apply_dead_dataflow);
}

}  // namespace sluice::transform
