// ChooseSections: let the two sides of a bounded stream run at the same time.
//     state @Default { A -> S[n] -> B }   ->   state @CPU_Multicore { A -> S[n] -> B }   or   state @Sequential { ... }
// P1 a bounded stream joins parts of the state, and it is not decided whether they run at the same time.
#include "analysis/sections.h"
#include "transform/decision/decision.h"

namespace sluice::transform {

using rewrite::Refusal;

bool sections_are_open(const Surroundings& around) {
    return around.state.schedule == ir::Schedule::Default &&
           analysis::concurrent_parts(around.sdfg, around.state, around.adjacency, around.scopes).size() > 1;
}

SectionsChoice scheduled_sections(const Surroundings& around) {
    SectionsChoice choice;
    if (around.in_team) {
        choice.why = "a team calls it";
    } else if (around.machine.threads == 1) {
        choice.why = "the program has one thread";
    } else {
        choice.schedule = ir::Schedule::CPU_Multicore;
        choice.why = "both sides of a bounded stream work at the same time";
    }
    choice.choice = ir::to_string(choice.schedule);
    return choice;
}

namespace {

rewrite::Planned<SectionsChoice> plan_choose_sections(const rewrite::Site& site) {
    const ir::State& state = *site.get_block<Cow<ir::State>>("state");
    const rewrite::StateView& view = site.view(state);
    const Surroundings around{site.sdfg(), state, view.adjacency, view.scopes, {}, called_by_team(site.root(), site.match().place)};
    if (!sections_are_open(around)) return Refusal{.code = "P1", .why = "it is decided, or no bounded stream joins parts of it"};
    return scheduled_sections(around);
}

void apply_choose_sections(rewrite::Draft& draft, const SectionsChoice& choice) {
    draft.get_block<Cow<ir::State>>("state").edit().schedule = choice.schedule;
}

}  // namespace

rewrite::Transformation choose_sections() {
    return rewrite::transformation(
        {.name = "ChooseSections",
         .summary = "Lets the two sides of a bounded stream run at the same time.",
         .drawing = "state @Default { A -> S[n] -> B }   ->   state @CPU_Multicore { A -> S[n] -> B }   or   "
                    "state @Sequential { ... }",
         .decided_by = {.structural = "Parts that only a stream joins have no other order than the stream's."},
         .patterns = {{.nodes = {{"state", rewrite::kind::state}}, .edges = {}}},
         .conditions = {{"P1",
                         "a bounded stream joins parts of the state, and it is not decided whether they run at the same time"}}},
        plan_choose_sections, apply_choose_sections);
}

}  // namespace sluice::transform
