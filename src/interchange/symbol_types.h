// Types of symbols that a file assigns without declaring them.
#pragma once

#include "interchange/grammar.h"

namespace sluice::interchange {

/// Declares the undeclared symbols that transitions and loops assign floating-point values: the format infers a symbol's type from
/// what is assigned, while an undeclared symbol of an Sdfg is an integer.
void declare_assigned_symbols(Sdfg& sdfg);

}  // namespace sluice::interchange
