// Numbers of NumPy's and elements of its arrays for programs over one memory (heap.h): what an operator gives for them, which is no
// error where Python's numbers have one, and functions of all elements.
#pragma once

#include "heap_numbers.h"

namespace sluice::heap {

/// A number of which only the run knows whether it is Python's or NumPy's, and whether it is an integer or a float.
struct Scalar : Open {
    bool of_numpy = false;
    Scalar() = default;
    Scalar(int64_t value, bool numpy) : Open(value), of_numpy(numpy) {}
    Scalar(double value, bool numpy) : Open(value), of_numpy(numpy) {}
    explicit Scalar(const Open& value) : Open(value) {}
};
inline double to_real(const Scalar& a) {
    return a.as_real();
}
inline bool truth(const Scalar& a) {
    return truth(static_cast<const Open&>(a));
}

// ---- operators ------------------------------------------------------------------------------------------------------------
namespace numpy {

inline int64_t add(int64_t a, int64_t b) {
    return int64_t(uint64_t(a) + uint64_t(b));
}
inline int64_t sub(int64_t a, int64_t b) {
    return int64_t(uint64_t(a) - uint64_t(b));
}
inline int64_t mul(int64_t a, int64_t b) {
    return int64_t(uint64_t(a) * uint64_t(b));
}
inline int64_t neg(int64_t a) {
    return sub(0, a);
}
inline int64_t absolute(int64_t a) {
    return a < 0 ? neg(a) : a;
}
inline int64_t floordiv(int64_t a, int64_t b) {
    return b == 0 ? 0 : b == -1 ? neg(a) : heap::floordiv(a, b);
}
inline int64_t mod(int64_t a, int64_t b) {
    return b == 0 ? 0 : heap::mod(a, b);
}
inline int64_t power(int64_t a, int64_t b) {
    if (b < 0) raise(kPython);  // An error of NumPy's.
    int64_t result = 1;
    for (; b > 0; b >>= 1, a = mul(a, a))
        if (b & 1) result = mul(result, a);
    return result;
}
inline int64_t shl(int64_t a, int64_t b) {
    return uint64_t(b) < 64 ? int64_t(uint64_t(a) << b) : 0;
}
inline int64_t shr(int64_t a, int64_t b) {
    return uint64_t(b) < 64 ? a >> b : a < 0 ? -1 : 0;
}

inline double add(double a, double b) {
    return a + b;
}
inline double sub(double a, double b) {
    return a - b;
}
inline double mul(double a, double b) {
    return a * b;
}
inline double neg(double a) {
    return -a;
}
inline double absolute(double a) {
    return __builtin_fabs(a);
}
inline double truediv(double a, double b) {
    return a / b;
}
inline double floordiv(double a, double b) {
    return b == 0 ? a / b : heap::floordiv(a, b);
}
inline double mod(double a, double b) {
    return b == 0 ? __builtin_nan("") : heap::mod(a, b);
}
inline double power(double a, double b) {
    return __builtin_pow(a, b);
}

}  // namespace numpy

/// `whole` and `real` are those of NumPy's, `plain` is Python's.
template <class P, class W, class R>
Scalar of_scalars(const P& plain, const W& whole, const R& real, const Scalar& a, const Scalar& b) {
    if (!a.of_numpy && !b.of_numpy) return Scalar(plain(Open(a), Open(b)));
    return a.is_real || b.is_real ? Scalar(real(a.as_real(), b.as_real()), true) : Scalar(whole(a.whole, b.whole), true);
}
inline Scalar add(const Scalar& a, const Scalar& b) {
    return of_scalars([](Open x, Open y) { return add(x, y); }, [](int64_t x, int64_t y) { return numpy::add(x, y); },
                      [](double x, double y) { return x + y; }, a, b);
}
inline Scalar sub(const Scalar& a, const Scalar& b) {
    return of_scalars([](Open x, Open y) { return sub(x, y); }, [](int64_t x, int64_t y) { return numpy::sub(x, y); },
                      [](double x, double y) { return x - y; }, a, b);
}
inline Scalar mul(const Scalar& a, const Scalar& b) {
    return of_scalars([](Open x, Open y) { return mul(x, y); }, [](int64_t x, int64_t y) { return numpy::mul(x, y); },
                      [](double x, double y) { return x * y; }, a, b);
}
inline Scalar truediv(const Scalar& a, const Scalar& b) {
    return of_scalars([](Open x, Open y) { return truediv(x, y); }, [](int64_t x, int64_t y) { return double(x) / double(y); },
                      [](double x, double y) { return x / y; }, a, b);
}
inline Scalar floordiv(const Scalar& a, const Scalar& b) {
    return of_scalars([](Open x, Open y) { return floordiv(x, y); }, [](int64_t x, int64_t y) { return numpy::floordiv(x, y); },
                      [](double x, double y) { return numpy::floordiv(x, y); }, a, b);
}
inline Scalar mod(const Scalar& a, const Scalar& b) {
    return of_scalars([](Open x, Open y) { return mod(x, y); }, [](int64_t x, int64_t y) { return numpy::mod(x, y); },
                      [](double x, double y) { return numpy::mod(x, y); }, a, b);
}
inline Scalar power(const Scalar& a, const Scalar& b) {
    return of_scalars([](Open x, Open y) { return power(x, y); }, [](int64_t x, int64_t y) { return numpy::power(x, y); },
                      [](double x, double y) { return numpy::power(x, y); }, a, b);
}
inline Scalar neg(const Scalar& a) {
    if (!a.of_numpy) return Scalar(neg(Open(a)));
    return a.is_real ? Scalar(-a.real, true) : Scalar(numpy::neg(a.whole), true);
}
inline Scalar absolute(const Scalar& a) {
    if (!a.of_numpy) return Scalar(absolute(Open(a)));
    return a.is_real ? Scalar(__builtin_fabs(a.real), true) : Scalar(numpy::absolute(a.whole), true);
}
/// NumPy compares an integer and a float as floats, Python exactly.
inline int order(const Scalar& a, const Scalar& b) {
    if ((a.of_numpy || b.of_numpy) && a.is_real != b.is_real) return order(a.as_real(), b.as_real());
    return order(Open(a), Open(b));
}
inline bool operator==(const Scalar& a, const Scalar& b) {
    return order(a, b) == 0;
}

// ---- elements -------------------------------------------------------------------------------------------------------------
inline int64_t cast_whole(int64_t a) {
    return a;
}
inline int64_t cast_whole(double a) {
    if (!(a > -9223372036854775808.0 && a < 9223372036854775808.0)) raise(kPython);  // An error, or a warning.
    return int64_t(a);
}
inline int64_t cast_whole(const Open& a) {
    return a.is_real ? cast_whole(a.real) : a.whole;
}

/// NumPy's order of a sum: pairs of parts, and eight sums side by side in a part (pairwise summation, Higham 1993).
inline double total(const double* a, int64_t n) {
    constexpr int64_t kPart = 128;
    if (n < 8) {
        double sum = n > 0 ? -0.0 : 0.0;
        for (int64_t k = 0; k < n; ++k) sum += a[k];
        return sum;
    }
    if (n > kPart) {
        const int64_t half = n / 2 - n / 2 % 8;
        return total(a, half) + total(a + half, n - half);
    }
    double sums[8];
    for (int64_t k = 0; k < 8; ++k) sums[k] = a[k];
    int64_t at = 8;
    for (; at < n - n % 8; at += 8)
        for (int64_t k = 0; k < 8; ++k) sums[k] += a[at + k];
    double sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (; at < n; ++at) sum += a[at];
    return sum;
}
template <class T> int64_t total(const T* a, int64_t n) {
    int64_t sum = 0;
    for (int64_t k = 0; k < n; ++k) sum = numpy::add(sum, int64_t(a[k]));
    return sum;
}
inline double array_sum(const double* a, int64_t n) {
    return total(a, n);
}
template <class T> int64_t array_sum(const T* a, int64_t n) {
    return total(a, n);
}
inline double array_mean(const double* a, int64_t n) {
    return total(a, n) / double(n);
}
/// The sum of floats that integers become is exact while all partial ones fit.
template <class T> double array_mean(const T* a, int64_t n) {
    double sum = 0, size = 0;
    for (int64_t k = 0; k < n; ++k) sum += double(a[k]), size += __builtin_fabs(double(a[k]));
    if (size > 9007199254740992.0) raise(kPython);
    return sum / double(n);
}
/// The first of the greatest, or of the least; NaN is beyond all others.
template <bool kGreatest, class T> int64_t place_of_extreme(const T* a, int64_t n) {
    if (n == 0) raise(kPython);
    int64_t best = 0;
    for (int64_t k = 1; k < n && a[best] == a[best]; ++k)
        if ((kGreatest ? a[k] > a[best] : a[k] < a[best]) || a[k] != a[k]) best = k;
    return best;
}
template <class T> int64_t array_argmax(const T* a, int64_t n) {
    return place_of_extreme<true>(a, n);
}
template <class T> int64_t array_argmin(const T* a, int64_t n) {
    return place_of_extreme<false>(a, n);
}
template <class T> T array_max(const T* a, int64_t n) {
    return a[place_of_extreme<true>(a, n)];
}
template <class T> T array_min(const T* a, int64_t n) {
    return a[place_of_extreme<false>(a, n)];
}
template <class T> bool array_any(const T* a, int64_t n) {
    for (int64_t k = 0; k < n; ++k)
        if (a[k] != T(0)) return true;
    return false;
}
template <class T> bool array_all(const T* a, int64_t n) {
    for (int64_t k = 0; k < n; ++k)
        if (a[k] == T(0)) return false;
    return true;
}

}  // namespace sluice::heap
