// Reschedule: run the statements of a loop nest, or of a whole graph, in another order.
//     for i { for j { S(i, j) } T(i) }   ->   loops and maps that run S and T in the order of a schedule
// R1 the part is a static control part: loops, branches and subsets over expressions of symbols, tasklets, copies and library
// nodes. R2 no symbol that it gives a value is read elsewhere. R3 the schedule is a schedule tree, or times for each statement,
// that runs every instance. R4 it respects every dependence, which isl knows within its budget of operations. Statements are named
// S0, S1, ... in the order of the graph. Loops that no dependence crosses become maps, others loops.
#include <fmt/format.h>

#include "analysis/scop/rebuild.h"
#include "analysis/scop/reorder.h"
#include "analysis/symbols.h"
#include "rewrite/nest.h"
#include "transform/loop/loop.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

/// isl's operations for extraction, scheduling, proof and code generation together: the largest kernel of PolyBench needs a quarter
/// of them.
constexpr unsigned long kOperations = 10'000'000;

struct Rescheduled {
    analysis::Scop scop;
    poly::AstNode loops;
};

bool is_whole(const rewrite::Site& site) {
    return site.match().blocks.empty();
}

Refusal beyond_budget(const char* code, const char* what) {
    return {.code = code, .why = std::string(what) + " is not known within the budget of isl's operations"};
}

/// The statements by name, for whoever wrote a schedule that does not fit.
std::string statements_of(const analysis::Scop& scop) {
    std::string text = "the statements are ";
    for (const analysis::ScopStatement& statement : scop.statements)
        text += (statement.name == "S0" ? "" : "; ") + statement.domain.to_string() + " (" + statement.label + ")";
    return text;
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

rewrite::Planned<Rescheduled> plan_reschedule(const rewrite::Site& site) {
    const poly::Budget budget(kOperations);
    analysis::ModelRoot root = analysis::WholeProgram{};
    if (!is_whole(site)) root = analysis::BlocksRoot{.region = &site.region(), .blocks = {site.block("loop")}};
    analysis::Extracted extracted = analysis::extract(site.sdfg(), root, site.assumptions());
    if (!extracted.ok())
        return Refusal{.code = "R1", .why = "no static control part because of " + extracted.construct, .where = extracted.where};
    const analysis::Scop& scop = *extracted.scop;
    if (scop.statements.empty()) return Refusal{.code = "R1", .why = "nothing is computed there"};
    if (const auto why = rewrite::why_nothing_nests(site.sdfg())) return Refusal{.code = "R1", .why = *why};
    for (const std::string& symbol : scop.assigned)
        if (!is_whole(site) && used_elsewhere(site.sdfg(), site.region(), site.block("loop"), symbol))
            return Refusal{.code = "R2", .why = fmt::format("`{}` is read elsewhere", symbol)};
    const poly::UnionMap dependences = analysis::dependences(scop);
    if (!dependences.known()) return beyond_budget("R4", "what depends on what");
    auto chosen = wanted(site, scop, dependences);
    if (auto* refusal = std::get_if<Refusal>(&chosen)) return std::move(*refusal);
    const poly::Schedule& schedule = std::get<poly::Schedule>(chosen);
    if (const auto same =
            scop.domain().intersect_parameters(scop.context).is_equal(schedule.domain().intersect_parameters(scop.context));
        same != poly::Answer::Yes) {
        Refusal refusal{.code = "R3", .why = "the schedule does not run every instance of every statement, and no other"};
        refusal.notes.push_back({statements_of(scop), {}});
        return refusal;
    }
    const analysis::Verdict verdict = analysis::reorder(scop, dependences, schedule);
    if (!verdict.yes()) {
        Refusal refusal{.code = "R4", .why = verdict.why, .nodes = {}, .notes = {}, .where = verdict.where};
        if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
        if (auto refused = site.unless_assumed(std::move(refusal))) return std::move(*refused);
    }
    std::optional<poly::AstNode> loops = analysis::loops_of(scop, schedule, dependences);
    if (!loops) return beyond_budget("R4", "what the loops of the schedule are");
    return Rescheduled{std::move(*extracted.scop), std::move(*loops)};
}

/// Callers go on passing symbols that only what was dropped has read: a bound of an empty loop, an assignment that nobody looks at.
void keep_signature(rewrite::Draft& draft) {
    if (!draft.before().match().place.nested.empty()) return;  // Mapped by name.
    std::vector<std::string> arguments = analysis::argument_order(draft.before().sdfg());
    if (analysis::argument_order(draft.sdfg()) != arguments) draft.sdfg().arg_names = std::move(arguments);
}

void apply_reschedule(rewrite::Draft& draft, const Rescheduled& plan) {
    ir::Sdfg& sdfg = draft.sdfg();
    if (is_whole(draft.before())) {
        analysis::rebuild_program(sdfg, plan.scop, plan.loops);
    } else {
        analysis::Rebuilt rebuilt = analysis::rebuild(sdfg, plan.scop, plan.loops);
        std::vector<std::string> symbols(plan.scop.assigned.begin(), plan.scop.assigned.end());
        symbols.insert(symbols.end(), rebuilt.variables.begin(), rebuilt.variables.end());
        splice(draft.region(), draft.block("loop"), {std::move(rebuilt.region)}, Splice::Instead);
        analysis::keep_memory(sdfg, plan.scop);
        rewrite::forget_unused(sdfg, {}, symbols);
    }
    keep_signature(draft);
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
        plan_reschedule, apply_reschedule);
}

}  // namespace sluice::transform
