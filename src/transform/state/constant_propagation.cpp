// ConstantPropagation: says a number where a symbol was given it once and for all.
//     k = 5; A[k]   ->   A[5]
// P1 a transition between the blocks assigns an integer. P2 to P4: propagation.cpp.
#include "transform/state/propagation.h"

namespace sluice::transform {

rewrite::Transformation constant_propagation() {
    return propagation("ConstantPropagation", "Says a number where a symbol was given it once and for all.",
                       "k = 5; A[k]   ->   A[5]", "an integer", [](const symbolic::Expr& value) { return value.is_integer(); });
}

}  // namespace sluice::transform
