// Checks a Module before it is printed. A violation is a bug of lowering, so the caller raises InternalError.
#pragma once

#include <string>
#include <vector>

#include "loop/ir.h"

namespace sluice::loop {

/// One sentence per violation: names defined before use and not redefined, operand types equal, Goto targets exist, collapse
/// nests perfect, Break/Continue inside a sequential loop, no Return out of a parallel body.
std::vector<std::string> verify(const Module& module);

}  // namespace sluice::loop
