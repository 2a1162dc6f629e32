// Arithmetic of indices and sizes: 64 bits, checked. Both interpreters compute with it.
#pragma once

#include <cstdint>

#include "support/result.h"

namespace sluice::interpret::whole {

[[noreturn]] inline void overflow() {
    fail({"I006", "the value of a symbolic expression leaves 64 bits", {}, {}, "use smaller sizes", {}});
}
inline std::int64_t add(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_add_overflow(a, b, &result)) overflow();
    return result;
}
inline std::int64_t multiply(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result)) overflow();
    return result;
}
/// Towards minus infinity.
inline std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
    if (b == 0) fail({"I006", "a symbolic expression divides by zero", {}, {}, "guard the division", {}});
    if (b == -1) return multiply(a, -1);
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
/// With the sign of b.
inline std::int64_t modulo(std::int64_t a, std::int64_t b) {
    return b == -1 ? 0 : a - multiply(floor_divide(a, b), b);
}

}  // namespace sluice::interpret::whole
