// The kernels of a module: its launches, and what each names from outside, which a target hands it as arguments.
#pragma once

#include <vector>

#include "loop/ir.h"

namespace sluice::loop {

struct Kernel {
    const Launch* launch;
    /// Buffers, then values, each in the order of their names. A buffer that the body, or a function that it calls, may write is
    /// `written`. Constants of the module are not among them.
    std::vector<Parameter> parameters;
};
/// In the order of the functions, the program last. The module has been verified.
std::vector<Kernel> kernels(const Module& module);
/// Has the module a launch, or a function or memory of the device?
bool uses_device(const Module& module);

}  // namespace sluice::loop
