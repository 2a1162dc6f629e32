/* Complex numbers for kernels, behind arithmetic.h: pairs of numbers in memory, with the arithmetic of complex.h. */
#ifndef SLUICE_KERNEL_COMPLEX_H
#define SLUICE_KERNEL_COMPLEX_H

/* s: the end of names, T: of a part, r: the end of its functions' names, LARGE: e to twice this power is no infinity. */
#define SLUICE_COMPLEX(s, T, r, LARGE)                                                                                          \
    typedef struct {                                                                                                            \
        T real, imag;                                                                                                           \
    } sluice_##s;                                                                                                               \
    static inline sluice_##s sluice_make_##s(T real, T imag) {                                                                  \
        sluice_##s z;                                                                                                           \
        z.real = real;                                                                                                          \
        z.imag = imag;                                                                                                          \
        return z;                                                                                                               \
    }                                                                                                                           \
    static inline sluice_##s sluice_add_##s(sluice_##s a, sluice_##s b) {                                                       \
        return sluice_make_##s(a.real + b.real, a.imag + b.imag);                                                               \
    }                                                                                                                           \
    static inline sluice_##s sluice_subtract_##s(sluice_##s a, sluice_##s b) {                                                  \
        return sluice_make_##s(a.real - b.real, a.imag - b.imag);                                                               \
    }                                                                                                                           \
    static inline sluice_##s sluice_multiply_##s(sluice_##s a, sluice_##s b) {                                                  \
        return sluice_make_##s(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real);                           \
    }                                                                                                                           \
    static inline sluice_##s sluice_divide_##s(sluice_##s a, sluice_##s b) {                                                    \
        if (sluice_abs_##r(b.real) >= sluice_abs_##r(b.imag)) {                                                                 \
            if (b.real == 0 && b.imag == 0)                                                                                     \
                return sluice_make_##s(a.real / sluice_abs_##r(b.real), a.imag / sluice_abs_##r(b.real));                       \
            {                                                                                                                   \
                const T ratio = b.imag / b.real, scale = 1 / (b.real + b.imag * ratio);                                         \
                return sluice_make_##s((a.real + a.imag * ratio) * scale, (a.imag - a.real * ratio) * scale);                   \
            }                                                                                                                   \
        }                                                                                                                       \
        {                                                                                                                       \
            const T ratio = b.real / b.imag, scale = 1 / (b.imag + b.real * ratio);                                             \
            return sluice_make_##s((a.real * ratio + a.imag) * scale, (a.imag * ratio - a.real) * scale);                       \
        }                                                                                                                       \
    }                                                                                                                           \
    static inline sluice_##s sluice_true_divide_##s(sluice_##s a, sluice_##s b) {                                               \
        return sluice_divide_##s(a, b);                                                                                         \
    }                                                                                                                           \
    static inline sluice_##s sluice_negative_##s(sluice_##s a) {                                                                \
        return sluice_make_##s(-a.real, -a.imag);                                                                               \
    }                                                                                                                           \
    static inline sluice_##s sluice_positive_##s(sluice_##s a) {                                                                \
        return a;                                                                                                               \
    }                                                                                                                           \
    static inline bool sluice_equal_##s(sluice_##s a, sluice_##s b) {                                                           \
        return a.real == b.real && a.imag == b.imag;                                                                            \
    }                                                                                                                           \
    static inline bool sluice_less_##s(sluice_##s a, sluice_##s b) {                                                            \
        return a.real < b.real || (a.real == b.real && a.imag < b.imag);                                                        \
    }                                                                                                                           \
    static inline bool sluice_less_equal_##s(sluice_##s a, sluice_##s b) {                                                      \
        return a.real < b.real || (a.real == b.real && a.imag <= b.imag);                                                       \
    }                                                                                                                           \
    static inline bool sluice_truth_##s(sluice_##s a) {                                                                         \
        return !(a.real == 0 && a.imag == 0);                                                                                   \
    }                                                                                                                           \
    static inline T sluice_real_##s(sluice_##s a) {                                                                             \
        return a.real;                                                                                                          \
    }                                                                                                                           \
    static inline T sluice_imag_##s(sluice_##s a) {                                                                             \
        return a.imag;                                                                                                          \
    }                                                                                                                           \
    static inline sluice_##s sluice_conj_##s(sluice_##s a) {                                                                    \
        return sluice_make_##s(a.real, -a.imag);                                                                                \
    }                                                                                                                           \
    static inline sluice_##s sluice_conjugate_##s(sluice_##s a) {                                                               \
        return sluice_conj_##s(a);                                                                                              \
    }                                                                                                                           \
    static inline T sluice_abs_##s(sluice_##s a) {                                                                              \
        return sluice_hypot_##r(a.real, a.imag);                                                                                \
    }                                                                                                                           \
    static inline T sluice_absolute_##s(sluice_##s a) {                                                                         \
        return sluice_abs_##s(a);                                                                                               \
    }                                                                                                                           \
    static inline T sluice_angle_##s(sluice_##s a) {                                                                            \
        return sluice_atan2_##r(a.imag, a.real);                                                                                \
    }                                                                                                                           \
    static inline bool sluice_isnan_##s(sluice_##s a) {                                                                         \
        return a.real != a.real || a.imag != a.imag;                                                                            \
    }                                                                                                                           \
    static inline bool sluice_isinf_##s(sluice_##s a) {                                                                         \
        return sluice_isinf_##r(a.real) || sluice_isinf_##r(a.imag);                                                            \
    }                                                                                                                           \
    static inline bool sluice_isfinite_##s(sluice_##s a) {                                                                      \
        return sluice_isfinite_##r(a.real) && sluice_isfinite_##r(a.imag);                                                      \
    }                                                                                                                           \
    static inline sluice_##s sluice_square_##s(sluice_##s a) {                                                                  \
        return sluice_multiply_##s(a, a);                                                                                       \
    }                                                                                                                           \
    static inline sluice_##s sluice_reciprocal_##s(sluice_##s a) {                                                              \
        return sluice_divide_##s(sluice_make_##s(1, 0), a);                                                                     \
    }                                                                                                                           \
    static inline sluice_##s sluice_minimum_##s(sluice_##s a, sluice_##s b) {                                                   \
        return sluice_isnan_##s(a) ? a : sluice_isnan_##s(b) || sluice_less_##s(b, a) ? b : a;                                  \
    }                                                                                                                           \
    static inline sluice_##s sluice_maximum_##s(sluice_##s a, sluice_##s b) {                                                   \
        return sluice_isnan_##s(a) ? a : sluice_isnan_##s(b) || sluice_less_##s(a, b) ? b : a;                                  \
    }                                                                                                                           \
    static inline sluice_##s sluice_logical_and_##s(sluice_##s a, sluice_##s b) {                                               \
        return sluice_make_##s(sluice_truth_##s(a) && sluice_truth_##s(b), 0);                                                  \
    }                                                                                                                           \
    static inline sluice_##s sluice_logical_or_##s(sluice_##s a, sluice_##s b) {                                                \
        return sluice_make_##s(sluice_truth_##s(a) || sluice_truth_##s(b), 0);                                                  \
    }                                                                                                                           \
    static inline sluice_##s sluice_logical_xor_##s(sluice_##s a, sluice_##s b) {                                               \
        return sluice_make_##s(sluice_truth_##s(a) != sluice_truth_##s(b), 0);                                                  \
    }                                                                                                                           \
    /* As Annex G of C says of infinities. */                                                                                   \
    static inline sluice_##s sluice_exp_##s(sluice_##s a) {                                                                     \
        const bool open = sluice_isfinite_##r(a.imag);                                                                          \
        if (a.imag == 0) return sluice_make_##s(sluice_exp_##r(a.real), a.imag);                                                \
        if (sluice_isinf_##r(a.real) && !open)                                                                                  \
            return a.real < 0 ? sluice_make_##s(0, 0) : sluice_make_##s(a.real, a.imag - a.imag);                               \
        if (a.real > LARGE) { /* Twice the half: the product may fit where the power does not. */                               \
            const T half_way = sluice_exp_##r(a.real / 2);                                                                      \
            return sluice_make_##s(half_way * sluice_cos_##r(a.imag) * half_way, half_way * sluice_sin_##r(a.imag) * half_way); \
        }                                                                                                                       \
        {                                                                                                                       \
            const T size = sluice_exp_##r(a.real);                                                                              \
            return sluice_make_##s(size * sluice_cos_##r(a.imag), size * sluice_sin_##r(a.imag));                               \
        }                                                                                                                       \
    }                                                                                                                           \
    static inline sluice_##s sluice_log_##s(sluice_##s a) {                                                                     \
        T size = sluice_abs_##s(a);                                                                                             \
        T rest = 0;                                                                                                             \
        if (sluice_isinf_##r(size) && sluice_isfinite_##s(a)) {                                                                 \
            size = sluice_hypot_##r(a.real / 2, a.imag / 2);                                                                    \
            rest = (T)0.693147180559945309417232121458;                                                                         \
        }                                                                                                                       \
        return sluice_make_##s(sluice_log_##r(size) + rest, sluice_angle_##s(a));                                               \
    }                                                                                                                           \
    static inline sluice_##s sluice_sqrt_##s(sluice_##s a) {                                                                    \
        T x = a.real, y = a.imag, by = 1;                                                                                       \
        if (x == 0 && y == 0) return sluice_make_##s(0, y);                                                                     \
        if (sluice_isinf_##r(y)) return sluice_make_##s(sluice_abs_##r(y), y);                                                  \
        if (x != x) return sluice_make_##s(x, x);                                                                               \
        if (sluice_isinf_##r(x))                                                                                                \
            return x < 0 ? sluice_make_##s(sluice_abs_##r(y - y), sluice_copysign_##r(x, y))                                    \
                         : sluice_make_##s(x, sluice_copysign_##r(y - y, y));                                                   \
        if (sluice_abs_##r(x) > sluice_exp_##r(LARGE) || sluice_abs_##r(y) > sluice_exp_##r(LARGE)) {                           \
            x /= 4;                                                                                                             \
            y /= 4;                                                                                                             \
            by = 2;                                                                                                             \
        }                                                                                                                       \
        {                                                                                                                       \
            const T root = sluice_sqrt_##r((sluice_abs_##r(x) + sluice_hypot_##r(x, y)) / 2);                                   \
            if (x >= 0) return sluice_make_##s(root * by, y / (2 * root) * by);                                                 \
            return sluice_make_##s(sluice_abs_##r(y) / (2 * root) * by, sluice_copysign_##r(root, y) * by);                     \
        }                                                                                                                       \
    }                                                                                                                           \
    static inline sluice_##s sluice_power_##s(sluice_##s a, sluice_##s b) {                                                     \
        if (b.real == 0 && b.imag == 0) return sluice_make_##s(1, 0);                                                           \
        if (a.real == 0 && a.imag == 0 && b.imag == 0 && b.real > 0) return sluice_make_##s(0, 0);                              \
        if (b.imag == 0 && b.real == sluice_trunc_##r(b.real) && sluice_abs_##r(b.real) < 100) {                                \
            sluice_##s result = sluice_make_##s(1, 0), factor = a;                                                              \
            int rest = (int)sluice_abs_##r(b.real);                                                                             \
            for (; rest != 0; rest >>= 1) {                                                                                     \
                if (rest & 1) result = sluice_multiply_##s(result, factor);                                                     \
                factor = sluice_multiply_##s(factor, factor);                                                                   \
            }                                                                                                                   \
            return b.real < 0 ? sluice_reciprocal_##s(result) : result;                                                         \
        }                                                                                                                       \
        return sluice_exp_##s(sluice_multiply_##s(b, sluice_log_##s(a)));                                                       \
    }

SLUICE_COMPLEX(complex128, double, float64, 700)
SLUICE_COMPLEX(complex64, float, float32, 80)

static inline sluice_complex128 sluice_wide_complex64(sluice_complex64 a) {
    return sluice_make_complex128(a.real, a.imag);
}
static inline sluice_complex64 sluice_narrow_complex128(sluice_complex128 a) {
    return sluice_make_complex64((float)a.real, (float)a.imag);
}
/* The bits of a value and back. */
typedef union {
    sluice_complex64 value;
    uint64_t bits;
} sluice_word_of_complex64;
static inline uint64_t sluice_bits_complex64(sluice_complex64 x) {
    sluice_word_of_complex64 both;
    both.value = x;
    return both.bits;
}
static inline sluice_complex64 sluice_value_complex64(uint64_t x) {
    sluice_word_of_complex64 both;
    both.bits = x;
    return both.value;
}

#endif
