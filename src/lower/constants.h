// Compile-time constants and structure types of the module.
#pragma once

#include "lower/context.h"

namespace sluice::lower {

/// Adds the SDFG's constants to the module and binds their names.
void add_constants(FunctionContext& function);

}  // namespace sluice::lower
