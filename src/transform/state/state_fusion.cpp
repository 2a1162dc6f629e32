// StateFusion: make one state of two that follow each other.
//     state { A } -> state { B }   ->   state { A; B }
// F1 control goes from the first to the second only, without a condition or an assignment, and enters the second from nowhere else.
// F2 accesses of both to one element keep their order: where the second reads what the first wrote they meet in one access node,
// and every other pair is ordered by a path of the fused state or touches different elements: as boxes, else as exact sets. F3 no
// more than one of them has effects besides its data.
#include <algorithm>

#include "analysis/legality/fuse.h"
#include "ir/query.h"
#include "rewrite/edit.h"
#include "rewrite/transformation.h"
#include "transform/ordering.h"

namespace sluice::transform {

namespace {

using ir::NodeId;
using rewrite::Refusal;

/// The fused state: the first with copies of the second's nodes.
struct Fused {
    ir::State state;
    std::set<NodeId> second;          ///< Nodes that came from the second state alone.
    std::map<NodeId, NodeId> copies;  ///< Second's node -> the fused state's.
};

/// The access node of the first state after which nothing in it writes the container; invalid if there is none, or several.
NodeId last_written(const ir::State& first, const Ordering& ordering, const std::string& data) {
    std::vector<NodeId> written;
    for (const Event& event : ordering.events())
        if (event.writes && std::get<ir::Access>(first.nodes[event.access].kind).data == data)
            if (std::ranges::find(written, event.access) == written.end()) written.push_back(event.access);
    NodeId last;
    for (const NodeId node : written) {
        const bool follows_all = std::ranges::all_of(written, [&](NodeId other) { return ordering.reaches(other, node); });
        if (follows_all) last = node;
    }
    return last;
}

Fused fuse(const ir::Sdfg& sdfg, const ir::State& first, const ir::State& second) {
    Fused fused{.state = first, .second = {}, .copies = {}};
    const Ordering before(sdfg, first);
    const ir::Adjacency adjacency(second), first_adjacency(first);
    const analysis::ScopeTree scopes(second, adjacency), first_scopes(first, first_adjacency);
    std::vector<NodeId> all;
    for (const auto& [id, node] : second.nodes) all.push_back(id);
    fused.copies = rewrite::copy_nodes(fused.state, second, all);
    for (auto& [old, copy] : fused.copies) {
        const auto* access = std::get_if<ir::Access>(&second.nodes[old].kind);
        NodeId meets;
        if (access && !access->setzero && adjacency.in(old).empty() && !scopes.parent(old).valid()) {
            meets = last_written(first, before, access->data);
            // What both only read needs no second access node either.
            if (!meets.valid())
                for (const auto& [id, node] : first.nodes)
                    if (const auto* other = std::get_if<ir::Access>(&node.kind);
                        other && other->data == access->data && !meets.valid() && first_adjacency.in(id).empty() &&
                        !other->setzero && std::ranges::none_of(before.events(), [&](const Event& e) {
                            return e.writes && e.data == ir::root_name(access->data);
                        }))
                        meets = id;
            if (meets.valid() && first_scopes.parent(meets).valid()) meets = {};
        }
        if (!meets.valid()) {
            fused.second.insert(copy);
            continue;
        }
        for (auto [id, edge] : fused.state.edges)
            if (edge.src == copy) edge.src = meets;
        fused.state.nodes[meets].out.merge(ir::Connectors(fused.state.nodes[copy].out));
        fused.state.nodes.erase(copy);
        copy = meets;
    }
    return fused;
}

bool has_effects(const ir::State& state) {
    return std::ranges::any_of(state.nodes, [](const auto& entry) {
        const auto* tasklet = std::get_if<ir::Tasklet>(&entry.second.kind);
        return tasklet && (tasklet->side_effects.value_or(false) || !tasklet->state_fields.empty());
    });
}

std::string sentence(const std::string& data, bool first_writes, bool second_writes) {
    const std::string order = ", and nothing in the fused state would keep the two in order";
    if (first_writes && second_writes) return "both states write " + data + order;
    if (first_writes) return "the second state reads " + data + ", which the first writes" + order;
    return "the first state reads " + data + ", which the second writes" + order;
}

/// Is every pair of accesses to one container ordered by a path, or apart as boxes? Seen without a model.
bool plainly_in_order(const rewrite::Site& site, const Fused& fused, const Ordering& together) {
    const symbolic::Assumptions known = rewrite::assumptions_at(site.root(), site.match().place);
    // Edges of the second state begin or end at a node that came from it.
    const auto of_second = [&](const Event& event) {
        if (!event.edge.valid()) return fused.second.contains(event.access);
        const ir::Edge& edge = fused.state.edges[event.edge];
        return fused.second.contains(edge.src) || fused.second.contains(edge.dst);
    };
    return std::ranges::all_of(together.events(), [&](const Event& late) {
        return !of_second(late) || std::ranges::all_of(together.events(), [&](const Event& early) {
            return of_second(early) || !may_conflict(early, late, known) || together.before(early, late);
        });
    });
}

/// F2: a path of the fused state leads from the end of the one to the other, wherever two executions touch one element.
std::optional<Refusal> why_not_in_order(const rewrite::Site& site, const Fused& fused) {
    const Ordering together(site.sdfg(), fused.state);
    if (plainly_in_order(site, fused, together)) return {};
    const analysis::StateFusion exact =
        analysis::states_fusible(site.sdfg(), site.region(), site.block("first"), site.block("second"), site.assumptions());
    if (!exact.verdict.yes() && exact.conflicts.empty()) return Refusal{.code = "F2", .why = exact.verdict.why};
    for (const analysis::StateConflict& conflict : exact.conflicts) {
        const NodeId exit = together.exit_of(conflict.first), end = exit.valid() ? exit : conflict.first;
        if (together.reaches(end, fused.copies.at(conflict.second))) continue;
        Refusal refusal{.code = "F2", .why = sentence(conflict.container, conflict.first_writes, conflict.second_writes)};
        if (conflict.verdict.witness)
            refusal.notes.push_back({analysis::to_string(*conflict.verdict.witness), {}});
        else
            refusal.notes.push_back({conflict.verdict.why, {}});
        return refusal;
    }
    return {};
}

std::optional<Refusal> why_not_state_fusion(const rewrite::Site& site) {
    const ir::BlockId a = site.block("first"), b = site.block("second");
    const ir::Region& region = site.region();
    const ir::State& first = *site.get_block<Cow<ir::State>>("first");
    const ir::State& second = *site.get_block<Cow<ir::State>>("second");
    if (region.start == b) return Refusal{.code = "F1", .why = "control begins in " + region.blocks[b].label};
    for (const auto& [id, transition] : region.transitions) {
        if (transition.src == a && transition.dst != b)
            return Refusal{.code = "F1", .why = "control may go elsewhere after " + region.blocks[a].label};
        if (transition.dst == b && transition.src != a)
            return Refusal{.code = "F1", .why = "control comes to " + region.blocks[b].label + " from elsewhere as well"};
        if (transition.src == a && (!transition.condition.text.empty() || !transition.assignments.empty()))
            return Refusal{.code = "F1", .why = "the transition between the states has a condition or an assignment"};
    }
    if (first.nosync != second.nosync || first.instrument != second.instrument)
        return Refusal{.code = "F1", .why = "the states are synchronised or measured in different ways"};
    const ir::Sdfg& sdfg = site.sdfg();
    if (has_effects(first) && has_effects(second))
        return Refusal{.code = "F3", .why = "tasklets of both states have effects besides their data"};

    return why_not_in_order(site, fuse(sdfg, first, second));
}

void apply_state_fusion(rewrite::Draft& draft) {
    const rewrite::Site& site = draft.before();
    const ir::BlockId a = draft.block("first"), b = draft.block("second");
    Fused fused = fuse(site.sdfg(), *site.get_block<Cow<ir::State>>("first"), *site.get_block<Cow<ir::State>>("second"));
    ir::Region& region = draft.region();
    region.blocks[a].kind = Cow<ir::State>(std::move(fused.state));
    std::vector<ir::TransitionId> between;
    for (auto [id, transition] : region.transitions) {
        if (transition.src == a) between.push_back(id);
        if (transition.src == b) transition.src = a;
    }
    for (const ir::TransitionId id : between) region.transitions.erase(id);
    region.blocks.erase(b);
}

}  // namespace

rewrite::Transformation state_fusion() {
    return {.descriptor = {.name = "StateFusion",
                           .group = "state",
                           .summary = "Makes one state of two that follow each other.",
                           .drawing = "state { A } -> state { B }   ->   state { A; B }",
                           .decided_by = {.predicates = {"states_fusible"}},
                           .patterns = {rewrite::chain({{"first", rewrite::kind::state}, {"second", rewrite::kind::state}})},
                           .conditions = {{"F1", "control always goes from the first state straight to the second"},
                                          {"F2", "accesses of both to one element keep their order in the fused state"},
                                          {"F3", "at most one of them has effects besides its data"}},
                           .simplifies = true},
            .can_apply = why_not_state_fusion,
            .apply = apply_state_fusion};
}

}  // namespace sluice::transform
