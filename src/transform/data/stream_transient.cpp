// StreamTransient: collect what an inner scope pushes in a stream of its own that is handed on when it ends (LocalStream of the
// SDFG paper).
//     map i { map j { B -> S } }   ->   map i { map j { B -> L } -> L -> S }
// T1 elements of one stream move between the scopes, all into one queue that does not depend on the inner scope. T2 nothing in the
// outer scope takes elements out of that queue, and nothing pushes into it after an element of the inner scope before that scope
// has ended, or right after it. The stream in between has no bound: its elements wait there.
#include <algorithm>

#include "analysis/legality/unseen.h"
#include "analysis/projection.h"
#include "ir/query.h"
#include "transform/data/rebase.h"
#include "transform/kept_order.h"
#include "transform/map/boundary.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;

NodeId entry_of_scope(const ir::State& state, NodeId exit) {
    if (const auto* map = std::get_if<ir::MapExit>(&state.nodes[exit].kind)) return map->entry;
    return std::get<ir::ConsumeExit>(state.nodes[exit].kind).entry;
}

struct Pushes {
    EdgeId pushing;
    std::vector<EdgeId> inside;  ///< From the code to the inner exit.
    std::string stream;
    symbolic::Subset queue;
};

/// T2: the refusal of the first use of the stream in the outer scope that what the inner one pushes may not pass.
std::optional<Refusal> why_not_later(const rewrite::Site& site, EdgeId pushed) {
    const ir::State& state = site.state();
    const ir::Adjacency& adjacency = site.view().adjacency;
    const NodeId inner = site.node("inner"), outer = site.node("outer");
    const NodeId pushing = entry_of_scope(state, inner), scope = entry_of_scope(state, outer);
    const std::string& stream = state.edges[pushed].memlet.data;
    const auto passed_by = [&](NodeId other, const std::string& what) -> std::optional<Refusal> {
        while (site.view().scopes.parent(other) != scope) other = site.view().scopes.parent(other);
        Refusal refusal{.code = "T2", .why = what, .nodes = {inner, outer}};
        const ir::Node& user = state.nodes[other];
        if (other == pushing || std::holds_alternative<ir::Access>(user.kind) || ir::is_exit(user)) return refusal;
        const analysis::Verdict verdict = analysis::writes_unseen(site.sdfg(), state, pushing, other, "", site.assumptions());
        if (verdict.yes()) return {};
        refusal.why += ": " + verdict.why;
        return refusal;
    };
    std::vector<NodeId> readers = rewrite::nodes_inside(site.view().scopes, scope);
    std::erase_if(readers, [&](NodeId node) { return !std::holds_alternative<ir::Access>(state.nodes[node].kind); });
    readers.push_back(scope);
    for (const NodeId node : readers)
        for (const EdgeId id : adjacency.out(node))
            if (state.edges[id].memlet.data == stream)
                if (auto refusal =
                        passed_by(state.edges[id].dst, stream + " is used in the outer scope, where elements would arrive later"))
                    return refusal;
    const std::set<NodeId> later = reached_from(state, adjacency, inner, true);
    for (const EdgeId id : adjacency.in(outer)) {
        const NodeId from = state.edges[id].src;
        if (id == pushed || state.edges[id].memlet.data != stream || !later.contains(from)) continue;
        if (auto refusal = passed_by(from, "something pushes into " + stream + " after the inner scope, or with it"))
            return refusal;
    }
    return {};
}

