// Complex numbers with NumPy's arithmetic: the textbook product, Smith's division, order by real then imaginary part. A pair of
// numbers in memory, the same as NumPy's elements and C's `double _Complex`.
#pragma once

#include "conversion.h"
#include "math.h"

namespace sluice {

template <class T> struct complex {
    T real, imag;

    complex() = default;
    constexpr complex(T real_part, T imaginary_part = T(0)) : real(real_part), imag(imaginary_part) {}
    template <class U> constexpr explicit complex(complex<U> other) : real(T(other.real)), imag(T(other.imag)) {}

    complex& operator+=(complex b) { return *this = *this + b; }
    complex& operator-=(complex b) { return *this = *this - b; }
    complex& operator*=(complex b) { return *this = *this * b; }
    complex& operator/=(complex b) { return *this = *this / b; }

    friend complex operator+(complex a, complex b) { return {a.real + b.real, a.imag + b.imag}; }
    friend complex operator-(complex a, complex b) { return {a.real - b.real, a.imag - b.imag}; }
    friend complex operator-(complex a) { return {-a.real, -a.imag}; }
    friend complex operator*(complex a, complex b) {
        return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
    }
    friend complex operator/(complex a, complex b) {
        const T size_real = sluice::abs(b.real), size_imag = sluice::abs(b.imag);
        if (size_real >= size_imag) {
            if (size_real == T(0) && size_imag == T(0)) return {a.real / size_real, a.imag / size_real};
            const T ratio = b.imag / b.real, scale = T(1) / (b.real + b.imag * ratio);
            return {(a.real + a.imag * ratio) * scale, (a.imag - a.real * ratio) * scale};
        }
        const T ratio = b.real / b.imag, scale = T(1) / (b.imag + b.real * ratio);
        return {(a.real * ratio + a.imag) * scale, (a.imag * ratio - a.real) * scale};
    }
    friend bool operator==(complex a, complex b) { return a.real == b.real && a.imag == b.imag; }
    friend bool operator!=(complex a, complex b) { return !(a == b); }
    friend bool operator<(complex a, complex b) { return a.real < b.real || (a.real == b.real && a.imag < b.imag); }
    friend bool operator>(complex a, complex b) { return b < a; }
    friend bool operator<=(complex a, complex b) { return a.real < b.real || (a.real == b.real && a.imag <= b.imag); }
    friend bool operator>=(complex a, complex b) { return b <= a; }
    friend bool operator!(complex a) { return a == complex(T(0)); }
    explicit operator bool() const { return !(*this == complex(T(0))); }
};
using complex64 = complex<float>;
using complex128 = complex<double>;

/// Complex to real drops the imaginary part, as NumPy's astype; conversion.h has the others.
template <Number To, class T> inline To convert(complex<T> x) {
    if constexpr (same<To, bool>)
        return bool(x);
    else
        return To(x.real);
}

// ---- parts --------------------------------------------------------------------------------------------------------------
template <class T> inline T real(complex<T> x) {
    return x.real;
}
template <class T> inline T imag(complex<T> x) {
    return x.imag;
}
template <class T> inline complex<T> conj(complex<T> x) {
    return {x.real, -x.imag};
}
template <class T> inline complex<T> conjugate(complex<T> x) {
    return conj(x);
}
/// Within two units, in lanes; infinite beside NaN, too. A power of two keeps squares in range, where those of floats are.
template <class T> inline T abs(complex<T> x) {
    const double real = sluice::abs(double(x.real)), imag = sluice::abs(double(x.imag)), infinity = __builtin_inf();
    const double larger = real > imag ? real : imag, low = larger > 0x1p-1000 ? larger : 0x1p-1000;
    const uint64_t bits = __builtin_bit_cast(uint64_t, same<T, float> ? 1.0 : low < 0x1p1000 ? low : 0x1p1000) & 0x7ff0000000000000;
    const double scale = __builtin_bit_cast(double, 0x7fe0000000000000 - bits), a = real * scale, b = imag * scale;
    return T((real == infinity) | (imag == infinity) ? infinity : __builtin_sqrt(a * a + b * b) * __builtin_bit_cast(double, bits));
}
template <class T> inline T absolute(complex<T> x) {
    return abs(x);
}
template <class T> inline T angle(complex<T> x) {
    return arctan2(x.imag, x.real);
}
template <class T> inline bool isnan(complex<T> x) {
    return isnan(x.real) || isnan(x.imag);
}
template <class T> inline bool isinf(complex<T> x) {
    return isinf(x.real) || isinf(x.imag);
}
template <class T> inline bool isfinite(complex<T> x) {
    return isfinite(x.real) && isfinite(x.imag);
}
template <class T> inline complex<T> sign(complex<T> x) {
    if (isnan(x)) return {x.real + x.imag, T(0)};
    const T size = abs(x);
    return size == T(0) ? complex<T>(T(0)) : complex<T>(x.real / size, x.imag / size);
}

// ---- elementary functions: the C library's --------------------------------------------------------------------------------
namespace c99 {
inline _Complex double pack(complex<double> x) {
    return __builtin_bit_cast(_Complex double, x);
}
inline _Complex float pack(complex<float> x) {
    return __builtin_bit_cast(_Complex float, x);
}
inline complex<double> unpack(_Complex double x) {
    return {__real__ x, __imag__ x};
}
inline complex<float> unpack(_Complex float x) {
    return {__real__ x, __imag__ x};
}
}  // namespace c99
template <class T> inline complex<T> sqrt(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_csqrtf(c99::pack(x)));
    else
        return c99::unpack(__builtin_csqrt(c99::pack(x)));
}
template <class T> inline complex<T> exp(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_cexpf(c99::pack(x)));
    else
        return c99::unpack(__builtin_cexp(c99::pack(x)));
}
template <class T> inline complex<T> log(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_clogf(c99::pack(x)));
    else
        return c99::unpack(__builtin_clog(c99::pack(x)));
}
template <class T> inline complex<T> sin(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_csinf(c99::pack(x)));
    else
        return c99::unpack(__builtin_csin(c99::pack(x)));
}
template <class T> inline complex<T> cos(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_ccosf(c99::pack(x)));
    else
        return c99::unpack(__builtin_ccos(c99::pack(x)));
}
template <class T> inline complex<T> tan(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_ctanf(c99::pack(x)));
    else
        return c99::unpack(__builtin_ctan(c99::pack(x)));
}
template <class T> inline complex<T> arcsin(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_casinf(c99::pack(x)));
    else
        return c99::unpack(__builtin_casin(c99::pack(x)));
}
template <class T> inline complex<T> arccos(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_cacosf(c99::pack(x)));
    else
        return c99::unpack(__builtin_cacos(c99::pack(x)));
}
template <class T> inline complex<T> arctan(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_catanf(c99::pack(x)));
    else
        return c99::unpack(__builtin_catan(c99::pack(x)));
}
template <class T> inline complex<T> sinh(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_csinhf(c99::pack(x)));
    else
        return c99::unpack(__builtin_csinh(c99::pack(x)));
}
template <class T> inline complex<T> cosh(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_ccoshf(c99::pack(x)));
    else
        return c99::unpack(__builtin_ccosh(c99::pack(x)));
}
template <class T> inline complex<T> tanh(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_ctanhf(c99::pack(x)));
    else
        return c99::unpack(__builtin_ctanh(c99::pack(x)));
}
template <class T> inline complex<T> arcsinh(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_casinhf(c99::pack(x)));
    else
        return c99::unpack(__builtin_casinh(c99::pack(x)));
}
template <class T> inline complex<T> arccosh(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_cacoshf(c99::pack(x)));
    else
        return c99::unpack(__builtin_cacosh(c99::pack(x)));
}
template <class T> inline complex<T> arctanh(complex<T> x) {
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_catanhf(c99::pack(x)));
    else
        return c99::unpack(__builtin_catanh(c99::pack(x)));
}

