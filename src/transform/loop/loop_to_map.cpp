// LoopToMap: run the iterations of a loop at the same time.
//     for i=b:e:s { B(i) }   ->   map i=b:e:s { B(i) }
// M1 the loop counts: its bounds are expressions of symbols, its step is a number, and its body leaves the variable alone. M2 no
// two iterations touch one element that one of them writes, unless both update it by one commuting resolution. A transient or
// symbol that every iteration sets before it reads it, and that nobody looks at afterwards, does not count: each iteration gets its
// own. M3 the body can stand in a map: it neither breaks out nor returns, uses no code of the SDFG, callback or reference,
// nothing that is used outside too has a layout that depends on the variable or on what the body assigns, and no symbol that the
// body assigns is looked at afterwards. M4 unless `around_products` is set, no matrices are multiplied in it that may be large: a
// library does that with all threads, and is not called by a team. A body of one state becomes the map's contents, any other a
// nested SDFG in it. Falling loops become rising maps. If the variable is read afterwards, it is set to where the loop would have
// left it.
#include <algorithm>
#include <set>

#include "analysis/legality/outside.h"
#include "analysis/legality/parallel.h"
#include "analysis/propagate.h"
#include "ir/builder.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "rewrite/iterations.h"
#include "rewrite/nest.h"
#include "transform/library/library.h"
#include "transform/loop/loop.h"

