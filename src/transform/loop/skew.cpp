// Skew: let a loop run later by a multiple of another loop's iteration.
//     for i { for j { S(i, j) } }   ->   for i { for t = j + f*i { S(i, t - f*i) } }
// K1 the part is a static control part. K2 no symbol that it gives a value is read elsewhere. K3 one of the loops stands in the
// other, with every statement of the skewed one in both. K4 every dependence is respected: those of an outer loop that is skewed by
// an inner one may not be.
#include <fmt/format.h>

#include "transform/loop/order.h"

namespace sluice::transform {

namespace {

using analysis::LoopTree;

OrderEdit skewed_loop(const LoopTree& order, const LoopTree& loop, const LoopTree& by, std::int64_t factor) {
    OrderEdit edit{.options = {{"loop", loop.name}, {"by", by.name}, {"factor", factor}}, .tree = order};
    for (auto& [statement, time] : analysis::find_loop(edit.tree, loop.name)->times) time = time + by.times.at(statement) * factor;
    return edit;
}

OrderEdits skews(const rewrite::Site& site, const OrderedPart& part) {
    const LoopTree& order = part.scop.order;
    const std::string &name = site.text("loop"), &by = site.text("by");
    const std::int64_t factor = site.integer("factor");
    OrderEdits edits{.obstacle = "no loop stands in another"};
    if (factor == 0) return {.obstacle = "a factor of 0 changes nothing"};
    if (!name.empty() || !by.empty())
        edits.obstacle = fmt::format("no loop `{}` shares its statements with a loop `{}` around or inside of it",
                                     name.empty() ? "any" : name, by.empty() ? "any" : by);
    std::vector<std::pair<const LoopTree*, const LoopTree*>> pairs;
    for (const LoopTree* loop : analysis::loops_in(order))
        for (const LoopTree* other : analysis::loops_in(order)) {
            const bool all = std::ranges::all_of(loop->times, [&](const auto& of) { return other->times.contains(of.first); });
            const bool around = analysis::find_loop(*other, loop->name) != nullptr;
            const bool named = (name.empty() || loop->name == name) && (by.empty() || other->name == by);
            if (loop != other && all && named && (around || !name.empty())) pairs.emplace_back(loop, other);
        }
    for (const auto& [loop, other] : pairs) edits.wanted.push_back(skewed_loop(order, *loop, *other, factor));
    for (const auto& [loop, other] : pairs)
        for (const std::int64_t near : {1, -1, 2, -2, 3, -3})
            if (near != factor) edits.near.push_back(skewed_loop(order, *loop, *other, near));
    return edits;
}

rewrite::Planned<Reordered> plan_skew(const rewrite::Site& site) {
    return plan_order(site, 'K', skews);
}

}  // namespace

rewrite::Transformation skew() {
    return rewrite::transformation(
        {.name = "Skew",
         .summary = "Lets a loop run later by a multiple of another loop's iteration.",
         .drawing = "for i { for j { S(i, j) } }   ->   for i { for t = j + f*i { S(i, t - f*i) } }",
         .decided_by = {.predicates = {"reorder"}},
         .patterns = order_patterns(),
         .conditions =
             order_conditions('K', "one of the loops stands in the other, with every statement of the skewed one in both"),
         .parameters = {{"loop", std::string(), "The variable of the loop that runs later; empty: the first inner one."},
                        {"by", std::string(), "That of the other loop; empty: the loop around."},
                        {"factor", std::int64_t{1}, "How many iterations later for each of its iterations."}}},
        plan_skew, apply_order);
}

}  // namespace sluice::transform
