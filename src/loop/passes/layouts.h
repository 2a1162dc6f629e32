// Messages whose part changes its layout while the program runs: MPI's derived type of it, made once, is made again.
#pragma once

#include <vector>

#include "loop/ir.h"
#include "support/diagnostic.h"

namespace sluice::loop {

/// A warning L039 for each message with gaps between its elements whose sizes depend on a variable that a loop changes, or that is
/// assigned more than once. A part without gaps needs no type of its own.
std::vector<Diagnostic> changing_layouts(const Module& module);

}  // namespace sluice::loop
