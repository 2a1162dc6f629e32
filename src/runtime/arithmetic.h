/* NumPy's and Python's arithmetic for languages without templates: C99 and its kin. */
#ifndef SLUICE_ARITHMETIC_H
#define SLUICE_ARITHMETIC_H

#if !defined(__OPENCL_VERSION__) && !defined(__CUDACC_RTC__)
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

/* Has a value of so many bytes a bit of that number? */
static inline bool sluice_within(uint64_t bit, size_t bytes) {
    return bit < 8 * bytes;
}
/* Functions of one type end with its name: sluice_minimum_int32. */
#define SLUICE_BOTH(s, T)                                            \
    static inline T sluice_clip_##s(T x, T low, T high) {            \
        return sluice_minimum_##s(sluice_maximum_##s(x, low), high); \
    }                                                                \
    static inline T sluice_square_##s(T x) {                         \
        return (T)(x * x + 0);                                       \
    }                                                                \
    static inline T sluice_negative_##s(T x) {                       \
        return (T)-x;                                                \
    }                                                                \
    static inline T sluice_positive_##s(T x) {                       \
        return x;                                                    \
    }                                                                \
    static inline T sluice_conj_##s(T x) {                           \
        return x;                                                    \
    }                                                                \
    static inline T sluice_real_##s(T x) {                           \
        return x;                                                    \
    }                                                                \
    static inline T sluice_imag_##s(T x) {                           \
        (void)x;                                                     \
        return 0;                                                    \
    }                                                                \
    static inline bool sluice_isnan_##s(T x) {                       \
        return x != x;                                               \
    }                                                                \
    static inline bool sluice_isfinite_##s(T x) {                    \
        return x - x == 0;                                           \
    }                                                                \
    static inline bool sluice_isinf_##s(T x) {                       \
        return x == x && x - x != 0;                                 \
    }                                                                \
    static inline T sluice_logical_and_##s(T a, T b) {               \
        return (T)(a != 0 && b != 0);                                \
    }                                                                \
    static inline T sluice_logical_or_##s(T a, T b) {                \
        return (T)(a != 0 || b != 0);                                \
    }                                                                \
    static inline T sluice_logical_xor_##s(T a, T b) {               \
        return (T)((a != 0) != (b != 0));                            \
    }

/* W: unsigned, as wide as T; N: is T signed?; ALL: the value whose bits are all set. Division by zero gives 0; results wrap. */
#define SLUICE_INTEGER(s, T, W, N, ALL)                                                                                           \
    static inline T sluice_floor_divide_##s(T a, T b) {                                                                           \
        if (b == 0) return 0;                                                                                                     \
        if (N && b == (T)-1) return (T)(0 - (W)a);                                                                                \
        return (T)(a / b - (N && a % b != 0 && (a < 1) != (b < 1)));                                                              \
    }                                                                                                                             \
    static inline T sluice_mod_##s(T a, T b) {                                                                                    \
        return b == 0 || (N && b == (T)-1) ? 0 : (T)(a - (W)sluice_floor_divide_##s(a, b) * (W)b);                                \
    }                                                                                                                             \
    static inline T sluice_fmod_##s(T a, T b) {                                                                                   \
        return b == 0 || (N && b == (T)-1) ? 0 : (T)(a % b);                                                                      \
    }                                                                                                                             \
    static inline T sluice_power_##s(T base, T exponent) {                                                                        \
        uint64_t result = 1, factor = (uint64_t)base, rest = (uint64_t)exponent;                                                  \
        if (N && exponent < 1 && exponent != 0) return base == 1 ? (T)1 : base == (T)-1 ? (T)(exponent % 2 == 0 ? 1 : -1) : (T)0; \
        for (; rest != 0; rest >>= 1, factor *= factor)                                                                           \
            if (rest & 1) result *= factor;                                                                                       \
        return (T)result;                                                                                                         \
    }                                                                                                                             \
    static inline T sluice_minimum_##s(T a, T b) {                                                                                \
        return b < a ? b : a;                                                                                                     \
    }                                                                                                                             \
    static inline T sluice_maximum_##s(T a, T b) {                                                                                \
        return a < b ? b : a;                                                                                                     \
    }                                                                                                                             \
    static inline T sluice_fmin_##s(T a, T b) {                                                                                   \
        return b < a ? b : a;                                                                                                     \
    }                                                                                                                             \
    static inline T sluice_fmax_##s(T a, T b) {                                                                                   \
        return a < b ? b : a;                                                                                                     \
    }                                                                                                                             \
    static inline T sluice_abs_##s(T a) {                                                                                         \
        return N && a < 1 ? (T)(0 - (W)a) : a;                                                                                    \
    }                                                                                                                             \
    static inline T sluice_sign_##s(T a) {                                                                                        \
        return (T)((a != 0) - 2 * (N && a < 1 && a != 0));                                                                        \
    }                                                                                                                             \
    static inline T sluice_reciprocal_##s(T a) {                                                                                  \
        return sluice_floor_divide_##s(1, a);                                                                                     \
    }                                                                                                                             \
    static inline T sluice_invert_##s(T a) {                                                                                      \
        return (T)(a ^ (ALL));                                                                                                    \
    }                                                                                                                             \
    static inline T sluice_left_shift_##s(T a, T n) {                                                                             \
        return sluice_within(n, sizeof a) ? (T)((W)a << n) : (T)0;                                                                \
    }                                                                                                                             \
    static inline T sluice_right_shift_##s(T a, T n) {                                                                            \
        return sluice_within(n, sizeof a) ? (T)(a >> n) : (T)(N && a < 1 && a != 0 ? -1 : 0);                                     \
    }                                                                                                                             \
    static inline bool sluice_signbit_##s(T a) {                                                                                  \
        return N && a < 1 && a != 0;                                                                                              \
    }                                                                                                                             \
    static inline T sluice_floor_##s(T a) {                                                                                       \
        return a;                                                                                                                 \
    }                                                                                                                             \
    static inline T sluice_ceil_##s(T a) {                                                                                        \
        return a;                                                                                                                 \
    }                                                                                                                             \
    static inline T sluice_trunc_##s(T a) {                                                                                       \
        return a;                                                                                                                 \
    }                                                                                                                             \
    SLUICE_BOTH(s, T)