// Python's names.
template <class T> inline complex<T> asin(complex<T> x) {
    return arcsin(x);
}
template <class T> inline complex<T> acos(complex<T> x) {
    return arccos(x);
}
template <class T> inline complex<T> atan(complex<T> x) {
    return arctan(x);
}
template <class T> inline complex<T> asinh(complex<T> x) {
    return arcsinh(x);
}
template <class T> inline complex<T> acosh(complex<T> x) {
    return arccosh(x);
}
template <class T> inline complex<T> atanh(complex<T> x) {
    return arctanh(x);
}
template <class T> inline complex<T> square(complex<T> x) {
    return x * x;
}
template <class T> inline complex<T> reciprocal(complex<T> x) {
    return complex<T>(T(1)) / x;
}
template <class T> inline complex<T> rint(complex<T> x) {
    return {rint(x.real), rint(x.imag)};
}
template <class T> inline complex<T> round(complex<T> x) {
    return rint(x);
}
template <class T> inline complex<T> expm1(complex<T> x) {
    return exp(x) - complex<T>(T(1));
}
template <class T> inline complex<T> log1p(complex<T> x) {
    return log(x + complex<T>(T(1)));
}
template <class T> inline complex<T> exp2(complex<T> x) {
    return exp(x * complex<T>(T(0.693147180559945309417232121458)));
}
template <class T> inline complex<T> log10(complex<T> x) {
    return log(x) * complex<T>(T(0.434294481903251827651128918917));
}
template <class T> inline complex<T> log2(complex<T> x) {
    return log(x) * complex<T>(T(1.442695040888963407359924681002));
}

