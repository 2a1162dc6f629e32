// SymbolAliasPromotion: says a symbol where another was given its value once and for all.
//     k = N; A[k]   ->   A[N]
// P1 a transition between the blocks assigns another symbol. P2 the blocks up to it run once, one after the other, before
// everything else. P3 nothing else gives the symbol a value, nothing uses it before, and what it is given keeps its value. P4 no
// scope, code or loop gives the names another meaning.
#include "transform/state/propagation.h"

namespace sluice::transform {

rewrite::Transformation symbol_alias_promotion() {
    return rewrite::transformation(
        {.name = "SymbolAliasPromotion",
         .summary = "Says a symbol where another was given its value once and for all.",
         .drawing = "k = N; A[k]   ->   A[N]",
         .decided_by = {.structural = "The symbol has one value wherever it is used, and the value is the same there."},
         .patterns = {rewrite::chain({{"before", rewrite::kind::any_block}, {"after", rewrite::kind::any_block}})},
         .conditions = {{"P1", "a transition between the blocks assigns another symbol"},
                        {"P2", "the blocks up to it run once, one after the other, before everything else"},
                        {"P3",
                         "nothing else gives the symbol a value, nothing uses it before, and what it is given keeps its value"},
                        {"P4", "no scope, code or loop gives the names another meaning"}},
         .simplifies = true},
        [](const rewrite::Site& site) {
            return plan_propagation(site, [](const symbolic::Expr& value) { return value.is_symbol(); });
        },
        apply_propagation);
}

}  // namespace sluice::transform
