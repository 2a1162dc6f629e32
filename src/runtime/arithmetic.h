/* NumPy's and Python's arithmetic for languages without templates: C99 and its kin. */
#ifndef SLUICE_ARITHMETIC_H
#define SLUICE_ARITHMETIC_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#define SLUICE_UNARY(name, s, T, function)     \
    static inline T sluice_##name##_##s(T x) { \
        return function(x);                    \
    }
#define SLUICE_BINARY(name, s, T, function)         \
    static inline T sluice_##name##_##s(T a, T b) { \
        return function(a, b);                      \
    }
/* f: the end of the C library's names. A NaN in an operand of minimum and maximum is the result. */
#define SLUICE_FLOATING(s, T, f)                                                                                                  \
    SLUICE_UNARY(sqrt, s, T, sqrt##f)                                                                                             \
    SLUICE_UNARY(cbrt, s, T, cbrt##f)                                                                                             \
    SLUICE_UNARY(exp, s, T, exp##f)                                                                                               \
    SLUICE_UNARY(exp2, s, T, exp2##f) SLUICE_UNARY(expm1, s, T, expm1##f) SLUICE_UNARY(log, s, T, log##f)                         \
        SLUICE_UNARY(log2, s, T, log2##f) SLUICE_UNARY(log10, s, T, log10##f) SLUICE_UNARY(log1p, s, T, log1p##f) SLUICE_UNARY(   \
            sin, s, T, sin##f) SLUICE_UNARY(cos, s, T, cos##f) SLUICE_UNARY(tan, s, T, tan##f) SLUICE_UNARY(asin, s, T, asin##f)  \
            SLUICE_UNARY(acos, s, T, acos##f) SLUICE_UNARY(atan, s, T, atan##f) SLUICE_UNARY(sinh, s, T, sinh##f)                 \
                SLUICE_UNARY(cosh, s, T, cosh##f) SLUICE_UNARY(tanh, s, T, tanh##f) SLUICE_UNARY(asinh, s, T, asinh##f)           \
                    SLUICE_UNARY(acosh, s, T, acosh##f) SLUICE_UNARY(atanh, s, T, atanh##f) SLUICE_UNARY(erf, s, T, erf##f)       \
                        SLUICE_UNARY(floor, s, T, floor##f) SLUICE_UNARY(ceil, s, T, ceil##f) SLUICE_UNARY(trunc, s, T, trunc##f) \
                            SLUICE_UNARY(rint, s, T, rint##f) SLUICE_UNARY(abs, s, T, fabs##f)                                    \
                                SLUICE_BINARY(atan2, s, T, atan2##f) SLUICE_BINARY(hypot, s, T, hypot##f)                         \
                                    SLUICE_BINARY(fmod, s, T, fmod##f) SLUICE_BINARY(copysign, s, T, copysign##f)                 \
                                        SLUICE_BINARY(power, s, T, pow##f) static inline T sluice_minimum_##s(T a, T b) {         \
        return b != b || b < a ? b : a;                                                                                           \
    }                                                                                                                             \
    static inline T sluice_maximum_##s(T a, T b) {                                                                                \
        return b != b || b > a ? b : a;                                                                                           \
    }                                                                                                                             \
    static inline T sluice_fmin_##s(T a, T b) {                                                                                   \
        return b < a || a != a ? b : a;                                                                                           \
    }                                                                                                                             \
    static inline T sluice_fmax_##s(T a, T b) {                                                                                   \
        return b > a || a != a ? b : a;                                                                                           \
    }                                                                                                                             \
    static inline T sluice_sign_##s(T x) {                                                                                        \
        return x != x ? x : (T)((x > 0) - (x < 0));                                                                               \
    }                                                                                                                             \
    static inline T sluice_reciprocal_##s(T x) {                                                                                  \
        return 1 / x;                                                                                                             \
    }                                                                                                                             \
    static inline bool sluice_signbit_##s(T x) {                                                                                  \
        return signbit(x) != 0;                                                                                                   \
    }                                                                                                                             \
    static inline T sluice_angle_##s(T x) {                                                                                       \
        return x != x ? x : signbit(x) ? (T)3.14159265358979323846 : 0;                                                           \
    }                                                                                                                             \
    static inline T sluice_deg2rad_##s(T x) {                                                                                     \
        return x * (T)0.017453292519943295769236907684886;                                                                        \
    }                                                                                                                             \
    static inline T sluice_rad2deg_##s(T x) {                                                                                     \
        return x * (T)57.295779513082320876798154814105;                                                                          \
    }                                                                                                                             \
    static inline T sluice_heaviside_##s(T x, T at_zero) {                                                                        \
        return x != x ? x : x == 0 ? at_zero : x < 0 ? 0 : 1;                                                                     \
    }                                                                                                                             \
    static inline T sluice_mod_##s(T a, T b) {                                                                                    \
        const T rest = fmod##f(a, b);                                                                                             \
        return b == 0 ? rest : rest == 0 ? copysign##f(0, b) : (b < 0) != (rest < 0) ? rest + b : rest;                           \
    }                                                                                                                             \
    static inline T sluice_floor_divide_##s(T a, T b) {                                                                           \
        const T rest = fmod##f(a, b);                                                                                             \
        T quotient = (a - rest) / b;                                                                                              \
        if (b == 0) return a / b;                                                                                                 \
        if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;                                                                    \
        if (quotient == 0) return copysign##f(0, a / b);                                                                          \
        return quotient - floor##f(quotient) > (T)0.5 ? floor##f(quotient) + 1 : floor##f(quotient);                              \
    }                                                                                                                             \
    SLUICE_BOTH(s, T)

SLUICE_FLOATING(float64, double, )
SLUICE_FLOATING(float32, float, f)

/* Names that index expressions print. */
#define sluice_floor_div sluice_floor_divide_int64
#define sluice_floor_mod sluice_mod_int64
#define sluice_min sluice_minimum_int64
#define sluice_max sluice_maximum_int64
#define sluice_ipow sluice_power_int64
#define sluice_abs sluice_abs_int64
#ifndef __GNUC__
#define __builtin_floor floor
#define __builtin_pow pow
#define __builtin_fabs fabs
#define __builtin_fmin fmin
#define __builtin_fmax fmax
#endif

#endif
