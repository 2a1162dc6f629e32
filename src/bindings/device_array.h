// Arrays in the memory of a device, as CuPy, PyTorch and Numba hand them over.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bindings/convert.h"

namespace sluice::bindings {

struct DeviceArray {
    void* data = nullptr;
    code::DType dtype;
    std::vector<std::int64_t> shape, strides;  ///< Strides in bytes.
    bool writable = true;
};
/// What `__cuda_array_interface__` says of an object (Numba, CUDA Array Interface, version 3); nullopt: it has none. Throws Failure
/// A008 for elements that programs have no type for, and for masks.
std::optional<DeviceArray> device_array(nb::handle object);

}  // namespace sluice::bindings