SLUICE_INTEGER(boolean, bool, unsigned, 0, 1)
SLUICE_INTEGER(int8, int8_t, unsigned, 1, -1)
SLUICE_INTEGER(int16, int16_t, unsigned, 1, -1)
SLUICE_INTEGER(int32, int32_t, uint32_t, 1, -1)
SLUICE_INTEGER(int64, int64_t, uint64_t, 1, -1)
SLUICE_INTEGER(uint8, uint8_t, unsigned, 0, UINT8_MAX)
SLUICE_INTEGER(uint16, uint16_t, unsigned, 0, UINT16_MAX)
SLUICE_INTEGER(uint32, uint32_t, uint32_t, 0, UINT32_MAX)
SLUICE_INTEGER(uint64, uint64_t, uint64_t, 0, UINT64_MAX)

/* The C library's, for both types. */
#define SLUICE_UNARY(name, function)                         \
    static inline double sluice_##name##_float64(double x) { \
        return function(x);                                  \
    }                                                        \
    static inline float sluice_##name##_float32(float x) {   \
        return function##f(x);                               \
    }
#define SLUICE_BINARY(name, function)                                  \
    static inline double sluice_##name##_float64(double a, double b) { \
        return function(a, b);                                         \
    }                                                                  \
    static inline float sluice_##name##_float32(float a, float b) {    \
        return function##f(a, b);                                      \
    }

SLUICE_UNARY(sqrt, sqrt)
SLUICE_UNARY(cbrt, cbrt)
SLUICE_UNARY(exp, exp)
SLUICE_UNARY(exp2, exp2)
SLUICE_UNARY(expm1, expm1)
SLUICE_UNARY(log, log)
SLUICE_UNARY(log2, log2)
SLUICE_UNARY(log10, log10)
SLUICE_UNARY(log1p, log1p)
SLUICE_UNARY(sin, sin)
SLUICE_UNARY(cos, cos)
SLUICE_UNARY(tan, tan)
SLUICE_UNARY(asin, asin)
SLUICE_UNARY(acos, acos)
SLUICE_UNARY(atan, atan)
SLUICE_UNARY(sinh, sinh)
SLUICE_UNARY(cosh, cosh)
SLUICE_UNARY(tanh, tanh)
SLUICE_UNARY(asinh, asinh)
SLUICE_UNARY(acosh, acosh)
SLUICE_UNARY(atanh, atanh)
SLUICE_UNARY(erf, erf)
SLUICE_UNARY(erfc, erfc)
SLUICE_UNARY(gamma, tgamma)
SLUICE_UNARY(lgamma, lgamma)
SLUICE_UNARY(floor, floor)
SLUICE_UNARY(ceil, ceil)
SLUICE_UNARY(trunc, trunc)
SLUICE_UNARY(rint, rint)
SLUICE_UNARY(abs, fabs)
SLUICE_BINARY(atan2, atan2)
SLUICE_BINARY(hypot, hypot)
SLUICE_BINARY(fmod, fmod)
SLUICE_BINARY(copysign, copysign)
SLUICE_BINARY(power, pow)

