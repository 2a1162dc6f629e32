// The stages before the C++ compiler, shared by compile and emit.
#pragma once

#include <string>

#include "codegen/artifact.h"
#include "driver/compile.h"
#include "driver/profile/profile.h"
#include "driver/targets/toolchain.h"
#include "loop/ir.h"

namespace sluice::driver {

struct Printed {
    codegen::Artifact artifact;
    std::string name;  ///< Of the module: prefix of its exported functions.
    Toolchain toolchain;
    std::vector<Prediction> predictions = {};  ///< Of its instrumented parts.
    std::vector<PartOnHost> on_host = {};      ///< Of a GPU's program.
    std::vector<std::string> warnings = {};    ///< Rendered.
    const std::string& source() const { return artifact.host(); }
    const std::string& header() const { return artifact.unit(codegen::Unit::Kind::Header).text; }
};
/// What else there is to say of a program once it is decided.
struct Decided {
    bool measured = false;  ///< Are predictions of its instrumented parts wanted?
    std::vector<Prediction> predictions = {};
    std::vector<PartOnHost> on_host = {};
};
/// The loops of a verified program, after the decisions that the options ask for. Throws Failure L0nn.
loop::Module lowered(const ir::Sdfg& sdfg, const CompileOptions& options, Decided* decided = nullptr);
/// Verifies, lowers and prints. Throws Failure: the verifier's first violation, L0nn, D001.
Printed print_program(const ir::Sdfg& sdfg, const CompileOptions& options, CompileTimes& times);

}  // namespace sluice::driver
