// Regions of an SDFG as structured control flow.
#pragma once

#include <set>
#include <string>

#include "lower/context.h"

namespace sluice::lower {

/// Loop variables that are counted by their loops alone and read nowhere else: they exist only inside their loops.
std::set<std::string> counted_variables(const ir::Sdfg& sdfg);
/// The body of the function.
void lower_control_flow(FunctionContext& function, Body& body);

}  // namespace sluice::lower
