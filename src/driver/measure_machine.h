// The machine that this process runs on, measured: what analysis/cost/machine.h describes.
#pragma once

#include "analysis/cost/machine.h"
#include "support/result.h"

namespace sluice::driver {

using analysis::Machine;
using analysis::parse_machine;

/// Runs loops that the toolchain compiled: operations and elementary functions on what lies in the first cache, a stream through
/// memory, parallel regions with nothing in them. Each number is the smallest of several medians, so that other load on the
/// machine disturbs little; some two seconds in all. What cannot be measured keeps its default. Errors D001, D002, D004, D006.
Result<Machine> measure_machine();
/// The machine that decisions are taken for: that of the setting `machine`, else the default. Errors D003, D020.
Result<Machine> machine_in_use();

}  // namespace sluice::driver