namespace sluice::transform {

namespace {

using ir::BlockId;
using rewrite::Refusal;
using symbolic::Expr;
using symbolic::Range;

/// The variable, and what the body gives a value: symbols that each iteration has of its own.
std::set<std::string> symbols_of_an_iteration(const ir::LoopRegion& loop) {
    std::set<std::string> symbols = ir::assigned_symbols(loop.body);
    symbols.insert(loop.variable);
    return symbols;
}

std::optional<Refusal> fits_in_map(const rewrite::Site& site) {
    const ir::Sdfg& sdfg = site.sdfg();
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    for (const ir::Block* jump : ir::jumps_out(loop.body))
        if (!std::holds_alternative<ir::ContinueBlock>(jump->kind))
            return Refusal{.code = "M3", .why = "`" + jump->label + "` leaves the loop"};
    if (const auto why = rewrite::why_nothing_nests(sdfg)) return Refusal{.code = "M3", .why = *why};
    if (const std::string name = shared_and_sized_by(symbols_of_an_iteration(loop), sdfg, loop); !name.empty())
        return Refusal{.code = "M3",
                       .why = "the layout of `" + name + "`, which the iterations share, depends on " + loop.variable +
                              " or on what the body assigns"};
    for (const std::string& symbol : ir::assigned_symbols(loop.body))  // Of a single iteration, too: no conflict says so.
        if (analysis::symbol_observed_outside(sdfg, site.region(), site.block("loop"), symbol))
            return Refusal{.code = "M3", .why = "what `" + symbol + "` holds after the loop is used"};
    ir::Sdfg within{.name = sdfg.name};
    within.body = loop.body;
    for (const auto& [name, container] : sdfg.containers)
        if (container.binding == ir::Binding::Reference && rewrite::count_accesses(within, name) > 0)
            return Refusal{.code = "M3", .why = "`" + name + "` is a reference"};
    return {};
}

struct ParallelLoop {
    Range range;
    std::vector<std::string> privatised;  ///< Containers of which each iteration has its own.
};

rewrite::Planned<ParallelLoop> plan_loop_to_map(const rewrite::Site& site) {
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    const auto range = counted_range(site.sdfg(), loop);
    if (!range)
        return Refusal{.code = "M1", .why = "the loop does not count from one expression of symbols to another by a constant step"};
    const auto asked = [&](analysis::PrivateOnes listed) {
        return analysis::loop_parallel(site.sdfg(), site.region(), site.block("loop"), site.assumptions(), listed);
    };
    analysis::Verdict verdict = asked(analysis::PrivateOnes::UnlessNo);
    if (!verdict.yes()) {
        Refusal refusal{.code = "M2", .why = verdict.why, .nodes = {}, .notes = {}, .where = verdict.where};
        if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
        if (auto refused = site.unless_assumed(std::move(refusal))) return std::move(*refused);
        verdict = asked(analysis::PrivateOnes::InAnyCase);
    }
    if (auto refusal = fits_in_map(site)) return std::move(*refusal);
    if (!site.flag("around_products") && multiplies_matrices(site.sdfg(), loop.body))
        return Refusal{.code = "M4", .why = "matrices are multiplied in the loop, which a library does with all threads"};
    return ParallelLoop{*range, {verdict.privatised.begin(), verdict.privatised.end()}};
}

/// The same values in rising order.
Range rising(const Range& range, const symbolic::Assumptions& known) {
    const std::int64_t step = *range.step.constant();
    if (step > 0) return range;
    return {range.begin + (symbolic::count(range, known) - 1) * step, range.begin + 1, -step, 1};
}

/// What the variable holds after the loop.
Expr left_behind(const Range& range, const symbolic::Assumptions& known) {
    const Expr iterations = symbolic::count(range, known);
    const bool runs = symbolic::is_yes(symbolic::decide(symbolic::less_equal(0, iterations), known));
    return range.begin + (runs ? iterations : symbolic::maximum(iterations, 0)) * range.step;
}

void apply_loop_to_map(rewrite::Draft& draft, const ParallelLoop& plan) {
    const rewrite::Site& site = draft.before();
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    const Range& range = plan.range;
    const BlockId block = draft.block("loop");
    ir::Sdfg& sdfg = draft.sdfg();
    ir::Region body = loop.body;
    // Iterations that do not depend on each other may each have its own of what their symbols size.
    std::vector<std::string> names = sized_by(symbols_of_an_iteration(loop), sdfg, loop);
    names.insert(names.end(), plan.privatised.begin(), plan.privatised.end());
    const std::set<std::string> own = rewrite::privatise(sdfg, body, names);
    ir::Sdfg assigning{.name = "body"};
    assigning.body = body;
    std::vector<std::string> symbols = ir::assigned_symbols(assigning);
    symbols.push_back(loop.variable);

    ir::Block& place = draft.region().blocks[block];
    ir::MapEntry map;
    map.label = place.label;
    map.params = {loop.variable};
    map.range.dims = {rising(range, site.assumptions())};
    place.kind = Cow<ir::State>(rewrite::all_iterations(sdfg, std::move(body), std::move(map), own, place.metadata));
    analysis::propagate_memlets(sdfg, *ir::as_state(place), site.assumptions());
    rewrite::forget_unused(sdfg, own, {});
    if (used_elsewhere(sdfg, draft.region(), block, loop.variable))
        assign_after(draft.region(), block, loop.variable, left_behind(range, site.assumptions()));
    rewrite::forget_unused(sdfg, {}, symbols);
}

}  // namespace

rewrite::Transformation loop_to_map() {
    return rewrite::transformation(
        {.name = "LoopToMap",
         .summary = "Makes a parallel map of a loop whose iterations do not need each other.",
         .drawing = "for i=b:e:s { B(i) }   ->   map i=b:e:s { B(i) }",
         .decided_by = {.predicates = {"loop_parallel"}},
         .patterns = {{.nodes = {{"loop", rewrite::kind::loop}}, .edges = {}}},
         .conditions = {{"M1", "the loop counts by a constant step between two expressions of symbols"},
                        {"M2",
                         "no two iterations touch one element that one of them writes, but by one commuting "
                         "resolution; what each sets before it reads it is its own"},
                        {"M3",
                         "the body neither breaks out nor returns, and uses no code of the SDFG, callback or "
                         "reference; nothing that is used outside too has a layout that depends on the variable or on what the "
                         "body assigns, and no symbol that the body assigns is looked at afterwards"},
                        {"M4", "no matrices that may be large are multiplied in the body, unless `around_products` is set"}},
         .parameters = {{"around_products", false, "Also where a library that multiplies matrices then gives way to loops."}}},
        plan_loop_to_map, apply_loop_to_map);
}

}  // namespace sluice::transform
