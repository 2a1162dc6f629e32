// What kernels in OpenCL C begin with: runtime/opencl_device.h.
#pragma once

#include <string_view>

namespace sluice::codegen {

std::string_view opencl_beginning();

}  // namespace sluice::codegen
