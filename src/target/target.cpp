#include "target/target.h"

#include "support/check.h"

namespace sluice::target {

namespace {

using enum ir::Schedule;

/// A host with a device that kernels run on.
Target launching(const char* name, const char* phrase, ir::Language of_kernels) {
    return {.name = name,
            .phrase = phrase,
            .maps = {Default, Sequential, CPU_Multicore, CPU_Persistent, Unrolled, GPU_Device, GPU_ThreadBlock},
            .consumes = {Default, Sequential, CPU_Multicore, GPU_Device},
            .states = {Default, Sequential, CPU_Multicore},
            .loops = {Default, Sequential, CPU_Persistent},
            .copies = {Default, Sequential, CPU_Multicore},
            .storages = {ir::Storage::Default, ir::Storage::Register, ir::Storage::CPU_Heap, ir::Storage::CPU_ThreadLocal,
                         ir::Storage::CPU_Pinned, ir::Storage::GPU_Global, ir::Storage::GPU_Shared},
            .languages = {ir::Language::Python, ir::Language::CPP, ir::Language::OpenCL},
            .of_kernels = of_kernels,
            .device = true,
            .timers = false};
}

/// The same where memory of the device has addresses.
Target addressing(const char* name, const char* phrase, ir::Language of_kernels) {
    Target target = launching(name, phrase, of_kernels);
    target.addresses = true;
    return target;
}

/// The same where the device is an FPGA.
Target streaming(const char* name, const char* phrase, ir::Language of_kernels) {
    Target target = launching(name, phrase, of_kernels);
    target.maps = {Default, Sequential, CPU_Multicore, CPU_Persistent, Unrolled, FPGA_Device};
    target.storages = {ir::Storage::Default,         ir::Storage::Register,       ir::Storage::CPU_Heap,
                       ir::Storage::CPU_ThreadLocal, ir::Storage::CPU_Pinned,     ir::Storage::FPGA_Global,
                       ir::Storage::FPGA_Local,      ir::Storage::FPGA_Registers, ir::Storage::FPGA_ShiftRegister};
    target.states.push_back(FPGA_Device);
    target.fpga = true;
    target.consumes = {Default, Sequential, CPU_Multicore};
    target.libraries = target.own_code = false;
    return target;
}

template <class Value> void add(std::vector<Value>& list, const std::vector<Value>& others) {
    for (const Value other : others)
        if (!holds(list, other)) list.push_back(other);
}

/// A host with two devices, a GPU and an FPGA, whose kernels have Python in common.
Target both(const char* name, const char* phrase, const Target& gpu, const Target& fpga) {
    Target target = gpu;
    target.name = name, target.phrase = phrase;
    add(target.maps, fpga.maps), add(target.states, fpga.states), add(target.storages, fpga.storages);
    target.of_kernels = ir::Language::Python;
    target.fpga = true;
    return target;
}

// One entry for each target.
const std::vector<Target>& table() {
    static const std::vector<Target> targets{
        {.name = "cpu",
         .phrase = "a CPU",
         .maps = {Default, Sequential, CPU_Multicore, CPU_Persistent, Unrolled},
         .consumes = {Default, Sequential, CPU_Multicore},
         .states = {Default, Sequential, CPU_Multicore},
         .loops = {Default, Sequential, CPU_Persistent},
         .copies = {Default, Sequential, CPU_Multicore},
         .storages = {ir::Storage::Default, ir::Storage::Register, ir::Storage::CPU_Heap, ir::Storage::CPU_ThreadLocal,
                      ir::Storage::CPU_Pinned},
         .languages = {ir::Language::Python, ir::Language::CPP}},
        {.name = "c99",
         .phrase = "C99",
         .maps = {Default, Sequential, CPU_Multicore, CPU_Persistent, Unrolled},
         .consumes = {},
         .states = {Default, Sequential, CPU_Multicore},
         .loops = {Default, Sequential, CPU_Persistent},
         .copies = {Default, Sequential, CPU_Multicore},
         .storages = {ir::Storage::Default, ir::Storage::Register, ir::Storage::CPU_Heap, ir::Storage::CPU_ThreadLocal},
         .languages = {ir::Language::Python},
         .threads = false,
         .types = {code::Scalar::Bool, code::Scalar::Int8, code::Scalar::Int16, code::Scalar::Int32, code::Scalar::Int64,
                   code::Scalar::UInt8, code::Scalar::UInt16, code::Scalar::UInt32, code::Scalar::UInt64, code::Scalar::Float32,
                   code::Scalar::Float64},
         .vectors = false,
         .streams = false,
         .reservations = false,
         .libraries = false,
         .own_code = false,
         .timers = false},
        launching("opencl", "OpenCL", ir::Language::OpenCL),
        addressing("cuda", "CUDA", ir::Language::CPP),
        streaming("hls-xilinx", "an FPGA by Vitis HLS", ir::Language::CPP),
        streaming("hls-intel", "an FPGA by Intel's OpenCL", ir::Language::OpenCL),
        both("opencl+hls-xilinx", "OpenCL and an FPGA by Vitis HLS", launching("opencl", "OpenCL", ir::Language::OpenCL),
             streaming("hls-xilinx", "an FPGA by Vitis HLS", ir::Language::CPP)),
        {.name = "mpi",
         .phrase = "MPI",
         .maps = {Default, Sequential, CPU_Multicore, CPU_Persistent, Unrolled},
         .consumes = {Default, Sequential, CPU_Multicore},
         .states = {Default, Sequential, CPU_Multicore},
         .loops = {Default, Sequential, CPU_Persistent},
         .copies = {Default, Sequential, CPU_Multicore},
         .storages = {ir::Storage::Default, ir::Storage::Register, ir::Storage::CPU_Heap, ir::Storage::CPU_ThreadLocal,
                      ir::Storage::CPU_Pinned},
         .languages = {ir::Language::Python, ir::Language::CPP},
         .messages = true},
    };
    return targets;
}

}  // namespace

std::span<const Target> targets() {
    return table();
}

const Target& cpu() {
    return table().front();
}

const Target& named(std::string_view name) {
    const auto found = std::ranges::find(table(), name, &Target::name);
    check(found != table().end(), "there is no target ", name);
    return *found;
}

}  // namespace sluice::target
