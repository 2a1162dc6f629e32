// Which parts of a graph are kernels of an FPGA, and what of them it cannot hold.
#pragma once

#include <vector>

#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::target {

/// Memory of an FPGA: off-chip (FPGA_Global), or on it, where it lives as long as a kernel runs.
bool is_fpga_storage(ir::Storage storage);
bool is_on_chip(ir::Storage storage);
/// Is the state a kernel: all that its nodes outside of scopes access lies on the FPGA, but for constants, and scalars that it only
/// reads?
bool is_fpga_kernel(const ir::Sdfg& sdfg, const ir::State& state);
/// The bank of the off-chip memory in which a container lies, `HBM[3]`, by its location: `memorytype` (HBM or DDR, which is the
/// default) and `bank`; empty: any. L030: no such memory, or several banks.
Result<std::string> bank_of(const std::string& name, const ir::Container& container);
/// Has the graph off-chip memory of an FPGA, or a map with schedule FPGA_Device? Memory on the chip may be chosen before.
bool has_fpga_parts(const ir::Sdfg& sdfg);
/// What lies where the part that uses it cannot reach it (L026), and what no kernel holds (L030): streams without a bound, memory
/// on the chip that outlives a kernel. Library nodes have been expanded.
/// `spoken`: what tasklets of kernels may be written in besides Python.
std::vector<Diagnostic> fpga_violations(const ir::Sdfg& sdfg, const std::string& phrase,
                                        ir::Language spoken = ir::Language::Python);

}  // namespace sluice::target
