// The part of a module that a device runs, in a language of kernels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/device/language.h"
#include "loop/ir.h"
#include "loop/passes/kernels.h"

namespace sluice::codegen {

/// The kernels and the functions and constants that they use, with everything that they need; empty without kernels. Throws Failure
/// L023: the language has no word for something.
std::string print_kernels(const loop::Module& module, const std::vector<loop::Kernel>& kernels, const KernelLanguage& language);

/// runtime/arithmetic.h.
std::string_view arithmetic_of_c();
/// runtime/kernel_complex.h.
std::string_view complex_of_kernels();
/// runtime/opencl_c.h.
std::string_view opencl_c();

}  // namespace sluice::codegen
