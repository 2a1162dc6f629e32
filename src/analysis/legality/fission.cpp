#include "analysis/legality/fission.h"

#include <algorithm>

#include "analysis/legality/conflict.h"

namespace sluice::analysis {

Verdict map_fissionable(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId entry,
                        const std::vector<std::set<ir::NodeId>>& parts, const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, ScopesRoot{.state = &state, .entries = {entry}}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    const auto depth = static_cast<unsigned>(std::get<ir::MapEntry>(state.nodes[entry].kind).params.size());
    std::vector<Group> groups;
    for (const std::set<ir::NodeId>& part : parts) {
        Group group{.statements = {}, .depth = depth};
        for (const Statement& statement : model.statements)
            if (statement.iterators.size() >= depth && std::ranges::any_of(statement.order, [&](const OrderStep& step) {
                    return step.kind == OrderStep::Kind::Dataflow && step.state == &state && part.contains(step.node);
                }))
                group.statements.push_back(&statement);
        groups.push_back(std::move(group));
    }
    const poly::Map later = distinct(depth), apart = later.unite(later.reverse());
    Verdict answer{.answer = Answer::Yes, .why = {}};
    for (std::size_t a = 0; a < groups.size(); ++a)
        for (std::size_t b = a + 1; b < groups.size(); ++b) {
            const std::vector<Conflict> found =
                find_conflicts({.model = model, .first = groups[a], .second = groups[b], .together = apart});
            const Verdict pair = verdict_of(found, "a point of one part and another point of another");
            if (pair.no()) return pair;
            if (!pair.yes()) answer = pair;
        }
    return answer;
}

}  // namespace sluice::analysis
