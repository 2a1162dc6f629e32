// ChooseCopySchedule: let a team of threads share a large copy, and one thread make a small one.
//     A -> B @Default   ->   A -> B @CPU_Multicore omp_min_elements=n   or   A -> B @Sequential
// C1 an array is copied to another, and it is not decided who does. C2 the scopes around it are decided.
#include <algorithm>

#include "ir/query.h"
#include "transform/decision/decision.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

const ir::Container* array_at(const Surroundings& around, ir::NodeId node) {
    const auto* access = std::get_if<ir::Access>(&around.state.nodes[node].kind);
    const ir::Container* container = access ? ir::find_container(around.sdfg, access->data) : nullptr;
    return container && std::holds_alternative<ir::Array>(container->kind) ? container : nullptr;
}

CopyChoice alone(std::string why) {
    CopyChoice choice;
    choice.choice = ir::to_string(choice.schedule);
    choice.why = std::move(why);
    return choice;
}

}  // namespace

bool copy_is_open(const Surroundings& around, ir::EdgeId id) {
    const ir::Edge& edge = around.state.edges[id];
    const ir::Memlet& memlet = edge.memlet;
    if (memlet.empty() || memlet.schedule != ir::Schedule::Default) return false;
    return edge.src_connector != "views" && edge.dst_connector != "views" && array_at(around, edge.src) &&
           array_at(around, edge.dst);
}

CopyChoice scheduled_copy(const Surroundings& around, ir::EdgeId id) {
    const ir::Edge& edge = around.state.edges[id];
    const ir::NodeId scope = around.scopes.parent(edge.src);
    if (around.in_team || in_team(around.state, around.scopes, scope)) return alone("a team runs a scope around it");
    if (!around.team_loops.empty()) return alone("a team runs the loop around it");
    if (around.machine.threads == 1) return alone("the program has one thread");
    if (edge.memlet.wcr) return alone("it updates what is there");
    const ir::Container& container = *array_at(around, edge.src);
    const auto bytes = static_cast<std::int64_t>(code::size_in_bytes(container.dtype));
    const std::int64_t each = std::max<std::int64_t>(2 * bytes * around.machine.byte, 1);
    CopyChoice choice;
    choice.schedule = ir::Schedule::CPU_Multicore;
    choice.least = (around.machine.team + each - 1) / each;
    const symbolic::Subset moved = edge.memlet.subset.value_or(symbolic::Subset::extents(container.shape));
    if (const auto count = symbolic::num_elements(moved).constant(); count && *count < choice.least)
        return alone("a team pays from " + std::to_string(choice.least) + " elements on");
    choice.choice = std::string(ir::to_string(choice.schedule)) + " omp_min_elements=" + std::to_string(choice.least);
    choice.why = "a team pays from so many on";
    return choice;
}

void take(ir::Edge& edge, const CopyChoice& choice) {
    edge.memlet.schedule = choice.schedule;
    edge.memlet.omp_min_elements = choice.least;
}

namespace {

/// All open copies between the two nodes.
struct CopyPlans {
    std::vector<std::pair<ir::EdgeId, CopyChoice>> copies;
    std::string reason() const { return copies.front().second.reason(); }
};

rewrite::Planned<CopyPlans> plan_choose_copy_schedule(const rewrite::Site& site) {
    const ir::NodeId from = site.node("from"), to = site.node("to");
    const Surroundings around = surroundings_of(site);
    CopyPlans plans;
    for (const ir::EdgeId edge : around.adjacency.out(from))
        if (around.state.edges[edge].dst == to && copy_is_open(around, edge))
            plans.copies.emplace_back(edge, scheduled_copy(around, edge));
    if (plans.copies.empty())
        return Refusal{.code = "C1", .why = "no array is copied here, or it is decided who does", .nodes = {from, to}};
    if (const ir::NodeId open = undecided_around(around.state, around.scopes, from); open.valid())
        return Refusal{.code = "C2", .why = "the schedule of the scope around it is not decided", .nodes = {from, open}};
    return plans;
}

void apply_choose_copy_schedule(rewrite::Draft& draft, const CopyPlans& plans) {
    for (const auto& [edge, choice] : plans.copies) take(draft.state().edges[edge], choice);
}

}  // namespace

rewrite::Transformation choose_copy_schedule() {
    return rewrite::transformation(
        {.name = "ChooseCopySchedule",
         .summary = "Lets a team of threads share a copy where that pays.",
         .drawing = "A -> B @Default   ->   A -> B @CPU_Multicore omp_min_elements=n   or   A -> B @Sequential",
         .decided_by = {.structural = "Elements are copied independently: who moves them is not seen."},
         .patterns = {rewrite::chain({{"from", rewrite::kind::access}, {"to", rewrite::kind::access}})},
         .conditions = {{"C1", "an array is copied to another, and it is not decided who does"},
                        {"C2", "the scopes around it are decided"}}},
        plan_choose_copy_schedule, apply_choose_copy_schedule);
}

}  // namespace sluice::transform
