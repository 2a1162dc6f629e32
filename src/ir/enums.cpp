// Tables of names, in the order of the enumerators; the static_asserts tie their lengths to the last enumerator.
#include "ir/enums.h"

#include <array>

namespace sluice::ir {

namespace {

constexpr std::array<std::string_view, 16> kStorageNames{"Default",         "Register",       "CPU_Pinned",         "CPU_Heap",
                                                         "CPU_ThreadLocal", "GPU_Global",     "GPU_Shared",         "SVE_Register",
                                                         "Snitch_TCDM",     "Snitch_L2",      "Snitch_SSR",         "FPGA_Global",
                                                         "FPGA_Local",      "FPGA_Registers", "FPGA_ShiftRegister", "Undefined"};
static_assert(kStorageNames.size() == static_cast<std::size_t>(Storage::Undefined) + 1);

constexpr std::array<std::string_view, 17> kScheduleNames{"Default",
                                                          "Sequential",
                                                          "MPI",
                                                          "CPU_Multicore",
                                                          "CPU_Persistent",
                                                          "Unrolled",
                                                          "SVE_Map",
                                                          "GPU_Default",
                                                          "GPU_Device",
                                                          "GPU_ThreadBlock",
                                                          "GPU_ThreadBlock_Dynamic",
                                                          "GPU_Persistent",
                                                          "FPGA_Device",
                                                          "FPGA_Multi_Pumped",
                                                          "Snitch",
                                                          "Snitch_Multicore",
                                                          "Undefined"};
static_assert(kScheduleNames.size() == static_cast<std::size_t>(Schedule::Undefined) + 1);

constexpr std::array<std::string_view, 6> kLifetimeNames{"Scope", "State", "SDFG", "Global", "Persistent", "External"};
static_assert(kLifetimeNames.size() == static_cast<std::size_t>(Lifetime::External) + 1);

constexpr std::array<std::string_view, 6> kLanguageNames{"Python", "CPP", "OpenCL", "SystemVerilog", "MLIR", "Undefined"};
static_assert(kLanguageNames.size() == static_cast<std::size_t>(Language::Undefined) + 1);

constexpr std::array<std::string_view, 4> kOmpScheduleNames{"Default", "Static", "Dynamic", "Guided"};
static_assert(kOmpScheduleNames.size() == static_cast<std::size_t>(OmpSchedule::Guided) + 1);

constexpr std::array<std::string_view, 10> kInstrumentationNames{
    "No_Instrumentation", "Timer",          "PAPI_Counters",   "LIKWID_CPU", "LIKWID_GPU",
    "GPU_Events",         "GPU_TX_MARKERS", "LIKWID_Counters", "FPGA",       "Undefined"};
static_assert(kInstrumentationNames.size() == static_cast<std::size_t>(Instrumentation::Undefined) + 1);

constexpr std::array<std::string_view, 4> kDataInstrumentationNames{"No_Instrumentation", "Save", "Restore", "Undefined"};
static_assert(kDataInstrumentationNames.size() == static_cast<std::size_t>(DataInstrumentation::Undefined) + 1);

constexpr std::array<std::string_view, 3> kBindingNames{"Own", "View", "Reference"};
static_assert(kBindingNames.size() == static_cast<std::size_t>(Binding::Reference) + 1);

constexpr std::array<std::string_view, 4> kRegionKindNames{"ControlFlowRegion", "NamedRegion", "FunctionCallRegion",
                                                           "UnstructuredControlFlow"};
static_assert(kRegionKindNames.size() == static_cast<std::size_t>(RegionKind::UnstructuredControlFlow) + 1);

}  // namespace

template <> std::span<const std::string_view> enum_names<Storage>() {
    return kStorageNames;
}
template <> std::span<const std::string_view> enum_names<Schedule>() {
    return kScheduleNames;
}
template <> std::span<const std::string_view> enum_names<Lifetime>() {
    return kLifetimeNames;
}
template <> std::span<const std::string_view> enum_names<Language>() {
    return kLanguageNames;
}
template <> std::span<const std::string_view> enum_names<OmpSchedule>() {
    return kOmpScheduleNames;
}
template <> std::span<const std::string_view> enum_names<Instrumentation>() {
    return kInstrumentationNames;
}
template <> std::span<const std::string_view> enum_names<DataInstrumentation>() {
    return kDataInstrumentationNames;
}
template <> std::span<const std::string_view> enum_names<Binding>() {
    return kBindingNames;
}
template <> std::span<const std::string_view> enum_names<RegionKind>() {
    return kRegionKindNames;
}

}  // namespace sluice::ir
