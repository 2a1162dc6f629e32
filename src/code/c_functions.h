// Functions of real numbers that are those of C's <math.h>: a row is all that one takes. Types, the front end and the interpreter
// are made of the rows; `runtime/` has what generated code calls.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

namespace sluice::code {

struct OfOne {
    std::string_view name;
    float (*single)(float);  ///< For float16 and float32.
    double (*wide)(double);  ///< For all others.
};
struct OfTwo {
    std::string_view name;
    float (*single)(float, float);
    double (*wide)(double, double);
};

inline constexpr auto kOfOne = std::to_array<OfOne>({{"cbrt", ::cbrtf, ::cbrt}, {"erf", ::erff, ::erf}, {"erfc", ::erfcf, ::erfc}});
inline constexpr auto kOfTwo =
    std::to_array<OfTwo>({{"atan2", ::atan2f, ::atan2}, {"hypot", ::hypotf, ::hypot}, {"copysign", ::copysignf, ::copysign}});

}  // namespace sluice::code
