// LoopFusion: run two loops that follow each other as one.
//     for i { S(i) }  for j { T(j) }   ->   for i { S(i); T(i - shift) }
// F1 the part is a static control part. F2 no symbol that it gives a value is read elsewhere. F3 the second loop follows the first.
// F4 every dependence is respected. Bounds may differ: what one loop has alone runs in loops of its own.
#include <fmt/format.h>

#include "transform/loop/order.h"

namespace sluice::transform {

namespace {

using analysis::LoopTree;

OrderEdit fused_loops(const LoopTree& order, const LoopTree& first, const LoopTree& second, std::int64_t shift) {
    OrderEdit edit{.options = {{"first", first.name}, {"second", second.name}, {"shift", shift}}, .tree = order};
    LoopTree& into = *analysis::find_loop(edit.tree, first.name);
    LoopTree& from = *analysis::find_loop(edit.tree, second.name);
    for (const auto& [statement, time] : from.times) into.times.emplace(statement, time + shift);
    into.any_order = false;
    LoopTree both{.children = {std::move(into.children.front()), std::move(from.children.front())}};
    into.children = {std::move(both)};
    LoopTree& around = *analysis::parent_of(edit.tree, from);
    std::erase_if(around.children, [&](const LoopTree& child) { return &child == &from; });
    edit.tree = analysis::flattened(std::move(edit.tree));
    return edit;
}

/// Loops that follow each other directly.
void neighbouring_loops(const LoopTree& tree, std::vector<std::pair<const LoopTree*, const LoopTree*>>& pairs) {
    for (std::size_t at = 0; at < tree.children.size(); ++at) {
        neighbouring_loops(tree.children[at], pairs);
        if (at + 1 < tree.children.size() && tree.children[at].is_loop() && tree.children[at + 1].is_loop())
            pairs.emplace_back(&tree.children[at], &tree.children[at + 1]);
    }
}

OrderEdits fusions(const rewrite::Site& site, const OrderedPart& part) {
    const LoopTree& order = part.scop.order;
    const std::string &first = site.text("first"), &second = site.text("second");
    const std::int64_t shift = site.integer("shift");
    OrderEdits edits{.obstacle = "no loop follows another"};
    if (!first.empty() || !second.empty())
        edits.obstacle =
            fmt::format("no loop `{}` follows a loop `{}`", second.empty() ? "any" : second, first.empty() ? "any" : first);
    std::vector<std::pair<const LoopTree*, const LoopTree*>> all, pairs;
    neighbouring_loops(order, all);
    for (const auto& [a, b] : all)
        if ((first.empty() || a->name == first) && (second.empty() || b->name == second)) pairs.emplace_back(a, b);
    for (const auto& [a, b] : pairs) edits.wanted.push_back(fused_loops(order, *a, *b, shift));
    for (const auto& [a, b] : pairs)
        for (const std::int64_t near : {0, 1, 2, -1, 3, 4, -2})
            if (near != shift) edits.near.push_back(fused_loops(order, *a, *b, near));
    return edits;
}

rewrite::Planned<Reordered> plan_loop_fusion(const rewrite::Site& site) {
    return plan_order(site, 'F', fusions);
}

}  // namespace

rewrite::Transformation loop_fusion() {
    return rewrite::transformation(
        {.name = "LoopFusion",
         .summary = "Runs two loops, or maps, that follow each other as one, the second perhaps some iterations later.",
         .drawing = "for i { S(i) }  for j { T(j) }   ->   for i { S(i); T(i - shift) }",
         .decided_by = {.predicates = {"reorder"}},
         .patterns = order_patterns(),
         .conditions = order_conditions('F', "the second loop follows the first"),
         .parameters = {{"first", std::string(), "The variable of the first loop; empty: the first pair that may share a loop."},
                        {"second", std::string(), "That of the loop behind it."},
                        {"shift", std::int64_t{0}, "The second one runs so many iterations later."}}},
        plan_loop_fusion, apply_order);
}

}  // namespace sluice::transform
