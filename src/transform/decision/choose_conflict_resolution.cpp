// ChooseConflictResolution: say how updates of the same element by different points of a map are kept apart.
//     map i { o -[wcr]-> A[e] }   ->   map i private_updates=[A] { o -[wcr]-> A[e] }   or   map i { o -[wcr, nonatomic]-> A[e] }
// U1 an update in the map has a better resolution than an atomic one: points do not meet, or private copies can be combined.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/legality/within.h"
#include "analysis/updates.h"
#include "code/reduction.h"
#include "ir/query.h"
#include "rewrite/edit.h"
#include "transform/decision/decision.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

bool may_be_private(const Surroundings& around, ir::NodeId entry, const std::string& data) {
    return analysis::may_be_private(around.sdfg, around.state, around.adjacency, around.scopes, entry, data, around.known);
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

/// Where the array fits a copy for each thread; `false`: nowhere, or its size is not known before the map begins.
symbolic::Expr fits_private_copies(const Surroundings& around, const ir::MapEntry& map, const ir::Container& container) {
    const auto* array = std::get_if<ir::Array>(&container.kind);
    if (!array) return symbolic::boolean(false);
    symbolic::Expr total = array->total_size;
    if (total.is_integer(0)) {
        total = 1;
        for (const symbolic::Expr& extent : container.shape) total = total * extent;
    }
    const auto bytes = static_cast<std::int64_t>(std::max<std::size_t>(code::size_in_bytes(container.dtype), 1));
    const std::int64_t most = around.machine.largest_private_array / bytes;
    if (const auto constant = total.constant()) return symbolic::boolean(*constant > 0 && *constant <= most);
    // A number of threads that somebody chose is kept, whatever the size.
    if (!can_be_asked_before(around.sdfg, total) || map.omp_num_threads > 0) return symbolic::boolean(false);
    return symbolic::logical_and(symbolic::less(0, total), symbolic::less_equal(total, most));
}

/// Small arrays that the team only updates, all with one operator: each thread keeps a copy.
void choose_private_arrays(const Surroundings& around, ir::NodeId entry, const std::vector<ir::EdgeId>& meeting,
                           ConflictChoice& choice) {
    const auto& map = std::get<ir::MapEntry>(around.state.nodes[entry].kind);
    for (const ir::EdgeId edge : meeting) {
        const ir::Memlet& memlet = around.state.edges[edge].memlet;
        const ir::Container* container = ir::find_container(around.sdfg, memlet.data);
        if (!container || contains(choice.private_updates, memlet.data)) continue;
        if (!analysis::openmp_combines(memlet.wcr->type(), container->dtype)) continue;
        const symbolic::Expr fits = fits_private_copies(around, map, *container);
        if (fits == symbolic::boolean(false) || !may_be_private(around, entry, memlet.data)) continue;
        choice.private_updates.push_back(memlet.data);
        choice.condition = symbolic::logical_and(choice.condition, fits);
    }
}

/// Do other updates in the map reach, in whatever iterations, elements that this one updates?
bool updated_elsewhere(const Surroundings& around, ir::NodeId entry, const std::vector<ir::EdgeId>& updates, ir::EdgeId edge) {
    const ir::Memlet& one = around.state.edges[edge].memlet;
    const auto nodes = rewrite::nodes_inside(around.scopes, entry);
    symbolic::Substitution others;
    symbolic::Assumptions known = around.known;
    const auto rename = [&](const ir::MapEntry& map) {
        for (const std::string& name : map.params) {
            others.emplace(name, symbolic::symbol(name + "__other"));
            known.assume_any(name);
            known.assume_any(name + "__other");
        }
    };
    rename(std::get<ir::MapEntry>(around.state.nodes[entry].kind));
    for (const ir::NodeId node : nodes)
        if (const auto* map = std::get_if<ir::MapEntry>(&around.state.nodes[node].kind)) rename(*map);
    return std::ranges::any_of(updates, [&](ir::EdgeId id) {
        const ir::Memlet& other = around.state.edges[id].memlet;
        if (id == edge || other.data != one.data || other.subset == one.subset) return false;
        return !one.subset || !other.subset ||
               !analysis::lies_apart(*one.subset, symbolic::substitute(*other.subset, others), one.data, known).yes();
    });
}

/// May two threads of a launch, or two of one block, update the same element?
bool threads_meet(const Surroundings& around, ir::NodeId launch, std::size_t shared, ir::EdgeId edge) {
    const ir::Memlet& memlet = around.state.edges[edge].memlet;
    const ir::NodeId scope = around.scopes.parent(around.state.edges[edge].src);
    const auto meet = [&](ir::NodeId team, std::size_t collapse) {
        return analysis::iterations_meet(around.sdfg, around.state, around.scopes, team, collapse, scope, memlet, around.known);
    };
    for (ir::NodeId at = scope; at != launch; at = around.scopes.parent(at))
        if (const auto* map = std::get_if<ir::MapEntry>(&around.state.nodes[at].kind);
            map && map->schedule == ir::Schedule::GPU_ThreadBlock && meet(at, map->params.size()))
            return true;
    return meet(launch, shared);
}

/// In the words of the properties.
ConflictChoice explained(ConflictChoice choice) {
    std::vector<std::string> parts;
    if (!choice.private_updates.empty()) parts.push_back(fmt::format("private {}", fmt::join(choice.private_updates, ", ")));
    if (!choice.apart.empty()) parts.push_back(fmt::format("{} updates plain", choice.apart.size()));
    choice.choice = parts.empty() ? "no private updates" : fmt::format("{}", fmt::join(parts, ", "));
    choice.why = !choice.private_updates.empty() ? "private copies can be combined when the loops that share them end"
                 : !choice.apart.empty()         ? "threads of the team update different elements"
                                                 : "the map no longer updates them, or reads them as well";
    if (choice.condition != symbolic::boolean(true)) choice.choice += " where " + symbolic::to_string(choice.condition);
    return choice;
}

}  // namespace

