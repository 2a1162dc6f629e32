#include "codegen/opencl/print.h"

#include <array>

#include "codegen/device/kernels.h"
#include "codegen/device/language.h"
#include "codegen/opencl/beginning.h"

namespace sluice::codegen {

const KernelLanguage& opencl_language() {
    static constexpr std::array kTaken{"kernel",     "global",     "local",   "constant", "private",   "generic",
                                       "half",       "uchar",      "ushort",  "uint",     "ulong",     "read_only",
                                       "write_only", "read_write", "event_t", "barrier",  "sampler_t", "image1d_t",
                                       "image2d_t",  "image3d_t",  "quad",    "pipe",     "vec_step",  "__block"};
    static const std::string beginning = std::string(opencl_c()) + std::string(opencl_beginning());
    static const KernelLanguage language{.runtime = "opencl",
                                         .unit = Unit::Kind::OpenCl,
                                         .beginning = beginning,
                                         .taken = kTaken,
                                         .kernel = "__kernel",
                                         .global = "__global ",
                                         .shared = "__local ",
                                         .constant = "__constant",
                                         .large_constant = "__constant",
                                         .restricted = "restrict",
                                         .long_suffix = "L",
                                         .memory_begins_anywhere = false,
                                         .constant_argument = "__constant ",
                                         .short_axes = false};
    return language;
}

Artifact print_opencl(const loop::Module& module) {
    return print_launching(module, opencl_language());
}

}  // namespace sluice::codegen
