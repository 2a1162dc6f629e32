// Discrete Fourier transforms of one vector, by Stockham's algorithm: each stage takes one factor of the length and leaves its
// result in order (Van Loan, Computational Frameworks for the Fast Fourier Transform, 1.7). Lengths with a large prime factor
// become convolutions of a power of 2 (Bluestein).
#pragma once

#include "complex.h"
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

template <class T> complex<T> turned(complex128 root) {
    return {T(root.real), T(root.imag)};
}
/// a times the root of unity of four, -i.
template <class T> complex<T> quarter(complex<T> a) {
    return {a.imag, -a.real};
}
/// A transform with the other exponents is this one between exchanges of real and imaginary parts.
template <class T> complex<T> exchanged(complex<T> a) {
    return {a.imag, a.real};
}

/// y[q + s * (r * p + t)] = w^(p t) * sum over u of x[q + s * (p + u m)] * w_r^(t u), where r * m numbers at distance s remain.
/// `roots` has those of r * m * s.
template <class T> void stage(int64_t r, int64_t m, int64_t s, const complex128* roots, const complex<T>* x, complex<T>* y) {
    const auto each = [&](auto&& combine) {
        for (int64_t p = 0; p < m; ++p) {
            const complex<T>* from = x + s * p;
            complex<T>* to = y + s * r * p;
            combine(p, from, to);
        }
    };
    if (r == 2) {
        each([&](int64_t p, const complex<T>* from, complex<T>* to) {
            const complex<T> w = turned<T>(roots[p * s]);
            for (int64_t q = 0; q < s; ++q) {
                const complex<T> a = from[q], b = from[q + s * m];
                to[q] = a + b;
                to[q + s] = (a - b) * w;
            }
        });
    } else if (r == 4) {
        each([&](int64_t p, const complex<T>* from, complex<T>* to) {
            const complex<T> w = turned<T>(roots[p * s]), w2 = turned<T>(roots[2 * p * s]), w3 = turned<T>(roots[3 * p * s]);
            for (int64_t q = 0; q < s; ++q) {
                const complex<T> a = from[q], b = from[q + s * m], c = from[q + 2 * s * m], d = from[q + 3 * s * m];
                const complex<T> even = a + c, odd = a - c, sum = b + d, turn = quarter(b - d);
                to[q] = even + sum;
                to[q + s] = (odd + turn) * w;
                to[q + 2 * s] = (even - sum) * w2;
                to[q + 3 * s] = (odd - turn) * w3;
            }
        });
    } else if (r == 3) {
        constexpr T kSin60 = T(0.86602540378443864676);
        each([&](int64_t p, const complex<T>* from, complex<T>* to) {
            const complex<T> w = turned<T>(roots[p * s]), w2 = turned<T>(roots[2 * p * s]);
            for (int64_t q = 0; q < s; ++q) {
                const complex<T> a = from[q], b = from[q + s * m], c = from[q + 2 * s * m];
                const complex<T> sum = b + c, turn = quarter(b - c) * kSin60, middle = a - sum * T(0.5);
                to[q] = a + sum;
                to[q + s] = (middle + turn) * w;
                to[q + 2 * s] = (middle - turn) * w2;
            }
        });
    } else if (r == 5) {
        constexpr T kCos72 = T(0.30901699437494742410), kCos144 = T(-0.80901699437494742410), kSin72 = T(0.95105651629515357212),
                    kSin144 = T(0.58778525229247312917);
        each([&](int64_t p, const complex<T>* from, complex<T>* to) {
            const complex<T> w = turned<T>(roots[p * s]), w2 = turned<T>(roots[2 * p * s]), w3 = turned<T>(roots[3 * p * s]),
                             w4 = turned<T>(roots[4 * p * s]);
            for (int64_t q = 0; q < s; ++q) {
                const complex<T> a = from[q], b = from[q + s * m], c = from[q + 2 * s * m], d = from[q + 3 * s * m],
                                 e = from[q + 4 * s * m];
                const complex<T> outer = b + e, inner = c + d, out = quarter(b - e), in = quarter(c - d);
                const complex<T> first = a + outer * kCos72 + inner * kCos144, second = a + outer * kCos144 + inner * kCos72;
                const complex<T> first_turn = out * kSin72 + in * kSin144, second_turn = out * kSin144 - in * kSin72;
                to[q] = a + outer + inner;
                to[q + s] = (first + first_turn) * w;
                to[q + 2 * s] = (second + second_turn) * w2;
                to[q + 3 * s] = (second - second_turn) * w3;
                to[q + 4 * s] = (first - first_turn) * w4;
            }
        });
    } else {
        each([&](int64_t p, const complex<T>* from, complex<T>* to) {
            for (int64_t t = 0; t < r; ++t) {
                complex<T>* const row = to + t * s;
                for (int64_t q = 0; q < s; ++q) row[q] = from[q];
                for (int64_t u = 1, turn = t; u < r; ++u, turn = turn + t < r ? turn + t : turn + t - r) {
                    const complex<T> w = turned<T>(roots[turn * m * s]);
                    for (int64_t q = 0; q < s; ++q) row[q] += from[q + u * s * m] * w;
                }
                const complex<T> w = turned<T>(roots[p * t * s]);
                for (int64_t q = 0; q < s; ++q) row[q] *= w;
            }
        });
    }
}

