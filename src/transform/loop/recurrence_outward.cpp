// RecurrenceOutward: run the loop that the others of a nest wait for outside of them.
//     for i { for j=a:i { S(i, j) }  T(i) }   ->   for i { T(i)  for j=i+1:b { S(j, i) } }
// W1 the outer loop's body is a chain of blocks, both loops count by 1, and their variables have one meaning in the inner body. W2
// the inner loop runs from where the outer one begins or up to where it ends, its other bound moves with the outer variable, and it
// runs over no values that the outer one does not. W3 each of its iterations holds a loop or map, which finds its elements no
// farther apart along the outer variable. W4 no symbol that the loops give a value is read elsewhere. W5 every dependence is
// respected, what the body holds beside the inner loop running before or behind it; what each iteration of the inner one has for
// itself does not count. W6 iterations of neither loop are independent, those of the new inner one are.
//
// Iterations that wait for each other's last instruction are what a left-looking factorisation makes of its rows (Allen and
// Kennedy, "Optimizing Compilers for Modern Architectures", section 5.2; Golub and Van Loan, "Matrix Computations", section 4.2.5).
#include <fmt/format.h>

#include <algorithm>

#include "analysis/lanes.h"
#include "analysis/legality/parallel.h"
#include "analysis/loop_range.h"
#include "ir/code_block.h"
#include "ir/walk.h"
#include "rewrite/edit.h"
#include "rewrite/nest.h"
#include "transform/loop/loop.h"
#include "transform/loop/order.h"

namespace sluice::transform {

namespace {

using analysis::LoopTree;
using ir::BlockId;
using rewrite::Refusal;
using symbolic::Expr;
using symbolic::Range;

Expr variable_of(const ir::LoopRegion& loop) {
    return symbolic::symbol(loop.variable);
}

/// The blocks in the order in which they run; empty if control may go another way.
std::vector<BlockId> chain_of(const ir::Region& region) {
    std::vector<BlockId> blocks{region.start};
    for (std::size_t at = 0; at < blocks.size(); ++at) {
        const std::size_t known = blocks.size();
        for (const auto& [id, transition] : region.transitions) {
            if (transition.src != blocks[at]) continue;
            if (!transition.condition.text.empty() || !transition.assignments.empty()) return {};
            blocks.push_back(transition.dst);
        }
        if (blocks.size() > known + 1 || blocks.size() > region.blocks.size()) return {};
    }
    return blocks.size() == region.blocks.size() ? blocks : std::vector<BlockId>();
}

/// An outer loop, and one that it holds.
struct TriangleNest {
    const ir::LoopRegion* outer = nullptr;
    const ir::LoopRegion* inner = nullptr;
    BlockId block = {};  ///< Of the inner one, in the outer one's body.
    std::vector<BlockId> chain = {};
    Range outer_range = {}, inner_range = {};
};

/// The values of the outer variable that come with one of the inner, which then has the outer one's name.
struct SwappedNest {
    TriangleNest nest;
    Range range = {};
    bool inner_first = false;
    std::set<std::string> own = {};  ///< Of each iteration of the inner loop.
};

/// By how much the bound moves when the outer variable does by one.
std::optional<std::int64_t> slope(const Expr& bound, const Expr& variable) {
    return (symbolic::substitute(bound, {{symbolic::to_string(variable), variable + 1}}) - bound).constant();
}

/// `S(i, j)` for `a <= j < i + d` or `i + c <= j < b`, as values of `i` for a `j`, which is written `i`; nothing: some other
/// triangle.
std::optional<Range> turned(const TriangleNest& nest, const symbolic::Assumptions& known) {
    const Expr i = variable_of(*nest.outer);
    const Expr &begin = nest.outer_range.begin, &end = nest.outer_range.end;
    const Range& inner = nest.inner_range;
    symbolic::Assumptions inside = known;
    inside.assume_in(nest.outer->variable, begin, end);
    const auto holds = [&](const Expr& fact) { return symbolic::is_yes(symbolic::decide(fact, inside)); };
    if (!holds(symbolic::less_equal(begin, inner.begin)) || !holds(symbolic::less_equal(inner.end, end))) return {};
    const auto first = slope(inner.begin, i), last = slope(inner.end, i);
    if (first == 0 && last == 1 && holds(symbolic::equal(inner.begin, begin))) {
        const Expr from = i + 1 - (inner.end - i);  // The first i with j < i + d.
        return Range{holds(symbolic::less_equal(begin, from)) ? from : symbolic::maximum(begin, from), end, 1, 1};
    }
    if (first == 1 && last == 0 && holds(symbolic::equal(inner.end, end))) {
        const Expr to = i + 1 - (inner.begin - i);  // Behind the last i with i + c <= j.
        return Range{begin, holds(symbolic::less_equal(to, end)) ? to : symbolic::minimum(end, to), 1, 1};
    }
    return {};
}

/// Variables of the loops and maps in the loop whose number of iterations is not known.
std::set<std::string> long_dimensions(const ir::LoopRegion& loop) {
    std::set<std::string> names;
    ir::for_each_block(loop.body, [&](const ir::Block& block) {
        if (const auto* inside = std::get_if<ir::LoopRegion>(&block.kind)) {
            const auto range = analysis::loop_range(*inside);
            if (!inside->variable.empty() && !(range && symbolic::count(*range).constant())) names.insert(inside->variable);
        }
        if (const ir::State* state = ir::as_state(block))
            for (const auto& [id, node] : state->nodes)
                if (const auto* map = std::get_if<ir::MapEntry>(&node.kind);
                    map && !symbolic::count(map->range.dims.back()).constant())
                    names.insert(map->params.back());
    });
    return names;
}

/// Lines of memory, in eighths, that one of their iterations brings of what moves with the variable.
std::int64_t lines_along(const ir::Sdfg& sdfg, const ir::LoopRegion& loop, const std::set<std::string>& dimensions,
                         const std::string& variable) {
    constexpr std::int64_t kNeighbour = 1, kLine = 8;
    std::int64_t lines = 0;
    ir::for_each_state(loop.body, [&](const ir::State& state) {
        for (const auto& [id, edge] : state.edges) {
            if (edge.memlet.empty() || !edge.memlet.subset) continue;
            const std::set<std::string> symbols = symbolic::free_symbols(*edge.memlet.subset);
            if (!symbols.contains(variable)) continue;
            for (const std::string& dimension : dimensions)
                if (symbols.contains(dimension))
                    lines += analysis::element_stride(sdfg, edge.memlet, dimension) == 1 ? kNeighbour : kLine;
        }
    });
    return lines;
}

/// Variables of loops and maps, and what else is given a value.
std::set<std::string> bound_in(const ir::Region& body) {
    std::set<std::string> names = ir::assigned_symbols(body);
    ir::for_each_state(body, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes)
            if (const auto* map = std::get_if<ir::MapEntry>(&node.kind)) names.insert(map->params.begin(), map->params.end());
    });
    return names;
}

