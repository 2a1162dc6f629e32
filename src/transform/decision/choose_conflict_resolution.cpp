// ChooseConflictResolution: say how updates of the same element by different points of a map are kept apart.
//     map i { o -[wcr]-> A[e] }   ->   map i private_updates=[A] { o -[wcr]-> A[e] }   or   map i { o -[wcr, nonatomic]-> A[e] }
// U1 an update in the map has a better resolution than an atomic one: points do not meet, or private copies can be combined.
#include <algorithm>

#include "analysis/updates.h"
#include "ir/query.h"
#include "ir/reduction.h"
#include "transform/decision/decision.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

/// Edges of updates inside of the scope, out of code or access nodes.
void collect_updates(const Surroundings& around, ir::NodeId entry, std::vector<ir::EdgeId>& found) {
    for (const ir::NodeId child : around.scopes.children(entry)) {
        if (ir::is_entry(around.state.nodes[child])) collect_updates(around, child, found);
        if (ir::is_exit(around.state.nodes[child])) continue;
        for (const ir::EdgeId edge : around.adjacency.out(child))
            if (around.state.edges[edge].memlet.wcr && !ir::is_entry(around.state.nodes[child])) found.push_back(edge);
    }
}

/// Small arrays of constant size that the team only updates, all with one operator: each thread keeps a copy.
void choose_private_arrays(const Surroundings& around, ir::NodeId entry, const std::vector<ir::EdgeId>& meeting,
                           ConflictChoice& choice) {
    std::set<std::string> refused = analysis::read_in_scope(around.state, around.adjacency, around.scopes, entry);
    std::map<std::string, ir::ReductionType> operators;
    for (const ir::EdgeId edge : meeting) {
        const ir::Memlet& memlet = around.state.edges[edge].memlet;
        const ir::Container* container = ir::find_container(around.sdfg, memlet.data);
        const auto* array = container ? std::get_if<ir::Array>(&container->kind) : nullptr;
        const ir::ReductionType operation = ir::reduction_type(*memlet.wcr);
        const auto [present, added] = operators.emplace(memlet.data, operation);
        symbolic::Expr total = array ? array->total_size : symbolic::Expr(0);
        if (array && total.is_integer(0)) {
            total = 1;
            for (const symbolic::Expr& extent : container->shape) total = total * extent;
        }
        const auto size = (total * static_cast<std::int64_t>(container ? code::size_in_bytes(container->dtype) : 0)).constant();
        if (!array || container->binding != ir::Binding::Own || present->second != operation ||
            !analysis::openmp_combines(operation, container->dtype) || !size || *size > around.machine.largest_private_array)
            refused.insert(memlet.data);
    }
    // What leaves the map by another way than an update is not combined.
    for (const ir::EdgeId edge : around.adjacency.in(around.scopes.exit_of(entry)))
        for (const ir::EdgeId leaf : analysis::update_leaves(around.state, around.adjacency, edge))
            if (!around.state.edges[leaf].memlet.wcr) refused.insert(around.state.edges[leaf].memlet.data);
    for (const auto& [data, operation] : operators)
        if (!refused.contains(data) && !contains(choice.private_updates, data)) choice.private_updates.push_back(data);
}

}  // namespace

ConflictChoice resolved(const Surroundings& around, ir::NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(around.state.nodes[entry].kind);
    ConflictChoice choice{map.private_updates, {}, map.collapse};
    std::vector<ir::EdgeId> updates;
    collect_updates(around, entry, updates);
    if (updates.empty()) return choice;
    const bool team = map.schedule == ir::Schedule::CPU_Multicore && !around.in_team &&
                      !in_team(around.state, around.scopes, around.scopes.parent(entry));
    std::set<ir::EdgeId> combined;
    for (const analysis::RepeatedUpdate& update :
         analysis::repeated_updates(around.sdfg, around.state, around.adjacency, around.scopes, entry)) {
        const std::string& data = around.state.edges[update.leaves[0]].memlet.data;
        if (analysis::reads_element(around.sdfg, around.state, around.adjacency, around.scopes, entry, update, around.known))
            continue;
        if (!contains(choice.private_updates, data)) choice.private_updates.push_back(data);
        if (update.level == 0) combined.insert(update.leaves.begin(), update.leaves.end());
        // A local variable lies inside of the loops that the element depends on: these alone are shared.
        if (team && update.level > 0) choice.collapse = std::min(choice.collapse, static_cast<std::int64_t>(update.level));
    }
    if (!team) return choice;
    std::vector<ir::EdgeId> meeting;
    for (const ir::EdgeId edge : updates) {
        const ir::NodeId scope = around.scopes.parent(around.state.edges[edge].src);
        const auto shared = static_cast<std::size_t>(std::max<std::int64_t>(choice.collapse, 1));
        const ir::Memlet& memlet = around.state.edges[edge].memlet;
        if (!analysis::iterations_meet(around.sdfg, around.state, around.scopes, entry, shared, scope, memlet, around.known))
            choice.apart.push_back(edge);
        else if (!combined.contains(edge))
            meeting.push_back(edge);
    }
    choose_private_arrays(around, entry, meeting, choice);
    return choice;
}

void take(ir::State& state, ir::NodeId entry, const ConflictChoice& choice) {
    auto& map = std::get<ir::MapEntry>(state.nodes[entry].kind);
    map.private_updates = choice.private_updates;
    map.collapse = choice.collapse;
    for (const ir::EdgeId edge : choice.apart) state.edges[edge].memlet.wcr_nonatomic = true;
}

bool changes(const ir::State& state, ir::NodeId entry, const ConflictChoice& choice) {
    const auto& map = std::get<ir::MapEntry>(state.nodes[entry].kind);
    return map.private_updates != choice.private_updates || map.collapse != choice.collapse ||
           std::ranges::any_of(choice.apart, [&](ir::EdgeId edge) { return !state.edges[edge].memlet.wcr_nonatomic; });
}

namespace {

Surroundings surroundings_of(const rewrite::Site& site) {
    return {site.sdfg(),        site.state(),       site.view().adjacency,
            site.view().scopes, site.assumptions(), called_by_team(site.root(), site.match().place)};
}

rewrite::Planned<ConflictChoice> plan_choose_resolution(const rewrite::Site& site) {
    const ir::NodeId entry = site.node("map");
    ConflictChoice choice = resolved(surroundings_of(site), entry);
    if (!changes(site.state(), entry, choice))
        return Refusal{.code = "U1", .why = "each update in the map has the resolution that fits it", .nodes = {entry}};
    return choice;
}

void apply_choose_resolution(rewrite::Draft& draft, const ConflictChoice& choice) {
    take(draft.state(), draft.node("map"), choice);
}

}  // namespace

rewrite::Transformation choose_conflict_resolution() {
    return rewrite::transformation(
        {.name = "ChooseConflictResolution",
         .group = "decision",
         .summary = "Resolves conflicting updates in private copies, or plainly where none conflict.",
         .drawing = "map i { o -[wcr]-> A[e] }   ->   map i private_updates=[A] { o -[wcr]-> A[e] }   or   "
                    "map i { o -[wcr, nonatomic]-> A[e] }",
         .decided_by = {.structural = "An update is plain or private only where the memlets prove it: "
                                      "iterations_meet and reads_element of analysis/updates.h."},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"U1",
                         "an update in the map has a better resolution than an atomic one: points do not "
                         "meet, or private copies can be combined"}}},
        plan_choose_resolution, apply_choose_resolution);
}

}  // namespace sluice::transform
