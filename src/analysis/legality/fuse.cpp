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

namespace {

using Pairs = std::span<const std::pair<ir::NodeId, ir::NodeId>>;

/// Statements of both states, by the node at the top that holds them.
struct StatePair {
    std::map<ir::NodeId, Group> first, second;
    std::list<Statement> statements = {};
};

/// In one state nothing keeps two updates of one element apart, whatever their operator: each counts as a write.
StatePair updates_as_writes(const AccessModel& model) {
    StatePair pair;
    for (const Statement& statement : model.statements) {
        if (!statement.top.valid() || statement.order.empty() || statement.summary) continue;
        Statement& own = pair.statements.emplace_back(statement);
        for (StatementAccess& access : own.accesses)
            if (access.kind == StatementAccess::Kind::Reduce) access.kind = StatementAccess::Kind::Write;
        const bool is_first = statement.order.front().position == 0;
        (is_first ? pair.first : pair.second)[statement.top].statements.push_back(&own);
    }
    return pair;
}

bool writes(const Group& group, const std::string& container) {
    return std::ranges::any_of(group.statements, [&](const Statement* statement) {
        return std::ranges::any_of(statement->accesses,
                                   [&](const StatementAccess& access) { return access.container == container && access.writes(); });
    });
}

/// Of these pairs alone.
StateFusion pairs_fusible(const ir::Sdfg& sdfg, BlocksRoot root, const symbolic::Assumptions& known, Pairs unordered) {
    root.nodes.resize(2);
    for (const auto& [a, b] : unordered) {
        root.nodes[0].insert(a);
        root.nodes[1].insert(b);
    }
    const AccessModel model = access_model(sdfg, root, known);
    if (auto unknown = obstacle(model)) return {.verdict = *unknown};
    const StatePair groups = updates_as_writes(model);
    const Map together = Map::universe({}, {});
    for (const auto& [a, b] : unordered) {
        const auto first = groups.first.find(a), second = groups.second.find(b);
        if (first == groups.first.end() || second == groups.second.end()) continue;
        const std::vector<Conflict> found =
            find_conflicts({.model = model, .first = first->second, .second = second->second, .together = together});
        if (found.empty()) continue;
        const std::string& container = found.front().container;
        return {.verdict = verdict_of({found.front()}, "the states"),
                .conflict = StateConflict{.first = a,
                                          .second = b,
                                          .container = container,
                                          .first_writes = writes(first->second, container),
                                          .second_writes = writes(second->second, container)}};
    }
    return {.verdict = {.answer = Answer::Yes}};
}

}  // namespace

StateFusion states_fusible(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId first, ir::BlockId second,
                           const symbolic::Assumptions& known, Pairs unordered) {
    const poly::Budget budget;
    constexpr std::size_t kMoreEachTime = 8;
    StateFusion fusion{.verdict = {.answer = Answer::Yes}};
    for (std::size_t count = 1; !unordered.empty() && fusion.verdict.yes(); count *= kMoreEachTime) {
        const Pairs next = unordered.first(std::min(count, unordered.size()));
        fusion = pairs_fusible(sdfg, {.region = &region, .blocks = {first, second}}, known, next);
        unordered = unordered.subspan(next.size());
    }
    return fusion;
}

}  // namespace sluice::analysis
