// Loops without anything that could run at the same time: a device runs one of them in one thread, which is launched once.
#pragma once

#include "ir/sdfg.h"

namespace sluice::transform {

/// Each of the SDFG's outermost loops whose states hold nothing but tasklets, of which one uses an array, becomes a map of one
/// point around a call that runs it.
void gather_serial_loops(ir::Sdfg& sdfg);

}  // namespace sluice::transform
