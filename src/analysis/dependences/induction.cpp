// Induction variables: symbols that each iteration of a loop changes by the same amount, `k = k + c`, or by one that grows with the
// loop's variable, `k = k + j`. At the beginning of the iteration number n, counted from 0, such a symbol holds its value of before
// the loop, n times the first amount, and n * (n - 1) / 2 times the growth.
#include <algorithm>

#include "analysis/dependences/builder.h"
#include "analysis/loop_range.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::analysis {

using symbolic::Expr;

namespace {

/// How often the region gives values to each symbol, at any depth.
void count_assignments(const ir::Region& region, std::map<std::string, int>& counts) {
    ir::for_each_region(region, [&](const ir::Region& each) {
        for (const auto& [id, transition] : each.transitions)
            for (const auto& [symbol, value] : transition.assignments) ++counts[symbol];
        for (const auto& [id, block] : each.blocks)
            if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) ++counts[loop->variable];
    });
}

/// e - symbol, of the text of e over symbols only.
std::optional<Expr> change_of(const ir::Sdfg& sdfg, const std::string& symbol, const std::string& text) {
    const Result<code::ExprPtr> parsed = ir::parsed_expr(text);
    if (!parsed.ok()) return std::nullopt;
    for (const std::string& name : ir::free_names(**parsed))
        if (ir::find_container(sdfg, name)) return std::nullopt;
    const Result<Expr> value = ir::to_symbolic(**parsed);
    if (!value.ok()) return std::nullopt;
    return *value - symbolic::symbol(symbol);
}

}  // namespace

Expr ModelBuilder::Induction::after(const Expr& iterations) const {
    const Expr pairs = symbolic::true_divide(iterations * (iterations - 1), 2);
    return base + change * iterations + growth * pairs;
}

std::vector<ModelBuilder::Induction> ModelBuilder::inductions(const Frame& before, const ir::LoopRegion& loop) const {
    const auto line = straight_line(loop.body);
    if (!line || may_continue(loop.body)) return {};
    std::map<std::string, int> counts;
    count_assignments(loop.body, counts);
    const auto range = loop_range(loop);
    const bool counted = range && counts.erase(loop.variable) == 0;
    const Expr variable = symbolic::symbol(loop.variable.empty() ? "$none" : loop.variable);
    std::vector<Induction> found;
    for (const auto& [id, transition] : loop.body.transitions) {
        if (std::ranges::find(*line, transition.src) == line->end()) continue;
        for (const auto& [symbol, text] : transition.assignments) {
            if (counts[symbol] != 1 || symbol == loop.variable) continue;
            const std::optional<Expr> change = change_of(*before.sdfg, symbol, text);
            if (!change) continue;
            Expr first = *change, growth = 0;
            if (counted) {
                growth = symbolic::substitute(*change, {{loop.variable, variable + range->step}}) - *change;
                first = symbolic::substitute(*change, {{loop.variable, range->begin}});
            }
            const auto moves = [&](const std::string& name) { return counts.contains(name) || name == loop.variable; };
            if (std::ranges::any_of(symbolic::free_symbols(first), moves) ||
                std::ranges::any_of(symbolic::free_symbols(growth), moves))
                continue;
            Induction induction{.symbol = symbol,
                                .base = known_value(before, symbolic::symbol(symbol)),
                                .change = known_value(before, first),
                                .growth = known_value(before, growth)};
            if (is_known(induction.base) && is_known(induction.change) && is_known(induction.growth))
                found.push_back(std::move(induction));
        }
    }
    return found;
}

void ModelBuilder::follow(Frame& inner, const std::vector<Induction>& inductions, const std::optional<symbolic::Range>& range) {
    const Expr iterator = symbolic::symbol(model_.iterators[inner.iterators.back()].name);
    Expr number = iterator;
    if (range) {
        const std::int64_t step = *range->step.constant();
        const Expr distance = step > 0 ? iterator - range->begin : range->begin - iterator;
        number = symbolic::floor_divide(distance, step > 0 ? step : -step);
    }
    for (const Induction& induction : inductions) {
        // What the base is made of keeps its meaning: no iterator of a loop or a map inside gets its name.
        for (const Expr* each : {&induction.base, &induction.change, &induction.growth})
            for (const std::string& name : symbolic::free_symbols(*each)) names_.insert(name);
        inner.values.insert_or_assign(induction.symbol, induction.after(number));
    }
}

void ModelBuilder::leave(Frame& frame, const std::vector<Induction>& inductions, const ir::LoopRegion& loop) {
    if (inductions.empty()) return;
    const auto range = loop_range(loop);
    if (!range) return;
    const Expr count = symbolic::count(symbolic::substitute(*range, frame.values), known_at(frame));
    if (!is_known(count)) return;
    for (const Induction& induction : inductions) frame.values.insert_or_assign(induction.symbol, induction.after(count));
}

}  // namespace sluice::analysis
