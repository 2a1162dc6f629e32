#include "analysis/legality/conflict.h"

#include <algorithm>
#include <set>

#include "analysis/dependences/order.h"
#include "analysis/legality/packed.h"
#include "poly/convert.h"
#include "poly/flow.h"

namespace sluice::analysis {

using poly::Map;
using poly::Set;

namespace {

/// Reads, writes, and updates by each operator: what lies in one class may be treated alike.
int class_of(const StatementAccess& access) {
    if (access.kind == StatementAccess::Kind::Read) return 0;
    if (access.kind == StatementAccess::Kind::Write) return 1;
    return 2 + static_cast<int>(access.reduction);
}
bool compatible(int a, int b) {
    return (a == 0 && b == 0) || (a >= 2 && a == b);
}

/// Container -> class -> uses.
using Uses = std::map<std::string, std::map<int, std::vector<Use>>>;

Uses uses_of(const Group& group) {
    Uses uses;
    for (const Statement* statement : group.statements)
        if (!statement->summary)
            for (const StatementAccess& access : statement->accesses)
                uses[access.container][class_of(access)].push_back({statement, &access});
    return uses;
}

/// `[first iterators] -> elements` of all uses together.
Map touched(const std::vector<Use>& uses, unsigned depth) {
    Map all;
    for (const Use& use : uses) {
        const auto extra = static_cast<unsigned>(use.statement->iterators.size()) - depth;
        const Map one = use.access->elements.project_out_domain(depth, extra).with_domain_tuple("");
        all = all.known() ? all.unite(one) : one;
    }
    return all;
}

class Finder {
public:
    explicit Finder(const ConflictQuestion& question)
        : question_(question), first_(uses_of(question.first)), second_(uses_of(question.second)) {}

    std::vector<Conflict> run() {
        std::vector<Conflict> found;
        for (const auto& [container, classes] : first_) {
            const auto other = second_.find(container);
            if (other == second_.end()) continue;
            if (std::optional<Conflict> conflict = in_container(container, classes, other->second))
                found.push_back(std::move(*conflict));
        }
        return found;
    }

private:
    std::optional<Conflict> in_container(const std::string& container, const std::map<int, std::vector<Use>>& first,
                                         const std::map<int, std::vector<Use>>& second) {
        std::optional<Conflict> best;
        for (const auto& [a, uses_a] : first)
            for (const auto& [b, uses_b] : second) {
                if (compatible(a, b)) continue;
                const Map together = touched(uses_a, question_.first.depth)
                                         .then(touched(uses_b, question_.second.depth).reverse())
                                         .intersect(question_.together)
                                         .intersect_parameters(question_.model.context);
                if (together.is_empty() == Answer::Yes || packed_apart(uses_a, uses_b)) continue;
                Conflict conflict = explain(container, uses_a, uses_b);
                if (conflict.definite == Answer::Yes) return conflict;
                if (conflict.definite == Answer::Unknown) best = std::move(conflict);
            }
        return best;
    }

    bool packed_apart(const std::vector<Use>& first, const std::vector<Use>& second) const {
        return std::ranges::all_of(first, [&](const Use& a) {
            return std::ranges::all_of(second,
                                       [&](const Use& b) { return analysis::packed_apart(question_.model, a, b, pairs_of(a, b)); });
        });
    }

    /// Seeks a pair of accesses that certainly conflict; otherwise names what hides the answer.
    Conflict explain(const std::string& container, const std::vector<Use>& first, const std::vector<Use>& second) {
        Conflict result{.container = container, .definite = Answer::Unknown, .witness = {}, .why = {}};
        for (const Use& a : first)
            for (const Use& b : second) {
                const Map anywhere = instances(a, b), pairs = anywhere.intersect_parameters(question_.model.context);
                const Answer empty = pairs.is_empty();
                if (empty == Answer::Yes) continue;
                const bool approximate =
                    a.access->certainty == Certainty::Approximate || b.access->certainty == Certainty::Approximate;
                if (empty == Answer::No && !approximate && !relies_on_opaque(anywhere)) {
                    if (std::optional<Witness> witness = witness_of(container, pairs, a, b)) {
                        result.definite = Answer::Yes;
                        result.witness = std::move(*witness);
                        result.first = a.statement;
                        result.second = b.statement;
                        return result;
                    }
                }
                if (!result.why.empty()) continue;
                const Use& hidden = a.access->certainty == Certainty::Approximate ? a : b;
                result.first = a.statement;
                result.second = b.statement;
                result.why = empty == Answer::Unknown ? "the question about `" + container + "` is too costly to decide"
                             : approximate            ? hidden.access->why
                                                      : "subsets of `" + container + "` multiply symbols";
            }
        if (result.why.empty()) result.why = "the question about `" + container + "` is too costly to decide";
        return result;
    }

