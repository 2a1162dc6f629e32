// Elementary functions of the C library, declared with their vector variants where it has them (libmvec, at most 4 ulp), so that a
// loop over them vectorises without -ffast-math.
#pragma once

#include "types.h"

// Where the C library has no variants: the functions as they are, of double and float.
#define SLUICE_UNARY(name)             \
    inline double name(double x) {     \
        return __builtin_##name(x);    \
    }                                  \
    inline float name##f(float x) {    \
        return __builtin_##name##f(x); \
    }
#define SLUICE_BINARY(name)                  \
    inline double name(double x, double y) { \
        return __builtin_##name(x, y);       \
    }                                        \
    inline float name##f(float x, float y) { \
        return __builtin_##name##f(x, y);    \
    }

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
SLUICE_UNARY(sin)
SLUICE_UNARY(cos)
SLUICE_UNARY(exp)
SLUICE_UNARY(log)
SLUICE_BINARY(pow)
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
SLUICE_UNARY(acos)
SLUICE_UNARY(acosh)
SLUICE_UNARY(asin)
SLUICE_UNARY(asinh)
SLUICE_UNARY(atan)
SLUICE_UNARY(atanh)
SLUICE_BINARY(atan2)
SLUICE_UNARY(cbrt)
SLUICE_UNARY(cosh)
SLUICE_UNARY(erf)
SLUICE_UNARY(erfc)
SLUICE_UNARY(exp2)
SLUICE_UNARY(expm1)
SLUICE_BINARY(hypot)
SLUICE_UNARY(log10)
SLUICE_UNARY(log1p)
SLUICE_UNARY(log2)
SLUICE_UNARY(sinh)
SLUICE_UNARY(tan)
SLUICE_UNARY(tanh)
}  // namespace sluice::vectorised
#endif
#undef SLUICE_UNARY
#undef SLUICE_BINARY
