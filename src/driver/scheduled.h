// An algorithm with a schedule as a graph that is ready to be compiled.
#pragma once

#include "schedule/schedule.h"

namespace sluice::driver {

/// Function::build; for a device also simplified: what a block runs in several states becomes one kernel. Errors M001 to M010.
Result<ir::Sdfg> scheduled(const schedule::Function& function, const std::vector<schedule::Computation>& outputs);

}  // namespace sluice::driver
