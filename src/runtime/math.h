// NumPy's functions of real numbers beyond the elementary ones: rounding, signs, Python's division, choice, operators by name.
#pragma once

#include "elementary.h"
#include "integer.h"
#include "types.h"

namespace sluice {

// ---- rounding -----------------------------------------------------------------------------------------------------------
template <Number T> inline T floor(T x) {
    if constexpr (same<T, double>)
        return __builtin_floor(x);
    else if constexpr (is_floating<T>)
        return T(__builtin_floorf(float(x)));
    else
        return x;
}
template <Number T> inline T ceil(T x) {
    if constexpr (same<T, double>)
        return __builtin_ceil(x);
    else if constexpr (is_floating<T>)
        return T(__builtin_ceilf(float(x)));
    else
        return x;
}
template <Number T> inline T trunc(T x) {
    if constexpr (same<T, double>)
        return __builtin_trunc(x);
    else if constexpr (is_floating<T>)
        return T(__builtin_truncf(float(x)));
    else
        return x;
}
template <Number T> inline T rint(T x) {
    if constexpr (same<T, double>)
        return __builtin_rint(x);
    else if constexpr (is_floating<T>)
        return T(__builtin_rintf(float(x)));
    else
        return x;
}
/// Rounds halves to even, as NumPy and Python.
template <Number T> inline T round(T x) {
    return rint(x);
}
template <Number T> inline T around(T x) {
    return rint(x);
}
template <Number T> inline T fix(T x) {
    return trunc(x);
}

// ---- signs and kinds ----------------------------------------------------------------------------------------------------
template <Floating T> inline T abs(T x) {
    return T(__builtin_fabs(double(x)));
}
inline double abs(double x) {
    return __builtin_fabs(x);
}
inline float abs(float x) {
    return __builtin_fabsf(x);
}
template <Number T> inline T fabs(T x) {
    return abs(x);
}
template <Number T> inline T absolute(T x) {
    return abs(x);
}
/// -1, 0, 1 or NaN.
template <Floating T> inline T sign(T x) {
    return x != x ? x : T((x > T(0)) - (x < T(0)));
}
template <Number T> inline bool isnan(T x) {
    return x != x;
}
template <Number T> inline bool isfinite(T x) {
    return x - x == T(0);
}
template <Number T> inline bool isinf(T x) {
    return x == x && !isfinite(x);
}
template <Number T> inline bool signbit(T x) {
    if constexpr (is_floating<T>)
        return __builtin_signbit(double(x));
    else
        return x < T(0);
}
template <Floating T> inline T copysign(T magnitude, plain<T> sign_source) {
    return T(__builtin_copysign(double(magnitude), double(sign_source)));
}
template <Integer T> inline double copysign(T magnitude, plain<T> sign_source) {
    return __builtin_copysign(double(magnitude), double(sign_source));
}

// ---- division and power -------------------------------------------------------------------------------------------------
template <Floating T> inline T fmod(T a, plain<T> b) {
    if constexpr (same<T, double>)
        return __builtin_fmod(a, b);
    else
        return T(__builtin_fmodf(float(a), float(b)));
}
/// Python's remainder: the sign of the divisor (and a zero of its sign).
template <Floating T> inline T remainder(T a, plain<T> b) {
    const T rest = fmod(a, b);
    if (b == T(0)) return rest;
    if (rest == T(0)) return copysign(T(0), b);
    return (b < T(0)) != (rest < T(0)) ? T(rest + b) : rest;
}
template <Floating T> inline T mod(T a, plain<T> b) {
    return remainder(a, b);
}
/// Python's floor division, exact where the quotient rounds to the next integer.
template <Floating T> inline T floor_divide(T a, plain<T> b) {
    if (b == T(0)) return T(a / b);
    T rest = fmod(a, b);
    T quotient = T((a - rest) / b);
    if (rest != T(0) && (b < T(0)) != (rest < T(0))) quotient -= T(1);
    if (quotient == T(0)) return copysign(T(0), T(a / b));
    const T whole = floor(quotient);
    return quotient - whole > T(0.5) ? T(whole + T(1)) : whole;
}
template <Number T> inline floating_of<T> true_divide(T a, plain<T> b) {
    return floating_of<T>(floating_of<T>(a) / floating_of<T>(b));
}
template <Number T> inline floating_of<T> divide(T a, plain<T> b) {
    return true_divide(a, b);
}
template <Floating T> inline T power(T base, plain<T> exponent) {
    if constexpr (same<T, double>)
        return __builtin_constant_p(exponent) && exponent == 2.0 ? base * base : vectorised::pow(base, exponent);
    else
        return T(vectorised::powf(float(base), float(exponent)));
}
template <Floating T, Integer E> inline T power(T base, E exponent) {
    return power(base, T(exponent));
}
template <Number T> inline auto pow(T base, plain<T> exponent) {
    return power(base, exponent);
}
template <Number T> inline auto float_power(T base, plain<T> exponent) {
    return power(double(base), double(exponent));
}
template <Number T> inline T square(T x) {
    return T(x * x);
}
template <Number T> inline T reciprocal(T x) {
    if constexpr (is_floating<T>)
        return T(T(1) / x);
    else
        return floor_divide(T(1), x);
}

// ---- choice -------------------------------------------------------------------------------------------------------------
/// A NaN in either operand is the result, of two zeros the first; written so that loops vectorise.
template <Floating T> inline T minimum(T a, plain<T> b) {
    const T smaller = b < a ? b : a;
    return b != b ? b : smaller;
}
template <Floating T> inline T maximum(T a, plain<T> b) {
    const T larger = b > a ? b : a;
    return b != b ? b : larger;
}
/// A NaN gives way to the other operand.
template <Floating T> inline T fmin(T a, plain<T> b) {
    return b < a || a != a ? b : a;
}
template <Floating T> inline T fmax(T a, plain<T> b) {
    return b > a || a != a ? b : a;
}
template <Number T> inline T min(T a, plain<T> b) {
    return minimum(a, b);
}
template <Number T> inline T max(T a, plain<T> b) {
    return maximum(a, b);
}
template <Number T> inline T clip(T x, plain<T> low, plain<T> high) {
    return minimum(maximum(x, low), high);
}
template <class T> inline T where(bool condition, T if_true, plain<T> if_false) {
    return condition ? if_true : if_false;
}
template <Number T> inline floating_of<T> heaviside(T x, plain<T> at_zero) {
    using F = floating_of<T>;
    return x != x ? F(x) : x == T(0) ? F(at_zero) : x < T(0) ? F(0) : F(1);
}

// ---- logarithms of sums, angles, integers inside floats -----------------------------------------------------------------
template <Floating T> inline T logaddexp(T a, plain<T> b) {
    if (a == b) return T(a + T(0.693147180559945309417232121458));
    const T larger = maximum(a, b);
    return T(larger + log1p(exp(T(a > b ? b - a : a - b))));
}
template <Floating T> inline T logaddexp2(T a, plain<T> b) {
    if (a == b) return T(a + T(1));
    const T larger = maximum(a, b);
    return T(larger + log1p(exp2(T(a > b ? b - a : a - b))) * T(1.442695040888963407359924681002));
}
template <Number T> inline floating_of<T> deg2rad(T x) {
    return floating_of<T>(x) * floating_of<T>(0.017453292519943295769236907684886);
}
template <Number T> inline floating_of<T> rad2deg(T x) {
    return floating_of<T>(x) * floating_of<T>(57.295779513082320876798154814105);
}
template <Number T> inline auto radians(T x) {
    return deg2rad(x);
}
template <Number T> inline auto degrees(T x) {
    return rad2deg(x);
}
template <Number T, Integer E> inline floating_of<T> ldexp(T x, E exponent) {
    return floating_of<T>(__builtin_ldexp(double(x), int(exponent)));
}

// ---- operators by name --------------------------------------------------------------------------------------------------
template <class T> inline T add(T a, plain<T> b) {
    return T(a + b);
}
template <class T> inline T subtract(T a, plain<T> b) {
    return T(a - b);
}
template <class T> inline T multiply(T a, plain<T> b) {
    return T(a * b);
}
template <class T> inline T negative(T x) {
    return T(-x);
}
template <class T> inline T positive(T x) {
    return x;
}
template <Integer T> inline T bitwise_and(T a, plain<T> b) {
    return T(a & b);
}
template <Integer T> inline T bitwise_or(T a, plain<T> b) {
    return T(a | b);
}
template <Integer T> inline T bitwise_xor(T a, plain<T> b) {
    return T(a ^ b);
}
template <Integer T> inline T invert(T a) {
    if constexpr (same<T, bool>)
        return !a;
    else
        return T(~a);
}
template <Number T> inline bool logical_and(T a, plain<T> b) {
    return a != T(0) && b != T(0);
}
template <Number T> inline bool logical_or(T a, plain<T> b) {
    return a != T(0) || b != T(0);
}
template <Number T> inline bool logical_xor(T a, plain<T> b) {
    return (a != T(0)) != (b != T(0));
}
template <Number T> inline bool logical_not(T a) {
    return a == T(0);
}

// ---- a real number as a complex one -------------------------------------------------------------------------------------
template <Number T> inline T real(T x) {
    return x;
}
template <Number T> inline T imag(T) {
    return T(0);
}
template <Number T> inline T conj(T x) {
    return x;
}
template <Number T> inline T conjugate(T x) {
    return x;
}
template <Number T> inline floating_of<T> angle(T x) {
    return floating_of<T>(x != x ? double(x) : signbit(x) ? 3.14159265358979323846 : 0.0);
}

}  // namespace sluice