ConflictChoice resolved(const Surroundings& around, ir::NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(around.state.nodes[entry].kind);
    ConflictChoice choice;
    choice.collapse = map.collapse;
    choice.condition = map.omp_if;
    for (const std::string& data : map.private_updates)
        if (may_be_private(around, entry, data)) choice.private_updates.push_back(data);
    std::vector<ir::EdgeId> updates;
    collect_updates(around, entry, updates);
    if (updates.empty()) return explained(std::move(choice));
    const bool launch = map.schedule == ir::Schedule::GPU_Device;
    const bool team = map.schedule == ir::Schedule::CPU_Multicore && !around.in_team &&
                      !in_team(around.state, around.scopes, around.scopes.parent(entry));
    std::size_t of_one_thread = map.params.size();  // From this dimension on, where threads of a device share the others.
    std::set<ir::EdgeId> combined;
    for (const analysis::RepeatedUpdate& update :
         analysis::repeated_updates(around.sdfg, around.state, around.adjacency, around.scopes, entry)) {
        const std::string& data = around.state.edges[update.leaves[0]].memlet.data;
        if (!contains(choice.private_updates, data) && !may_be_private(around, entry, data)) continue;
        if (!contains(choice.private_updates, data)) choice.private_updates.push_back(data);
        if (update.level == 0) combined.insert(update.leaves.begin(), update.leaves.end());
        if (update.level > 0) of_one_thread = std::min(of_one_thread, update.level);
        // A local variable lies inside of the loops that the element depends on: these alone are shared.
        if (team && update.level > 0) choice.collapse = std::min(choice.collapse, static_cast<std::int64_t>(update.level));
    }
    if (launch)
        for (const ir::EdgeId edge : updates)
            if (!threads_meet(around, entry, of_one_thread, edge) && !updated_elsewhere(around, entry, updates, edge))
                choice.apart.push_back(edge);
    if (!team) return explained(std::move(choice));
    std::vector<ir::EdgeId> meeting;
    for (const ir::EdgeId edge : updates) {
        const ir::NodeId scope = around.scopes.parent(around.state.edges[edge].src);
        const auto shared = static_cast<std::size_t>(std::max<std::int64_t>(choice.collapse, 1));
        const ir::Memlet& memlet = around.state.edges[edge].memlet;
        if (!analysis::iterations_meet(around.sdfg, around.state, around.scopes, entry, shared, scope, memlet, around.known) &&
            !updated_elsewhere(around, entry, updates, edge))
            choice.apart.push_back(edge);
        else if (!combined.contains(edge))
            meeting.push_back(edge);
    }
    choose_private_arrays(around, entry, meeting, choice);
    return explained(std::move(choice));
}

void take(ir::State& state, ir::NodeId entry, const ConflictChoice& choice) {
    auto& map = std::get<ir::MapEntry>(state.nodes[entry].kind);
    map.private_updates = choice.private_updates;
    map.collapse = choice.collapse;
    map.omp_if = choice.condition;
    for (const ir::EdgeId edge : choice.apart) state.edges[edge].memlet.wcr_nonatomic = true;
}

bool changes(const ir::State& state, ir::NodeId entry, const ConflictChoice& choice) {
    const auto& map = std::get<ir::MapEntry>(state.nodes[entry].kind);
    return map.private_updates != choice.private_updates || map.collapse != choice.collapse || map.omp_if != choice.condition ||
           std::ranges::any_of(choice.apart, [&](ir::EdgeId edge) { return !state.edges[edge].memlet.wcr_nonatomic; });
}

namespace {

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
         .summary = "Resolves conflicting updates in private copies, or plainly where none conflict.",
         .drawing = "map i { o -[wcr]-> A[e] }   ->   map i private_updates=[A] { o -[wcr]-> A[e] }   or   "
                    "map i { o -[wcr, nonatomic]-> A[e] }",
         .decided_by = {.structural = "An update is plain or private only where exact sets of the memlets' elements prove it: "
                                      "iterations_meet and reads_element of analysis/updates.h."},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"U1",
                         "an update in the map has a better resolution than an atomic one: points do not "
                         "meet, or private copies can be combined"}}},
        plan_choose_resolution, apply_choose_resolution);
}

}  // namespace sluice::transform
