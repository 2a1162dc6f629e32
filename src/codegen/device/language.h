// A language of kernels as a value: how it spells what kernels need, and what the host calls to launch them.
#pragma once

#include <span>
#include <string_view>

#include "codegen/artifact.h"
#include "loop/ir.h"
#include "loop/passes/kernels.h"

namespace sluice::codegen {

struct KernelLanguage {
    const char* runtime;         ///< `opencl`: the host includes opencl.h of runtime/ and calls what is in sluice::opencl.
    Unit::Kind unit;             ///< Of the kernels' text.
    std::string_view beginning;  ///< What the text begins with; runtime/arithmetic.h follows.
    /// Words of the language that C and C++ leave to variables.
    std::span<const char* const> taken;
    // Words in front: of a kernel, of memory of the device, of a block, and of constants.
    const char *kernel, *global, *shared, *constant;
    const char* large_constant;  ///< Of constants that the device's memory of constants does not hold.
    const char* restricted;
    const char* long_suffix;  ///< Of a literal of 64 bits.
    /// False: memory arrives with the element that it begins at, because an argument is always a whole buffer.
    bool memory_begins_anywhere;
    /// In front of an argument in the memory of constants, which the host fills; empty: that is a variable of the kernels' text.
    const char* constant_argument = "";
    /// Not null: kernels are C++ that is compiled behind the host's text, a simulation, and this prints them.
    std::string (*simulated)(const loop::Module& module, const std::vector<loop::Kernel>& kernels,
                             const KernelLanguage& language) = nullptr;
    /// The grid is at most 65,535 blocks along y and z, so that loops over these take more than one turn.
    bool short_axes;
};

inline bool has_constant_arguments(const KernelLanguage& language) {
    return *language.constant_argument != 0;
}

/// Prints a Module as C++ for the host, with its launches as kernels. The library exports what one for CPUs does (cpu/print.h), and
///     void axpy_traffic(int64_t counts[7])    launches; bytes copied to, from and within the device; of a simulation, processing
///                                             elements that ran and what they read and wrote off the chip: since it was loaded
/// The device's compiler runs in axpy_init.
Artifact print_launching(const loop::Module& module, const KernelLanguage& language);
/// The same for a host with two devices, of which the first runs threads and the second one is an FPGA's simulation.
Artifact print_launching(const loop::Module& module, std::span<const KernelLanguage* const> languages);

}  // namespace sluice::codegen
