// Prints a Module as strict C99 for one thread: what it exports is what codegen/cpu/print.h lists. `_failure` speaks of the last
// failure of the process.
#pragma once

#include "codegen/artifact.h"
#include "loop/ir.h"

namespace sluice::codegen {

Artifact print_c99(const loop::Module& module);

}  // namespace sluice::codegen
