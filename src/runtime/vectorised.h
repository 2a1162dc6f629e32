// Elementary functions of the C library, declared with their vector variants where it has them (libmvec, at most 4 ulp), so that a
// loop over them vectorises without -ffast-math.
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

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 35))
namespace sluice::vectorised {
extern "C" {
__attribute__((simd("notinbranch"), const)) double acos(double) noexcept;
__attribute__((simd("notinbranch"), const)) double acosh(double) noexcept;
__attribute__((simd("notinbranch"), const)) double asin(double) noexcept;
__attribute__((simd("notinbranch"), const)) double asinh(double) noexcept;
__attribute__((simd("notinbranch"), const)) double atan(double) noexcept;
__attribute__((simd("notinbranch"), const)) double atanh(double) noexcept;
__attribute__((simd("notinbranch"), const)) double atan2(double, double) noexcept;
__attribute__((simd("notinbranch"), const)) double cbrt(double) noexcept;
__attribute__((simd("notinbranch"), const)) double cosh(double) noexcept;
__attribute__((simd("notinbranch"), const)) double erf(double) noexcept;
__attribute__((simd("notinbranch"), const)) double erfc(double) noexcept;
__attribute__((simd("notinbranch"), const)) double exp2(double) noexcept;
__attribute__((simd("notinbranch"), const)) double expm1(double) noexcept;
__attribute__((simd("notinbranch"), const)) double hypot(double, double) noexcept;
__attribute__((simd("notinbranch"), const)) double log10(double) noexcept;
__attribute__((simd("notinbranch"), const)) double log1p(double) noexcept;
__attribute__((simd("notinbranch"), const)) double log2(double) noexcept;
__attribute__((simd("notinbranch"), const)) double sinh(double) noexcept;
__attribute__((simd("notinbranch"), const)) double tan(double) noexcept;
__attribute__((simd("notinbranch"), const)) double tanh(double) noexcept;
__attribute__((simd("notinbranch"), const)) float acosf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float acoshf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float asinf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float asinhf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float atanf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float atanhf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float atan2f(float, float) noexcept;
__attribute__((simd("notinbranch"), const)) float cbrtf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float coshf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float erff(float) noexcept;
__attribute__((simd("notinbranch"), const)) float erfcf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float exp2f(float) noexcept;
__attribute__((simd("notinbranch"), const)) float expm1f(float) noexcept;
__attribute__((simd("notinbranch"), const)) float hypotf(float, float) noexcept;
__attribute__((simd("notinbranch"), const)) float log10f(float) noexcept;
__attribute__((simd("notinbranch"), const)) float log1pf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float log2f(float) noexcept;
__attribute__((simd("notinbranch"), const)) float sinhf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float tanf(float) noexcept;
__attribute__((simd("notinbranch"), const)) float tanhf(float) noexcept;
}
}  // namespace sluice::vectorised
#else
namespace sluice::vectorised {
inline double acos(double x) {
    return __builtin_acos(x);
}
inline double acosh(double x) {
    return __builtin_acosh(x);
}
inline double asin(double x) {
    return __builtin_asin(x);
}
inline double asinh(double x) {
    return __builtin_asinh(x);
}
inline double atan(double x) {
    return __builtin_atan(x);
}
inline double atanh(double x) {
    return __builtin_atanh(x);
}
inline double atan2(double x, double y) {
    return __builtin_atan2(x, y);
}
inline double cbrt(double x) {
    return __builtin_cbrt(x);
}
inline double cosh(double x) {
    return __builtin_cosh(x);
}
inline double erf(double x) {
    return __builtin_erf(x);
}
inline double erfc(double x) {
    return __builtin_erfc(x);
}
inline double exp2(double x) {
    return __builtin_exp2(x);
}
inline double expm1(double x) {
    return __builtin_expm1(x);
}
inline double hypot(double x, double y) {
    return __builtin_hypot(x, y);
}
inline double log10(double x) {
    return __builtin_log10(x);
}
inline double log1p(double x) {
    return __builtin_log1p(x);
}
inline double log2(double x) {
    return __builtin_log2(x);
}
inline double sinh(double x) {
    return __builtin_sinh(x);
}
inline double tan(double x) {
    return __builtin_tan(x);
}
inline double tanh(double x) {
    return __builtin_tanh(x);
}
inline float acosf(float x) {
    return __builtin_acosf(x);
}
inline float acoshf(float x) {
    return __builtin_acoshf(x);
}
inline float asinf(float x) {
    return __builtin_asinf(x);
}
inline float asinhf(float x) {
    return __builtin_asinhf(x);
}
inline float atanf(float x) {
    return __builtin_atanf(x);
}
inline float atanhf(float x) {
    return __builtin_atanhf(x);
}
inline float atan2f(float x, float y) {
    return __builtin_atan2f(x, y);
}
inline float cbrtf(float x) {
    return __builtin_cbrtf(x);
}
inline float coshf(float x) {
    return __builtin_coshf(x);
}
inline float erff(float x) {
    return __builtin_erff(x);
}
inline float erfcf(float x) {
    return __builtin_erfcf(x);
}
inline float exp2f(float x) {
    return __builtin_exp2f(x);
}
inline float expm1f(float x) {
    return __builtin_expm1f(x);
}
inline float hypotf(float x, float y) {
    return __builtin_hypotf(x, y);
}
inline float log10f(float x) {
    return __builtin_log10f(x);
}
inline float log1pf(float x) {
    return __builtin_log1pf(x);
}
inline float log2f(float x) {
    return __builtin_log2f(x);
}
inline float sinhf(float x) {
    return __builtin_sinhf(x);
}
inline float tanf(float x) {
    return __builtin_tanf(x);
}
inline float tanhf(float x) {
    return __builtin_tanhf(x);
}
}  // namespace sluice::vectorised
#endif
