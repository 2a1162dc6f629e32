// Calls in Python expressions.
#pragma once

#include "lower/expressions.h"

namespace sluice::lower {

Typed lower_call(const code::CallExpr& node, const code::Expr& e, const Meaning& meaning);
/// `.real` or `.imag`; a real number is its own real part.
Typed part_of_complex(const Typed& operand, bool imaginary);

}  // namespace sluice::lower
