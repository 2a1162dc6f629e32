#include "analysis/legality/hand_over.h"

#include <algorithm>
#include <optional>

#include "analysis/legality/conflict.h"

namespace sluice::analysis {

using poly::Map;
using Kind = StatementAccess::Kind;

namespace {

/// `[first iterators] -> elements` of all accesses to the container, of the statements that the map or the reader is.
struct HandedPart {
    Map elements;
    std::string why;  ///< What hides it; empty if nothing does.

    void add(const Statement& statement, const StatementAccess& access, unsigned depth) {
        if (access.certainty != Certainty::Must && why.empty()) why = access.why;
        const Map one = access.elements.project_out_domain(depth, depth_of(statement) - depth).with_domain_tuple("");
        elements = elements.known() ? elements.unite(one) : one;
    }
};

/// An element of the one that is none of the other.
std::optional<std::string> beyond(const Map& one, const Map& other, const std::string& container) {
    const std::optional<poly::Pair> pair = one.subtract(other).sample();
    if (!pair) return std::nullopt;
    std::string text;
    for (const std::int64_t index : pair->to) text += (text.empty() ? "" : ", ") + std::to_string(index);
    return "`" + container + "[" + text + "]`";
}

Verdict same_elements(const Map& written, const Map& read, const std::string& container) {
    const Answer all = read.is_subset(written), only = written.is_subset(read);
    if (all == Answer::Yes && only == Answer::Yes) return {.answer = Answer::Yes};
    const bool missing = all != Answer::Yes;
    const auto element = missing ? beyond(read, written, container) : beyond(written, read, container);
    if ((missing ? all : only) != Answer::No || !element)
        return {.answer = Answer::Unknown, .why = "whether what is written of `" + container + "` is what is read is too costly"};
    return {.answer = Answer::No, .why = *element + (missing ? " is read and not written" : " is written and not read")};
}

}  // namespace

Verdict handed_over(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId entry, ir::NodeId reader, const std::string& container,
                    const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, StateRoot{.state = &state}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    const auto reading = std::ranges::find_if(
        model.statements, [&](const Statement& statement) { return statement.state == &state && statement.node == reader; });
    if (reading == model.statements.end()) return {.answer = Answer::Unknown, .why = "nothing is read of `" + container + "`"};
    const unsigned depth = depth_of(*reading);
    const auto in_the_map = [&](const OrderStep& step) {
        return step.kind == OrderStep::Kind::Dataflow && step.state == &state && step.node == entry;
    };
    HandedPart written, read;
    Group writers{.statements = {},
                  .depth = depth + static_cast<unsigned>(std::get<ir::MapEntry>(state.nodes[entry].kind).params.size())};
    for (const Statement& statement : model.statements) {
        const bool inside = std::ranges::any_of(statement.order, in_the_map);
        for (const StatementAccess& access : statement.accesses) {
            if (access.container != container) continue;
            if (inside && access.writes()) written.add(statement, access, depth);
            if (&statement == &*reading && !access.writes()) read.add(statement, access, depth);
        }
        if (inside && depth_of(statement) >= writers.depth) writers.statements.push_back(&statement);
    }
    for (const HandedPart* part : {&written, &read})
        if (!part->elements.known() || !part->why.empty())
            return {.answer = Answer::Unknown, .why = part->why.empty() ? "nothing is written of `" + container + "`" : part->why};
    Map together = distinct(writers.depth);
    for (unsigned d = 0; d < depth; ++d) together = together.equate(d, d);
    std::vector<Conflict> twice = find_conflicts({.model = model, .first = writers, .second = writers, .together = together});
    std::erase_if(twice, [&](const Conflict& conflict) { return conflict.container != container; });
    if (!twice.empty()) return verdict_of(twice, "two points of the map");
    return same_elements(written.elements.intersect_parameters(model.context), read.elements.intersect_parameters(model.context),
                         container);
}

}  // namespace sluice::analysis
