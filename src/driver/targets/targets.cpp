// The list of the targets. Adding one is its folder in codegen/, its entry in target/target.cpp and its line here.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "codegen/c99/print.h"
#include "codegen/cpu/print.h"
#include "codegen/cuda/print.h"
#include "codegen/hls/print.h"
#include "codegen/mpi/print.h"
#include "codegen/opencl/print.h"
#include "driver/settings.h"
#include "driver/targets/cuda.h"
#include "driver/targets/opencl.h"
#include "driver/targets/openmp.h"
#include "driver/targets/target.h"
#include "target/carries.h"

namespace sluice::driver {

namespace {

codegen::Artifact print_opencl_and_hls_xilinx(const loop::Module& module) {
    return codegen::print_hls_xilinx_and_threads(codegen::opencl_language(), module);
}

}  // namespace

std::span<const TargetTools> target_tools() {
    using Kind = codegen::Unit::Kind;
    static const std::array all{
        TargetTools{&target::cpu(), codegen::print_cpu, find_toolchain, load_openmp, Kind::HostCpp},
        TargetTools{&target::named("c99"), codegen::print_c99, find_c_compiler, [] {}, Kind::HostC},
        TargetTools{&target::named("opencl"), codegen::print_opencl, find_toolchain, load_opencl, Kind::HostCpp},
        TargetTools{&target::named("cuda"), codegen::print_cuda, find_toolchain, load_cuda, Kind::HostCpp},
        TargetTools{&target::named("hls-xilinx"), codegen::print_hls_xilinx, find_toolchain, load_openmp, Kind::HostCpp},
        TargetTools{&target::named("hls-intel"), codegen::print_hls_intel, find_toolchain, load_openmp, Kind::HostCpp},
        TargetTools{&target::named("opencl+hls-xilinx"), print_opencl_and_hls_xilinx, find_toolchain, load_opencl, Kind::HostCpp},
        TargetTools{&target::named("mpi"), codegen::print_mpi, find_mpi_compiler, load_openmp, Kind::HostCpp, true},
    };
    return all;
}

const TargetTools& tools_of(const std::string& target) {
    std::vector<std::string> names;
    for (const TargetTools& one : target_tools()) {
        if (one.target->name == target) return one;
        names.push_back(one.target->name);
    }
    fail({"D023", "there is no target `" + target + "`", {}, {}, fmt::format("choose among {}", fmt::join(names, ", ")), {}});
}

std::string target_for(const ir::Sdfg& sdfg, const std::string& target) {
    const bool needs_ranks = target::has_messages(sdfg) || target::has_maps_for_ranks(sdfg);
    return target == target::cpu().name && needs_ranks ? target::named("mpi").name : target;
}

ChosenTarget chosen_target(const std::string& name) {
    if (name != "gpu" && name != "fpga") return {name, {}};
    const SettingValue set = setting("target." + name);
    if (!set.text.empty()) return {set.text, "setting target." + name + ", " + set.origin};
    if (name == "gpu") {
        const bool cuda = cuda_device().ok();
        return {cuda ? "cuda" : "opencl", cuda ? "a device of CUDA answers" : "no device of CUDA answers"};
    }
    const bool intel = !find_program("aoc").empty() && find_program("v++").empty() && find_program("vitis_hls").empty();
    return {intel ? "hls-intel" : "hls-xilinx", intel ? "aoc is installed" : "the default"};
}

std::string source_suffix(const std::string& target) {
    return codegen::suffix(tools_of(target).host);
}

}  // namespace sluice::driver
