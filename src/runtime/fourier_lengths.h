// Discrete Fourier transforms of complex numbers of any length, a stage for each factor of it (fourier_stage.h). Lengths with a
// large prime factor become convolutions of a power of 2 (Bluestein).
#pragma once

#include "fourier_stage.h"
#include "memory.h"

extern "C" {
double sin(double) noexcept;
double cos(double) noexcept;
}

namespace sluice::fourier {

/// exp(-2 pi i k / n) for all k, with the angle reduced to an eighth of the circle.
inline complex128 root_of_unity(int64_t k, int64_t n) {
    constexpr double kPi = 3.14159265358979323846;
    const int64_t eighth = 8 * k / n, rest = 8 * k - eighth * n;  // 8 k / n turns of 45 degrees, and rest / n of one more.
    const bool down = eighth % 2 != 0;
    const double angle = double(down ? n - rest : rest) * (kPi / 4) / double(n);
    const double c = cos(angle), s = sin(angle);
    const bool swapped = (eighth + 1) / 2 % 2 != 0;
    const double x = swapped ? s : c, y = swapped ? c : s;
    const bool left = eighth >= 2 && eighth < 6, low = eighth >= 4;
    return {left ? -x : x, low ? y : -y};
}

/// The roots of unity of one length, kept until this thread needs another.
class Roots {
public:
    const complex128* of(int64_t n) {
        if (n == length_) return table_.data();
        length_ = 0;
        table_.allocate({}, Extent(n));
        for (int64_t k = 0; k < n; ++k) table_.data()[k] = root_of_unity(k, n);
        length_ = n;
        return table_.data();
    }

private:
    int64_t length_ = 0;
    Buffer<complex128> table_;
};

/// A transform with the other exponents is this one between exchanges of real and imaginary parts.
template <class T> complex<T> exchanged(complex<T> a) {
    return {a.imag, a.real};
}

inline int64_t next_factor(int64_t n) {
    if (n % 8 == 0 && __builtin_ctzll(uint64_t(n)) % 2 != 0) return 8;  // Then fours are enough.
    if (n % 4 == 0) return 4;
    for (int64_t r = 2; r * r <= n; ++r)
        if (n % r == 0) return r;
    return n;
}

/// Where the transform of x lies: there or in `work`, which is as long.
template <class T> complex<T>* in_stages(int64_t n, const complex128* roots, complex<T>* x, complex<T>* work) {
    complex<T>*from = x, *to = work;
    for (int64_t rest = n, s = 1; rest > 1;) {
        const int64_t r = next_factor(rest);
        rest /= r;
        stage(r, rest, s, roots, from, to);
        s *= r;
        complex<T>* const other = from;
        from = to;
        to = other;
    }
    return from;
}

/// j k = (j^2 + k^2 - (k - j)^2) / 2 makes a convolution with a chirp of the transform, of which transforms of length m make a
/// product.
template <class T> complex<T>* by_convolution(int64_t n, complex<T>* x) {
    int64_t m = 1;
    while (m < 2 * n - 1) m *= 2;
    Buffer<complex128> memory({}, Extent(3 * m + n));
    complex128 *const chirp = memory.data(), *a = chirp + n, *b = a + m, *work = b + m;
    for (int64_t k = 0; k < n; ++k) {
        const int64_t square = int64_t((unsigned __int128)(k) * (unsigned __int128)(k) % (unsigned __int128)(2 * n));
        chirp[k] = root_of_unity(square, 2 * n);
    }
    for (int64_t k = 0; k < m; ++k) a[k] = b[k] = {0.0, 0.0};
    for (int64_t k = 0; k < n; ++k) {
        a[k] = complex128{double(x[k].real), double(x[k].imag)} * chirp[k];
        b[k] = b[k > 0 ? m - k : 0] = {chirp[k].real, -chirp[k].imag};
    }
    static thread_local Roots kept;
    const complex128* roots = kept.of(m);
    const auto transform = [&](complex128*& numbers) {
        complex128* const result = in_stages(m, roots, numbers, work);
        if (result != numbers) work = numbers;
        numbers = result;
    };
    transform(a);
    transform(b);
    for (int64_t k = 0; k < m; ++k) a[k] = exchanged(a[k] * b[k]);
    transform(a);
    for (int64_t k = 0; k < n; ++k) {
        const complex128 value = exchanged(a[k]) * chirp[k];
        x[k] = {T(value.real / double(m)), T(value.imag / double(m))};
    }
    return x;
}

/// As in_stages, of any length.
template <class T> complex<T>* run(int64_t n, complex<T>* x, complex<T>* work) {
    constexpr int64_t kLargestFactor = 50;  // From here on a convolution takes less time.
    int64_t rest = n;
    while (rest > 1 && next_factor(rest) <= kLargestFactor) rest /= next_factor(rest);
    if (rest > 1) return by_convolution(n, x);
    static thread_local Roots kept;
    return in_stages(n, kept.of(n), x, work);
}

}  // namespace sluice::fourier
