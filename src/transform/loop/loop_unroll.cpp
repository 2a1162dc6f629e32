// LoopUnroll: write out the iterations of a loop.
//     for i=b:e:s { B(i) }   ->   B(b); B(b + s); ...
//     with count=2           ->   for i=b:e:2*s { B(i); B(i + s) }
// U1 the loop counts: its bounds are expressions of symbols, its step is a number, and its body leaves the variable alone.
// U2 without `count`, the number of iterations is known; with it, `count` is known to divide it. U3 nothing in the body breaks out
// of the loop or continues it, and nothing that is used outside too has a layout that depends on the variable. U4 nobody reads the
// variable after the loop. U5 memlets of the copies lie within their containers, but for branches that are known not to be taken
// and are left out.
#include <fmt/format.h>

#include "ir/query.h"
#include "rewrite/nest.h"
#include "transform/loop/loop.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;
using symbolic::Expr;

/// More iterations than this are not written out.
constexpr std::int64_t kMost = 4096;

/// Values of the variable in the copies of the body: in all iterations, or in those that follow in one of the loop that stays.
std::vector<Expr> values_written_out(const rewrite::Site& site, const symbolic::Range& range) {
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    const std::int64_t count = site.integer("count"), step = *range.step.constant();
    const std::int64_t end = count == 0 ? *symbolic::count(range, site.assumptions()).constant() : count;
    std::vector<Expr> values;
    for (std::int64_t k = count == 0 ? 0 : 1; k < end; ++k)
        values.push_back((count == 0 ? range.begin : symbolic::symbol(loop.variable)) + k * step);
    return values;
}

struct Unrolled {
    symbolic::Range range;     ///< Of the loop.
    std::vector<Expr> values;  ///< Of the variable, in the copies of the body.
};

rewrite::Planned<Unrolled> plan_loop_unroll(const rewrite::Site& site) {
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    const auto range = counted_range(site.sdfg(), loop);
    if (!range)
        return Refusal{.code = "U1", .why = "the loop does not count from one expression of symbols to another by a constant step"};
    const std::int64_t count = site.integer("count");
    const Expr iterations = symbolic::count(*range, site.assumptions());
    if (count == 0 && !iterations.constant())
        return Refusal{.code = "U2", .why = "the number of iterations, " + symbolic::to_string(iterations) + ", is not known"};
    if (count == 0 && *iterations.constant() > kMost)
        return Refusal{
            .code = "U2",
            .why = fmt::format("{} iterations are more than the {} that are written out", *iterations.constant(), kMost)};
    if (count < 0 || count > kMost) return Refusal{.code = "U2", .why = fmt::format("the loop cannot be unrolled {} times", count)};
    if (count > 0 &&
        !symbolic::is_yes(symbolic::decide(symbolic::equal(symbolic::modulo(iterations, count), 0), site.assumptions())))
        if (auto refusal = site.unless_assumed({.code = "U2",
                                                .why = fmt::format("it is not known that {} divides the number of iterations, {}",
                                                                   count, symbolic::to_string(iterations))}))
            return std::move(*refusal);
    if (std::string why = why_not_copied(site.sdfg(), loop); !why.empty()) return Refusal{.code = "U3", .why = std::move(why)};
    if (used_elsewhere(site.sdfg(), site.region(), site.block("loop"), loop.variable))
        return Refusal{.code = "U4", .why = "the variable " + loop.variable + " is read outside of the loop"};
    Unrolled plan{*range, values_written_out(site, *range)};
    if (std::string why = why_not_written_out(site.sdfg(), loop, plan.values, site.assumptions()); !why.empty())
        return Refusal{.code = "U5", .why = std::move(why)};
    return plan;
}

void apply_loop_unroll(rewrite::Draft& draft, const Unrolled& plan) {
    const rewrite::Site& site = draft.before();
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    const std::int64_t count = site.integer("count"), step = *plan.range.step.constant();
    Iterations copies(draft.sdfg(), loop, site.assumptions());
    std::vector<ir::Region> bodies;
    if (count != 0) bodies.push_back(loop.body);
    for (const Expr& value : plan.values) bodies.push_back(copies.at(value));
    if (count == 0) {
        const std::vector<std::string> assigned = ir::assigned_symbols(draft.sdfg());
        splice(draft.region(), draft.block("loop"), std::move(bodies), Splice::Instead);
        rewrite::forget_unused(draft.sdfg(), copies.own(), assigned);
        return;
    }
    auto& unrolled = draft.get_block<ir::LoopRegion>("loop");
    unrolled.update = ir::CodeBlock{fmt::format("{0} = {0} + {1}", loop.variable, step * count)};
    ir::Region body;
    const ir::BlockId place = ir::add_block(
        body, {.label = draft.region().blocks[draft.block("loop")].label + "_start", .kind = Cow<ir::State>(), .metadata = {}});
    splice(body, place, std::move(bodies), Splice::Instead);
    unrolled.body = std::move(body);
}

}  // namespace

rewrite::Transformation loop_unroll() {
    return rewrite::transformation(
        {.name = "LoopUnroll",
         .summary = "Writes out the iterations of a loop, all of them or several for each that stays.",
         .drawing = "for i=b:e:s { B(i) }   ->   B(b); B(b + s); ...",
         .decided_by = {.structural = "The same iterations run in the same order."},
         .patterns = {{.nodes = {{"loop", rewrite::kind::loop}}, .edges = {}}},
         .conditions = {{"U1", "the loop counts by a constant step between two expressions of symbols"},
                        {"U2", "the number of iterations is known; with count, count divides it"},
                        {"U3",
                         "nothing in the body breaks out of the loop or continues it, and nothing that is used outside "
                         "too has a layout that depends on the variable"},
                        {"U4", "the variable is not read after the loop"},
                        {"U5", "memlets of the copies lie within their containers"}},
         .parameters = {{"count", std::int64_t(0), "Iterations that become one; 0 writes out all of them and removes the loop."}}},
        plan_loop_unroll, apply_loop_unroll);
}

}  // namespace sluice::transform
