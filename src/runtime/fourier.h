// Discrete Fourier transforms of one vector of complex or real numbers. An even count of real ones is half as many complex ones:
// those in even places are the real parts and the others the imaginary ones, and their transform is taken apart again (Press et
// al., Numerical Recipes, 12.3).
#pragma once

#include "fourier_lengths.h"

namespace sluice::fourier {

/// From here half a transform and the rest is less than a whole one.
inline constexpr int64_t kLong = 32;
inline bool is_halved(int64_t n) {
    return n % 2 == 0 && n >= kLong;
}
template <class T> using WidePack = Pack<T, kPackBytes / int(2 * sizeof(T))>;
template <class T> using OnePack = Pack<T, 1>;

/// The first n / 2 + 1 numbers of the transform of n real ones. `real_at(k)` reads one, `put(k, pack)` writes some from k on.
template <class T, class RealAt, class Put> void half_of_real(int64_t n, const RealAt& real_at, const Put& put) {
    using Wide = WidePack<T>;
    using One = OnePack<T>;
    const int64_t half = n / 2;
    Buffer<complex<T>> memory({}, Extent(n));
    complex<T>* const packed = memory.data();
    for (int64_t k = 0; k < half; ++k) packed[k] = {real_at(2 * k), real_at(2 * k + 1)};
    const complex<T>* const y = run(half, packed, packed + half);
    static thread_local Roots kept;
    const complex128* const roots = kept.of(n);
    const auto part = [&]<class P>(int64_t k, P a, P c) {  // c: conjugates of those that mirror a.
        const P sum = (a + c) * T(0.5), odd = plus_quarter(P{}, (a - c) * T(0.5)) * Turn<T, P::kCount>::each(roots + k, 1);
        put(k, sum + odd);
        put(half - k - (P::kCount - 1), (sum - odd).mirrored());
    };
    part(0, One::at(y), One::at(y).conjugate());
    int64_t k = 1;
    for (; 2 * (k + Wide::kCount - 1) <= half; k += Wide::kCount)
        part(k, Wide::at(y + k), Wide::at(y + half - k - (Wide::kCount - 1)).mirrored());
    for (; 2 * k <= half; ++k) part(k, One::at(y + k), One::at(y + half - k).conjugate());
}

/// Whether all of n numbers are real.
template <class T> bool are_real(int64_t n, const T* x, int64_t stride) {
    for (int64_t k = 0; k < n; ++k)
        if (x[k * stride].imag != 0) return false;
    return true;
}

/// out = factor * the transform of n numbers, with exponents of this sign.
template <class T, class To>
void transform(int64_t n, int64_t sign, double factor, const T* x, int64_t x_stride, To* out, int64_t out_stride) {
    if (n <= 0) return;
    using Part = decltype(out->real);
    if (is_halved(n) && are_real(n, x, x_stride)) {
        const auto put = [&]<class P>(int64_t k, P value) {
            const P placed = (sign < 0 ? value : value.conjugate()) * Part(factor);
            placed.scatter(out + k * out_stride, out_stride);
        };
        half_of_real<Part>(
            n, [&](int64_t k) { return Part(x[k * x_stride].real); }, put);
        for (int64_t k = 1; 2 * k < n; ++k) out[(n - k) * out_stride] = conj(out[k * out_stride]);
        return;
    }
    const bool in_place = out_stride == 1;
    Buffer<To> memory({}, Extent(in_place ? n : 2 * n));
    To *const work = memory.data(), *const start = in_place ? out : work + n;
    const auto way = [&](To value) { return sign < 0 ? value : exchanged(value); };
    for (int64_t k = 0; k < n; ++k) start[k] = way(To(x[k * x_stride]));
    const To* const y = run(n, start, work);
    if (y == out && sign < 0 && factor == 1) return;
    for (int64_t k = 0; k < n; ++k) {
        const To value = way(y[k]);
        out[k * out_stride] = {Part(value.real * factor), Part(value.imag * factor)};
    }
}

/// out = factor * the first `count` numbers of the transform of n real ones.
template <class T, class To>
void of_real(int64_t n, int64_t count, double factor, const T* x, int64_t x_stride, To* out, int64_t out_stride) {
    using Part = decltype(out->real);
    const auto set = [&](int64_t k, To value) { out[k * out_stride] = {Part(value.real * factor), Part(value.imag * factor)}; };
    int64_t done = 0;
    if (is_halved(n) && count > n / 2) {
        const auto put = [&]<class P>(int64_t k, P value) { (value * Part(factor)).scatter(out + k * out_stride, out_stride); };
        half_of_real<Part>(
            n, [&](int64_t k) { return Part(x[k * x_stride]); }, put);
        done = n / 2 + 1;
    } else if (n > 0) {
        Buffer<To> memory({}, Extent(2 * n));
        To* const all = memory.data();
        for (int64_t k = 0; k < n; ++k) all[k] = To(Part(x[k * x_stride]));
        const To* const y = run(n, all, all + n);
        for (; done < n && done < count; ++done) set(done, y[done]);
    }
    for (; done < count; ++done) {  // They mirror and repeat themselves.
        const int64_t same = n > 0 ? done % n : 0;
        if (n <= 0)
            set(done, To(Part(0)));
        else
            out[done * out_stride] = same < done ? out[same * out_stride] : conj(out[(n - same) * out_stride]);
    }
}

/// out = factor * the n real numbers that the inverse transform makes, without its 1 / n, of numbers whose second half mirrors the
/// first. The first begins with `count` numbers of x; 0 follows.
template <class T, class To>
void to_real(int64_t n, int64_t count, double factor, const T* x, int64_t x_stride, To* out, int64_t out_stride) {
    if (n <= 0) return;
    using Wide = WidePack<To>;
    using One = OnePack<To>;
    const int64_t half = n / 2, given = count < half + 1 ? count : half + 1;
    Buffer<T> memory({}, Extent(3 * n + 1));
    T *const y = memory.data(), *const first = y + 2 * n;
    for (int64_t k = 0; k < given; ++k) first[k] = x[k * x_stride];
    for (int64_t k = given; k <= half; ++k) first[k] = T(To(0));
    first[0].imag = 0;
    if (n % 2 == 0) first[half].imag = 0;
    // The transform of numbers whose parts are exchanged is the inverse with its parts exchanged.
    if (!is_halved(n)) {
        for (int64_t k = 0; k <= half; ++k) y[k] = exchanged(first[k]);
        for (int64_t k = half + 1; k < n; ++k) y[k] = exchanged(conj(first[n - k]));
        const T* const result = run(n, y, y + n);
        for (int64_t k = 0; k < n; ++k) out[k * out_stride] = To(result[k].imag * factor);
        return;
    }
    static thread_local Roots kept;
    const complex128* const roots = kept.of(n);
    const auto part = [&]<class P>(int64_t k, P a, P b) {  // a: conjugates.
        minus_quarter((a - b) * Turn<To, P::kCount>::each(roots + k, 1), a + b).put(y + k);
    };
    int64_t k = 0;
    for (; k + Wide::kCount <= half; k += Wide::kCount)
        part(k, Wide::at(first + k).conjugate(), Wide::at(first + half - k - (Wide::kCount - 1)).mirrored().conjugate());
    for (; k < half; ++k) part(k, One::at(first + k).conjugate(), One::at(first + half - k));
    const T* const result = run(half, y, y + half);
    for (int64_t at = 0; at < half; ++at) {
        out[2 * at * out_stride] = To(result[at].imag * factor);
        out[(2 * at + 1) * out_stride] = To(result[at].real * factor);
    }
}

}  // namespace sluice::fourier
