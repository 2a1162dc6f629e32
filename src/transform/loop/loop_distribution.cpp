// LoopDistribution: give parts of a loop's body loops of their own.
//     for i { S(i); T(i) }   ->   for i { S(i) }  for i { T(i) }
// B1 the part is a static control part. B2 no symbol that it gives a value is read elsewhere. B3 the loop's body has several parts.
// B4 every dependence is respected.
#include <fmt/format.h>

#include "transform/loop/order.h"

namespace sluice::transform {

namespace {

using analysis::LoopTree;

/// The loop around some of the parts of its body.
LoopTree around_parts(const LoopTree& loop, std::size_t begin, std::size_t end) {
    const std::vector<LoopTree>& parts = loop.children.front().children;
    LoopTree one = loop;
    const auto at = [&](std::size_t number) { return parts.begin() + static_cast<std::ptrdiff_t>(number); };
    one.children = {analysis::flattened({.children = {at(begin), at(end)}})};
    const std::set<std::string> statements = analysis::statements_in(one);
    std::erase_if(one.times, [&](const auto& time) { return !statements.contains(time.first); });
    return one;
}

/// `behind`: after so many parts; 0: each part alone.
OrderEdit distributed_loop(const LoopTree& order, const LoopTree& loop, std::size_t behind) {
    OrderEdit edit{.options = {{"loop", loop.name}, {"behind", static_cast<std::int64_t>(behind)}}, .tree = order};
    LoopTree& here = *analysis::find_loop(edit.tree, loop.name);
    const std::size_t parts = loop.children.front().children.size();
    LoopTree apart;
    if (behind == 0)
        for (std::size_t at = 0; at < parts; ++at) apart.children.push_back(around_parts(loop, at, at + 1));
    else
        apart.children = {around_parts(loop, 0, behind), around_parts(loop, behind, parts)};
    here = std::move(apart);
    edit.tree = analysis::flattened(std::move(edit.tree));
    return edit;
}

OrderEdits distributions(const rewrite::Site& site, const OrderedPart& part) {
    const LoopTree& order = part.scop.order;
    const std::string& name = site.text("loop");
    const std::int64_t behind = site.integer("behind");
    OrderEdits edits{.obstacle = "no loop's body has several parts"};
    if (!name.empty() || behind != 0)
        edits.obstacle =
            fmt::format("no loop `{}` has a body of more than {} parts", name.empty() ? "any" : name, behind == 0 ? 1 : behind);
    for (const LoopTree* loop : analysis::loops_in(order)) {
        const LoopTree& body = loop->children.front();
        if (body.kind != LoopTree::Kind::Sequence || (!name.empty() && loop->name != name)) continue;
        if (behind < 0 || behind >= static_cast<std::int64_t>(body.children.size())) continue;
        edits.wanted.push_back(distributed_loop(order, *loop, static_cast<std::size_t>(behind)));
        for (std::size_t near = 1; near < body.children.size(); ++near)
            if (static_cast<std::int64_t>(near) != behind) edits.near.push_back(distributed_loop(order, *loop, near));
    }
    return edits;
}

rewrite::Planned<Reordered> plan_loop_distribution(const rewrite::Site& site) {
    return plan_order(site, 'B', distributions);
}

}  // namespace

rewrite::Transformation loop_distribution() {
    return rewrite::transformation(
        {.name = "LoopDistribution",
         .summary = "Gives parts of a loop's body loops of their own.",
         .drawing = "for i { S(i); T(i) }   ->   for i { S(i) }  for i { T(i) }",
         .decided_by = {.predicates = {"reorder"}},
         .patterns = order_patterns(),
         .conditions = order_conditions('B', "the loop's body has several parts"),
         .parameters = {{"loop", std::string(), "The variable of the loop; empty: the first that may be taken apart."},
                        {"behind", std::int64_t{0}, "Behind so many parts of the body; 0: each part gets a loop."}}},
        plan_loop_distribution, apply_order);
}

}  // namespace sluice::transform
