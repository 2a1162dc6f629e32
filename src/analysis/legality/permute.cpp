#include "analysis/legality/permute.h"

#include <algorithm>
#include <set>

#include "analysis/legality/clash.h"
#include "analysis/legality/privatise.h"

namespace sluice::analysis {

using poly::Map;

namespace {

bool idle(const ir::Block& block) {
    const auto* state = std::get_if<Cow<ir::State>>(&block.kind);
    return state && (*state)->nodes.size() == 0;
}

/// The only block of the body that does anything, if that is a loop and nothing is assigned beside it.
const ir::LoopRegion* only_loop(const ir::Region& body) {
    const ir::LoopRegion* found = nullptr;
    for (const auto& [id, block] : body.blocks) {
        if (idle(block)) continue;
        const auto* loop = std::get_if<ir::LoopRegion>(&block.kind);
        if (!loop || found) return nullptr;
        found = loop;
    }
    for (const auto& [id, transition] : body.transitions)
        if (!transition.assignments.empty() || !transition.condition.text.empty()) return nullptr;
    return found;
}

/// Iterations of which the first comes earlier in the nest and later along one of its loops.
Map overtaken(const AccessModel& model, unsigned depth) {
    const Map any = Map::universe(executions(depth, "a"), executions(depth, "b"));
    Map same = any, before = any.subtract(any), after = before;
    for (unsigned d = 0; d < depth; ++d) {
        const bool up = model.iterators[d].direction > 0;
        before = before.unite(up ? same.order_less(d, d) : same.order_greater(d, d));
        after = after.unite(up ? any.order_greater(d, d) : any.order_less(d, d));
        same = same.equate(d, d);
    }
    return before.intersect(after);
}

/// A name that decides how often an inner loop runs and that the nest itself writes.
std::optional<std::string> moving_bound(const AccessModel& model, std::size_t depth) {
    std::set<std::string> read, written;
    for (const Statement& statement : model.statements)
        for (const StatementAccess& access : statement.accesses) {
            if (statement.iterators.size() < depth && !access.writes()) read.insert(access.container);
            if (statement.iterators.size() >= depth && access.writes()) written.insert(access.container);
        }
    for (const std::string& name : read)
        if (written.contains(name)) return name;
    return std::nullopt;
}

}  // namespace

Verdict loops_permutable(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId outer, std::size_t depth,
                         const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const auto* loop = &std::get<ir::LoopRegion>(region.blocks[outer].kind);
    for (std::size_t level = 1; level < depth; ++level) {
        loop = only_loop(loop->body);
        if (!loop) return {.answer = Answer::No, .why = "a body in the nest holds more than the next loop"};
    }
    const AccessModel model = access_model(sdfg, LoopRoot{.region = &region, .loop = outer}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    Group inside = everything(model, static_cast<unsigned>(depth));
    for (const Statement& statement : model.statements)
        if (statement.leaves) return {.answer = Answer::No, .why = "a " + statement.label + " ends the nest early"};
    for (std::size_t d = 0; d < depth && d < model.iterators.size(); ++d)
        if (model.iterators[d].kind != Iterator::Kind::Loop)
            return {.answer = Answer::Unknown, .why = "how often a loop of the nest runs is not known before it runs"};
    if (const auto name = moving_bound(model, depth))
        return {.answer = Answer::Unknown, .why = "the nest changes `" + *name + "`, which bounds a loop of it"};
    std::vector<Clash> found =
        clashes({.model = model, .first = inside, .second = inside, .together = overtaken(model, static_cast<unsigned>(depth))});
    std::vector<std::string> own;
    std::erase_if(found, [&](const Clash& clash) {
        if (!not_private(sdfg, region, outer, model, inside, clash.container, known).empty()) return false;
        own.push_back(clash.container);
        return true;
    });
    Verdict verdict = verdict_of(found, "an iteration and a later one that another order puts first");
    verdict.privatised = std::move(own);
    return verdict;
}

}  // namespace sluice::analysis
