// LoopPeeling: take the first or the last iterations out of a loop.
//     for i=b:e:s { B(i) }   ->   B(b); for i=b+s:e:s { B(i) }
// P1 the loop counts: its bounds are expressions of symbols, its step is a number, and its body leaves the variable alone. P2 the
// loop has at least `count` iterations, as far as is known. P3 nothing in the body breaks out of the loop or continues it, and
// nothing that is used outside too has a layout that depends on the variable. P4 where the last iterations are taken, nobody reads
// the variable after the loop. P5 memlets of the iterations that are taken out lie within their containers, but for branches that
// are known not to be taken there and are left out.
#include <fmt/format.h>

#include "transform/loop/loop.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;
using symbolic::Expr;

/// Values of the variable in the iterations that are taken out.
std::vector<Expr> values_taken_out(const symbolic::Range& range, const Expr& iterations, std::int64_t count, bool begin) {
    const Expr first = begin ? range.begin : range.begin + (iterations - count) * range.step;
    std::vector<Expr> values;
    for (std::int64_t k = 0; k < count; ++k) values.push_back(first + k * range.step);
    return values;
}

/// The range of the loop.
rewrite::Planned<symbolic::Range> plan_loop_peeling(const rewrite::Site& site) {
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    const auto range = counted_range(site.sdfg(), loop);
    if (!range)
        return Refusal{.code = "P1", .why = "the loop does not count from one expression of symbols to another by a constant step"};
    const std::int64_t count = site.integer("count");
    if (count < 1 || count > 64) return Refusal{.code = "P2", .why = fmt::format("{} iterations cannot be taken out", count)};
    const Expr iterations = symbolic::count(*range, site.assumptions());
    if (!symbolic::is_yes(symbolic::decide(symbolic::less_equal(count, iterations), site.assumptions())))
        if (auto refusal = site.unless_assumed({.code = "P2",
                                                .why = fmt::format("the loop has {} iterations, which may be fewer than {}",
                                                                   symbolic::to_string(iterations), count)}))
            return std::move(*refusal);
    if (std::string why = why_not_copied(site.sdfg(), loop); !why.empty()) return Refusal{.code = "P3", .why = std::move(why)};
    const std::vector<Expr> values = values_taken_out(*range, iterations, count, site.flag("begin"));
    if (std::string why = why_not_written_out(site.sdfg(), loop, values, site.assumptions()); !why.empty())
        return Refusal{.code = "P5", .why = std::move(why)};
    if (!site.flag("begin") && used_elsewhere(site.sdfg(), site.region(), site.block("loop"), loop.variable))
        return Refusal{.code = "P4", .why = "the variable " + loop.variable + " is read outside of the loop"};
    return *range;
}

void apply_loop_peeling(rewrite::Draft& draft, const symbolic::Range& range) {
    const rewrite::Site& site = draft.before();
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    const Expr iterations = symbolic::count(range, site.assumptions());
    const std::int64_t count = site.integer("count");
    const bool begin = site.flag("begin");
    const std::vector<Expr> values = values_taken_out(range, iterations, count, begin);
    Iterations copies(draft.sdfg(), loop, site.assumptions());
    std::vector<ir::Region> bodies;
    for (const Expr& value : values) bodies.push_back(copies.at(value));
    auto& rest = draft.get_block<ir::LoopRegion>("loop");
    if (begin)
        rest.init = ir::CodeBlock{loop.variable + " = " + symbolic::to_string(range.begin + count * range.step)};
    else
        rest.condition =
            ir::CodeBlock{loop.variable + (*range.step.constant() > 0 ? " < " : " > ") + symbolic::to_string(values.front())};
    splice(draft.region(), draft.block("loop"), std::move(bodies), begin ? Splice::Before : Splice::Behind);
}

}  // namespace

rewrite::Transformation loop_peeling() {
    return rewrite::transformation(
        {.name = "LoopPeeling",
         .summary = "Takes the first or the last iterations out of a loop.",
         .drawing = "for i=b:e:s { B(i) }   ->   B(b); for i=b+s:e:s { B(i) }",
         .decided_by = {.structural = "The same iterations run in the same order."},
         .patterns = {{.nodes = {{"loop", rewrite::kind::loop}}, .edges = {}}},
         .conditions = {{"P1", "the loop counts by a constant step between two expressions of symbols"},
                        {"P2", "it has at least count iterations"},
                        {"P3",
                         "nothing in the body breaks out of the loop or continues it, and nothing that is used outside "
                         "too has a layout that depends on the variable"},
                        {"P4", "where the last iterations are taken, the variable is not read after the loop"},
                        {"P5", "memlets of the iterations that are taken out lie within their containers"}},
         .parameters = {{"count", std::int64_t(1), "Iterations to take out, at least 1."},
                        {"begin", true, "The first ones; otherwise the last ones."}}},
        plan_loop_peeling, apply_loop_peeling);
}

}  // namespace sluice::transform
