// OpenCL on this machine: the library that finds devices, and a device.
#pragma once

#include <string>

#include "support/result.h"

namespace sluice::driver {

/// Name and platform of the device that programs run on: the first GPU, or the first device that there is. Error D024: there is no
/// library, or no device; the remedy names Debian's packages.
Result<std::string> opencl_device();
/// Before a program with kernels is loaded. Throws Failure D024.
void load_opencl();

}  // namespace sluice::driver