rewrite::Planned<Pushes> plan_stream_transient(const rewrite::Site& site) {
    const ir::State& state = site.state();
    const ir::Adjacency& adjacency = site.view().adjacency;
    const NodeId inner = site.node("inner"), outer = site.node("outer");
    const std::string& wanted = site.text("stream");
    const auto refuse = [&](std::string code, std::string why) {
        return Refusal{.code = std::move(code), .why = std::move(why), .nodes = {inner, outer}};
    };
    Pushes found;
    for (const EdgeId id : adjacency.out(inner)) {
        const ir::Edge& edge = state.edges[id];
        const ir::Container* container = site.sdfg().containers.find(edge.memlet.data);
        if (edge.dst != outer || !container || !std::holds_alternative<ir::Stream>(container->kind)) continue;
        if (!wanted.empty() && edge.memlet.data != wanted) continue;
        found.pushing = id;
        found.stream = edge.memlet.data;
        break;
    }
    if (!found.pushing.valid()) return refuse("T1", "nothing is pushed into a stream from one scope through the other");
    const ir::Container& stream = site.sdfg().containers.at(found.stream);
    found.queue = state.edges[found.pushing].memlet.subset.value_or(analysis::whole(stream));
    if (!symbolic::num_elements(found.queue, site.assumptions(inner)).is_integer(1))
        return refuse("T1", "the inner scope pushes into several queues of " + found.stream);
    for (const EdgeId id : edges_inward(state, adjacency, found.pushing)) {
        if (id == found.pushing) continue;
        if (state.edges[id].memlet.data != found.stream ||
            std::holds_alternative<ir::NestedSdfg>(state.nodes[state.edges[id].src].kind))
            return refuse("T1", "something else than code pushes into " + found.stream);
        found.inside.push_back(id);
    }
    if (auto refusal = why_not_later(site, found.pushing)) return *refusal;
    return found;
}

void apply_stream_transient(rewrite::Draft& draft, const Pushes& found) {
    const rewrite::Site& site = draft.before();
    ir::Container local = site.sdfg().containers.at(found.stream);
    local.transient = true;
    local.lifetime = ir::Lifetime::Scope;
    local.shape = {1};
    local.kind = ir::Stream{};
    local.metadata = {};
    const std::string name = rewrite::fresh_symbol(draft.sdfg(), site.text("prefix") + found.stream);
    draft.sdfg().containers.set(name, std::move(local));

    ir::State& state = draft.state();
    const NodeId node = state.nodes.add({.kind = ir::Access{.data = name}, .in = {}, .out = {}, .metadata = {}});
    for (const EdgeId id : found.inside) {
        ir::Memlet& memlet = state.edges[id].memlet;
        memlet.data = name;
        memlet.subset = symbolic::Subset::indices({0});
    }
    ir::Edge& edge = state.edges[found.pushing];
    ir::Edge on{node, "", edge.dst, edge.dst_connector, edge.memlet};
    on.memlet.other_subset = symbolic::Subset::indices({0});
    edge.dst = node;
    edge.dst_connector.clear();
    edge.memlet.data = name;
    edge.memlet.subset = symbolic::Subset::indices({0});
    state.edges.add(std::move(on));
}

}  // namespace

rewrite::Transformation stream_transient() {
    constexpr rewrite::Kinds scope = rewrite::kind::map_exit | rewrite::kind::consume_exit;
    return rewrite::transformation(
        {.name = "StreamTransient",
         .summary = "Collects what an inner scope pushes in a stream of its own that is handed on when it ends.",
         .drawing = "map i { map j { B -> S } }   ->   map i { map j { B -> L } -> L -> S }",
         .decided_by = {.predicates = {"writes_unseen"}},
         .patterns = {rewrite::chain({{"inner", scope}, {"outer", scope}})},
         .conditions = {{"T1", "code in the inner scope pushes into one queue of a stream"},
                        {"T2", "nothing in the outer scope takes elements out of the queue, or pushes behind the inner scope"}},
         .parameters = {{"stream", std::string(), "The stream; empty: the first one between the scopes."},
                        {.name = "prefix",
                         .default_value = std::string("trans_"),
                         .help = "The new stream's name begins with it.",
                         .begins_names = true}}},
        plan_stream_transient, apply_stream_transient);
}

}  // namespace sluice::transform
