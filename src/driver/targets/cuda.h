// CUDA on this machine: the driver, the compiler of kernels, and a device.
#pragma once

#include <string>

#include "support/result.h"

namespace sluice::driver {

/// The name of the device that programs run on: the first one. Error D024: there is no driver, no device, or no NVRTC, which a
/// system or a Python package brings; the remedy names it.
Result<std::string> cuda_device();
/// Before a program with kernels is loaded. Throws Failure D024.
void load_cuda();

}  // namespace sluice::driver
