#include "analysis/legality/parallel.h"

#include <algorithm>

#include "analysis/legality/conflict.h"
#include "analysis/legality/privatise.h"

namespace sluice::analysis {

using poly::Map;

namespace {

/// A break or a return that ends the loop at the root.
const Statement* exit_of(const AccessModel& model) {
    for (const Statement& statement : model.statements) {
        if (statement.leaves == Statement::Leaves::Nothing ||
            statement.domain.intersect_parameters(model.context).is_empty() == Answer::Yes)
            continue;
        if (statement.leaves == Statement::Leaves::Sdfg) return &statement;
        std::size_t innermost = statement.iterators.front();
        for (const std::size_t at : statement.iterators)
            if (model.iterators[at].kind != Iterator::Kind::Map) innermost = at;
        if (innermost == statement.iterators.front()) return &statement;
    }
    return nullptr;
}

}  // namespace

Verdict loop_parallel(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId loop, const symbolic::Assumptions& known,
                      PrivateOnes listed) {
    const poly::Budget budget;
    const LoopRoot root{.region = &region, .loop = loop};
    const AccessModel model = access_model(sdfg, root, known);
    if (auto unknown = obstacle(model)) return *unknown;
    if (const Statement* exit = exit_of(model))
        return {.answer = Answer::No,
                .why = "a " + exit->label + " in one iteration decides whether the next one runs",
                .where = exit->where};
    const bool counted = model.iterators.front().kind == Iterator::Kind::Loop;
    const Group all = everything(model, 1);
    const Map any = Map::universe(executions(1, "a"), executions(1, "b"));
    const Map earlier = model.iterators.front().direction > 0 ? any.order_less(0, 0) : any.order_greater(0, 0);
    std::vector<Conflict> found = find_conflicts({.model = model, .first = all, .second = all, .together = earlier});
    // What is shared for certain comes first: who is private is the dearest of the questions.
    std::ranges::stable_partition(found,
                                  [&](const Conflict& conflict) { return !shared_by_its_kind(sdfg, conflict.container).empty(); });
    Verdict verdict{.answer = Answer::Yes, .why = {}};
    std::vector<Conflict> remaining;
    for (const Conflict& conflict : found) {
        const std::string obstacle_text = not_private(sdfg, region, loop, model, all, conflict.container, known);
        if (obstacle_text.empty()) {
            verdict.privatised.push_back(conflict.container);
            continue;
        }
        remaining.push_back(conflict);
        if (conflict.definite == Answer::Yes && listed == PrivateOnes::UnlessNo) break;
    }
    if (!remaining.empty()) {
        Verdict refused = verdict_of(remaining, "two iterations");
        refused.privatised = std::move(verdict.privatised);
        return refused;
    }
    if (!counted) return {.answer = Answer::No, .why = "how often the loop runs is not known before it runs"};
    verdict.reductions = reduced(all);
    return verdict;
}

Verdict map_parallel(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId entry, const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, ScopesRoot{.state = &state, .entries = {entry}}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    const auto& map = std::get<ir::MapEntry>(state.nodes[entry].kind);
    const auto depth = static_cast<unsigned>(map.params.size());
    const Group all = everything(model, depth);
    Verdict verdict =
        verdict_of(find_conflicts({.model = model, .first = all, .second = all, .together = distinct(depth)}), "two points");
    if (verdict.yes()) verdict.reductions = reduced(all);
    return verdict;
}

}  // namespace sluice::analysis
