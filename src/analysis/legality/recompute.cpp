#include "analysis/legality/recompute.h"

#include <algorithm>

#include "analysis/legality/conflict.h"

namespace sluice::analysis {

Verdict map_recomputable(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId first, ir::NodeId second,
                         const std::string& container, const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, ScopesRoot{.state = &state, .entries = {first, second}}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    Group before{.statements = {}, .depth = 0}, after{.statements = {}, .depth = 0};
    for (const Statement& statement : model.statements) {
        (statement.top == first ? before : after).statements.push_back(&statement);
        if (statement.top != first) continue;
        for (const StatementAccess& access : statement.accesses)
            if (access.container == container && access.kind != StatementAccess::Kind::Write)
                return {.answer = Answer::No, .why = "`" + container + "` is read or updated where it is computed"};
    }
    std::vector<Conflict> found =
        find_conflicts({.model = model, .first = before, .second = after, .together = poly::Map::universe({}, {})});
    std::erase_if(found, [&](const Conflict& conflict) { return conflict.container == container; });
    return verdict_of(found, "the maps");
}

}  // namespace sluice::analysis