/// Small whole exponents by multiplication, as NumPy; zero to a power of positive real part is zero.
template <class T> inline complex<T> power(complex<T> base, plain<complex<T>> exponent) {
    if (exponent == complex<T>(T(0))) return T(1);
    if (base == complex<T>(T(0)) && exponent.imag == T(0) && exponent.real > T(0)) return T(0);
    if (exponent.imag == T(0) && exponent.real == trunc(exponent.real) && abs(exponent.real) < T(100)) {
        complex<T> result = T(1), factor = base;
        for (int rest = int(abs(exponent.real)); rest != 0; rest >>= 1) {
            if (rest & 1) result *= factor;
            factor *= factor;
        }
        return exponent.real < T(0) ? reciprocal(result) : result;
    }
    if constexpr (same<T, float>)
        return c99::unpack(__builtin_cpowf(c99::pack(base), c99::pack(exponent)));
    else
        return c99::unpack(__builtin_cpow(c99::pack(base), c99::pack(exponent)));
}
template <class T> inline complex<T> pow(complex<T> base, plain<complex<T>> exponent) {
    return power(base, exponent);
}
template <class T> inline complex<T> minimum(complex<T> a, plain<complex<T>> b) {
    return isnan(a) ? a : isnan(b) || b < a ? b : a;
}
template <class T> inline complex<T> maximum(complex<T> a, plain<complex<T>> b) {
    return isnan(a) ? a : isnan(b) || a < b ? b : a;
}
template <class T> inline complex<T> true_divide(complex<T> a, plain<complex<T>> b) {
    return a / b;
}
template <class T> inline complex<T> divide(complex<T> a, plain<complex<T>> b) {
    return a / b;
}
template <class T> inline bool logical_and(complex<T> a, plain<complex<T>> b) {
    return bool(a) && bool(b);
}
template <class T> inline bool logical_or(complex<T> a, plain<complex<T>> b) {
    return bool(a) || bool(b);
}
template <class T> inline bool logical_xor(complex<T> a, plain<complex<T>> b) {
    return bool(a) != bool(b);
}
template <class T> inline bool logical_not(complex<T> a) {
    return !a;
}

}  // namespace sluice