/* f: the end of the C library's names. A NaN in an operand of minimum and maximum is the result. */
#define SLUICE_FLOATING(s, T, f)                                                                           \
    static inline T sluice_minimum_##s(T a, T b) {                                                         \
        return b != b || b < a ? b : a;                                                                    \
    }                                                                                                      \
    static inline T sluice_maximum_##s(T a, T b) {                                                         \
        return b != b || b > a ? b : a;                                                                    \
    }                                                                                                      \
    static inline T sluice_fmin_##s(T a, T b) {                                                            \
        return b < a || a != a ? b : a;                                                                    \
    }                                                                                                      \
    static inline T sluice_fmax_##s(T a, T b) {                                                            \
        return b > a || a != a ? b : a;                                                                    \
    }                                                                                                      \
    static inline T sluice_sign_##s(T x) {                                                                 \
        return x != x ? x : (T)((x > 0) - (x < 0));                                                        \
    }                                                                                                      \
    static inline T sluice_reciprocal_##s(T x) {                                                           \
        return 1 / x;                                                                                      \
    }                                                                                                      \
    static inline bool sluice_signbit_##s(T x) {                                                           \
        return signbit(x) != 0;                                                                            \
    }                                                                                                      \
    static inline T sluice_angle_##s(T x) {                                                                \
        return x != x ? x : signbit(x) ? (T)3.14159265358979323846 : 0;                                    \
    }                                                                                                      \
    static inline T sluice_deg2rad_##s(T x) {                                                              \
        return x * (T)0.017453292519943295769236907684886;                                                 \
    }                                                                                                      \
    static inline T sluice_rad2deg_##s(T x) {                                                              \
        return x * (T)57.295779513082320876798154814105;                                                   \
    }                                                                                                      \
    static inline T sluice_heaviside_##s(T x, T at_zero) {                                                 \
        return x != x ? x : x == 0 ? at_zero : x < 0 ? 0 : 1;                                              \
    }                                                                                                      \
    static inline T sluice_mod_##s(T a, T b) {                                                             \
        const T rest = fmod##f(a, b);                                                                      \
        return b == 0 ? rest : rest == 0 ? copysign##f((T)0, b) : (b < 0) != (rest < 0) ? rest + b : rest; \
    }                                                                                                      \
    static inline T sluice_floor_divide_##s(T a, T b) {                                                    \
        const T rest = fmod##f(a, b);                                                                      \
        T quotient = (a - rest) / b;                                                                       \
        if (b == 0) return a / b;                                                                          \
        if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;                                             \
        if (quotient == 0) return copysign##f((T)0, a / b);                                                \
        return quotient - floor##f(quotient) > (T)0.5 ? floor##f(quotient) + 1 : floor##f(quotient);       \
    }                                                                                                      \
    SLUICE_BOTH(s, T)

SLUICE_FLOATING(float64, double, )
SLUICE_FLOATING(float32, float, f)

/* Devices raise nothing: an index that is outside stays there. */
static inline int64_t sluice_checked_index_int64(int64_t at, int64_t size, int64_t axis) {
    (void)axis;
    return at < 0 ? at + size : at;
}

/* Names that index expressions print. */
#define sluice_floor_div sluice_floor_divide_int64
#define sluice_floor_mod sluice_mod_int64
#define sluice_min sluice_minimum_int64
#define sluice_max sluice_maximum_int64
#define sluice_ipow sluice_power_int64
#define sluice_abs sluice_abs_int64
#if !defined(__GNUC__) || defined(__CUDACC_RTC__)
#define __builtin_floor floor
#define __builtin_pow pow
#define __builtin_fabs fabs
#define __builtin_fmin fmin
#define __builtin_fmax fmax
#endif

#endif
