// What a program did on its device, as Python sees it.
#pragma once

#include <nanobind/nanobind.h>

#include "driver/compile.h"

namespace sluice::bindings {

namespace nb = nanobind;

/// A dictionary of counts; None without a device.
inline nb::object traffic_of(const driver::CompiledProgram& program) {
    const auto traffic = program.traffic();
    if (!traffic) return nb::none();
    nb::dict result;
    result["launches"] = traffic->launches;
    result["to_device"] = traffic->to_device;
    result["from_device"] = traffic->from_device;
    result["within_device"] = traffic->within_device;
    result["elements"] = traffic->elements;
    result["off_chip_reads"] = traffic->off_chip_reads;
    result["off_chip_writes"] = traffic->off_chip_writes;
    return result;
}

}  // namespace sluice::bindings
