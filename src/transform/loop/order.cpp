#include "transform/loop/order.h"

#include <fmt/format.h>

#include "analysis/symbols.h"
#include "rewrite/nest.h"
#include "transform/loop/loop.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

/// How many orders that nobody named, or that are near to a refused one, are tried: each proof costs milliseconds.
constexpr std::size_t kMostWanted = 8, kMostNear = 8;

bool is_whole(const rewrite::Site& site) {
    return site.match().blocks.empty();
}

std::string numbered(char letter, int number) {
    return letter + std::to_string(number);
}

Refusal beyond_order_budget(char letter, const char* what) {
    return {.code = numbered(letter, 4), .why = std::string(what) + " is not known within the budget of isl's operations"};
}

/// As a recipe writes them.
std::string written(const rewrite::Options& options) {
    std::string text;
    for (const auto& [name, value] : options) text += (text.empty() ? "" : " ") + name + "=" + rewrite::to_string(value);
    return text;
}

/// Callers go on passing symbols that only what was dropped has read: a bound of an empty loop, an assignment that nobody looks at.
void keep_signature(rewrite::Draft& draft) {
    if (!draft.before().match().place.nested.empty()) return;  // Mapped by name.
    std::vector<std::string> arguments = analysis::argument_order(draft.before().sdfg());
    if (analysis::argument_order(draft.sdfg()) != arguments) draft.sdfg().arg_names = std::move(arguments);
}

}  // namespace

std::string statements_of(const analysis::Scop& scop) {
    std::string text = "the statements are ";
    for (const analysis::ScopStatement& statement : scop.statements)
        text += (statement.name == "S0" ? "" : "; ") + statement.domain.to_string() + " (" + statement.label + ")";
    return text;
}

std::string loops_of_tree(const analysis::LoopTree& tree) {
    std::string text;
    for (const analysis::LoopTree* loop : analysis::loops_in(tree)) text += (text.empty() ? "" : ", ") + loop->name;
    return text.empty() ? "there are no loops" : "the loops are " + text;
}

rewrite::Planned<analysis::Scop> part_of(const rewrite::Site& site, char letter) {
    analysis::ModelRoot root = analysis::WholeProgram{};
    if (!is_whole(site)) root = analysis::BlocksRoot{.region = &site.region(), .blocks = {site.match().blocks.front()}};
    analysis::Extracted extracted = analysis::extract(site.sdfg(), root, site.assumptions());
    const std::string first = numbered(letter, 1);
    if (!extracted.ok())
        return Refusal{.code = first, .why = "no static control part because of " + extracted.construct, .where = extracted.where};
    const analysis::Scop& scop = *extracted.scop;
    if (scop.statements.empty()) return Refusal{.code = first, .why = "nothing is computed there"};
    if (const auto why = rewrite::why_nothing_nests(site.sdfg())) return Refusal{.code = first, .why = *why};
    for (const std::string& symbol : scop.assigned)
        if (!is_whole(site) && used_elsewhere(site.sdfg(), site.region(), site.match().blocks.front(), symbol))
            return Refusal{.code = numbered(letter, 2), .why = fmt::format("`{}` is read elsewhere", symbol)};
    return std::move(*extracted.scop);
}

rewrite::Planned<OrderedPart> ordered_part(const rewrite::Site& site, char letter) {
    auto found = part_of(site, letter);
    if (auto* refusal = std::get_if<Refusal>(&found)) return std::move(*refusal);
    auto& scop = std::get<analysis::Scop>(found);
    poly::UnionMap dependences = analysis::dependences(scop);
    if (!dependences.known()) return beyond_order_budget(letter, "what depends on what");
    return OrderedPart{std::move(scop), std::move(dependences)};
}

