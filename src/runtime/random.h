// Many draws from a stream of pcg64.h or mt19937.h at once, as the methods of NumPy's Generator and RandomState make them.
#pragma once

#include "counts.h"
#include "distributions.h"
#include "memory.h"
#include "mt19937.h"
#include "pcg64.h"

namespace sluice::random {

// ---- n draws; with strides in elements, 0 for parameters that all draws share --------------------------------------------
/// In [low, high).
template <class Generator = Pcg64> void uniform(int64_t n, uint64_t* state, int64_t stride, const double* low, int64_t low_stride,
                                                const double* high, int64_t high_stride, double* b, int64_t b_stride) {
    Generator generator(state, stride);
    for (int64_t i = 0; i < n; ++i) {
        const double from = low[i * low_stride];
        b[i * b_stride] = from + product(high[i * high_stride] - from, generator.uniform());
    }
}
template <class Generator = Pcg64> void normal(int64_t n, uint64_t* state, int64_t stride, const double* loc, int64_t loc_stride,
                                               const double* scale, int64_t scale_stride, double* b, int64_t b_stride) {
    Generator generator(state, stride);
    for (int64_t i = 0; i < n; ++i) b[i * b_stride] = loc[i * loc_stride] + product(scale[i * scale_stride], generator.normal());
}
template <class Generator = Pcg64> void exponential(int64_t n, uint64_t* state, int64_t stride, const double* scale,
                                                    int64_t scale_stride, double* b, int64_t b_stride) {
    Generator generator(state, stride);
    for (int64_t i = 0; i < n; ++i) b[i * b_stride] = scale[i * scale_stride] * generator.exponential();
}
/// From `low` to `last`.
template <class Generator = Pcg64> void integers(int64_t n, uint64_t* state, int64_t stride, const int64_t* low, int64_t low_stride,
                                                 const int64_t* last, int64_t last_stride, int64_t* b, int64_t b_stride) {
    Generator generator(state, stride);
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t from = uint64_t(low[i * low_stride]);
        b[i * b_stride] = int64_t(from + generator.up_to(uint64_t(last[i * last_stride]) - from));
    }
}
/// 0, ..., n-1 as Generator.shuffle orders them.
template <class Generator = Pcg64> void permutation(int64_t n, uint64_t* state, int64_t stride, int64_t* b, int64_t b_stride) {
    Generator generator(state, stride);
    for (int64_t i = 0; i < n; ++i) b[i * b_stride] = i;
    for (int64_t i = n - 1; i > 0; --i) {
        const int64_t j = int64_t(generator.masked_up_to(uint64_t(i)));
        const int64_t kept = b[i * b_stride];
        b[i * b_stride] = b[j * b_stride];
        b[j * b_stride] = kept;
    }
}
/// n different ones of 0, ..., count-1: the end of a partial shuffle where they are many, else by Floyd's algorithm (Bentley and
/// Floyd, Programming Pearls: A Sample of Brilliance, 1987), shuffled.
template <class Generator = Pcg64>
void sample(int64_t n, uint64_t* state, int64_t stride, const int64_t* count, int64_t, int64_t* b, int64_t b_stride) {
    Generator generator(state, stride);
    const int64_t all = *count;
    const auto shuffle = [&](int64_t* items, int64_t step, int64_t size, int64_t first) {
        for (int64_t i = size - 1; i >= first; --i) {
            const int64_t j = int64_t(generator.up_to(uint64_t(i)));
            const int64_t kept = items[j * step];
            items[j * step] = items[i * step];
            items[i * step] = kept;
        }
    };
    if (all > 10000 && n > all / 50) {
        Buffer<int64_t> items({}, all);
        for (int64_t i = 0; i < all; ++i) items.data()[i] = i;
        shuffle(items.data(), 1, all, all - n > 1 ? all - n : 1);
        for (int64_t i = 0; i < n; ++i) b[i * b_stride] = items.data()[all - n + i];
        return;
    }
    const uint64_t mask = Pcg64::mask_of(uint64_t(1.2 * double(n))), none = ~uint64_t(0);
    Buffer<uint64_t> taken({}, int64_t(mask) + 1);
    for (uint64_t i = 0; i <= mask; ++i) taken.data()[i] = none;
    const auto place_of = [&](uint64_t value, bool found) {
        uint64_t at = value & mask;
        while (taken.data()[at] != none && !(found && taken.data()[at] == value)) at = (at + 1) & mask;
        return at;
    };
    for (int64_t j = all - n; j < all; ++j) {
        uint64_t value = generator.up_to(uint64_t(j)), at = place_of(value, true);
        if (taken.data()[at] == value) at = place_of(value = uint64_t(j), false);
        taken.data()[at] = value;
        b[(j - all + n) * b_stride] = int64_t(value);
    }
    shuffle(b, b_stride, n, 1);
}

