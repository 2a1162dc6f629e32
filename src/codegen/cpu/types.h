// Types and literals as C++ and C text.
#pragma once

#include <cstdint>
#include <string>

#include "code/dtype.h"

namespace sluice::codegen {

/// C++ in namespace sluice: `double`, `complex128`, `vector<float, 4>`, `int64_t*`, a struct's name.
std::string cpp_type(const code::DType& type);
/// C of the header: complex numbers as `sluice_complex128`, float16 as its bits, vectors as their element.
std::string c_type(const code::DType& type);

/// A literal of exactly this type; every value round-trips, infinities and NaN included.
std::string integer_literal(std::int64_t value, const code::DType& type);
std::string float_literal(double real, double imaginary, const code::DType& type);

/// Arithmetic on the type is done in `int` by C++ and has to be cut back: integers below 32 bits and bool.
bool is_narrow(const code::DType& type);

}  // namespace sluice::codegen
