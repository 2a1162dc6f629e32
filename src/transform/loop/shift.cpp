// Shift: let one statement of a loop run in a later iteration.
//     for i { S(i); T(i) }   ->   for i { S(i); T(i - s) }   with the first S and the last T alone
// H1 the part is a static control part. H2 no symbol that it gives a value is read elsewhere. H3 the loop holds the statement and
// others. H4 every dependence is respected.
#include <fmt/format.h>

#include "transform/loop/order.h"

namespace sluice::transform {

namespace {

using analysis::LoopTree;

OrderEdit shifted_statement(const LoopTree& order, const LoopTree& loop, const std::string& statement, std::int64_t by) {
    OrderEdit edit{.options = {{"loop", loop.name}, {"statement", statement}, {"by", by}}, .tree = order};
    symbolic::Expr& time = analysis::find_loop(edit.tree, loop.name)->times.at(statement);
    time = time + by;
    return edit;
}

OrderEdits shifts(const rewrite::Site& site, const OrderedPart& part) {
    const LoopTree& order = part.scop.order;
    const std::string &name = site.text("loop"), &statement = site.text("statement");
    const std::int64_t by = site.integer("by");
    if (by == 0) return {.obstacle = "a shift by 0 changes nothing"};
    OrderEdits edits{.obstacle = "no loop holds several statements"};
    if (!name.empty() || !statement.empty())
        edits.obstacle = fmt::format("no loop `{}` holds the statement `{}` and others; {}", name.empty() ? "any" : name,
                                     statement.empty() ? "any" : statement, statements_of(part.scop));
    std::vector<std::pair<const LoopTree*, std::string>> places;
    for (const LoopTree* loop : analysis::loops_in(order)) {
        if (loop->times.size() < 2 || (!name.empty() && loop->name != name)) continue;
        for (auto at = loop->times.rbegin(); at != loop->times.rend(); ++at)
            if (statement.empty() || at->first == statement) places.emplace_back(loop, at->first);
    }
    for (const auto& [loop, one] : places) edits.wanted.push_back(shifted_statement(order, *loop, one, by));
    for (const auto& [loop, one] : places)
        for (const std::int64_t near : {1, -1, 2, -2, 3, -3})
            if (near != by) edits.near.push_back(shifted_statement(order, *loop, one, near));
    return edits;
}

rewrite::Planned<Reordered> plan_shift(const rewrite::Site& site) {
    return plan_order(site, 'H', shifts);
}

}  // namespace

rewrite::Transformation shift() {
    return rewrite::transformation(
        {.name = "Shift",
         .summary = "Lets one statement of a loop run in a later iteration.",
         .drawing = "for i { S(i); T(i) }   ->   for i { S(i); T(i - s) }   with the first S and the last T alone",
         .decided_by = {.predicates = {"reorder"}},
         .patterns = order_patterns(),
         .conditions = order_conditions('H', "the loop holds the statement and others"),
         .parameters = {{"loop", std::string(), "The variable of the loop; empty: the first that holds several statements."},
                        {"statement", std::string(), "`S0`, `S1`, ... in the order of the graph; empty: the last that may."},
                        {"by", std::int64_t{1}, "How many iterations later; earlier if it is negative."}}},
        plan_shift, apply_order);
}

}  // namespace sluice::transform
