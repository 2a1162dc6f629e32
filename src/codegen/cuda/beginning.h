// What kernels in CUDA C++ begin with: runtime/cuda_device.h.
#pragma once

#include <string_view>

namespace sluice::codegen {

std::string_view cuda_beginning();

}  // namespace sluice::codegen
