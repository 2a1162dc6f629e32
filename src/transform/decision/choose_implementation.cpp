// ChooseImplementation: say which of its operation's expansions carries a library node out.
//     A -> MatMul -> C   ->   A -> MatMul implementation=... -> C
// M1 nobody has named an implementation. M2 the operation is known, the node fits its contract, and an expansion serves: the one
// that is named, where one is.
// M3 the scopes around it are decided: a library with threads of its own is not called inside of a team.
#include <algorithm>

#include "library/extern_call.h"
#include "transform/decision/decision.h"
#include "transform/library/library.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

struct ImplementationChoice : Choice {
    rewrite::Options options() const { return {{"implementation", choice}}; }
};

std::string why_chosen(const library::Choice& choice) {
    if (choice.passed_over.empty()) return "it is preferred";
    std::string why;
    for (const auto& [name, reason] : choice.passed_over) why += (why.empty() ? "not " : "; not ") + name + ", " + reason;
    return why;
}

rewrite::Planned<ImplementationChoice> plan_choose_implementation(const rewrite::Site& site) {
    const ir::NodeId node = site.node("node");
    const auto& operation = site.get<ir::LibraryNode>("node");
    if (library::is_final(operation) || operation.implementation)
        return Refusal{.code = "M1", .why = "its implementation is decided", .nodes = {node}};
    if (const ir::NodeId open = undecided_around(site.state(), site.view().scopes, node); open.valid())
        return Refusal{.code = "M3", .why = "the schedule of the scope around it is not decided", .nodes = {node, open}};
    library::ExpandOptions wish;
    if (!site.text("implementation").empty()) wish.implementation = site.text("implementation");
    const auto choice = capture([&] { return library::choose_expansion(context_at(site.root(), site.match().place, node), wish); });
    if (!choice) return Refusal{.code = "M2", .why = choice.error().message, .nodes = {node}};
    if (!choice->expansion) return Refusal{.code = "M2", .why = "no expansion of the operation serves here", .nodes = {node}};
    if (wish.implementation && choice->expansion->name != *wish.implementation &&
        std::ranges::count(choice->expansion->aliases, *wish.implementation) == 0)
        return Refusal{.code = "M2",
                       .why = *wish.implementation + " does not serve here; " + choice->expansion->name + " would be chosen" +
                              (choice->passed_over.empty() ? "" : ": " + why_chosen(*choice)),
                       .nodes = {node}};
    return ImplementationChoice{{choice->expansion->name, why_chosen(*choice)}};
}

void apply_choose_implementation(rewrite::Draft& draft, const ImplementationChoice& choice) {
    draft.get<ir::LibraryNode>("node").implementation = choice.choice;
}

}  // namespace

rewrite::Transformation choose_implementation() {
    return rewrite::transformation(
        {.name = "ChooseImplementation",
         .summary = "Says which of its operation's expansions carries a library node out.",
         .drawing = "A -> MatMul -> C   ->   A -> MatMul implementation=... -> C",
         .decided_by = {.structural = "An expansion is what the operation's reference says, which verification checks."},
         .patterns = {{.nodes = {{"node", rewrite::kind::library}}, .edges = {}}},
         .conditions =
             {{"M1", "nobody has named an implementation"},
              {"M2",
               "the operation is known, the node fits its contract, and an expansion serves: the one that is named, where one is"},
              {"M3", "the scopes around it are decided: a library with threads of its own is not called inside of a team"}},
         .parameters = {{"implementation", std::string(),
                         "The expansion; empty: by preference, and its name stands in the recipe."}}},
        plan_choose_implementation, apply_choose_implementation);
}

}  // namespace sluice::transform
