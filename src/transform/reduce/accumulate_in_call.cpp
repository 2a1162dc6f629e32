// AccumulateInCall: sum up (or reduce by another operator) in a scalar of the point and update the result once.
//     map i { call(s) { s (sum) } }   ->   map i { t = 0; call(t) { t (sum) }; t -> s (sum) }
// C1 the call, in a map, updates one element through one connector, and everything in it that touches the element updates it by one
// resolution whose operator has an identity; nothing else in the map touches its container. C2 the element is the same at all
// points. Threads then update an element of their own, and how theirs meet is the map's affair, not that of each update.
#include <algorithm>

#include "ir/builder.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "rewrite/edit.h"
#include "transform/data/data.h"
#include "transform/reduce/identity.h"
#include "transform/reduce/reduce.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;

/// The one resolution by which everything in the SDFG that touches the container updates it; null: there is none.
const ir::Resolution* only_resolution(const ir::Sdfg& sdfg, const std::string& name) {
    const ir::Resolution* one = nullptr;
    bool other = rewrite::used_in_control(sdfg, name);
    const auto update = [&](const ir::Resolution* found) {
        other = other || !found || (one && !(*one == *found));
        one = found;
    };
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (const auto& [id, edge] : state.edges) {
            if (edge.memlet.empty()) continue;
            if (edge.memlet.data != name) {
                for (const NodeId end : {edge.src, edge.dst})
                    if (const auto* access = std::get_if<ir::Access>(&state.nodes[end].kind)) other = other || access->data == name;
                continue;
            }
            const auto* writes = std::get_if<ir::NestedSdfg>(&state.nodes[edge.src].kind);
            const auto* reads = std::get_if<ir::NestedSdfg>(&state.nodes[edge.dst].kind);
            if (edge.memlet.wcr)
                update(&*edge.memlet.wcr);
            else if (writes)
                update(only_resolution(*writes->sdfg, edge.src_connector));
            else if (reads && state.nodes[edge.dst].out.contains(edge.dst_connector))
                update(only_resolution(*reads->sdfg, edge.dst_connector));
            else  // Data on the way to or from such a call through a scope, or a use of their own.
                other = other || !(ir::is_entry(state.nodes[edge.dst]) || ir::is_exit(state.nodes[edge.src]));
        }
    });
    return other ? nullptr : one;
}

struct Accumulation {
    EdgeId out, in;  ///< `in` is invalid where the call has no such connector.
    std::string array, start;
    ir::Resolution resolution;
};

rewrite::Planned<std::vector<Accumulation>> plan_accumulate_in_call(const rewrite::Site& site) {
    const NodeId call = site.node("call"), exit = site.node("exit");
    const ir::State& state = site.state();
    const ir::Adjacency& adjacency = site.view().adjacency;
    const auto& nested = site.get<ir::NestedSdfg>("call");
    const auto refuse = [&](std::string code, std::string why) {
        return Refusal{.code = std::move(code), .why = std::move(why), .nodes = {call}};
    };
    const NodeId entry = ir::entry_of_exit(state.nodes[exit]);
    const auto* map = std::get_if<ir::MapEntry>(&state.nodes[entry].kind);
    if (!map) return refuse("C1", "the call is in no map");
    const std::string& wanted = site.text("array");
    std::optional<Refusal> last;
    std::vector<Accumulation> found;
    for (const EdgeId out : adjacency.out(call)) {
        const ir::Edge& edge = state.edges[out];
        const std::string& name = edge.memlet.data;
        if (edge.dst != exit || edge.memlet.empty() || edge.memlet.wcr || (!wanted.empty() && name != wanted)) continue;
        const ir::Container* container = site.sdfg().containers.find(name);
        const ir::Container& inner = nested.sdfg->containers.at(edge.src_connector);
        const bool scalar = std::holds_alternative<ir::Scalar>(inner.kind);
        const bool one = scalar || (std::holds_alternative<ir::Array>(inner.kind) &&
                                    std::ranges::all_of(inner.shape, [](const auto& size) { return size.is_integer(1); }));
        if (!container || container->binding != ir::Binding::Own || !one || inner.binding != ir::Binding::Own ||
            !(inner.dtype == container->dtype) || !edge.memlet.subset || !edge.memlet.subset->is_index() || edge.memlet.dynamic) {
            last = refuse("C1", "the call does not surely update one element of " + name);
            continue;
        }
        if (!aliases(site.sdfg(), name).empty()) {
            last = refuse("C1", name + " may be the same memory as another argument");
            continue;
        }
        const ir::Resolution* resolution = only_resolution(*nested.sdfg, edge.src_connector);
        std::string start = resolution ? identity_text(resolution->type(), inner.dtype) : "";
        if (start.empty()) {
            last = refuse("C1", "the call does not only update " + name + " by one operator that has an identity");
            continue;
        }
        if (std::ranges::any_of(edge.memlet.subset->dims, [&](const auto& range) {
                return std::ranges::any_of(map->params, [&](const auto& p) { return symbolic::depends_on(range.begin, p); });
            })) {
            last = refuse("C2", "each point updates an element of " + name + " of its own");
            continue;
        }
        EdgeId in;
        bool alone = true;
        for (const EdgeId id : rewrite::edges_at(state, rewrite::nodes_inside(site.view().scopes, entry))) {
            const ir::Edge& used = state.edges[id];
            if (id == out || used.memlet.data != name) continue;
            const bool same = used.src == entry && used.dst == call && used.dst_connector == edge.src_connector;
            alone = alone && same && !in.valid();
            in = id;
        }
        if (!alone) {
            last = refuse("C1", "something else in the map uses " + name);
            continue;
        }
        found.push_back({out, in, name, std::move(start), *resolution});
    }
    if (!found.empty()) return found;
    return last ? std::move(*last) : refuse("C1", "the call updates nothing that leaves the map");
}

