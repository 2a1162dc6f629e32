// Many draws from a stream of pcg64.h at once, as the methods of NumPy's Generator make them.
#pragma once

#include "memory.h"
#include "pcg64.h"

namespace sluice::random {

// ---- n draws; with strides in elements, 0 for parameters that all draws share --------------------------------------------
/// In [low, high).
inline void uniform(int64_t n, uint64_t* state, int64_t stride, const double* low, int64_t low_stride, const double* high,
                    int64_t high_stride, double* b, int64_t b_stride) {
    Pcg64 generator(state, stride);
    for (int64_t i = 0; i < n; ++i) {
        const double from = low[i * low_stride];
        b[i * b_stride] = from + product(high[i * high_stride] - from, generator.uniform());
    }
}
inline void normal(int64_t n, uint64_t* state, int64_t stride, const double* loc, int64_t loc_stride, const double* scale,
                   int64_t scale_stride, double* b, int64_t b_stride) {
    Pcg64 generator(state, stride);
    for (int64_t i = 0; i < n; ++i) b[i * b_stride] = loc[i * loc_stride] + product(scale[i * scale_stride], generator.normal());
}
inline void exponential(int64_t n, uint64_t* state, int64_t stride, const double* scale, int64_t scale_stride, double* b,
                        int64_t b_stride) {
    Pcg64 generator(state, stride);
    for (int64_t i = 0; i < n; ++i) b[i * b_stride] = scale[i * scale_stride] * generator.exponential();
}
/// From `low` to `last`.
inline void integers(int64_t n, uint64_t* state, int64_t stride, const int64_t* low, int64_t low_stride, const int64_t* last,
                     int64_t last_stride, int64_t* b, int64_t b_stride) {
    Pcg64 generator(state, stride);
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t from = uint64_t(low[i * low_stride]);
        b[i * b_stride] = int64_t(from + generator.up_to(uint64_t(last[i * last_stride]) - from));
    }
}
/// 0, ..., n-1 as Generator.shuffle orders them.
inline void permutation(int64_t n, uint64_t* state, int64_t stride, int64_t* b, int64_t b_stride) {
    Pcg64 generator(state, stride);
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
inline void sample(int64_t n, uint64_t* state, int64_t stride, const int64_t* count, int64_t, int64_t* b, int64_t b_stride) {
    Pcg64 generator(state, stride);
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

}  // namespace sluice::random
