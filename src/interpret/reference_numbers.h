// Elements as the numbers of an operation's reference, and back.
#pragma once

#include "interpret/numbers.h"
#include "ir/meaning.h"

namespace sluice::interpret {

inline ir::Number number_of(const Cell& value, Scalar scalar) {
    if (code::is_complex(scalar)) return convert(value, scalar, Scalar::Complex128).as<Complex128>();
    if (code::is_floating(scalar)) return convert(value, scalar, Scalar::Float64).as<double>();
    return convert(value, scalar, Scalar::Int64).as<std::int64_t>();
}

/// The number as an element of the type.
inline Cell cell_of(const ir::Number& value, Scalar scalar) {
    if (value.integral) return convert(cell(value.integer), Scalar::Int64, scalar);
    if (code::is_complex(scalar)) return convert(cell(value.real), Scalar::Complex128, scalar);
    return convert(cell(value.real.real()), Scalar::Float64, scalar);
}

}  // namespace sluice::interpret
