// Prints a Module as C++ for the host, with its launches as OpenCL C 1.2 (device/language.h).
#pragma once

#include "codegen/artifact.h"
#include "codegen/device/language.h"
#include "loop/ir.h"

namespace sluice::codegen {

const KernelLanguage& opencl_language();
Artifact print_opencl(const loop::Module& module);

}  // namespace sluice::codegen