inline int64_t next_factor(int64_t n) {
    if (n % 4 == 0) return 4;
    for (int64_t r = 2; r * r <= n; ++r)
        if (n % r == 0) return r;
    return n;
}

/// x becomes its transform; `work` is as long.
template <class T> void in_stages(int64_t n, const complex128* roots, complex<T>* x, complex<T>* work) {
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
    if (from != x) __builtin_memcpy(static_cast<void*>(x), from, size_t(n) * sizeof(complex<T>));
}

/// j k = (j^2 + k^2 - (k - j)^2) / 2 makes a convolution with a chirp of the transform, of which transforms of length m make a
/// product.
template <class T> void by_convolution(int64_t n, complex<T>* x) {
    int64_t m = 1;
    while (m < 2 * n - 1) m *= 2;
    Buffer<complex128> memory({}, Extent(3 * m + n));
    complex128 *chirp = memory.data(), *a = chirp + n, *b = a + m, *work = b + m;
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
    in_stages(m, roots, a, work);
    in_stages(m, roots, b, work);
    for (int64_t k = 0; k < m; ++k) a[k] = exchanged(a[k] * b[k]);
    in_stages(m, roots, a, work);
    for (int64_t k = 0; k < n; ++k) {
        const complex128 value = exchanged(a[k]) * chirp[k];
        x[k] = {T(value.real / double(m)), T(value.imag / double(m))};
    }
}

template <class T> void run(int64_t n, complex<T>* x, complex<T>* work) {
    constexpr int64_t kLargestFactor = 50;  // From here on a convolution takes less time.
    int64_t rest = n;
    while (rest > 1 && next_factor(rest) <= kLargestFactor) rest /= next_factor(rest);
    if (rest > 1) return by_convolution(n, x);
    static thread_local Roots kept;
    in_stages(n, kept.of(n), x, work);
}

/// Whether all of n numbers are real.
template <class T> bool are_real(int64_t n, const T* x, int64_t stride) {
    for (int64_t k = 0; k < n; ++k)
        if (x[k * stride].imag != 0) return false;
    return true;
}

/// Of an even count of real numbers: those in even places are the real parts and the others the imaginary ones of half as many,
/// from whose transform both are taken apart again (Press et al., Numerical Recipes, 12.3).
template <bool Forward, class T, class Put> void real_transform(int64_t n, const complex<T>* x, int64_t stride, const Put& put) {
    const int64_t half = n / 2;
    Buffer<complex<T>> memory({}, Extent(n));
    complex<T>* const y = memory.data();
    const auto way = [](complex<T> value) { return Forward ? value : exchanged(value); };
    for (int64_t k = 0; k < half; ++k) y[k] = way({x[2 * k * stride].real, x[(2 * k + 1) * stride].real});
    run(half, y, y + half);
    static thread_local Roots kept;
    const complex128* const roots = kept.of(n);
    for (int64_t k = 0; 2 * k <= half; ++k) {
        const complex<T> a = way(y[k]), b = way(y[k > 0 ? half - k : 0]), c = {b.real, -b.imag};
        const complex<T> even = (a + c) * T(0.5), turn = turned<T>(Forward ? roots[k] : conj(roots[k])),
                         odd = quarter(a - c) * T(0.5) * turn;
        const complex<T> near = even + odd, far = even - odd;
        put(k, near);
        put(half + k, far);
        if (k > 0) {
            put(half - k, complex<T>{far.real, -far.imag});
            put(n - k, complex<T>{near.real, -near.imag});
        }
    }
}

/// out = factor * the transform of n numbers, with exponents of this sign.
template <class T, class To>
void transform(int64_t n, int64_t sign, double factor, const T* x, int64_t x_stride, To* out, int64_t out_stride) {
    if (n <= 0) return;
    using Part = decltype(out->real);
    const auto put = [&](int64_t k, To value) { out[k * out_stride] = {Part(value.real * factor), Part(value.imag * factor)}; };
    constexpr int64_t kLong = 32;  // From here half a transform and the rest is less than a whole one.
    if (n % 2 == 0 && n >= kLong && are_real(n, x, x_stride))
        return sign < 0 ? real_transform<true>(n, x, x_stride, put) : real_transform<false>(n, x, x_stride, put);
    Buffer<To> memory({}, Extent(2 * n));
    To *const y = memory.data(), *const work = y + n;
    const auto way = [&](To value) { return sign < 0 ? value : exchanged(value); };
    for (int64_t k = 0; k < n; ++k) y[k] = way(To(x[k * x_stride]));
    run(n, y, work);
    for (int64_t k = 0; k < n; ++k) put(k, way(y[k]));
}

}  // namespace sluice::fourier
