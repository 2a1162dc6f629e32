#include "analysis/legality/stream_order.h"

#include "analysis/dependences/order.h"
#include "analysis/legality/clash.h"
#include "poly/convert.h"

namespace sluice::analysis {

using poly::Map;

namespace {

/// The one statement below the map that touches the container, and how.
struct Side {
    const Statement* statement = nullptr;
    const StatementAccess* access = nullptr;
    Map elements;  ///< `[iterators] -> [indices]`, for the parameters that are possible.
    std::string why;

    unsigned depth() const { return static_cast<unsigned>(statement->iterators.size()); }
};

Side side_of(const AccessModel& model, ir::NodeId top, const std::string& container, bool writing) {
    Side side;
    for (const Statement& statement : model.statements)
        for (const StatementAccess& access : statement.accesses) {
            if (statement.top != top || access.container != container) continue;
            if (side.access) side.why = "more than one access to `" + container + "` lies in a map";
            side.statement = &statement;
            side.access = &access;
        }
    if (!side.access) {
        side.why = "a map does not touch `" + container + "`";
    } else if (side.why.empty()) {
        if (side.access->kind != (writing ? StatementAccess::Kind::Write : StatementAccess::Kind::Read))
            side.why = "`" + container + "` is updated, or used the other way round";
        else if (side.access->certainty != Certainty::Must)
            side.why = side.access->why;
        side.elements = side.access->elements.with_domain_tuple("").with_range_tuple("").intersect_parameters(model.context);
    }
    return side;
}

/// Pairs of executions of which the first comes first.
Map earlier(const AccessModel& model, const Side& side) {
    const Map any = Map::universe(executions(side.depth(), "a"), executions(side.depth(), "b"));
    Map same = any, before = any.subtract(any);
    for (unsigned d = 0; d < side.depth(); ++d) {
        const bool up = model.iterators[side.statement->iterators[d]].direction > 0;
        before = before.unite(up ? same.order_less(d, d) : same.order_greater(d, d));
        same = same.equate(d, d);
    }
    return before;
}

Instance instance(const AccessModel& model, const Side& side, const std::vector<std::int64_t>& values) {
    Instance result{.statement = side.statement->label,
                    .place = side.statement->place,
                    .node = side.statement->node,
                    .where = side.statement->where,
                    .writes = side.access->writes(),
                    .guard = {},
                    .iterators = {}};
    for (std::size_t d = 0; d < values.size(); ++d)
        result.iterators.emplace_back(model.iterators[side.statement->iterators[d]].name, values[d]);
    return result;
}

/// Two executions of one side as the reason.
Verdict refused(const AccessModel& model, const Side& side, const poly::Pair& pair, std::string why) {
    Verdict verdict{.answer = Answer::No, .why = std::move(why)};
    verdict.witness = Witness{.first = instance(model, side, pair.from),
                              .second = instance(model, side, pair.to),
                              .container = side.access->container,
                              .element = {},
                              .parameters = pair.parameters};
    verdict.why += ": " + to_string(*verdict.witness);
    verdict.nodes = {side.statement->top};
    return verdict;
}

Verdict unknown(std::string why) {
    return {.answer = Answer::Unknown, .why = std::move(why)};
}

/// A pair of the relation, if one certainly exists: nothing that is found may rest on a product of symbols.
std::optional<poly::Pair> certain_pair(const Map& pairs) {
    for (const std::string& name : pairs.parameter_names())
        if (poly::is_opaque(name) && pairs.involves_parameter(name)) return std::nullopt;
    return pairs.is_empty() == Answer::No ? pairs.sample() : std::nullopt;
}

/// No execution touches two elements, and none of them is touched twice; nothing if so.
std::optional<Verdict> one_by_one(const AccessModel& model, const Side& side, const std::string& what) {
    const Answer single = side.elements.is_single_valued();
    if (single == Answer::No) return Verdict{.answer = Answer::No, .why = "one point " + what + " several elements"};
    const Map twice = side.elements.then(side.elements.reverse()).intersect(earlier(model, side));
    if (single == Answer::Yes && twice.is_empty() == Answer::Yes) return std::nullopt;
    const auto pair = certain_pair(twice);
    if (!pair) return unknown("the order of `" + side.access->container + "` is too costly to decide");
    return refused(model, side, *pair, "two points " + what + " one element");
}

}  // namespace

Verdict same_stream_order(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId writer, ir::NodeId reader,
                          const std::string& container, const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, ScopesRoot{.state = &state, .entries = {writer, reader}}, known);
    if (auto hidden = obstacle(model)) return *hidden;
    const Side writes = side_of(model, writer, container, true), reads = side_of(model, reader, container, false);
    for (const Side* side : {&writes, &reads})
        if (!side->why.empty()) return unknown(side->why);
    if (auto refusal = one_by_one(model, writes, "write")) return *refusal;
    if (auto refusal = one_by_one(model, reads, "read")) return *refusal;
    const Answer same = writes.elements.range().is_equal(reads.elements.range());
    if (same == Answer::No) return {.answer = Answer::No, .why = "what is written of `" + container + "` is not what is read"};
    // Writing points, the first before the second, whose elements are read the other way round.
    const Map read_by = writes.elements.then(reads.elements.reverse());
    const Map swapped = read_by.then(earlier(model, reads).reverse()).then(read_by.reverse()).intersect(earlier(model, writes));
    if (same == Answer::Yes && swapped.is_empty() == Answer::Yes) return {.answer = Answer::Yes, .why = {}};
    const auto pair = certain_pair(swapped);
    if (!pair) return unknown("the order of `" + container + "` is too costly to decide");
    return refused(model, writes, *pair, "elements are read in another order than they are written");
}

}  // namespace sluice::analysis
