// Compile-time constants and structure types of the module.
#pragma once

#include "lower/context.h"

namespace sluice::lower {

/// Adds the SDFG's constants to the module and binds their names.
void add_constants(FunctionContext& function);

/// As many tables as a device's memory of constants holds lie there, small ones first; the others in global memory.
void place_constants(loop::Module& module);

}  // namespace sluice::lower
