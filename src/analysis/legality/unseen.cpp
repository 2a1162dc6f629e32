#include "analysis/legality/unseen.h"

#include <algorithm>
#include <list>

#include "analysis/legality/conflict.h"

namespace sluice::analysis {

Verdict writes_unseen(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId writer, ir::NodeId other, const std::string& aside,
                      const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, NodesRoot{.state = &state, .nodes = {writer, other}}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    // Nothing keeps two updates of one element in order: each counts as a write.
    std::list<Statement> statements;
    Group writers{.statements = {}, .depth = 0}, others = writers;
    for (const Statement& statement : model.statements) {
        if (statement.summary) continue;
        Statement& own = statements.emplace_back(statement);
        const bool writes = own.top == writer;
        std::erase_if(own.accesses,
                      [&](const StatementAccess& access) { return access.container == aside || (writes && !access.writes()); });
        for (StatementAccess& access : own.accesses)
            if (access.kind == StatementAccess::Kind::Reduce) access.kind = StatementAccess::Kind::Write;
        (writes ? writers : others).statements.push_back(&own);
    }
    return verdict_of(find_conflicts({.model = model, .first = writers, .second = others, .together = poly::Map::universe({}, {})}),
                      "the two");
}

}  // namespace sluice::analysis
