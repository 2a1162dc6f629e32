// Types of symbols that a file assigns without declaring them.
#pragma once

#include "ir/sdfg.h"

namespace sluice::ir::json {

/// Declares the undeclared symbols that transitions and loops assign floating-point values: the format infers a symbol's type from
/// what is assigned, while an undeclared symbol of an Sdfg is an integer.
void declare_assigned_symbols(Sdfg& sdfg);

}  // namespace sluice::ir::json
