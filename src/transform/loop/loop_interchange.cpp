// LoopInterchange: swap two loops of a nest.
//     for i { for j { S } }   ->   for j { for i { S } }
// O1 the part is a static control part. O2 no symbol that it gives a value is read elsewhere. O3 nothing stands between the two
// loops but loops, each the only thing in the one around it. O4 every dependence is respected. Bounds may depend on each other.
// With `skew` the inner loop runs so many iterations later for each of the outer one, which makes wavefronts of stencils.
#include <fmt/format.h>

#include "transform/loop/order.h"

namespace sluice::transform {

namespace {

using analysis::LoopTree;

/// Is `inner` the body of `outer`, or of loops alone between them?
bool holds_loops_down_to(const LoopTree& outer, const LoopTree& inner) {
    const LoopTree* at = &outer;
    while (at->is_loop() && at != &inner) at = &at->children.front();
    return at == &inner;
}

OrderEdit interchanged_loops(const LoopTree& order, const LoopTree& outer, const LoopTree& inner, std::int64_t skew) {
    OrderEdit edit{.options = {{"outer", outer.name}, {"inner", inner.name}, {"skew", skew}}, .tree = order};
    LoopTree &a = *analysis::find_loop(edit.tree, outer.name), &b = *analysis::find_loop(edit.tree, inner.name);
    for (auto& [statement, time] : b.times) time = time + a.times.at(statement) * skew;
    std::swap(a.name, b.name);
    std::swap(a.times, b.times);
    std::swap(a.any_order, b.any_order);
    return edit;
}

OrderEdits interchanges(const rewrite::Site& site, const OrderedPart& part) {
    const LoopTree& order = part.scop.order;
    const std::string &outer = site.text("outer"), &inner = site.text("inner");
    const std::int64_t skew = site.integer("skew");
    OrderEdits edits{.obstacle = "no loop is all that another one holds"};
    std::vector<std::pair<const LoopTree*, const LoopTree*>> pairs;
    for (const LoopTree* a : analysis::loops_in(order))
        for (const LoopTree* b : analysis::loops_in(*a)) {
            const bool named = (outer.empty() || a->name == outer) && (inner.empty() || b->name == inner);
            const bool far = inner.empty() && b != &a->children.front();
            if (a != b && named && !far && holds_loops_down_to(*a, *b)) pairs.emplace_back(a, b);
        }
    if (!outer.empty() || !inner.empty())
        edits.obstacle = fmt::format("`{}` and `{}` are no two loops of which the first holds nothing but the second",
                                     outer.empty() ? "any" : outer, inner.empty() ? "any" : inner);
    for (const auto& [a, b] : pairs) edits.wanted.push_back(interchanged_loops(order, *a, *b, skew));
    for (const auto& [a, b] : pairs)
        for (const std::int64_t other : {1, 2, -1, 3, 4, -2})
            if (other != skew) edits.near.push_back(interchanged_loops(order, *a, *b, other));
    return edits;
}

rewrite::Planned<Reordered> plan_loop_interchange(const rewrite::Site& site) {
    return plan_order(site, 'O', interchanges);
}

}  // namespace

rewrite::Transformation loop_interchange() {
    return rewrite::transformation(
        {.name = "LoopInterchange",
         .summary = "Swaps two loops, or maps, of a nest, perhaps skewed.",
         .drawing = "for i { for j { S } }   ->   for j { for i { S } }",
         .decided_by = {.predicates = {"reorder"}},
         .patterns = order_patterns(),
         .conditions =
             order_conditions('O', "nothing stands between the two loops but loops, each the only thing in the one around it"),
         .parameters = {{"outer", std::string(), "The variable of the outer loop; empty: the first pair that may be swapped."},
                        {"inner", std::string(), "That of the inner one; empty: the loop directly inside."},
                        {"skew", std::int64_t{0}, "The inner loop runs so many iterations later for each of the outer one."}}},
        plan_loop_interchange, apply_order);
}

}  // namespace sluice::transform
