// Prints a Module as C++ for the host, with its launches as CUDA C++ for NVRTC (device/language.h).
#pragma once

#include "codegen/artifact.h"
#include "loop/ir.h"

namespace sluice::codegen {

Artifact print_cuda(const loop::Module& module);

}  // namespace sluice::codegen
