// Elementary functions of real numbers from the C library. sin, cos, exp, log and pow are declared with their vector variants
// (libmvec, at most 4 ulp), so that a loop over them vectorises without -ffast-math.
#pragma once

#include "types.h"

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
namespace sluice::vectorised {
extern "C" {
__attribute__((simd("notinbranch"), const)) double sin(double) noexcept;
__attribute__((simd("notinbranch"), const)) double cos(double) noexcept;
__attribute__((simd("notinbranch"), const)) double exp(double) noexcept;
__attribute__((simd("notinbranch"), const)) double log(double) noexcept;
__attribute__((simd("notinbranch"), const)) double pow(double, double) noexcept;
__attribute__((simd("notinbranch"), const)) float sinf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float cosf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float expf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float logf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float powf(float, float) noexcept;
}
}  // namespace sluice::vectorised
#else
namespace sluice::vectorised {
inline double sin(double x) {
    return __builtin_sin(x);
}
inline double cos(double x) {
    return __builtin_cos(x);
}
inline double exp(double x) {
    return __builtin_exp(x);
}
inline double log(double x) {
    return __builtin_log(x);
}
inline double pow(double x, double y) {
    return __builtin_pow(x, y);
}
inline float sinf(float x) {
    return __builtin_sinf(x);
}
inline float cosf(float x) {
    return __builtin_cosf(x);
}
inline float expf(float x) {
    return __builtin_expf(x);
}
inline float logf(float x) {
    return __builtin_logf(x);
}
inline float powf(float x, float y) {
    return __builtin_powf(x, y);
}
}  // namespace sluice::vectorised
#endif

namespace sluice {

// The elementary functions of real numbers, one template each: float and float16 compute in single precision, all others in double.
template <Number T> inline floating_of<T> sqrt(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_sqrtf(float(x)));
    else
        return __builtin_sqrt(double(x));
}
template <Number T> inline floating_of<T> cbrt(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_cbrtf(float(x)));
    else
        return __builtin_cbrt(double(x));
}
template <Number T> inline floating_of<T> exp(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::expf(float(x)));
    else
        return vectorised::exp(double(x));
}
template <Number T> inline floating_of<T> exp2(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_exp2f(float(x)));
    else
        return __builtin_exp2(double(x));
}
template <Number T> inline floating_of<T> expm1(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_expm1f(float(x)));
    else
        return __builtin_expm1(double(x));
}
template <Number T> inline floating_of<T> log(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::logf(float(x)));
    else
        return vectorised::log(double(x));
}
template <Number T> inline floating_of<T> log2(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_log2f(float(x)));
    else
        return __builtin_log2(double(x));
}
template <Number T> inline floating_of<T> log10(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_log10f(float(x)));
    else
        return __builtin_log10(double(x));
}
template <Number T> inline floating_of<T> log1p(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_log1pf(float(x)));
    else
        return __builtin_log1p(double(x));
}
template <Number T> inline floating_of<T> sin(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::sinf(float(x)));
    else
        return vectorised::sin(double(x));
}
template <Number T> inline floating_of<T> cos(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::cosf(float(x)));
    else
        return vectorised::cos(double(x));
}
template <Number T> inline floating_of<T> tan(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_tanf(float(x)));
    else
        return __builtin_tan(double(x));
}
template <Number T> inline floating_of<T> arcsin(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_asinf(float(x)));
    else
        return __builtin_asin(double(x));
}
template <Number T> inline floating_of<T> arccos(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_acosf(float(x)));
    else
        return __builtin_acos(double(x));
}
template <Number T> inline floating_of<T> arctan(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_atanf(float(x)));
    else
        return __builtin_atan(double(x));
}
template <Number T> inline floating_of<T> sinh(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_sinhf(float(x)));
    else
        return __builtin_sinh(double(x));
}
template <Number T> inline floating_of<T> cosh(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_coshf(float(x)));
    else
        return __builtin_cosh(double(x));
}
template <Number T> inline floating_of<T> tanh(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_tanhf(float(x)));
    else
        return __builtin_tanh(double(x));
}
template <Number T> inline floating_of<T> arcsinh(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_asinhf(float(x)));
    else
        return __builtin_asinh(double(x));
}
template <Number T> inline floating_of<T> arccosh(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_acoshf(float(x)));
    else
        return __builtin_acosh(double(x));
}
template <Number T> inline floating_of<T> arctanh(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_atanhf(float(x)));
    else
        return __builtin_atanh(double(x));
}
template <Number T> inline floating_of<T> erf(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_erff(float(x)));
    else
        return __builtin_erf(double(x));
}
template <Number T> inline floating_of<T> erfc(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_erfcf(float(x)));
    else
        return __builtin_erfc(double(x));
}
template <Number T> inline floating_of<T> gamma(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_tgammaf(float(x)));
    else
        return __builtin_tgamma(double(x));
}
template <Number T> inline floating_of<T> lgamma(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_lgammaf(float(x)));
    else
        return __builtin_lgamma(double(x));
}
template <Number T> inline floating_of<T> arctan2(T a, plain<T> b) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_atan2f(float(a), float(b)));
    else
        return __builtin_atan2(double(a), double(b));
}
template <Number T> inline floating_of<T> hypot(T a, plain<T> b) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_hypotf(float(a), float(b)));
    else
        return __builtin_hypot(double(a), double(b));
}
template <Number T> inline floating_of<T> nextafter(T a, plain<T> b) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_nextafterf(float(a), float(b)));
    else
        return __builtin_nextafter(double(a), double(b));
}

// Python's names.
template <Number T> inline auto asin(T x) {
    return arcsin(x);
}
template <Number T> inline auto acos(T x) {
    return arccos(x);
}
template <Number T> inline auto atan(T x) {
    return arctan(x);
}
template <Number T> inline auto asinh(T x) {
    return arcsinh(x);
}
template <Number T> inline auto acosh(T x) {
    return arccosh(x);
}
template <Number T> inline auto atanh(T x) {
    return arctanh(x);
}
template <Number T> inline auto tgamma(T x) {
    return gamma(x);
}
template <Number T> inline auto atan2(T a, plain<T> b) {
    return arctan2(a, b);
}

}  // namespace sluice