void accumulate(rewrite::Draft& draft, const Accumulation& plan) {
    const rewrite::Site& site = draft.before();
    const NodeId call = draft.node("call"), exit = draft.node("exit");
    ir::State& state = draft.state();
    const NodeId entry = ir::entry_of_exit(state.nodes[exit]);
    const ir::Edge out = state.edges[plan.out];
    ir::Container own = site.get<ir::NestedSdfg>("call").sdfg->containers.at(out.src_connector);
    own.transient = true;
    own.lifetime = ir::Lifetime::Scope;
    own.storage = ir::Storage::Default;
    own.metadata = {};
    const std::string name = rewrite::fresh_symbol(draft.sdfg(), plan.array + "_of_point");
    ir::Memlet whole;
    whole.data = name;
    whole.subset = symbolic::Subset{};
    whole.subset->dims.assign(own.shape.size(), symbolic::Range::index(0));
    whole.volume = 1;
    draft.sdfg().containers.set(name, std::move(own));

    for (const EdgeId id : rewrite::memlet_path(state, site.view().adjacency, plan.out))
        state.edges[id].memlet.wcr = plan.resolution;
    if (plan.in.valid()) state.edges.erase(plan.in);
    ir::StateBuilder builder(state);
    const NodeId start = builder.tasklet("start", {}, {{"__o", code::DType()}}, "__o = " + plan.start);
    const NodeId before = builder.access(name), after = builder.access(name);
    builder.edge(entry, "", start, "", ir::no_memlet());
    builder.edge(start, "__o", before, "", whole);
    state.nodes[call].in.emplace(out.src_connector, code::DType());
    builder.edge(before, "", call, out.src_connector, whole);
    builder.edge(call, out.src_connector, after, "", whole);
    const NodeId update = builder.tasklet("update", {{"__i", code::DType()}}, {{"__o", code::DType()}}, "__o = __i");
    builder.edge(after, "", update, "__i", whole);
    state.edges[plan.out].src = update;
    state.edges[plan.out].src_connector = "__o";
}

void apply_accumulate_in_call(rewrite::Draft& draft, const std::vector<Accumulation>& plans) {
    for (const Accumulation& plan : plans) accumulate(draft, plan);
    rewrite::erase_unread_inputs(draft.state(), ir::entry_of_exit(draft.state().nodes[draft.node("exit")]));
    rewrite::erase_isolated_accesses(draft.state());
}

}  // namespace

rewrite::Transformation accumulate_in_call() {
    return rewrite::transformation(
        {.name = "AccumulateInCall",
         .summary = "Reduces what a nested SDFG in a map updates into a scalar of the point and updates the result once.",
         .drawing = "map i { call(s) { s (sum) } }   ->   map i { t = 0; call(t) { t (sum) }; t -> s (sum) }",
         .decided_by = {.structural = "Updates by one operator come in any order; those of a point come one after the other."},
         .patterns = {rewrite::chain({{"call", rewrite::kind::nested_sdfg}, {"exit", rewrite::kind::map_exit}})},
         .conditions = {{"C1",
                         "the call updates one element through one connector and by one resolution that has an identity, and "
                         "nothing else in the map touches its container"},
                        {"C2", "the element is the same at all points"}},
         .parameters = {{"array", std::string(), "The container; empty: all that fit."}}},
        plan_accumulate_in_call, apply_accumulate_in_call);
}

}  // namespace sluice::transform
