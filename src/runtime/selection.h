// Elements that a mask selects: how many there are, and where; the place of the smallest or largest element.
#pragma once

#include "vector.h"

namespace sluice::selection {

/// How many of n elements are not 0; with a stride in elements.
template <class T, class Count> void count_true(int64_t n, const T* mask, int64_t stride, Count* count) {
    constexpr int64_t kBlock = 255;  // As many fit a counter of 8 bits, of which a vector has many.
    const auto count_in = [&](int64_t begin, int64_t end, int64_t step) {
        uint8_t some = 0;
        for (int64_t i = begin; i < end; ++i) some = uint8_t(some + uint8_t(mask[i * step] != T(0)));
        return int64_t(some);
    };
    int64_t sum = 0;
    for (int64_t begin = 0; begin < n; begin += kBlock) {
        const int64_t end = begin + kBlock < n ? begin + kBlock : n;
        sum += stride == 1 ? count_in(begin, end, 1) : count_in(begin, end, stride);
    }
    *count = Count(sum);
}

/// places = the indices of the first `count` of n elements that are not 0; n where there are fewer.
template <class T, class To>
void places(int64_t n, const T* mask, int64_t stride, int64_t count, To* places, int64_t places_stride) {
    constexpr int64_t kGroup = 8 / sizeof(T);
    int64_t i = 0, k = 0;
    if (stride == 1 && places_stride == 1)
        for (; i + kGroup <= n && k + kGroup <= count; i += kGroup) {
            uint64_t group;
            __builtin_memcpy(&group, mask + i, sizeof group);
            if (group == 0) continue;
            // Every index is written and the next one overwrites those that do not count: no branch depends on the data.
            for (int64_t j = i; j < i + kGroup; ++j) {
                places[k] = To(j);
                k += mask[j] != T(0);
            }
        }
    for (; i < n && k < count; ++i)
        if (mask[i * stride] != T(0)) places[k++ * places_stride] = To(i);
    for (; k < count; ++k) places[k * places_stride] = To(n);
}

/// Of each two lanes NaN, else the better one, else the first.
template <bool largest, class T> inline T better(T a, T b) {
    const T extreme = (largest ? b > a : b < a) ? b : a;
    return b != b ? b : extreme;
}
template <class T> inline constexpr int kRegisterLanes = int(__BIGGEST_ALIGNMENT__ / sizeof(T));

/// The extreme of n > 0 elements, in four registers of lanes at the same time: one alone waits for each of its comparisons.
template <bool largest, class T> inline T extreme_of(int64_t n, const T* a) {
    constexpr int kLanes = kRegisterLanes<T>;
    T best = a[0];
    int64_t i = 0;
    if constexpr (is_native_vector<T, kLanes>) {
        using Lanes = typename VectorStorage<T, kLanes>::raw;
        const auto at = [&](int64_t place) { return *reinterpret_cast<const Lanes*>(a + place); };
        const auto further = [](Lanes x, Lanes y) {
            const Lanes extreme = (largest ? y > x : y < x) ? y : x;
            return y != y ? y : extreme;
        };
        if (n >= kLanes) {
            Lanes all = at(0);
            if (n >= 8 * kLanes) {
                Lanes b1 = at(kLanes), b2 = at(2 * kLanes), b3 = at(3 * kLanes);
                for (i = 4 * kLanes; i + 4 * kLanes <= n; i += 4 * kLanes) {
                    all = further(all, at(i));
                    b1 = further(b1, at(i + kLanes));
                    b2 = further(b2, at(i + 2 * kLanes));
                    b3 = further(b3, at(i + 3 * kLanes));
                }
                all = further(further(all, b1), further(b2, b3));
            }
            for (; i + kLanes <= n; i += kLanes) all = further(all, at(i));
            T lane[kLanes];
            __builtin_memcpy(lane, &all, sizeof all);
            for (int half = kLanes / 2; half > 0; half /= 2)
                for (int k = 0; k < half; ++k) lane[k] = better<largest>(lane[k], lane[k + half]);
            best = lane[0];
        }
    }
    for (; i < n; ++i) best = better<largest>(best, a[i]);
    return best;
}

template <size_t bytes> struct PlaceOfBytes;
template <> struct PlaceOfBytes<8> { using type = int64_t; };
template <> struct PlaceOfBytes<4> { using type = int32_t; };
template <> struct PlaceOfBytes<2> { using type = int16_t; };
template <> struct PlaceOfBytes<1> { using type = int8_t; };
/// An integer as wide as an element: a lane compares as many of both.
template <class T> using PlaceIn = typename PlaceOfBytes<sizeof(T)>::type;

/// The first place of the extreme of n elements, or of NaN if there is one: a pass over blocks, of which the first that holds it is
/// searched.
template <bool largest, class T> inline int64_t place_of_extreme(int64_t n, const T* a, int64_t stride) {
    constexpr int64_t kBlock = 4096 / sizeof(T);  // Still in the first cache when it is searched.
    if (n <= 0) return 0;
    T best = a[0];
    int64_t block = 0;
    for (int64_t begin = 0; begin < n && best == best; begin += kBlock) {
        const int64_t count = n - begin < kBlock ? n - begin : kBlock;
        const T* from = a + begin * stride;
        T extreme = from[0];
        if (stride == 1)
            extreme = extreme_of<largest>(count, from);
        else
            for (int64_t i = 1; i < count; ++i) extreme = better<largest>(extreme, from[i * stride]);
        if (extreme == extreme && !(largest ? extreme > best : extreme < best)) continue;
        best = extreme;
        block = begin;
    }
    int64_t place = block;
    if (best != best) {
        while (a[place * stride] == a[place * stride]) ++place;
        return place;
    }
    // No branch for each element: of each the place counts, or one behind all of them.
    constexpr int64_t kChunk = 64;
    for (; stride == 1 && place < n; place += kChunk) {
        const auto count = PlaceIn<T>(n - place < kChunk ? n - place : kChunk);
        PlaceIn<T> first = kChunk;
#pragma omp simd reduction(min : first)
        for (PlaceIn<T> i = 0; i < count; ++i) {
            const PlaceIn<T> here = a[place + i] == best ? i : PlaceIn<T>(kChunk);
            first = here < first ? here : first;
        }
        if (first != kChunk) return place + first;
    }
    while (a[place * stride] != best) ++place;
    return place;
}

template <class T, class To> void place_of_smallest(int64_t n, const T* a, int64_t stride, To* place) {
    *place = To(place_of_extreme<false>(n, a, stride));
}
template <class T, class To> void place_of_largest(int64_t n, const T* a, int64_t stride, To* place) {
    *place = To(place_of_extreme<true>(n, a, stride));
}

}  // namespace sluice::selection
