// The stages before the C++ compiler, shared by compile and emit.
#pragma once

#include <string>

#include "codegen/cpu/print.h"
#include "driver/compile.h"
#include "driver/toolchain.h"

namespace sluice::driver {

struct Printed {
    codegen::CpuSource source;
    std::string name;  ///< Of the module: prefix of its exported functions.
    Toolchain toolchain;
};
/// The loops of a verified program, after the decisions that the options ask for. Throws Failure L0nn.
loop::Module lowered(const ir::Sdfg& sdfg, const CompileOptions& options);
/// Verifies, lowers and prints. Throws Failure: the verifier's first violation, L0nn, D001.
Printed print_program(const ir::Sdfg& sdfg, const CompileOptions& options, CompileTimes& times);

}  // namespace sluice::driver
