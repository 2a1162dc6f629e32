// What kernels for an FPGA begin with: runtime/hls_xilinx_device.h; runtime/hls_intel_device.h, behind codegen/device's opencl_c.
#pragma once

#include <string_view>

namespace sluice::codegen {

std::string_view hls_xilinx_beginning();
std::string_view hls_intel_beginning();

}  // namespace sluice::codegen
