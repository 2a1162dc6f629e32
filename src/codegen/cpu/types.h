// Types and literals as C++ text.
#pragma once

#include <cstdint>
#include <string>

#include "codegen/c_like/types.h"

namespace sluice::codegen {

/// C++ in namespace sluice: `double`, `complex128`, `vector<float, 4>`, `int64_t*`, a struct's name.
std::string cpp_type(const code::DType& type);
/// The same outside of that namespace: `sluice::complex128`.
std::string qualified_type(const code::DType& type);
/// A literal of exactly this type; every value round-trips, infinities and NaN included.
std::string integer_literal(std::int64_t value, const code::DType& type);
std::string float_literal(double real, double imaginary, const code::DType& type);

}  // namespace sluice::codegen
