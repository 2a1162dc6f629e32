// Reschedule: run the statements of a loop nest, or of a whole graph, in another order.
//     for i { for j { S(i, j) } T(i) }   ->   loops and maps that run S and T in the order of a schedule
// R1 the part is a static control part: loops, branches and subsets over expressions of symbols, tasklets, copies and library
// nodes. R2 no symbol that it gives a value is read elsewhere. R3 the schedule is a schedule tree, or times for each statement,
// that runs every instance. R4 it respects every dependence, which isl knows within its budget of operations. Statements are named
// S0, S1, ... in the order of the graph. Loops that no dependence crosses become maps, others loops.
#include <fmt/format.h>

#include "transform/loop/order.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

Refusal beyond_budget(const char* code, const char* what) {
    return {.code = code, .why = std::string(what) + " is not known within the budget of isl's operations"};
}

rewrite::Planned<poly::Schedule> wanted(const rewrite::Site& site, const analysis::Scop& scop, const poly::UnionMap& dependences) {
    const std::string& text = site.text("schedule");
    const std::string& fusion = site.text("fusion");
    if (fusion != "maximal" && fusion != "minimal")
        return Refusal{.code = "R3", .why = fmt::format("fusion is maximal or minimal, not `{}`", fusion)};
    if (text == "own") return scop.schedule;
    if (text == "isl") {
        using Fusion = poly::SchedulingProblem::Fusion;
        const poly::Schedule found = poly::schedule({.domain = scop.domain(),
                                                     .context = scop.context,
                                                     .validity = dependences,
                                                     .proximity = dependences,
                                                     .coincidence = dependences,
                                                     .fusion = fusion == "maximal" ? Fusion::Maximal : Fusion::Minimal});
        if (!found.known()) return beyond_budget("R3", "a schedule");
        return found;
    }
    Refusal unreadable{.code = "R3", .why = fmt::format("`{}` is neither isl, own, a schedule tree nor times of statements", text)};
    unreadable.notes.push_back({statements_of(scop), {}});
    if (text.find('{') == std::string::npos) return unreadable;
    if (text.find("->") != std::string::npos && text.find("domain") == std::string::npos) {
        const poly::UnionMap times = poly::UnionMap::parse(text);
        const poly::Schedule flat = times.known() ? poly::Schedule::of(scop.domain()).within(times, {}) : poly::Schedule();
        if (!flat.known() || scop.domain().is_subset(times.domain()) != poly::Answer::Yes) return unreadable;
        return flat;
    }
    const poly::Schedule tree = poly::Schedule::parse(text);
    if (!tree.known()) return unreadable;
    return tree;
}

rewrite::Planned<Reordered> plan_reschedule(const rewrite::Site& site) {
    const poly::Budget budget(kOrderOperations);
    auto found = ordered_part(site, 'R');
    if (auto* refusal = std::get_if<Refusal>(&found)) return std::move(*refusal);
    OrderedPart part = std::get<OrderedPart>(std::move(found));
    auto chosen = wanted(site, part.scop, part.dependences);
    if (auto* refusal = std::get_if<Refusal>(&chosen)) return std::move(*refusal);
    const poly::Schedule& schedule = std::get<poly::Schedule>(chosen);
    const poly::Set& context = part.scop.context;
    if (part.scop.domain().intersect_parameters(context).is_equal(schedule.domain().intersect_parameters(context)) !=
        poly::Answer::Yes) {
        Refusal refusal{.code = "R3", .why = "the schedule does not run every instance of every statement, and no other"};
        refusal.notes.push_back({statements_of(part.scop), {}});
        return refusal;
    }
    if (std::optional<Refusal> refusal = why_not_in_order(part, schedule, 'R'))
        if (auto refused = site.unless_assumed(std::move(*refusal))) return std::move(*refused);
    return in_order(std::move(part), schedule, 'R');
}

}  // namespace

rewrite::Transformation reschedule() {
    return rewrite::transformation(
        {.name = "Reschedule",
         .summary = "Runs the statements of a loop nest, or of a whole graph, in the order of a schedule: a given one, or what "
                    "isl's scheduler finds.",
         .drawing = "for i { for j { S(i, j) } T(i) }   ->   loops and maps that run S and T in the order of a schedule",
         .decided_by = {.predicates = {"reorder"}},
         .patterns = {{.nodes = {{"loop", rewrite::kind::loop}}, .edges = {}}, {}},
         .conditions = {{"R1",
                         "the part is a static control part: loops, branches and subsets over expressions of symbols, tasklets, "
                         "copies and library nodes"},
                        {"R2", "no symbol that it gives a value is read elsewhere"},
                        {"R3", "the schedule is a schedule tree, or times for each statement, that runs every instance"},
                        {"R4", "it respects every dependence, which isl knows within its budget of operations"}},
         .parameters =
             {{"schedule", std::string("isl"),
               "`isl`: the bands of isl's Pluto-like scheduler; `own`: the order of the graph, with maps where loops are parallel; "
               "a tree, or "
               "times such as `{ S0[i, j] -> [j, i] }`, in isl's notation, over statements S0, S1, ... in the order of the graph."},
              {"fusion", std::string("maximal"),
               "For isl: `maximal`, or `minimal` to share loops only where dependences make cycles."}}},
        plan_reschedule, apply_order);
}

}  // namespace sluice::transform
