// DiamondTiling: cut the time and the space of a stencil into tiles of which a whole wavefront may run at once.
//     for t { for i { S(t, i) } for i { T(t, i) } }
//         ->   for w { map a { for t { for i { S or T } } } }   with tiles of s*t + i and of s*t - i that lie in wavefronts w
// D1 the part is a static control part. D2 no symbol that it gives a value is read elsewhere. D3 the loop's body is a sequence of
// nests that are equally deep. D4 every dependence is respected: no point needs one more than `slope` away for each step of time.
// Bandishti, Pananilath, Bondhugula, "Tiling stencil computations to maximize parallelism", SC 2012. A step of time is one nest of
// the body; the first space loop has diamonds, further ones are skewed and tiled.
#include <fmt/format.h>

#include "transform/loop/order.h"

namespace sluice::transform {

namespace {

using analysis::LoopTree;
using symbolic::Expr;

struct SpaceNest {
    std::vector<const LoopTree*> loops;
    const LoopTree* body;
};

SpaceNest space_nest(const LoopTree& tree) {
    SpaceNest nest{.loops = {}, .body = &tree};
    for (; nest.body->is_loop(); nest.body = &nest.body->children.front()) nest.loops.push_back(nest.body);
    return nest;
}

/// Of every step of time; empty: they are not equally deep.
std::vector<SpaceNest> steps_of(const LoopTree& time) {
    std::vector<SpaceNest> nests;
    const LoopTree& body = time.children.front();
    if (body.kind == LoopTree::Kind::Sequence)
        for (const LoopTree& step : body.children) nests.push_back(space_nest(step));
    else
        nests.push_back(space_nest(body));
    for (const SpaceNest& nest : nests)
        if (nest.loops.empty() || nest.loops.size() != nests.front().loops.size()) return {};
    return nests;
}

OrderEdit diamonds(const LoopTree& order, const LoopTree& time, const std::vector<SpaceNest>& nests, std::int64_t size,
                   std::int64_t slope) {
    const std::size_t depth = nests.front().loops.size();
    LoopTree points;
    std::vector<LoopTree> loops(2 + (depth - 1) + 1 + depth, LoopTree{.kind = LoopTree::Kind::Loop});
    for (std::size_t at = 0; at < loops.size(); ++at) loops[at].name = fmt::format("tile{}", at);
    for (std::size_t step = 0; step < nests.size(); ++step) {
        points.children.push_back(*nests[step].body);
        for (const std::string& statement : analysis::statements_in(*nests[step].body)) {
            const Expr when = time.times.at(statement) * static_cast<std::int64_t>(nests.size()) + static_cast<std::int64_t>(step);
            const auto tile = [&](const Expr& e) { return symbolic::floor_divide(e, size); };
            const auto space = [&](std::size_t d) { return nests[step].loops[d]->times.at(statement); };
            const Expr rising = tile(when * slope + space(0)), falling = tile(when * slope - space(0));
            std::vector<Expr> times{rising + falling, rising};
            for (std::size_t d = 1; d < depth; ++d) times.push_back(tile(when * slope + space(d)));
            times.push_back(when);
            for (std::size_t d = 0; d < depth; ++d) times.push_back(space(d));
            for (std::size_t at = 0; at < times.size(); ++at) loops[at].times.emplace(statement, times[at]);
        }
    }
    LoopTree tiled = std::move(points);
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
        loop->children = {std::move(tiled)};
        tiled = std::move(*loop);
    }
    OrderEdit edit{.options = {{"loop", time.name}, {"size", size}, {"slope", slope}}, .tree = order};
    *analysis::find_loop(edit.tree, time.name) = std::move(tiled);
    edit.tree = analysis::flattened(std::move(edit.tree));
    return edit;
}

OrderEdits diamond_tilings(const rewrite::Site& site, const OrderedPart& part) {
    const LoopTree& order = part.scop.order;
    const std::string& name = site.text("loop");
    const std::int64_t size = site.integer("size"), slope = site.integer("slope");
    if (size < 2 || slope < 1) return {.obstacle = "tiles have a size of at least 2 and a slope of at least 1"};
    OrderEdits edits{.obstacle = "no loop's body is a sequence of nests that are equally deep"};
    if (!name.empty()) edits.obstacle = fmt::format("the body of a loop `{}` is no sequence of nests that are equally deep", name);
    for (const LoopTree* loop : analysis::loops_in(order)) {
        if (!name.empty() && loop->name != name) continue;
        const std::vector<SpaceNest> nests = steps_of(*loop);
        if (nests.empty()) continue;
        edits.wanted.push_back(diamonds(order, *loop, nests, size, slope));
        for (const std::int64_t near : {1, 2, 3, 4})
            if (near != slope) edits.near.push_back(diamonds(order, *loop, nests, size, near));
    }
    return edits;
}

rewrite::Planned<Reordered> plan_diamond_tiling(const rewrite::Site& site) {
    return plan_order(site, 'D', diamond_tilings);
}

}  // namespace

rewrite::Transformation diamond_tiling() {
    return rewrite::transformation(
        {.name = "DiamondTiling",
         .summary = "Cuts the time and the space of a stencil into tiles of which a whole wavefront may run at once.",
         .drawing = "for t { for i { S(t, i) } for i { T(t, i) } }\n"
                    "    ->   for w { map a { for t { for i { S or T } } } }   with tiles of s*t + i and of s*t - i that lie in "
                    "wavefronts w",
         .decided_by = {.predicates = {"reorder"}},
         .patterns = order_patterns(),
         .conditions = order_conditions('D', "the loop's body is a sequence of nests that are equally deep"),
         .parameters = {{"loop", std::string(), "The variable of the loop over time; empty: the first that may be tiled."},
                        {"size", std::int64_t{32}, "Of a tile in every direction, at least 2."},
                        {"slope", std::int64_t{1}, "How far a point looks for each step of time."}}},
        plan_diamond_tiling, apply_order);
}

}  // namespace sluice::transform