    /// Executions of the two that belong to executions of the groups that the question is about.
    Map pairs_of(const Use& a, const Use& b) const {
        const Map first = Map::prefix(space_of(question_.model, *a.statement), question_.first.depth);
        const Map second = Map::prefix(space_of(question_.model, *b.statement), question_.second.depth);
        return first.then(question_.together).then(second.reverse());
    }
    Map instances(const Use& a, const Use& b) const {
        return a.access->elements.then(b.access->elements.reverse()).intersect(pairs_of(a, b));
    }
    static bool relies_on_opaque(const Map& pairs) {
        return std::ranges::any_of(pairs.parameter_names(), [&](const std::string& name) {
            return poly::is_opaque(name) && pairs.involves_parameter(name);
        });
    }

    std::optional<Witness> witness_of(const std::string& container, const Map& pairs, const Use& a, const Use& b) const {
        const std::optional<poly::Pair> pair = pairs.sample();
        if (!pair) return std::nullopt;
        Witness witness{.first = instance(a, pair->from),
                        .second = instance(b, pair->to),
                        .container = container,
                        .element = {},
                        .parameters = {}};
        for (const auto& [name, value] : pair->parameters)
            if (!poly::is_opaque(name)) witness.parameters.emplace(name, value);
        const auto at = [&](const Use& use, const std::vector<std::int64_t>& values) {
            symbolic::Expr condition = symbolic::boolean(true);
            const poly::Space space = space_of(question_.model, *use.statement);
            for (std::size_t d = 0; d < values.size(); ++d)
                condition = symbolic::logical_and(condition, symbolic::equal(symbolic::symbol(space.dims[d]), values[d]));
            for (const auto& [name, value] : witness.parameters)
                condition = symbolic::logical_and(condition, symbolic::equal(symbolic::symbol(name), value));
            return use.access->elements.image(*poly::to_set(condition, space).value);
        };
        if (const auto element = at(a, pair->from).intersect(at(b, pair->to)).sample()) witness.element = element->coordinates;
        return witness;
    }
    Instance instance(const Use& use, const std::vector<std::int64_t>& values) const {
        const Statement& statement = *use.statement;
        Instance result{.statement = statement.label,
                        .place = statement.place,
                        .node = statement.node,
                        .where = statement.where,
                        .writes = use.access->writes(),
                        .reduces = use.access->kind == StatementAccess::Kind::Reduce,
                        .guard = use.access->certainty == Certainty::Guarded ? use.access->why : "",
                        .iterators = {}};
        for (std::size_t d = 0; d < values.size(); ++d)
            result.iterators.emplace_back(question_.model.iterators[statement.iterators[d]].name, values[d]);
        return result;
    }

