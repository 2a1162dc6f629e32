// A target as the driver sees it: what a graph may say there, what prints its loops, what compiles and loads the printed text.
// One line of targets.cpp for each.
#pragma once

#include <span>
#include <string>

#include "codegen/artifact.h"
#include "driver/targets/toolchain.h"
#include "ir/sdfg.h"
#include "loop/ir.h"
#include "support/result.h"
#include "target/target.h"

namespace sluice::driver {

struct TargetTools {
    const target::Target* target;  ///< What a graph may say.
    codegen::Artifact (*print)(const loop::Module& module);
    /// The compiler of its printed text. Error D001: it is missing; the remedy names the package that brings it.
    Result<Toolchain> (*toolchain)();
    void (*before_loading)();  ///< What the process needs before it loads a library of the target; may do nothing.
    codegen::Unit::Kind host;  ///< Of the text that is compiled to the library.
    bool has_ranks = false;    ///< The library exports `_world` (codegen/mpi/print.h).
};

/// In the order of target::targets().
std::span<const TargetTools> target_tools();
/// Throws Failure D023: there is no target of that name.
const TargetTools& tools_of(const std::string& target);
/// The target of a program for which `target` is named: ranks of one that sends messages need `mpi`, where nobody asks for more
/// than the default, a CPU.
std::string target_for(const ir::Sdfg& sdfg, const std::string& target);
struct ChosenTarget {
    std::string name;
    std::string reason;  ///< `setting target.gpu, environment SLUICE_TARGET_GPU`; empty for what was no kind of device.
};
/// The target that a kind of device means, `gpu` or `fpga`: what the setting `target.gpu` or `target.fpga` names, else CUDA where a
/// device of it answers and otherwise OpenCL, and Intel's compiler where it alone is found and otherwise Vitis HLS. Any other name
/// as it is. Throws Failure D011 to D013: the settings cannot be read.
ChosenTarget chosen_target(const std::string& name);
/// How the file of a target's printed text ends: `.cpp`. Throws Failure D023.
std::string source_suffix(const std::string& target);

}  // namespace sluice::driver
