// One argument on its way from Python to the compiled program: the buffer of an array, the bits of a number.
#pragma once

#include <Python.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "driver/signature.h"

namespace sluice::bindings {

/// Throws Failure: the argument of that name does not fit.
[[noreturn]] inline void fail_argument(std::string code, std::string message, const std::string& name, std::string remedy) {
    fail({.code = std::move(code),
          .message = std::move(message),
          .where = {},
          .path = name,
          .remedy = std::move(remedy),
          .notes = {}});
}

/// The element type of a buffer by its format code; Void for what has no counterpart. Native byte order only.
code::DType dtype_of_format(const char* format, Py_ssize_t item_size);

/// A number converted to an argument's type.
struct ScalarValue {
    alignas(16) std::array<std::byte, 16> bytes{};
};
/// Converts a Python or NumPy number, or an array of one element. Throws Failure A002 where the number does not fit the type: a
/// float for an integer, an integer out of range.
void store_scalar(const driver::Argument& argument, PyObject* object, ScalarValue& into);
/// The other way, as a NumPy scalar's Python counterpart.
PyObject* load_scalar(const code::DType& type, const ScalarValue& value);

}  // namespace sluice::bindings
