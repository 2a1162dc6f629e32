#include "analysis/scop/relayout.h"

#include "analysis/scop/reorder.h"
#include "poly/flow.h"

namespace sluice::analysis {

using poly::UnionMap;

namespace {

struct Writes {
    UnionMap certain = UnionMap::empty(), possible = UnionMap::empty();
};

Writes writes_of(const Scop& scop, const std::string& container) {
    Writes writes;
    for (const ScopStatement& statement : scop.statements)
        for (const ScopAccess& access : statement.accesses) {
            if (access.container != container || access.kind == StatementAccess::Kind::Read) continue;
            UnionMap& side = access.exact ? writes.certain : writes.possible;
            side = side.unite(access.elements);
        }
    return writes;
}

void move_elements(Scop& scop, const std::string& container, const poly::Map& places) {
    for (ScopStatement& statement : scop.statements)
        for (ScopAccess& access : statement.accesses)
            if (access.container == container) access.elements = access.elements.then(places);
}

}  // namespace

std::string old_index(std::size_t dimension) {
    return "d" + std::to_string(dimension);
}

Verdict keeps_values(const Scop& scop, const std::string& container, const poly::Map& places) {
    Verdict verdict{.answer = Answer::Yes};
    Scop moved = scop;
    move_elements(moved, container, places);
    const Writes before = writes_of(scop, container), after = writes_of(moved, container);
    const UnionMap times = scop.schedule.times();
    for (std::size_t s = 0; s < scop.statements.size(); ++s)
        for (std::size_t a = 0; a < scop.statements[s].accesses.size(); ++a) {
            const ScopAccess& access = scop.statements[s].accesses[a];
            if (access.container != container || access.kind == StatementAccess::Kind::Write) continue;
            const auto flow = [&](const Writes& writes, const poly::Map& read) {
                return poly::flow({.sinks = UnionMap(read).intersect_parameters(scop.context),
                                   .must_sources = writes.certain.intersect_parameters(scop.context),
                                   .may_sources = writes.possible.intersect_parameters(scop.context),
                                   .schedule = times});
            };
            const poly::FlowAnswer was = flow(before, access.elements), is = flow(after, moved.statements[s].accesses[a].elements);
            const Answer same = !was.known() || !is.known() ? Answer::Unknown : was.may.is_equal(is.may);
            const Answer sure = same == Answer::Yes ? was.must.is_equal(is.must) : same;
            if (sure == Answer::Yes) continue;
            verdict.answer = sure;
            verdict.why = "whether every read sees the same value is beyond the budget of isl's operations";
            if (sure == Answer::Unknown) return verdict;
            verdict.why = "`" + scop.statements[s].label + "` would read another value of " + container;
            verdict.where = scop.statements[s].where;
            for (const poly::Map& pairs : is.may.subtract(was.may).maps())
                if (!verdict.witness) verdict.witness = witness_of(moved, pairs);
            return verdict;
        }
    return verdict;
}

Scop at_places(Scop scop, const std::string& container, const poly::Map& places, const std::vector<symbolic::Expr>& indices) {
    move_elements(scop, container, places);
    for (ScopStatement& statement : scop.statements) {
        auto* operation = std::get_if<Operation>(&statement.body);
        if (!operation) continue;
        for (Operation::Wire& wire : operation->wires) {
            if (wire.container != container || !wire.memlet.subset) continue;
            symbolic::Substitution at;
            for (std::size_t d = 0; d < wire.memlet.subset->rank(); ++d)
                at.emplace(old_index(d), wire.memlet.subset->dims[d].begin);
            std::vector<symbolic::Expr> moved;
            for (const symbolic::Expr& index : indices) moved.push_back(symbolic::substitute(index, at));
            wire.memlet.subset = symbolic::Subset::indices(moved);
        }
    }
    return scop;
}

}  // namespace sluice::analysis
