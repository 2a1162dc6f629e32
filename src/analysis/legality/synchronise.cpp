#include "analysis/legality/synchronise.h"

#include <algorithm>
#include <list>

#include "analysis/legality/conflict.h"

namespace sluice::analysis {

using poly::Map;

namespace {

const ir::MapEntry& map_of(const MapInState& map) {
    return std::get<ir::MapEntry>(map.state->nodes[map.entry].kind);
}

/// Do threads get their shares by the value of the first parameter alone, in equal parts?
bool shared_in_order(const ir::MapEntry& map) {
    const bool equal_parts = map.omp_schedule == ir::OmpSchedule::Default || map.omp_schedule == ir::OmpSchedule::Static;
    return map.collapse <= 1 && map.omp_chunk_size == 0 && equal_parts;
}

bool same_thread_for_same_value(const MapInState& first, const MapInState& second, const std::string& loop_variable, bool later) {
    const ir::MapEntry &a = map_of(first), &b = map_of(second);
    if (!shared_in_order(a) || !shared_in_order(b) || !(a.range.dims[0] == b.range.dims[0]) || a.omp_if != b.omp_if) return false;
    // Lanes may round the shares of a loop that they run in.
    const auto in_lanes = [](const ir::MapEntry& map) { return map.simd && map.params.size() == 1; };
    if (in_lanes(a) != in_lanes(b)) return false;
    const auto varies = [&](const auto& e) { return symbolic::free_symbols(e).contains(loop_variable); };
    return !later || (!varies(a.range.dims[0]) && !varies(a.omp_if));
}

/// The statements of the map. Nothing keeps updates of two maps apart, whatever their operator: each counts as a write.
Group group_of(const AccessModel& model, const MapInState& map, std::list<Statement>& updates, unsigned depth) {
    Group group{.statements = {}, .depth = depth};
    for (const Statement& statement : model.statements) {
        if (statement.state != map.state || statement.top != map.entry || statement.summary) continue;
        Statement& own = updates.emplace_back(statement);
        for (StatementAccess& access : own.accesses)
            if (access.kind == StatementAccess::Kind::Reduce) access.kind = StatementAccess::Kind::Write;
        group.statements.push_back(&own);
    }
    return group;
}

}  // namespace

Verdict shares_apart(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId loop, const MapInState& first,
                     const MapInState& second, bool later, const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, LoopRoot{.region = &region, .loop = loop}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    constexpr unsigned kDepth = 2;  // The loop, and what the threads share.
    std::list<Statement> updates;
    const Group before = group_of(model, first, updates, kDepth), after = group_of(model, second, updates, kDepth);
    for (const Group* group : {&before, &after})
        for (const Statement* statement : group->statements)
            if (statement->iterators.size() < kDepth || model.iterators[statement->iterators[0]].kind != Iterator::Kind::Loop)
                return {.answer = Answer::Unknown, .why = statement->label + " belongs to no iteration of a map in a counted loop"};
    if (before.statements.empty() || after.statements.empty())
        return {.answer = Answer::Unknown, .why = "what the maps do is not described"};
    const Map any = Map::universe(executions(kDepth, "a"), executions(kDepth, "b"));
    const bool upwards = model.iterators[before.statements[0]->iterators[0]].direction > 0;
    Map together = !later ? any.equate(0, 0) : upwards ? any.order_less(0, 0) : any.order_greater(0, 0);
    const auto& variable = std::get<ir::LoopRegion>(region.blocks[loop].kind).variable;
    if (same_thread_for_same_value(first, second, variable, later))
        together = together.order_less(1, 1).unite(together.order_greater(1, 1));
    return verdict_of(find_conflicts({.model = model, .first = before, .second = after, .together = together}),
                      "threads that do not wait for each other");
}

}  // namespace sluice::analysis
