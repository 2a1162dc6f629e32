// Prints a Module as C++ for the host, with its launches as OpenCL C 1.2. The library exports what one for CPUs does (cpu/print.h),
// and
//     void axpy_traffic(int64_t counts[4])    launches; bytes copied to, from and within the device: since it was loaded
// The device's compiler runs in axpy_init.
#pragma once

#include "codegen/artifact.h"
#include "loop/ir.h"

namespace sluice::codegen {

Artifact print_opencl(const loop::Module& module);

}  // namespace sluice::codegen
