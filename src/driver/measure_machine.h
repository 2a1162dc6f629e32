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
/// What the machine can do at best.
struct Roof {
    double operations = 0, bytes = 0;  ///< A second, of all threads: multiply-adds of float64 as two, a stream through memory.
};
/// Runs such loops on a team, half a second in all. Errors as of measure_machine().
Result<Roof> measure_roof();
/// The machine that decisions are taken for: that of the setting `machine`, else the default. Errors D003, D020.
Result<Machine> machine_in_use();

}  // namespace sluice::driver
