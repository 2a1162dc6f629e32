// One stage of Stockham's algorithm (Van Loan, Computational Frameworks for the Fast Fourier Transform, 1.7) by vector registers:
// it takes one factor of the length and leaves its result in order.
#pragma once

#include "complex.h"
#include "vector.h"

namespace sluice::fourier {

#if defined __AVX512F__
inline constexpr int kPackBytes = 64;
#elif defined __AVX__
inline constexpr int kPackBytes = 32;
#else
inline constexpr int kPackBytes = 16;
#endif

template <class T> complex<T> turned(complex128 root) {
    return {T(root.real), T(root.imag)};
}

/// Complex numbers side by side, real and imaginary parts in turn.
template <class T, int count> struct Pack {
    using Lanes = vector<T, 2 * count>;
    using Places = typename VectorStorage<typename SignedOf<sizeof(T)>::type, 2 * count>::raw;
    static constexpr int kCount = count;
    Lanes lanes;

    [[gnu::always_inline]] static Pack at(const complex<T>* from) { return {lanes_at<2 * count>(&from->real)}; }
    [[gnu::always_inline]] void put(complex<T>* to) const { lanes_at<2 * count>(&to->real) = lanes; }
    /// Those that lie so many elements apart.
    [[gnu::always_inline]] static Pack gathered(const complex<T>* from, int64_t stride) {
        if (stride == 1 || count == 1) return at(from);
        complex<T> all[count];
        for (int k = 0; k < count; ++k) all[k] = from[k * stride];
        return at(all);
    }
    [[gnu::always_inline]] void scatter(complex<T>* to, int64_t stride) const {
        if (stride == 1 || count == 1) return put(to);
        complex<T> all[count];
        put(all);
        for (int k = 0; k < count; ++k) to[k * stride] = all[k];
    }
    /// Real and imaginary parts exchanged.
    [[gnu::always_inline]] Pack exchanged() const {
        Places places;
        for (int k = 0; k < 2 * count; ++k) places[k] = k ^ 1;
        return {of(permuted(lanes.lane, places))};
    }
    [[gnu::always_inline]] Pack conjugate() const { return {lanes * (Lanes(T(0)) - signs())}; }
    /// The conjugates in the opposite order.
    [[gnu::always_inline]] Pack mirrored() const {
        Places places;
        for (int k = 0; k < 2 * count; ++k) places[k] = 2 * count - 1 - (k ^ 1);
        return Pack{of(permuted(lanes.lane, places))}.conjugate();
    }
    /// -1 for real parts and 1 for imaginary ones.
    [[gnu::always_inline]] static Lanes signs() {
        Lanes result;
        for (int k = 0; k < 2 * count; ++k) result.lane[k] = T(k % 2 == 0 ? -1 : 1);
        return result;
    }
    [[gnu::always_inline]] static Lanes of(typename VectorStorage<T, 2 * count>::raw raw) {
        Lanes result;
        result.lane = raw;
        return result;
    }
    [[gnu::always_inline]] friend Pack operator+(Pack a, Pack b) { return {a.lanes + b.lanes}; }
    [[gnu::always_inline]] friend Pack operator-(Pack a, Pack b) { return {a.lanes - b.lanes}; }
    [[gnu::always_inline]] friend Pack operator*(Pack a, T b) { return {a.lanes * Lanes(b)}; }
};
/// The first numbers of both packs side by side, and the second ones.
template <class T> [[gnu::always_inline]] inline void put_pairs(Pack<T, 2> a, Pack<T, 2> b, complex<T>* first, complex<T>* second) {
    using Lanes = typename VectorStorage<T, 4>::raw;
#ifdef __clang__
    const auto x = a.lanes.lane, y = b.lanes.lane;
    const Lanes low = {x[0], x[1], y[0], y[1]}, high = {x[2], x[3], y[2], y[3]};
#else
    using Places = typename Pack<T, 2>::Places;
    const Lanes low = __builtin_shuffle(a.lanes.lane, b.lanes.lane, Places{0, 1, 4, 5}),
                high = __builtin_shuffle(a.lanes.lane, b.lanes.lane, Places{2, 3, 6, 7});
#endif
    Pack<T, 2>{Pack<T, 2>::of(low)}.put(first);
    Pack<T, 2>{Pack<T, 2>::of(high)}.put(second);
}

/// a + b times the root of unity of four, -i.
template <class T, int count> [[gnu::always_inline]] inline Pack<T, count> plus_quarter(Pack<T, count> a, Pack<T, count> b) {
    return {multiply_add(b.exchanged().lanes, vector<T, 2 * count>(T(0)) - b.signs(), a.lanes)};
}
template <class T, int count> [[gnu::always_inline]] inline Pack<T, count> minus_quarter(Pack<T, count> a, Pack<T, count> b) {
    return {multiply_add(b.exchanged().lanes, b.signs(), a.lanes)};
}

/// Roots of unity to multiply by.
template <class T, int count> struct Turn {
    vector<T, 2 * count> real, imag;

    [[gnu::always_inline]] static Turn all(complex128 root) {
        return {vector<T, 2 * count>(T(root.real)), vector<T, 2 * count>(T(root.imag)) * Pack<T, count>::signs()};
    }
    [[gnu::always_inline]] static Turn each(const complex128* roots, int64_t stride) {
        Turn result;
        for (int k = 0; k < count; ++k) {
            const complex<T> root = turned<T>(roots[k * stride]);
            result.real.lane[2 * k] = result.real.lane[2 * k + 1] = root.real;
            result.imag.lane[2 * k] = -root.imag;
            result.imag.lane[2 * k + 1] = root.imag;
        }
        return result;
    }
    [[gnu::always_inline]] friend Pack<T, count> operator*(Pack<T, count> a, const Turn& turn) {
        return {multiply_add(a.exchanged().lanes, turn.imag, a.lanes * turn.real)};
    }
};

/// The transform of r numbers in place.
template <class T, int count> [[gnu::always_inline]] inline void combine(Pack<T, count> (&v)[2]) {
    const auto a = v[0], b = v[1];
    v[0] = a + b;
    v[1] = a - b;
}
template <class T, int count> [[gnu::always_inline]] inline void combine(Pack<T, count> (&v)[3]) {
    constexpr T kSin60 = T(0.86602540378443864676);
    const auto sum = v[1] + v[2], turn = (v[1] - v[2]) * kSin60, middle = v[0] - sum * T(0.5);
    v[0] = v[0] + sum;
    v[1] = plus_quarter(middle, turn);
    v[2] = minus_quarter(middle, turn);
}
template <class T, int count> [[gnu::always_inline]] inline void combine(Pack<T, count> (&v)[4]) {
    const auto even = v[0] + v[2], odd = v[0] - v[2], sum = v[1] + v[3], turn = v[1] - v[3];
    v[0] = even + sum;
    v[1] = plus_quarter(odd, turn);
    v[2] = even - sum;
    v[3] = minus_quarter(odd, turn);
}
template <class T, int count> [[gnu::always_inline]] inline void combine(Pack<T, count> (&v)[5]) {
    constexpr T kCos72 = T(0.30901699437494742410), kCos144 = T(-0.80901699437494742410), kSin72 = T(0.95105651629515357212),
                kSin144 = T(0.58778525229247312917);
    const auto outer = v[1] + v[4], inner = v[2] + v[3], out = v[1] - v[4], in = v[2] - v[3];
    const auto first = v[0] + outer * kCos72 + inner * kCos144, second = v[0] + outer * kCos144 + inner * kCos72;
    const auto first_turn = out * kSin72 + in * kSin144, second_turn = out * kSin144 - in * kSin72;
    v[0] = v[0] + outer + inner;
    v[1] = plus_quarter(first, first_turn);
    v[2] = plus_quarter(second, second_turn);
    v[3] = minus_quarter(second, second_turn);
    v[4] = minus_quarter(first, first_turn);
}
template <class T, int count> [[gnu::always_inline]] inline void combine(Pack<T, count> (&v)[8]) {
    constexpr T kSin45 = T(0.70710678118654752440);
    Pack<T, count> even[4] = {v[0], v[2], v[4], v[6]}, odd[4] = {v[1], v[3], v[5], v[7]};
    combine(even);
    combine(odd);
    const auto first = plus_quarter(odd[1], odd[1]) * kSin45, third = minus_quarter(odd[3], odd[3]) * kSin45;
    v[0] = even[0] + odd[0];
    v[1] = even[1] + first;
    v[2] = plus_quarter(even[2], odd[2]);
    v[3] = even[3] - third;
    v[4] = even[0] - odd[0];
    v[5] = even[1] - first;
    v[6] = minus_quarter(even[2], odd[2]);
    v[7] = even[3] + third;
}

/// y[q + s * (r * p + t)] = w^(p t) * sum over u of x[q + s * (p + u m)] * w_r^(t u), where r * m numbers at distance s remain.
/// `roots` has those of r * m * s.
template <int r, class T> void stage_of(int64_t m, int64_t s, const complex128* roots, const complex<T>* x, complex<T>* y) {
    using Wide = Pack<T, kPackBytes / int(2 * sizeof(T))>;
    using One = Pack<T, 1>;
    if (s < Wide::kCount) {  // Neighbours in registers have roots of their own.
        const auto along = [&]<class P>(int64_t q, int64_t p, P*) {
            P v[r];
#pragma GCC unroll 8
            for (int u = 0; u < r; ++u) v[u] = P::gathered(x + q + s * (p + u * m), s);
            combine(v);
#pragma GCC unroll 8
            for (int t = 1; t < r; ++t) v[t] = v[t] * Turn<T, P::kCount>::each(roots + p * t * s, t * s);
            if constexpr (P::kCount == 2 && r % 2 == 0)
                if (s == 1) {
#pragma GCC unroll 4
                    for (int t = 0; t < r; t += 2) put_pairs(v[t], v[t + 1], y + r * p + t, y + r * (p + 1) + t);
                    return;
                }
#pragma GCC unroll 8
            for (int t = 0; t < r; ++t) v[t].scatter(y + q + s * (r * p + t), s * r);
        };
        for (int64_t q = 0; q < s; ++q) {
            int64_t p = 0;
            for (; p + Wide::kCount <= m; p += Wide::kCount) along(q, p, (Wide*)nullptr);
            for (; p < m; ++p) along(q, p, (One*)nullptr);
        }
        return;
    }
    for (int64_t p = 0; p < m; ++p) {
        const complex<T>* from = x + s * p;
        complex<T>* to = y + s * r * p;
        const auto across = [&]<class P>(int64_t q, P*, const auto& turns) {
            P v[r];
#pragma GCC unroll 8
            for (int u = 0; u < r; ++u) v[u] = P::at(from + q + u * s * m);
            combine(v);
#pragma GCC unroll 8
            for (int t = 0; t < r; ++t) turns(v[t], t).put(to + q + t * s);
        };
        const auto all = [&](const auto& wide, const auto& one) {
            int64_t q = 0;
            for (; q + Wide::kCount <= s; q += Wide::kCount) across(q, (Wide*)nullptr, wide);
            for (; q < s; ++q) across(q, (One*)nullptr, one);
        };
        if (p == 0) {  // All roots are 1.
            const auto as_it_is = [](const auto& v, int) { return v; };
            all(as_it_is, as_it_is);
            continue;
        }
        Turn<T, Wide::kCount> wide[r];
        Turn<T, 1> one[r];
        for (int t = 1; t < r; ++t) {
            wide[t] = Turn<T, Wide::kCount>::all(roots[p * t * s]);
            one[t] = Turn<T, 1>::all(roots[p * t * s]);
        }
        all([&](const auto& v, int t) { return t > 0 ? v * wide[t] : v; },
            [&](const auto& v, int t) { return t > 0 ? v * one[t] : v; });
    }
}

/// Any factor, by the sum as it is written.
template <class T> void plain_stage(int64_t r, int64_t m, int64_t s, const complex128* roots, const complex<T>* x, complex<T>* y) {
    for (int64_t p = 0; p < m; ++p)
        for (int64_t t = 0; t < r; ++t) {
            const complex<T>* const from = x + s * p;
            complex<T>* const row = y + s * (r * p + t);
            for (int64_t q = 0; q < s; ++q) row[q] = from[q];
            for (int64_t u = 1, turn = t; u < r; ++u, turn = turn + t < r ? turn + t : turn + t - r) {
                const complex<T> w = turned<T>(roots[turn * m * s]);
                for (int64_t q = 0; q < s; ++q) row[q] += from[q + u * s * m] * w;
            }
            const complex<T> w = turned<T>(roots[p * t * s]);
            for (int64_t q = 0; q < s; ++q) row[q] *= w;
        }
}

template <class T> void stage(int64_t r, int64_t m, int64_t s, const complex128* roots, const complex<T>* x, complex<T>* y) {
    switch (r) {
        case 2:
            return stage_of<2>(m, s, roots, x, y);
        case 3:
            return stage_of<3>(m, s, roots, x, y);
        case 4:
            return stage_of<4>(m, s, roots, x, y);
        case 5:
            return stage_of<5>(m, s, roots, x, y);
        case 8:
            return stage_of<8>(m, s, roots, x, y);
        default:
            return plain_stage(r, m, s, roots, x, y);
    }
}

}  // namespace sluice::fourier
