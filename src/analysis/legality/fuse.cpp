#include "analysis/legality/fuse.h"

#include <algorithm>
#include <set>

#include "analysis/legality/clash.h"
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
    return verdict_of(clashes({.model = model,
                               .first = below(model, first_entry, depth),
                               .second = below(model, second_entry, depth),
                               .together = apart}),
                      "a point of the first map and another one of the second");
}

Verdict loops_fusible(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId first, ir::BlockId second,
                      const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const auto& a = std::get<ir::LoopRegion>(region.blocks[first].kind);
    const auto& b = std::get<ir::LoopRegion>(region.blocks[second].kind);
    const auto range_a = loop_range(a), range_b = loop_range(b);
    if (!range_a || !range_b) return refused(Answer::Unknown, "the range of a loop is not known before it runs");
    const AccessModel model = access_model(sdfg, BlocksRoot{.region = &region, .blocks = {first, second}}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    std::set<std::string> written;
    Group before{.statements = {}, .depth = 1}, after{.statements = {}, .depth = 1};
    for (const Statement& statement : model.statements) {
        if (statement.leaves != Statement::Leaves::Nothing)
            return refused(Answer::No, "a " + statement.label + " in one of the loops ends it early");
        if (statement.iterators.empty()) continue;
        (statement.order.front().position == 0 ? before : after).statements.push_back(&statement);
        if (statement.order.front().position != 0) continue;
        for (const StatementAccess& access : statement.accesses)
            if (access.writes()) written.insert(access.container);
    }
    for (const std::string& name : symbolic::free_symbols(*range_b))
        if (written.contains(name)) return refused(Answer::No, "the first loop changes `" + name + "`, a bound of the second");
    const Space space = executions(1, "$p");
    const auto points_a = poly::in_range(*range_a, "$p0", space), points_b = poly::in_range(*range_b, "$p0", space);
    if (!points_a.ok() || !points_b.ok()) return refused(Answer::Unknown, points_a.ok() ? points_b.why : points_a.why);
    const Answer same = same_points(*points_a.value, *points_b.value, model);
    const bool same_way = (*range_a->step.constant() > 0) == (*range_b->step.constant() > 0);
    if (same != Answer::Yes || !same_way) return refused(same_way ? same : Answer::No, "the loops run over different values");

    // An iteration of the second that would now come before one of the first.
    const Map any = Map::universe(executions(1, "a"), executions(1, "b"));
    const Map overtakes = *range_a->step.constant() > 0 ? any.order_greater(0, 0) : any.order_less(0, 0);
    std::vector<Clash> found = clashes({.model = model, .first = before, .second = after, .together = overtakes});
    std::vector<std::string> own;
    std::erase_if(found, [&](const Clash& clash) {
        const ir::Container* container = sdfg.containers.find(clash.container);
        if (container && !container->transient) return false;
        if (sees_only_its_own(model, before, clash.container) != Answer::Yes ||
            sees_only_its_own(model, after, clash.container) != Answer::Yes)
            return false;
        const bool observed = container ? observed_outside(sdfg, region, second, clash.container, known)
                                        : symbol_observed_outside(sdfg, region, second, clash.container);
        if (!observed) own.push_back(clash.container);
        return !observed;
    });
    Verdict verdict = verdict_of(found, "an iteration of the first loop and an earlier one of the second");
    if (verdict.yes()) verdict.privatised = own;
    return verdict;
}

StateFusion states_fusible(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId first, ir::BlockId second,
                           const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, BlocksRoot{.region = &region, .blocks = {first, second}}, known);
    if (auto unknown = obstacle(model)) return {.verdict = *unknown, .conflicts = {}};
    StateFusion result{.verdict = {.answer = Answer::Yes}, .conflicts = {}};
    std::map<ir::NodeId, Group> before, after;
    for (const Statement& statement : model.statements) {
        if (!statement.top.valid() || statement.order.empty()) continue;
        const bool is_first = statement.order.front().position == 0;
        (is_first ? before : after)[statement.top].statements.push_back(&statement);
    }
    const Map together = Map::universe({}, {});
    for (const auto& [a, group_a] : before)
        for (const auto& [b, group_b] : after)
            for (const Clash& clash : clashes({.model = model, .first = group_a, .second = group_b, .together = together})) {
                StateConflict conflict{.first = a, .second = b, .container = clash.container};
                const auto writes = [&](const Group& group) {
                    return std::ranges::any_of(group.statements, [&](const Statement* statement) {
                        return std::ranges::any_of(statement->accesses, [&](const StatementAccess& access) {
                            return access.container == clash.container && access.writes();
                        });
                    });
                };
                conflict.first_writes = writes(group_a);
                conflict.second_writes = writes(group_b);
                result.conflicts.push_back(conflict);
                const Verdict one = verdict_of({clash}, "the states");
                if (result.verdict.yes() || (one.no() && !result.verdict.no())) result.verdict = one;
            }
    return result;
}

}  // namespace sluice::analysis
