// Which parts of a graph a device runs, and what of it they cannot hold.
#pragma once

#include <vector>

#include "ir/sdfg.h"
#include "support/diagnostic.h"

namespace sluice::target {

/// Has the graph, or one nested in it, a map with schedule GPU_Device or memory of a device?
bool has_device_parts(const ir::Sdfg& sdfg);
/// What lies where the part that uses it cannot reach it (L026), and what no kernel holds (L025), each with its place. The device
/// has the schedule GPU_Device, and the memory GPU_Global and, of a block, GPU_Shared. Library nodes have been expanded.
std::vector<Diagnostic> device_violations(const ir::Sdfg& sdfg, const std::string& phrase);

}  // namespace sluice::target
