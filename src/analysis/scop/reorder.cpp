#include "analysis/scop/reorder.h"

#include <map>
#include <set>

namespace sluice::analysis {

using poly::UnionMap;

namespace {

/// Reads, writes, and updates by kind.
struct Touches {
    UnionMap all = UnionMap::empty(), writes = UnionMap::empty();
    std::map<code::ReductionType, UnionMap> updates;
    /// All but the updates of the kind.
    std::map<code::ReductionType, UnionMap> others;
};

Touches touches_of(const Scop& scop) {
    Touches touches;
    std::set<code::ReductionType> kinds;
    for (const ScopStatement& statement : scop.statements)
        for (const ScopAccess& access : statement.accesses)
            if (access.kind == StatementAccess::Kind::Reduce) kinds.insert(access.reduction);
    for (const code::ReductionType kind : kinds)
        touches.updates.emplace(kind, UnionMap::empty()), touches.others.emplace(kind, UnionMap::empty());
    for (const ScopStatement& statement : scop.statements)
        for (const ScopAccess& access : statement.accesses) {
            const bool reduces = access.kind == StatementAccess::Kind::Reduce;
            touches.all = touches.all.unite(access.elements);
            if (access.kind == StatementAccess::Kind::Write) touches.writes = touches.writes.unite(access.elements);
            for (const code::ReductionType kind : kinds) {
                UnionMap& side = reduces && access.reduction == kind ? touches.updates.at(kind) : touches.others.at(kind);
                side = side.unite(access.elements);
            }
        }
    return touches;
}

Instance instance_of(const Scop& scop, const std::string& name, const std::vector<std::int64_t>& at) {
    Instance instance;
    const ScopStatement* statement = scop.find(name);
    if (!statement) return instance;
    instance.statement = statement->label;
    instance.place = statement->place;
    instance.where = statement->where;
    for (std::size_t d = 0; d < at.size() && d < statement->iterators.size(); ++d)
        instance.iterators.emplace_back(statement->iterators[d], at[d]);
    return instance;
}

}  // namespace

std::optional<Witness> witness_of(const Scop& scop, const poly::Map& pairs) {
    const ScopStatement* first = scop.find(pairs.domain_tuple());
    const ScopStatement* second = scop.find(pairs.range_tuple());
    if (!first || !second) return std::nullopt;
    for (const ScopAccess& a : first->accesses)
        for (const ScopAccess& b : second->accesses) {
            const bool commute = a.kind == StatementAccess::Kind::Reduce && b.kind == a.kind && a.reduction == b.reduction;
            const bool reads = a.kind == StatementAccess::Kind::Read && b.kind == a.kind;
            if (a.container != b.container || commute || reads) continue;
            const poly::Map meet = a.elements.then(b.elements.reverse()).intersect(pairs);
            const std::optional<poly::Pair> pair = meet.is_empty() == Answer::No ? meet.sample() : std::nullopt;
            if (!pair) continue;
            Witness witness{.first = instance_of(scop, first->name, pair->from),
                            .second = instance_of(scop, second->name, pair->to),
                            .container = a.container,
                            .element = {},
                            .parameters = pair->parameters};
            witness.first.writes = a.kind == StatementAccess::Kind::Write;
            witness.first.reduces = a.kind == StatementAccess::Kind::Reduce;
            witness.second.writes = b.kind == StatementAccess::Kind::Write;
            witness.second.reduces = b.kind == StatementAccess::Kind::Reduce;
            std::string text = "{ " + first->name + "[";
            for (std::size_t d = 0; d < pair->from.size(); ++d) text += (d ? ", " : "") + std::to_string(pair->from[d]);
            text += "] }";
            std::string values;
            for (const auto& [name, value] : pair->parameters)
                values += (values.empty() ? "" : " and ") + name + " = " + std::to_string(value);
            std::string names;
            for (const auto& [name, value] : pair->parameters) names += (names.empty() ? "" : ", ") + name;
            const poly::Set at = poly::Set::parse(text);
            const poly::Set parameters = poly::Set::parse("[" + names + "] -> { : " + (values.empty() ? "true" : values) + " }");
            if (const auto element = a.elements.intersect_domain(at).range().intersect_parameters(parameters).sample())
                witness.element = element->coordinates;
            return witness;
        }
    return std::nullopt;
}

UnionMap dependences(const Scop& scop) {
    const Touches touches = touches_of(scop);
    UnionMap meet = touches.writes.then(touches.all.reverse());
    for (const auto& [kind, updates] : touches.updates) meet = meet.unite(updates.then(touches.others.at(kind).reverse()));
    meet = meet.unite(meet.reverse());
    return poly::before(meet.intersect_parameters(scop.context), scop.schedule.times()).coalesce();
}

Verdict reorder(const Scop& scop, const UnionMap& dependences, const poly::Schedule& schedule) {
    Verdict verdict;
    const poly::UnionSet ours = scop.domain().intersect_parameters(scop.context),
                         theirs = schedule.domain().intersect_parameters(scop.context);
    const Answer covered = ours.is_equal(theirs);
    if (covered != Answer::Yes) {
        verdict.answer = covered;
        verdict.why = covered == Answer::No ? "the schedule's domain is not that of the statements, " + scop.domain().to_string()
                                            : "whether the schedule runs every instance is not known";
        return verdict;
    }
    const UnionMap violated = poly::violated(dependences, schedule.times());
    verdict.answer = violated.is_empty();
    if (verdict.answer == Answer::Unknown)
        verdict.why = "whether the schedule respects every dependence is beyond the budget of isl's operations";
    if (verdict.answer != Answer::No) return verdict;
    verdict.answer = Answer::No;
    verdict.why = "the schedule does not keep a dependence";
    for (const poly::Map& pairs : violated.maps()) {
        verdict.witness = witness_of(scop, pairs);
        if (!verdict.witness) continue;
        const Instance &first = verdict.witness->first, &second = verdict.witness->second;
        verdict.why = "the schedule does not run `" + first.statement + "` before `" + second.statement + "`, which needs it to";
        verdict.where = second.where;
        break;
    }
    return verdict;
}

}  // namespace sluice::analysis