rewrite::Planned<TriangleNest> nest_of(const rewrite::Site& site, BlockId inner) {
    const ir::Sdfg& sdfg = site.sdfg();
    TriangleNest nest{.outer = &site.get_block<ir::LoopRegion>("loop"), .block = inner};
    nest.inner = &std::get<ir::LoopRegion>(nest.outer->body.blocks[inner].kind);
    nest.chain = chain_of(nest.outer->body);
    const auto outer = counted_range(sdfg, *nest.outer), range = counted_range(sdfg, *nest.inner);
    if (nest.chain.empty() || !outer || !range || !outer->step.is_integer(1) || !range->step.is_integer(1))
        return Refusal{.code = "W1", .why = "the body is no chain of blocks, or one of the loops does not count by 1"};
    nest.outer_range = *outer;
    nest.inner_range = *range;
    const std::set<std::string> bound = bound_in(nest.inner->body), variables{nest.outer->variable, nest.inner->variable};
    for (const std::string& variable : variables)
        if (bound.contains(variable))
            return Refusal{.code = "W1", .why = "`" + variable + "` has another meaning in the inner loop's body"};
    return nest;
}

/// Returns the block of the inner loop in the outer one's body.
BlockId swap_loops(ir::Sdfg& sdfg, ir::Region& region, BlockId block, const SwappedNest& plan) {
    auto& outer = std::get<ir::LoopRegion>(region.blocks[block].kind);
    const std::string &i = plan.nest.outer->variable, &j = plan.nest.inner->variable;
    ir::Block inner = outer.body.blocks[plan.nest.block];
    auto& loop = std::get<ir::LoopRegion>(inner.kind);
    rewrite::substitute(loop.body, {{i, symbolic::symbol(j)}, {j, symbolic::symbol(i)}});
    for (const std::string& name : plan.own) {
        if (!sdfg.containers.contains(name)) continue;
        const std::string copy = rewrite::fresh_symbol(sdfg, name);
        sdfg.containers.set(copy, ir::Container(sdfg.containers.at(name)));
        rewrite::rename_data(loop.body, name, copy);
    }
    loop.init = ir::CodeBlock{j + " = " + symbolic::to_string(plan.range.begin)};
    loop.condition = ir::CodeBlock{j + " < " + symbolic::to_string(plan.range.end)};
    loop.update = ir::CodeBlock{j + " = " + j + " + 1"};
    ir::Region body;
    std::vector<BlockId> order;
    if (plan.inner_first) order.push_back(body.blocks.add(inner));
    for (const BlockId id : plan.nest.chain)
        if (id != plan.nest.block) order.push_back(body.blocks.add(outer.body.blocks[id]));
    if (!plan.inner_first) order.push_back(body.blocks.add(inner));
    body.start = order.front();
    for (std::size_t at = 1; at < order.size(); ++at) {
        ir::Transition next;
        next.src = order[at - 1];
        next.dst = order[at];
        body.transitions.add(std::move(next));
    }
    outer.body = std::move(body);
    return plan.inner_first ? order.front() : order.back();
}

