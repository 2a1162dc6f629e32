// Prints a Module as C++ for the host, with its dataflow launches as text for high-level synthesis (device/language.h).
#pragma once

#include "codegen/artifact.h"
#include "codegen/device/language.h"
#include "loop/ir.h"

namespace sluice::codegen {

/// C++ for AMD's Vitis HLS.
Artifact print_hls_xilinx(const loop::Module& module);
/// The same, with launches of threads on another device.
Artifact print_hls_xilinx_and_threads(const KernelLanguage& threads, const loop::Module& module);
/// OpenCL C for Intel's FPGA SDK.
Artifact print_hls_intel(const loop::Module& module);

}  // namespace sluice::codegen