std::optional<Refusal> why_not_in_order(const OrderedPart& part, const poly::Schedule& schedule, char letter) {
    const analysis::Verdict verdict = analysis::reorder(part.scop, part.dependences, schedule);
    if (verdict.yes()) return std::nullopt;
    Refusal refusal{.code = numbered(letter, 4), .why = verdict.why, .nodes = {}, .notes = {}, .where = verdict.where};
    if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
    return refusal;
}

rewrite::Planned<Reordered> in_order(OrderedPart part, const poly::Schedule& schedule, char letter) {
    std::optional<poly::AstNode> loops = analysis::loops_of(part.scop, schedule, part.dependences);
    if (!loops) return beyond_order_budget(letter, "what the loops of the schedule are");
    return Reordered{std::move(part.scop), std::move(*loops)};
}

void apply_order(rewrite::Draft& draft, const Reordered& plan) {
    ir::Sdfg& sdfg = draft.sdfg();
    if (is_whole(draft.before())) {
        analysis::rebuild_program(sdfg, plan.scop, plan.loops);
    } else {
        analysis::Rebuilt rebuilt = analysis::rebuild(sdfg, plan.scop, plan.loops);
        std::vector<std::string> symbols(plan.scop.assigned.begin(), plan.scop.assigned.end());
        symbols.insert(symbols.end(), rebuilt.variables.begin(), rebuilt.variables.end());
        splice(draft.region(), draft.before().match().blocks.front(), {std::move(rebuilt.region)}, Splice::Instead);
        analysis::keep_memory(sdfg, plan.scop);
        rewrite::forget_unused(sdfg, {}, symbols);
    }
    keep_signature(draft);
}

rewrite::Planned<Reordered> plan_order(const rewrite::Site& site, char letter, const EditOrder& edits) {
    const poly::Budget budget(kOrderOperations);
    auto found = ordered_part(site, letter);
    if (auto* refusal = std::get_if<Refusal>(&found)) return std::move(*refusal);
    OrderedPart part = std::get<OrderedPart>(std::move(found));
    OrderEdits tries = edits(site, part);
    if (tries.wanted.empty()) {
        Refusal refusal{.code = numbered(letter, 3), .why = tries.obstacle};
        refusal.notes.push_back({loops_of_tree(part.scop.order), {}});
        return refusal;
    }
    const auto schedule = [&](const OrderEdit& edit) { return analysis::schedule_of(part.scop, edit.tree); };
    const auto take = [&](const OrderEdit& edit) {
        auto result = in_order(part, schedule(edit), letter);
        if (auto* reordered = std::get_if<Reordered>(&result)) reordered->chosen = edit.options;
        return result;
    };
    std::optional<Refusal> first;
    if (tries.wanted.size() > kMostWanted) tries.wanted.resize(kMostWanted);
    for (const OrderEdit& edit : tries.wanted) {
        std::optional<Refusal> refusal = why_not_in_order(part, schedule(edit), letter);
        if (!refusal) return take(edit);
        if (!first) first = std::move(refusal);
    }
    const OrderEdit* legal = nullptr;
    if (tries.near.size() > kMostNear) tries.near.resize(kMostNear);
    for (const OrderEdit& edit : tries.near)
        if (!legal && !why_not_in_order(part, schedule(edit), letter)) legal = &edit;
    first->notes.push_back({legal ? "legal instead: " + written(legal->options) : "no legal alternative was found near to it", {}});
    if (auto refused = site.unless_assumed(std::move(*first))) return std::move(*refused);
    return take(tries.wanted.front());
}

std::vector<rewrite::Pattern> order_patterns() {
    return {{.nodes = {{"part", rewrite::kind::loop | rewrite::kind::state}}, .edges = {}}, {}};
}

std::vector<rewrite::Condition> order_conditions(char letter, std::string third) {
    return {{numbered(letter, 1), "the part is a static control part"},
            {numbered(letter, 2), "no symbol that it gives a value is read elsewhere"},
            {numbered(letter, 3), std::move(third)},
            {numbered(letter, 4), "every dependence is respected"}};
}

}  // namespace sluice::transform
