// What kernels for Vitis HLS begin with: runtime/hls_device.h.
#pragma once

#include <string_view>

namespace sluice::codegen {

std::string_view hls_beginning();

}  // namespace sluice::codegen
