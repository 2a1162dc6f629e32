#include "analysis/legality/fuse.h"

#include <algorithm>
#include <list>
#include <set>

#include "analysis/legality/conflict.h"
#include "analysis/legality/outside.h"
#include "analysis/loop_range.h"
#include "ir/query.h"
#include "poly/convert.h"

namespace sluice::analysis {

using poly::Map;
using poly::Set;
using poly::Space;

namespace {

Verdict refused(Answer answer, std::string why) {
    return {.answer = answer, .why = std::move(why)};
}

/// Points of the map over the space's dimensions: parameter d stands for dimension place[d].
poly::Converted<Set> points_of(const ir::MapEntry& map, const Space& space, std::span<const std::size_t> place) {
    symbolic::Substitution names;
    for (std::size_t d = 0; d < map.params.size(); ++d)
        names.insert_or_assign(map.params[d], symbolic::symbol(space.dims[place[d]]));
    Set points = Set::universe(space);
    for (std::size_t d = 0; d < map.params.size(); ++d) {
        poly::Converted<Set> range = poly::in_range(symbolic::substitute(map.range.dims[d], names), space.dims[place[d]], space);
        if (!range.ok()) return range;
        points = points.intersect(*range.value);
    }
    return {.value = points, .why = {}};
}

Group below(const AccessModel& model, ir::NodeId top, unsigned depth) {
    Group group{.statements = {}, .depth = depth};
    for (const Statement& statement : model.statements)
        if (statement.top == top && statement.iterators.size() >= depth) group.statements.push_back(&statement);
    return group;
}

/// Same set of points for all parameters that the context admits?
Answer same_points(const Set& first, const Set& second, const AccessModel& model) {
    return first.intersect_parameters(model.context).is_equal(second.intersect_parameters(model.context));
}

}  // namespace

Verdict maps_fusible(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId first_entry, ir::NodeId second_entry,
                     const symbolic::Assumptions& known, std::span<const std::size_t> pairing) {
    const poly::Budget budget;
    const auto& first = std::get<ir::MapEntry>(state.nodes[first_entry].kind);
    const auto& second = std::get<ir::MapEntry>(state.nodes[second_entry].kind);
    const std::size_t rank = first.params.size();
    if (rank != second.params.size() || (!pairing.empty() && pairing.size() != rank))
        return refused(Answer::No, "the maps have different numbers of parameters");
    std::vector<std::size_t> in_order(rank), place(rank), of_second(pairing.begin(), pairing.end());
    for (std::size_t d = 0; d < rank; ++d) in_order[d] = d;
    if (of_second.empty()) of_second = in_order;
    for (std::size_t d = 0; d < rank; ++d) place[of_second[d]] = d;

    const AccessModel model = access_model(sdfg, ScopesRoot{.state = &state, .entries = {first_entry, second_entry}}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    const auto depth = static_cast<unsigned>(rank);
    const Space space = executions(depth, "$p");
    const poly::Converted<Set> points = poly::Converted<Set>(points_of(first, space, in_order)),
                               others = points_of(second, space, place);
    if (!points.ok() || !others.ok()) return refused(Answer::Unknown, points.ok() ? others.why : points.why);
    const Answer same = same_points(*points.value, *others.value, model);
    if (same != Answer::Yes)
        return refused(same, same == Answer::No
                                 ? "the maps `" + first.label + "` and `" + second.label + "` run over different points"
                                 : "whether the maps have the same points is too costly to decide");

    const Map any = Map::universe(executions(depth, "a"), executions(depth, "b"));
    Map apart = any.subtract(any);
    for (unsigned d = 0; d < depth; ++d) {
        const auto other = static_cast<unsigned>(of_second[d]);
        apart = apart.unite(any.order_less(d, other)).unite(any.order_greater(d, other));
    }
    return verdict_of(find_conflicts({.model = model,
                                      .first = below(model, first_entry, depth),
                                      .second = below(model, second_entry, depth),
                                      .together = apart}),
                      "a point of the first map and another one of the second");
}

StateFusion states_fusible(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId first, ir::BlockId second,
                           const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, BlocksRoot{.region = &region, .blocks = {first, second}}, known);
    if (auto unknown = obstacle(model)) return {.verdict = *unknown, .conflicts = {}};
    StateFusion result{.verdict = {.answer = Answer::Yes}, .conflicts = {}};
    // In one state nothing keeps two updates of one element apart, whatever their operator: each counts as a write.
    std::list<Statement> updates_as_writes;
    std::map<ir::NodeId, Group> before, after;
    for (const Statement& statement : model.statements) {
        if (!statement.top.valid() || statement.order.empty() || statement.summary) continue;
        Statement& own = updates_as_writes.emplace_back(statement);
        for (StatementAccess& access : own.accesses)
            if (access.kind == StatementAccess::Kind::Reduce) access.kind = StatementAccess::Kind::Write;
        const bool is_first = statement.order.front().position == 0;
        (is_first ? before : after)[statement.top].statements.push_back(&own);
    }
    const Map together = Map::universe({}, {});
    for (const auto& [a, group_a] : before)
        for (const auto& [b, group_b] : after)
            for (const Conflict& found :
                 find_conflicts({.model = model, .first = group_a, .second = group_b, .together = together})) {
                StateConflict conflict{
                    .first = a, .second = b, .container = found.container, .verdict = verdict_of({found}, "the states")};
                const auto writes = [&](const Group& group) {
                    return std::ranges::any_of(group.statements, [&](const Statement* statement) {
                        return std::ranges::any_of(statement->accesses, [&](const StatementAccess& access) {
                            return access.container == conflict.container && access.writes();
                        });
                    });
                };
                conflict.first_writes = writes(group_a);
                conflict.second_writes = writes(group_b);
                if (result.verdict.yes() || (conflict.verdict.no() && !result.verdict.no())) result.verdict = conflict.verdict;
                result.conflicts.push_back(std::move(conflict));
            }
    return result;
}

}  // namespace sluice::analysis
