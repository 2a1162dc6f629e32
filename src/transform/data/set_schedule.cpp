// SetSchedule: say how the points of a map run.
//     map i @old { B }   ->   map i @schedule { B }
// G1 a target can carry the schedule out, and it is another one than before. G2 points that shall run at the same time do not
// conflict. G3 a map that is to be unrolled has constant ranges.
#include "analysis/legality/parallel.h"
#include "support/nearest.h"
#include "target/target.h"
#include "transform/data/data.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

bool in_order(ir::Schedule schedule) {
    return schedule == ir::Schedule::Sequential || schedule == ir::Schedule::Unrolled;
}

Refusal no_schedule(const std::string& word, ir::NodeId node) {
    const std::span<const std::string_view> all = ir::enum_names<ir::Schedule>();
    const std::vector<std::string> names(all.begin(), all.end());
    Refusal refusal{.code = "G1", .why = word + " is no schedule", .nodes = {node}};
    refusal.notes.push_back({"perhaps you mean " + nearest(word, names, 1).front(), {}});
    return refusal;
}

rewrite::Planned<ir::Schedule> plan_set_schedule(const rewrite::Site& site) {
    const ir::NodeId node = site.node("map");
    const auto& map = site.get<ir::MapEntry>("map");
    const auto wanted = ir::parse_enum<ir::Schedule>(site.text("schedule"));
    if (!wanted) return no_schedule(site.text("schedule"), node);
    if (*wanted == ir::Schedule::MPI)
        return Refusal{.code = "G1", .why = "MPITransform gives the schedule MPI, where ranks can share the map", .nodes = {node}};
    if (!target::holds(target::every(&target::Target::maps), *wanted))
        return Refusal{.code = "G1", .why = "no target carries out the schedule " + site.text("schedule"), .nodes = {node}};
    if (*wanted == map.schedule) return Refusal{.code = "G1", .why = "the map has this schedule already", .nodes = {node}};
    if (*wanted == ir::Schedule::Unrolled)
        for (const symbolic::Range& range : map.range.dims)
            if (!symbolic::count(range).constant())
                return Refusal{
                    .code = "G3", .why = "the range `" + symbolic::to_string(range) + "` is not constant", .nodes = {node}};
    if (in_order(*wanted) || !in_order(map.schedule)) return *wanted;
    const analysis::Verdict verdict = analysis::map_parallel(site.sdfg(), site.state(), node, site.assumptions());
    if (verdict.yes()) return *wanted;
    Refusal conflict{.code = "G2", .why = verdict.why, .nodes = {node}};
    if (verdict.witness) conflict.notes.push_back({analysis::to_string(*verdict.witness), {}});
    if (auto refusal = site.unless_assumed(std::move(conflict))) return std::move(*refusal);
    return *wanted;
}

void apply_set_schedule(rewrite::Draft& draft, ir::Schedule schedule) {
    draft.get<ir::MapEntry>("map").schedule = schedule;
}

}  // namespace

rewrite::Transformation set_schedule() {
    return rewrite::transformation(
        {.name = "SetSchedule",
         .summary = "Says how the points of a map run.",
         .drawing = "map i @old { B }   ->   map i @schedule { B }",
         .decided_by = {.predicates = {"map_parallel"}},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"G1", "a target can carry the schedule out, and it is another one than before"},
                        {"G2", "points that shall run at the same time do not conflict"},
                        {"G3", "a map that is to be unrolled has constant ranges"}},
         .parameters = {{"schedule", std::string("CPU_Multicore"), target::listed(target::every(&target::Target::maps)) + "."}}},
        plan_set_schedule, apply_set_schedule);
}

}  // namespace sluice::transform