    const ConflictQuestion& question_;
    Uses first_, second_;
};

std::string text_of(const Instance& instance) {
    std::string text = instance.reduces ? "updated by " : instance.writes ? "written by " : "read by ";
    text += instance.statement;
    for (std::size_t d = 0; d < instance.iterators.size(); ++d)
        text += (d == 0 ? " at " : ", ") + instance.iterators[d].first + "=" + std::to_string(instance.iterators[d].second);
    if (!instance.guard.empty()) text += " (where " + instance.guard + ")";
    return text;
}

}  // namespace

std::string to_string(const Witness& witness) {
    std::string text = witness.container;
    for (std::size_t d = 0; d < witness.element.size(); ++d)
        text += (d == 0 ? "[" : ", ") + std::to_string(witness.element[d]) + (d + 1 == witness.element.size() ? "]" : "");
    text += ": " + text_of(witness.first) + ", " + text_of(witness.second);
    std::string values;
    for (const auto& [name, value] : witness.parameters)
        values += (values.empty() ? "" : ", ") + name + "=" + std::to_string(value);
    return values.empty() ? text : text + " (" + values + ")";
}

std::vector<Conflict> find_conflicts(const ConflictQuestion& question) {
    return Finder(question).run();
}

const Statement* copy_along(const AccessModel& model, const ir::State& state, ir::EdgeId edge) {
    const auto found = std::ranges::find_if(
        model.statements, [&](const Statement& statement) { return statement.state == &state && statement.edge == edge; });
    return found == model.statements.end() ? nullptr : &*found;
}

std::vector<std::string> reduced(const Group& group) {
    std::set<std::string> names;
    for (const Statement* statement : group.statements)
        for (const StatementAccess& access : statement->accesses)
            if (access.kind == StatementAccess::Kind::Reduce) names.insert(access.container);
    return {names.begin(), names.end()};
}

Group everything(const AccessModel& model, unsigned depth) {
    Group group{.statements = {}, .depth = depth};
    for (const Statement& statement : model.statements)
        if (statement.iterators.size() >= depth) group.statements.push_back(&statement);
    return group;
}

unsigned depth_of(const Statement& statement) {
    return static_cast<unsigned>(statement.iterators.size());
}

poly::Space executions(unsigned count, const std::string& base) {
    poly::Space space;
    for (unsigned at = 0; at < count; ++at) space.dims.push_back(base + std::to_string(at));
    return space;
}

Map distinct(unsigned count) {
    Map equal = Map::universe(executions(count, "a"), executions(count, "b"));
    Map apart = equal.subtract(equal);
    for (unsigned d = 0; d < count; ++d) {
        apart = apart.unite(equal.order_less(d, d));
        equal = equal.equate(d, d);
    }
    return apart;
}

namespace {

/// Reads, as instances, that may come before any certain write of their execution, distinguished by `depth` iterators. A write
/// under guards is certain for a read under the same ones, if executions with the same guards' outcome are distinguished.
poly::UnionSet exposed(const AccessModel& model, const Group& group, const Statement& reader, const StatementAccess& read,
                       unsigned depth) {
    using poly::UnionMap;
    const auto own = [&](const StatementAccess& access) {
        return access.elements.prefix_range(depth).intersect_parameters(model.context);
    };
    const auto holds = [&](std::size_t guard) {
        return model.guards[guard].depth <= depth && std::ranges::find(reader.guards, guard) != reader.guards.end();
    };
    poly::FlowQuestion question{.sinks = own(read),
                                .must_sources = UnionMap::empty(),
                                .may_sources = UnionMap::empty(),
                                .schedule = time_of(model, reader)};
    for (const Statement* statement : group.statements) {
        if (statement->iterators.size() < depth || !std::ranges::all_of(statement->guards, holds)) continue;
        bool writes = false;
        for (const StatementAccess& access : statement->accesses) {
            if (access.container != read.container || access.kind != StatementAccess::Kind::Write || !access.unconditional)
                continue;
            question.must_sources = question.must_sources.unite(own(access));
            writes = true;
        }
        if (writes && statement != &reader) question.schedule = question.schedule.unite(time_of(model, *statement));
    }
    return poly::flow(question).without_write.domain();
}

}  // namespace

Answer sees_only_its_own(const AccessModel& model, const Group& group, const std::string& container) {
    for (const Statement* statement : group.statements)
        for (const StatementAccess& access : statement->accesses) {
            if (access.container != container || access.kind == StatementAccess::Kind::Write) continue;
            poly::UnionSet uncovered = exposed(model, group, *statement, access, group.depth);
            if (uncovered.is_empty() == Answer::Yes) continue;
            // Guards within inner loops: their outcome is the same only in the same inner iteration. To distinguish more executions
            // without another guard leaves more reads uncovered.
            std::set<std::size_t> depths;
            for (const std::size_t guard : statement->guards)
                if (model.guards[guard].depth > group.depth) depths.insert(model.guards[guard].depth);
            for (const std::size_t depth : depths)
                uncovered = uncovered.intersect(exposed(model, group, *statement, access, static_cast<unsigned>(depth)));
            const Answer empty = uncovered.is_empty();
            if (empty != Answer::Yes) return empty;
        }
    return Answer::Yes;
}

Verdict verdict_of(const std::vector<Conflict>& found, const std::string& action) {
    const Conflict* decisive = nullptr;
    for (const Conflict& conflict : found)
        if (!decisive || (conflict.definite == Answer::Yes && decisive->definite != Answer::Yes)) decisive = &conflict;
    if (!decisive) return {.answer = Answer::Yes, .why = {}};
    Verdict verdict;
    for (const Statement* statement : {decisive->first, decisive->second}) {
        if (!statement) continue;
        if (statement->top.valid() && std::ranges::find(verdict.nodes, statement->top) == verdict.nodes.end())
            verdict.nodes.push_back(statement->top);
        if (!verdict.where.known()) verdict.where = statement->where;
    }
    if (decisive->definite == Answer::Yes) {
        verdict.answer = Answer::No;
        verdict.why = action + " touch one element: " + to_string(decisive->witness);
        verdict.witness = decisive->witness;
    } else {
        verdict.why = decisive->why;
    }
    return verdict;
}

std::optional<Verdict> obstacle(const AccessModel& model) {
    if (model.obstacles.empty()) return std::nullopt;
    return Verdict{.answer = Answer::Unknown, .why = model.obstacles.front()};
}

}  // namespace sluice::analysis
