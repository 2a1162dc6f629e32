// What happens to a graph between its user and lowering.
#pragma once

#include "analysis/cost/machine.h"
#include "ir/sdfg.h"
#include "library/choose.h"
#include "support/result.h"

namespace sluice::driver {

/// The graph with its library nodes expanded and every decision taken that is open. Errors: B0nn, an expansion that is asked for
/// cannot be used.
Result<ir::Sdfg> with_decisions(ir::Sdfg sdfg, const analysis::Machine& machine = {}, library::ExpandOptions expansions = {});
/// The machine that the file of the setting `machine` describes, else the default. Errors: D003 unreadable, D020 malformed.
Result<analysis::Machine> target_machine();

}  // namespace sluice::driver
