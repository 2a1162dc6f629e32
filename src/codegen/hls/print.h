// Prints a Module as C++ for the host, with its dataflow launches as C++ for Vitis HLS (device/language.h).
#pragma once

#include "codegen/artifact.h"
#include "loop/ir.h"

namespace sluice::codegen {

Artifact print_hls_xilinx(const loop::Module& module);

}  // namespace sluice::codegen