void apply_recurrence_outward(rewrite::Draft& draft, const SwappedNest& plan) {
    swap_loops(draft.sdfg(), draft.region(), draft.block("loop"), plan);
    rewrite::forget_unused(draft.sdfg(), plan.own, {});
}

/// The order of the part with the inner loop outermost, before or behind what else the outer one holds; nothing: it is no loop
/// there.
struct Orders {
    LoopTree inner_first, inner_last;
};

std::optional<Orders> orders_of(const analysis::Scop& scop, const std::string& inner_path) {
    const LoopTree& outer = scop.order;
    if (!outer.is_loop()) return {};
    std::vector<LoopTree> beside = {outer.children.front()};
    if (beside.front().kind == LoopTree::Kind::Sequence) beside = std::vector(beside.front().children);
    const auto is_inside = [&](const std::string& statement) { return scop.find(statement)->place.starts_with(inner_path); };
    const auto holds = [&](const LoopTree& tree) { return std::ranges::any_of(analysis::statements_in(tree), is_inside); };
    const auto at = std::ranges::find_if(beside, holds);
    if (at == beside.end() || !at->is_loop()) return {};
    LoopTree inner = *at, around = outer;
    beside.erase(at);
    if (std::ranges::any_of(beside, holds)) return {};
    for (auto& [statement, time] : inner.times) std::swap(time, around.times.at(statement));
    around.any_order = inner.any_order = false;
    const auto ordered = [&](std::vector<LoopTree> parts) {
        around.children = {analysis::flattened({.children = std::move(parts)})};
        return around;
    };
    std::vector<LoopTree> first = beside, last = beside;
    first.insert(first.begin(), inner);
    last.push_back(inner);
    return Orders{ordered(std::move(first)), ordered(std::move(last))};
}

/// Why the inner loop may not come outermost; nothing: `plan` says where it stands beside the rest.
std::optional<Refusal> why_not_swapped(const rewrite::Site& site, SwappedNest& plan) {
    const poly::Budget budget(kOrderOperations);
    auto found = part_of(site, 'W');
    if (auto* refusal = std::get_if<Refusal>(&found)) {
        refusal->code = refusal->code == "W1" ? "W5" : "W4";
        return std::move(*refusal);
    }
    auto& scop = std::get<analysis::Scop>(found);
    for (analysis::ScopStatement& statement : scop.statements)
        std::erase_if(statement.accesses, [&](const auto& access) { return plan.own.contains(access.container); });
    const std::string path =
        site.region().blocks[site.block("loop")].label + "/" + plan.nest.outer->body.blocks[plan.nest.block].label + "/";
    const std::optional<Orders> orders = orders_of(scop, path);
    if (!orders) return Refusal{.code = "W5", .why = "nothing is known of the order of what the loops hold"};
    const poly::UnionMap dependences = analysis::dependences(scop);
    if (!dependences.known()) return Refusal{.code = "W5", .why = "what depends on what is not known within the budget of isl"};
    const OrderedPart part{std::move(scop), dependences};
    std::optional<Refusal> refusal;
    for (const bool first : {false, true}) {
        plan.inner_first = first;
        auto why = why_not_in_order(part, schedule_of(part.scop, first ? orders->inner_first : orders->inner_last), 'W');
        if (!why) return {};
        if (!refusal) refusal = std::move(why);
    }
    refusal->code = "W5";
    return refusal;
}

