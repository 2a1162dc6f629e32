// NumPy's type letters as scalars.
#pragma once

#include <array>
#include <string_view>

#include "code/dtype.h"

namespace sluice::code {

inline Scalar numpy_scalar(char letter) {
    constexpr std::string_view kLetters = "?bhilBHILefdFD";
    constexpr std::array kScalars = {Scalar::Bool,    Scalar::Int8,    Scalar::Int16,     Scalar::Int32,     Scalar::Int64,
                                     Scalar::UInt8,   Scalar::UInt16,  Scalar::UInt32,    Scalar::UInt64,    Scalar::Float16,
                                     Scalar::Float32, Scalar::Float64, Scalar::Complex64, Scalar::Complex128};
    return kScalars[kLetters.find(letter)];
}

}  // namespace sluice::code
