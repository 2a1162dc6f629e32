// ConstantPropagation: says a number where a symbol was given it once and for all.
//     k = 5; A[k]   ->   A[5]
// P1 a transition between the blocks assigns an integer. P2 the blocks up to it run once, one after the other, before everything
// else. P3 nothing else gives the symbol a value, nothing uses it before, and what it is given keeps its value. P4 no scope, code
// or loop gives the names another meaning.
#include "transform/state/propagation.h"

namespace sluice::transform {

rewrite::Transformation constant_propagation() {
    return rewrite::transformation(
        {.name = "ConstantPropagation",
         .summary = "Says a number where a symbol was given it once and for all.",
         .drawing = "k = 5; A[k]   ->   A[5]",
         .decided_by = {.structural = "The symbol has one value wherever it is used, and the value is the same there."},
         .patterns = {rewrite::chain({{"before", rewrite::kind::any_block}, {"after", rewrite::kind::any_block}})},
         .conditions = {{"P1", "a transition between the blocks assigns an integer"},
                        {"P2", "the blocks up to it run once, one after the other, before everything else"},
                        {"P3",
                         "nothing else gives the symbol a value, nothing uses it before, and what it is given keeps its value"},
                        {"P4", "no scope, code or loop gives the names another meaning"}},
         .simplifies = true},
        [](const rewrite::Site& site) {
            return plan_propagation(site, [](const symbolic::Expr& value) { return value.is_integer(); });
        },
        apply_propagation);
}

}  // namespace sluice::transform
