#include "analysis/legality/by_value.h"

#include <algorithm>

#include "analysis/legality/conflict.h"

namespace sluice::analysis {

using poly::Map;

Verdict values_kept(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId nested, const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, StateRoot{.state = &state}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    const auto call = std::ranges::find_if(
        model.statements, [&](const Statement& statement) { return statement.state == &state && statement.node == nested; });
    if (call == model.statements.end()) return {.answer = Answer::Yes};
    const auto in_the_call = [&](const OrderStep& step) {
        return step.kind == OrderStep::Kind::Dataflow && step.state == &state && step.node == nested;
    };
    const unsigned depth = depth_of(*call);
    std::vector<Conflict> found;
    for (const Statement& inside : model.statements) {
        if (&inside == &*call || inside.summary || std::ranges::none_of(inside.order, in_the_call)) continue;
        Statement writing = inside;
        std::erase_if(writing.accesses, [](const StatementAccess& access) { return !access.writes(); });
        Map together = Map::universe(executions(depth, "a"), executions(depth_of(inside), "b"));
        for (unsigned d = 0; d < depth; ++d) together = together.equate(d, d);
        for (Conflict& conflict : find_conflicts({.model = model,
                                  .first = {.statements = {&*call}, .depth = depth},
                                  .second = {.statements = {&writing}, .depth = depth_of(inside)},
                                  .together = together})) {
            conflict.second = &inside;
            found.push_back(std::move(conflict));
        }
    }
    return verdict_of(found, "a value that the call takes and a write in it");
}

}  // namespace sluice::analysis
