#include "analysis/legality/prefetch.h"

#include <algorithm>

#include "analysis/dependences/order.h"
#include "analysis/legality/conflict.h"
#include "analysis/loop_range.h"
#include "poly/convert.h"

namespace sluice::analysis {

using poly::Map;

namespace {

/// Pairs of executions of which the second runs one step of the loop before the first.
std::optional<Map> one_step_before(unsigned first, unsigned second, const symbolic::Expr& step) {
    const poly::Space from = executions(first, "a"), to = executions(second, "b");
    const symbolic::Expr now = symbolic::symbol(from.dims[0]), before = symbolic::symbol(to.dims[0]);
    const poly::Converted<Map> map = poly::to_relation(symbolic::equal(now - step, before), from, to);
    if (!map.ok()) return std::nullopt;
    return *map.value;
}

}  // namespace

Verdict copy_ahead(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId loop, const ir::State& state, ir::EdgeId edge,
                   const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const auto range = loop_range(std::get<ir::LoopRegion>(region.blocks[loop].kind));
    const AccessModel model = access_model(sdfg, LoopRoot{.region = &region, .loop = loop}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    const Statement* copy = copy_along(model, state, edge);
    if (!copy || !range || !range->step.constant())
        return {.answer = Answer::Unknown, .why = "the copy is not one of a counted loop"};
    Statement reading = *copy;
    std::erase_if(reading.accesses, &StatementAccess::writes);
    const unsigned depth = depth_of(*copy);
    std::vector<Conflict> found;
    for (const Statement& other : model.statements) {
        if (&other == copy || other.summary || other.iterators.empty()) continue;
        Statement writing = other;
        std::erase_if(writing.accesses, [](const StatementAccess& access) { return !access.writes(); });
        if (writing.accesses.empty()) continue;
        const unsigned rank = depth_of(other);
        const auto before = one_step_before(depth, rank, range->step);
        if (!before) return {.answer = Answer::Unknown, .why = "the step of the loop is too large to decide"};
        const Map after = happens_before(model, *copy, other).with_domain_tuple("").with_range_tuple("");
        const Map together =
            Map::universe(executions(depth, "a"), executions(rank, "b")).equate(0, 0).subtract(after).unite(*before);
        for (Conflict& conflict : find_conflicts({.model = model,
                                  .first = {.statements = {&reading}, .depth = depth},
                                  .second = {.statements = {&writing}, .depth = rank},
                                  .together = together})) {
            conflict.first = copy;
            conflict.second = &other;
            found.push_back(std::move(conflict));
        }
    }
    return verdict_of(found, "the copy ahead and a write");
}

}  // namespace sluice::analysis
