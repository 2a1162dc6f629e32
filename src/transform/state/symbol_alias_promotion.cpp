// SymbolAliasPromotion: says a symbol where another was given its value once and for all.
//     k = N; A[k]   ->   A[N]
// P1 a transition between the blocks assigns another symbol. P2 to P4: propagation.cpp.
#include "transform/state/propagation.h"

namespace sluice::transform {

rewrite::Transformation symbol_alias_promotion() {
    return propagation("SymbolAliasPromotion", "Says a symbol where another was given its value once and for all.",
                       "k = N; A[k]   ->   A[N]", "another symbol", [](const symbolic::Expr& value) { return value.is_symbol(); });
}

}  // namespace sluice::transform
