// IndexSetSplit: run the iterations of a loop below a place in one loop and the others in another.
//     for i = b:e { S }   ->   for i = b:at { S }  for i = at:e { S }
// X1 the part is a static control part. X2 no symbol that it gives a value is read elsewhere. X3 the place is affine in parameters
// and in the loops around, and both loops may have iterations. The order stays what it was.
#include <fmt/format.h>

#include "poly/convert.h"
#include "transform/loop/order.h"

namespace sluice::transform {

namespace {

using analysis::LoopTree;

/// The loop with the iterations of which the time is below `at`, or with the others.
LoopTree iterations_of(const analysis::Scop& scop, const LoopTree& loop, const symbolic::Expr& at, bool below) {
    LoopTree part = loop;
    const auto restrict = [&](const auto& self, LoopTree& tree) -> void {
        if (tree.kind == LoopTree::Kind::Statement) {
            const symbolic::Expr time = loop.times.at(tree.name);
            const symbolic::Expr condition = below ? symbolic::less(time, at) : symbolic::less_equal(at, time);
            const auto converted = poly::to_set(condition, {.tuple = tree.name, .dims = scop.find(tree.name)->iterators});
            tree.domain = converted.ok() ? tree.domain.intersect(*converted.value) : poly::Set();
        }
        for (LoopTree& child : tree.children) self(self, child);
    };
    restrict(restrict, part);
    return part;
}

bool may_have_iterations(const analysis::Scop& scop, const LoopTree& tree) {
    if (tree.kind == LoopTree::Kind::Statement)
        return tree.domain.known() && tree.domain.intersect_parameters(scop.context).is_empty() != poly::Answer::Yes;
    return std::ranges::any_of(tree.children, [&](const LoopTree& child) { return may_have_iterations(scop, child); });
}

bool all_known(const LoopTree& tree) {
    return (tree.kind != LoopTree::Kind::Statement || tree.domain.known()) && std::ranges::all_of(tree.children, all_known);
}

/// Parameters and the loops around: what has a value where the loop begins.
bool has_value_before(const rewrite::Site& site, const OrderedPart& part, const LoopTree& loop, const symbolic::Expr& at) {
    std::set<std::string> around;
    for (const LoopTree* other : analysis::loops_in(part.scop.order))
        for (const LoopTree* inner : analysis::loops_in(*other))
            if (inner == &loop && other != &loop) around.insert(other->name);
    return std::ranges::all_of(symbolic::free_symbols(at), [&](const std::string& name) {
        return around.contains(name) || (site.sdfg().symbols.contains(name) && !part.scop.assigned.contains(name) &&
                                         !analysis::find_loop(part.scop.order, name));
    });
}

OrderEdits splits(const rewrite::Site& site, const OrderedPart& part) {
    const std::string& name = site.text("loop");
    const symbolic::Expr at = site.expression("at");
    OrderEdits edits{.obstacle = name.empty() ? "there is no loop" : fmt::format("there is no loop `{}`", name)};
    for (const LoopTree* loop : analysis::loops_in(part.scop.order)) {
        if (!name.empty() && loop->name != name) continue;
        if (!has_value_before(site, part, *loop, at)) {
            edits.obstacle = fmt::format("`{}` names what has no value before the loop", symbolic::to_string(at));
            continue;
        }
        // A loop that counts down runs at the negative of its variable.
        const bool falls = !(loop->times.begin()->second == symbolic::symbol(loop->name));
        const symbolic::Expr place = falls ? 1 - at : at;
        LoopTree both{.children = {iterations_of(part.scop, *loop, place, true), iterations_of(part.scop, *loop, place, false)}};
        if (!all_known(both)) {
            edits.obstacle = fmt::format("`{}` is not affine", symbolic::to_string(at));
            continue;
        }
        if (!may_have_iterations(part.scop, both.children[0]) || !may_have_iterations(part.scop, both.children[1])) {
            edits.obstacle =
                fmt::format("one of the two loops would have no iterations with the place {}", symbolic::to_string(at));
            continue;
        }
        OrderEdit edit{.options = {{"loop", loop->name}, {"at", at}}, .tree = part.scop.order};
        *analysis::find_loop(edit.tree, loop->name) = std::move(both);
        edit.tree = analysis::flattened(std::move(edit.tree));
        edits.wanted.push_back(std::move(edit));
    }
    return edits;
}

rewrite::Planned<Reordered> plan_index_set_split(const rewrite::Site& site) {
    return plan_order(site, 'X', splits);
}

}  // namespace

rewrite::Transformation index_set_split() {
    return rewrite::transformation(
        {.name = "IndexSetSplit",
         .summary = "Runs the iterations of a loop below a place in one loop and the others in another.",
         .drawing = "for i = b:e { S }   ->   for i = b:at { S }  for i = at:e { S }",
         .decided_by = {.structural = "The same instances run in the same order."},
         .patterns = order_patterns(),
         .conditions = {{"X1", "the part is a static control part"},
                        {"X2", "no symbol that it gives a value is read elsewhere"},
                        {"X3", "the place is affine in parameters and in the loops around, and both loops may have iterations"}},
         .parameters = {{"loop", std::string(), "The variable of the loop; empty: the first that the place divides."},
                        {"at", symbolic::Expr(1), "The first value of the variable that belongs to the upper loop."}}},
        plan_index_set_split, apply_order);
}

}  // namespace sluice::transform