/// n draws from a distribution of distributions.h.
template <class Generator, class Distribution> struct Draws {
    template <class Drawn> void operator()(int64_t n, uint64_t* state, int64_t stride, const double* p, int64_t p_stride, Drawn* b,
                                           int64_t b_stride) const {
        Generator generator(state, stride);
        for (int64_t i = 0; i < n; ++i) b[i * b_stride] = Distribution::draw(generator, p[i * p_stride]);
    }
    template <class Drawn> void operator()(int64_t n, uint64_t* state, int64_t stride, const double* p, int64_t p_stride,
                                           const double* q, int64_t q_stride, Drawn* b, int64_t b_stride) const {
        Generator generator(state, stride);
        for (int64_t i = 0; i < n; ++i) b[i * b_stride] = Distribution::draw(generator, p[i * p_stride], q[i * q_stride]);
    }
    template <class Drawn> void operator()(int64_t n, uint64_t* state, int64_t stride, const double* p, int64_t p_stride,
                                           const double* q, int64_t q_stride, const double* r, int64_t r_stride, Drawn* b,
                                           int64_t b_stride) const {
        Generator generator(state, stride);
        for (int64_t i = 0; i < n; ++i)
            b[i * b_stride] = Distribution::draw(generator, p[i * p_stride], q[i * q_stride], r[i * r_stride]);
    }
};
inline constexpr Draws<Pcg64, Gamma> gamma;
inline constexpr Draws<Pcg64, Beta> beta;
inline constexpr Draws<Pcg64, ChiSquare> chisquare;
inline constexpr Draws<Pcg64, F> f;
inline constexpr Draws<Pcg64, StandardT> standard_t;
inline constexpr Draws<Pcg64, StandardCauchy> standard_cauchy;
inline constexpr Draws<Pcg64, Lognormal> lognormal;
inline constexpr Draws<Pcg64, Pareto> pareto;
inline constexpr Draws<Pcg64, Weibull> weibull;
inline constexpr Draws<Pcg64, Power> power;
inline constexpr Draws<Pcg64, Laplace> laplace;
inline constexpr Draws<Pcg64, Gumbel> gumbel;
inline constexpr Draws<Pcg64, Logistic> logistic;
inline constexpr Draws<Pcg64, Rayleigh> rayleigh;
inline constexpr Draws<Pcg64, Triangular> triangular;
inline constexpr Draws<Pcg64, Poisson> poisson;
inline constexpr Draws<Pcg64, NegativeBinomial> negative_binomial;
inline constexpr Draws<Pcg64, Geometric> geometric;
inline constexpr Draws<Pcg64, Binomial> binomial;

/// The same as the methods of RandomState draw.
namespace legacy {

template <class... Given> void uniform(Given... given) {
    random::uniform<Mt19937>(given...);
}
template <class... Given> void normal(Given... given) {
    random::normal<Mt19937>(given...);
}
template <class... Given> void exponential(Given... given) {
    random::exponential<Mt19937>(given...);
}
template <class... Given> void integers(Given... given) {
    random::integers<Mt19937>(given...);
}
template <class... Given> void permutation(Given... given) {
    random::permutation<Mt19937>(given...);
}
template <class... Given> void sample(Given... given) {
    random::sample<Mt19937>(given...);
}
inline constexpr Draws<Mt19937, Gamma> gamma;
inline constexpr Draws<Mt19937, Beta> beta;
inline constexpr Draws<Mt19937, ChiSquare> chisquare;
inline constexpr Draws<Mt19937, F> f;
inline constexpr Draws<Mt19937, StandardT> standard_t;
inline constexpr Draws<Mt19937, StandardCauchy> standard_cauchy;
inline constexpr Draws<Mt19937, Lognormal> lognormal;
inline constexpr Draws<Mt19937, Pareto> pareto;
inline constexpr Draws<Mt19937, Weibull> weibull;
inline constexpr Draws<Mt19937, Power> power;
inline constexpr Draws<Mt19937, Laplace> laplace;
inline constexpr Draws<Mt19937, Gumbel> gumbel;
inline constexpr Draws<Mt19937, Logistic> logistic;
inline constexpr Draws<Mt19937, Rayleigh> rayleigh;
inline constexpr Draws<Mt19937, Triangular> triangular;
inline constexpr Draws<Mt19937, Poisson> poisson;
inline constexpr Draws<Mt19937, NegativeBinomial> negative_binomial;
inline constexpr Draws<Mt19937, Geometric> geometric;
inline constexpr Draws<Mt19937, Binomial> binomial;

}  // namespace legacy

}  // namespace sluice::random
