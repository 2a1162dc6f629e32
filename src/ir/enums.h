// The enumerations of the SDFG, under the names of the papers and of the .sdfg format. The tables of names are the single
// source for the text form, JSON and Python.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sluice::ir {

enum class Storage : std::uint8_t {
    Default,
    Register,
    CPU_Pinned,
    CPU_Heap,
    CPU_ThreadLocal,
    GPU_Global,
    GPU_Shared,
    SVE_Register,
    Snitch_TCDM,
    Snitch_L2,
    Snitch_SSR,
    FPGA_Global,
    FPGA_Local,
    FPGA_Registers,
    FPGA_ShiftRegister,
    Undefined,
};
enum class Schedule : std::uint8_t {
    Default,
    Sequential,
    MPI,
    CPU_Multicore,
    CPU_Persistent,
    Unrolled,
    SVE_Map,
    GPU_Default,
    GPU_Device,
    GPU_ThreadBlock,
    GPU_ThreadBlock_Dynamic,
    GPU_Persistent,
    FPGA_Device,
    FPGA_Multi_Pumped,
    Snitch,
    Snitch_Multicore,
    Undefined,
};
enum class Lifetime : std::uint8_t { Scope, State, SDFG, Global, Persistent, External };
enum class Language : std::uint8_t { Python, CPP, OpenCL, SystemVerilog, MLIR, Undefined };
enum class OmpSchedule : std::uint8_t { Default, Static, Dynamic, Guided };
enum class Instrumentation : std::uint8_t {
    No_Instrumentation,
    Timer,
    PAPI_Counters,
    LIKWID_CPU,
    LIKWID_GPU,
    GPU_Events,
    GPU_TX_MARKERS,
    LIKWID_Counters,
    FPGA,
    Undefined,
};
enum class DataInstrumentation : std::uint8_t { No_Instrumentation, Save, Restore, Undefined };
/// How a container gets its memory: its own, a view of another container's (fixed by the graph), or a pointer that a `set`
/// connector binds at run time.
enum class Binding : std::uint8_t { Own, View, Reference };
/// The flavours of a plain control-flow region.
enum class RegionKind : std::uint8_t { ControlFlowRegion, NamedRegion, FunctionCallRegion, UnstructuredControlFlow };

/// Names in the order of the enumerators. Specialised in enums.cpp for every enumeration above.
template <class Enum> std::span<const std::string_view> enum_names();
template <> std::span<const std::string_view> enum_names<Storage>();
template <> std::span<const std::string_view> enum_names<Schedule>();
template <> std::span<const std::string_view> enum_names<Lifetime>();
template <> std::span<const std::string_view> enum_names<Language>();
template <> std::span<const std::string_view> enum_names<OmpSchedule>();
template <> std::span<const std::string_view> enum_names<Instrumentation>();
template <> std::span<const std::string_view> enum_names<DataInstrumentation>();
template <> std::span<const std::string_view> enum_names<Binding>();
template <> std::span<const std::string_view> enum_names<RegionKind>();

template <class Enum> std::string_view to_string(Enum value) {
    return enum_names<Enum>()[static_cast<std::size_t>(value)];
}
template <class Enum> std::optional<Enum> parse_enum(std::string_view name) {
    const auto names = enum_names<Enum>();
    for (std::size_t at = 0; at < names.size(); ++at)
        if (names[at] == name) return static_cast<Enum>(at);
    return std::nullopt;
}

}  // namespace sluice::ir