/// Are the iterations of the new inner loop independent of each other?
bool becomes_parallel(const rewrite::Site& site, const SwappedNest& plan) {
    ir::Sdfg swapped = site.root();
    ir::Region& region = rewrite::region_at(swapped, site.match().place);
    const BlockId inner = swap_loops(rewrite::sdfg_at(swapped, site.match().place), region, site.block("loop"), plan);
    const auto& outer = std::get<ir::LoopRegion>(std::as_const(region).blocks[site.block("loop")].kind);
    return analysis::loop_parallel(rewrite::sdfg_at(std::as_const(swapped), site.match().place), outer.body, inner,
                                   site.assumptions())
        .yes();
}

rewrite::Planned<SwappedNest> plan_with(const rewrite::Site& site, BlockId block) {
    const ir::Sdfg& sdfg = site.sdfg();
    auto found = nest_of(site, block);
    if (auto* refusal = std::get_if<Refusal>(&found)) return std::move(*refusal);
    SwappedNest plan{.nest = std::get<TriangleNest>(std::move(found))};
    const TriangleNest& nest = plan.nest;
    const auto range = turned(nest, site.assumptions());
    if (!range)
        return Refusal{
            .code = "W2",
            .why = fmt::format("{} does not run over a triangle of the values of {}", nest.inner->variable, nest.outer->variable)};
    plan.range = *range;
    const std::set<std::string> dimensions = long_dimensions(*nest.inner);
    if (dimensions.empty())
        return Refusal{.code = "W3", .why = "an iteration of " + nest.inner->variable + " holds no loop or map"};
    const std::int64_t before = lines_along(sdfg, *nest.inner, dimensions, nest.inner->variable),
                       after = lines_along(sdfg, *nest.inner, dimensions, nest.outer->variable);
    if (after > before)
        return Refusal{.code = "W3",
                       .why = fmt::format("iterations inside touch {} eighths of a line of memory along {}, {} along {}", after,
                                          nest.outer->variable, before, nest.inner->variable)};
    const auto parallel = [&](const ir::Region& region, BlockId loop) {
        return analysis::loop_parallel(sdfg, region, loop, site.assumptions(), analysis::PrivateOnes::InAnyCase);
    };
    const analysis::Verdict inner = parallel(nest.outer->body, block);
    if (!inner.no() || !parallel(site.region(), site.block("loop")).no())
        return Refusal{.code = "W6", .why = "iterations of one of the loops may be independent of each other as they are"};
    plan.own = {inner.privatised.begin(), inner.privatised.end()};
    if (auto refusal = why_not_swapped(site, plan)) return std::move(*refusal);
    if (!becomes_parallel(site, plan))
        return Refusal{.code = "W6", .why = "iterations of " + nest.outer->variable + " would wait for each other inside, too"};
    return plan;
}

rewrite::Planned<SwappedNest> plan_recurrence_outward(const rewrite::Site& site) {
    const auto& outer = site.get_block<ir::LoopRegion>("loop");
    std::optional<Refusal> first;
    for (const auto& [id, block] : outer.body.blocks) {
        if (!std::holds_alternative<ir::LoopRegion>(block.kind)) continue;
        auto plan = plan_with(site, id);
        if (std::holds_alternative<SwappedNest>(plan)) return plan;
        if (!first) first = std::move(std::get<Refusal>(plan));
    }
    if (first) return std::move(*first);
    return Refusal{.code = "W1", .why = "the loop holds no other one"};
}

}  // namespace

rewrite::Transformation recurrence_outward() {
    return rewrite::transformation(
        {.name = "RecurrenceOutward",
         .summary = "Runs the loop that the others of a nest wait for outside of them, so that these are parallel.",
         .drawing = "for i { for j=a:i { S(i, j) }  T(i) }   ->   for i { T(i)  for j=i+1:b { S(j, i) } }",
         .decided_by = {.predicates = {"reorder", "loop_parallel"}},
         .patterns = {{.nodes = {{"loop", rewrite::kind::loop}}, .edges = {}}},
         .conditions =
             {{"W1",
               "the outer loop's body is a chain of blocks, both loops count by 1, and their variables have one meaning in "
               "the inner body"},
              {"W2",
               "the inner loop runs from where the outer one begins or up to where it ends, its other bound moves with "
               "the outer variable, and it runs over no values that the outer one does not"},
              {"W3",
               "each of its iterations holds a loop or map, which finds its elements no farther apart along the outer "
               "variable"},
              {"W4", "no symbol that the loops give a value is read elsewhere"},
              {"W5",
               "every dependence is respected, what the body holds beside the inner loop running before or behind it; "
               "what each iteration of the inner one has for itself does not count"},
              {"W6", "iterations of neither loop are independent, those of the new inner one are"}}},
        plan_recurrence_outward, apply_recurrence_outward);
}

}  // namespace sluice::transform
