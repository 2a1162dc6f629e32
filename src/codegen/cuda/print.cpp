#include "codegen/cuda/print.h"

#include <array>

#include "codegen/cuda/beginning.h"
#include "codegen/device/language.h"

namespace sluice::codegen {

Artifact print_cuda(const loop::Module& module) {
    // Variables that every thread has, and macros of cuda_device.h and arithmetic.h that are no words of C++.
    static constexpr std::array kTaken{"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize",
                                       "signbit",   "isnan",    "isinf",    "isfinite"};
    static const KernelLanguage language{.runtime = "cuda",
                                         .unit = Unit::Kind::Cuda,
                                         .beginning = cuda_beginning(),
                                         .taken = kTaken,
                                         .kernel = "extern \"C\" __global__",
                                         .global = "",
                                         .shared = "__shared__ ",
                                         .constant = "__constant__",
                                         .large_constant = "__device__ const",
                                         .restricted = "__restrict__",
                                         .long_suffix = "LL",
                                         .memory_begins_anywhere = true,
                                         .short_axes = true};
    return print_launching(module, language);
}

}  // namespace sluice::codegen
