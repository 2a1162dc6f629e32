// Integer arithmetic with Python's rounding and NumPy's answers: division rounds to minus infinity, the remainder has the sign of
// the divisor, division by zero gives 0, and the smallest number divided by -1 wraps instead of trapping.
#pragma once

#include "types.h"

namespace sluice {

/// Is it a power of two that the compiler sees? To keep the low bits, and to shift them out, rounds to minus infinity.
template <class T> [[gnu::always_inline]] inline bool is_known_power_of_two(T b) {
    return __builtin_constant_p(b) && b > 0 && (b & (b - 1)) == 0;
}

template <Integer T> inline T floor_divide(T a, plain<T> b) {
    if constexpr (is_signed_integer<T>) {
        if (is_known_power_of_two(b)) return T(a >> __builtin_ctzll(uint64_t(b)));
        if (__builtin_expect(b == 0, 0)) return 0;
        if (b == -1) return T(0 - bits_of<T>(a));
        const T quotient = T(a / b);
        return T(quotient - ((a % b != 0) & ((a ^ b) < 0)));
    } else {
        return b == 0 ? T(0) : T(a / b);
    }
}

template <Integer T> inline T remainder(T a, plain<T> b) {
    if constexpr (is_signed_integer<T>) {
        if (is_known_power_of_two(b)) return T(a & (b - 1));
        if (__builtin_expect(b == 0, 0)) return 0;
        if (b == -1) return 0;
        const T rest = T(a % b);
        return rest != 0 && (rest ^ b) < 0 ? T(rest + b) : rest;
    } else {
        return b == 0 ? T(0) : T(a % b);
    }
}
template <Integer T> inline T mod(T a, plain<T> b) {
    return remainder(a, b);
}

/// C's remainder: the sign of the dividend.
template <Integer T> inline T fmod(T a, plain<T> b) {
    if (b == 0) return 0;
    if constexpr (is_signed_integer<T>) {
        if (b == -1) return 0;
    }
    return T(a % b);
}

template <Integer T> inline T ceil_divide(T a, plain<T> b) {
    return T(0 - bits_of<T>(floor_divide(T(0 - bits_of<T>(a)), b)));
}
template <Integer T> inline T int_floor(T a, plain<T> b) {
    return floor_divide(a, b);
}
template <Integer T> inline T int_ceil(T a, plain<T> b) {
    return ceil_divide(a, b);
}

/// base ** exponent, wrapping. A negative exponent gives what exact arithmetic truncates to: 1 and -1 stay, all others give 0.
template <Integer T, Integer E> inline T ipow(T base, E exponent) {
    if constexpr (is_signed_integer<E>) {
        if (exponent < 0) return base == 1 ? T(1) : base == T(-1) ? T(exponent % 2 == 0 ? 1 : -1) : T(0);
    }
    uint64_t result = 1, factor = uint64_t(base);
    for (uint64_t rest = uint64_t(exponent); rest != 0; rest >>= 1) {
        if (rest & 1) result *= factor;
        factor *= factor;
    }
    return T(result);
}
template <Integer T> inline T power(T base, plain<T> exponent) {
    return ipow(base, exponent);
}

template <Integer T> inline T minimum(T a, plain<T> b) {
    return b < a ? b : a;
}
template <Integer T> inline T maximum(T a, plain<T> b) {
    return a < b ? b : a;
}
template <Integer T> inline T fmin(T a, plain<T> b) {
    return minimum(a, b);
}
template <Integer T> inline T fmax(T a, plain<T> b) {
    return maximum(a, b);
}

template <Integer T> inline T abs(T a) {
    if constexpr (is_signed_integer<T>)
        return a < 0 ? T(0 - bits_of<T>(a)) : a;
    else
        return a;
}
template <Integer T> inline T sign(T a) {
    return T((a > T(0)) - (a < T(0)));
}

template <Integer T> inline T gcd(T a, plain<T> b) {
    a = abs(a);
    b = abs(b);
    while (b != 0) {
        const T rest = T(a % b);
        a = b;
        b = rest;
    }
    return a;
}
template <Integer T> inline T lcm(T a, plain<T> b) {
    const T divisor = gcd(a, b);
    return divisor == 0 ? T(0) : T(abs(a) / divisor * abs(b));
}

/// NumPy shifts out everything when the count reaches the width; C leaves that undefined.
template <Integer T> inline T left_shift(T a, plain<T> count) {
    return uint64_t(count) < sizeof(T) * 8 ? T(bits_of<T>(a) << count) : T(0);
}
template <Integer T> inline T right_shift(T a, plain<T> count) {
    return uint64_t(count) < sizeof(T) * 8 ? T(a >> count) : T(a < 0 ? -1 : 0);
}

}  // namespace sluice

// Names that symbolic index expressions print.
inline int64_t sluice_floor_div(int64_t a, int64_t b) {
    return sluice::floor_divide<int64_t>(a, b);
}
inline int64_t sluice_ceil_div(int64_t a, int64_t b) {
    return sluice::ceil_divide<int64_t>(a, b);
}
inline int64_t sluice_floor_mod(int64_t a, int64_t b) {
    return sluice::remainder<int64_t>(a, b);
}
inline int64_t sluice_min(int64_t a, int64_t b) {
    return sluice::minimum<int64_t>(a, b);
}
inline int64_t sluice_max(int64_t a, int64_t b) {
    return sluice::maximum<int64_t>(a, b);
}
// A loop does not compute it again in each iteration: the compiler moves calls of such functions, and loops it leaves where they
// are.
[[gnu::const, gnu::noinline]] inline int64_t sluice_power_of_symbols(int64_t base, int64_t exponent) {
    return sluice::ipow(base, exponent);
}
inline int64_t sluice_ipow(int64_t base, int64_t exponent) {
    return __builtin_constant_p(exponent) ? sluice::ipow(base, exponent) : sluice_power_of_symbols(base, exponent);
}
inline int64_t sluice_abs(int64_t a) {
    return sluice::abs(a);
}
