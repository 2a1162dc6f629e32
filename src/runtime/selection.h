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

template <size_t bytes> struct PlaceOfBytes;
template <> struct PlaceOfBytes<8> { using type = int64_t; };
template <> struct PlaceOfBytes<4> { using type = int32_t; };
template <> struct PlaceOfBytes<2> { using type = int16_t; };

/// The extremes of a row in the lanes of vectors, each beside its place. Four vectors take turns: one alone waits for each of its
/// comparisons.
template <bool largest, class T> struct LanesOfExtremes {
    static constexpr int kLanes = int(__BIGGEST_ALIGNMENT__ / sizeof(T));
    using Place = typename PlaceOfBytes<sizeof(T)>::type;  ///< As wide as an element: a comparison of one chooses the other.
    using Lanes = typename VectorStorage<T, kLanes>::raw;
    using Places = typename VectorStorage<Place, kLanes>::raw;
    static constexpr int64_t kMost = int64_t(1) << (sizeof(T) == 2 ? 15 : 30);  ///< Elements whose places have numbers.

    struct Best {
        Lanes value;
        Places place;
    };
    static Places is_better(Lanes x, Lanes y) { return largest ? x > y : x < y; }
    static Best better(Best x, Best y) {
        const Places taken = is_better(y.value, x.value) | ((y.value == x.value) & (y.place < x.place));
        return {taken ? y.value : x.value, taken ? y.place : x.place};
    }
    /// The first place of the extreme of n elements, a positive multiple of kLanes, or -1 where one of them is NaN.
    static int64_t place(int64_t n, const T* a) {
        Places lane, here;
        for (int k = 0; k < kLanes; ++k) lane[k] = Place(k);
        here = lane;
        const Lanes first = *reinterpret_cast<const Lanes*>(a);
        Best best[4] = {{first, here}, {first, here}, {first, here}, {first, here}};
        Places nan = first != first;
        const auto take = [&](Best& one, int64_t i) {
            const Lanes x = *reinterpret_cast<const Lanes*>(a + i);
            const Places taken = is_better(x, one.value);
            here += Place(kLanes);
            one.value = taken ? x : one.value;
            one.place = taken ? here : one.place;
            nan |= x != x;
        };
        int64_t i = kLanes;
        for (; i + 4 * kLanes <= n; i += 4 * kLanes)
            for (int k = 0; k < 4; ++k) take(best[k], i + k * kLanes);
        for (; i < n; i += kLanes) take(best[0], i);
        Best all = better(better(best[0], best[1]), better(best[2], best[3]));
        for (int half = kLanes / 2; half > 0; half /= 2) {
            const Places other = (lane + Place(half)) & Place(kLanes - 1);
            all = better(all, {permuted(all.value, other), permuted(all.place, other)});
            nan |= permuted(nan, other);
        }
        return nan[0] ? -1 : int64_t(all.place[0]);
    }
};

/// The first place of the extreme of n elements, or of NaN if there is one.
template <bool largest, class T> inline int64_t place_of_extreme(int64_t n, const T* a, int64_t stride) {
    int64_t best = 0, i = 0;
    const auto is_better = [](T x, T y) { return (largest ? x > y : x < y) || (x != x && y == y); };
    if (sizeof(T) == 1 && stride == 1 && n > 0) {
        T extreme = a[0];
        for (; i < n; ++i) extreme = is_better(a[i], extreme) ? a[i] : extreme;
        return static_cast<const T*>(__builtin_memchr(a, int(extreme), size_t(n))) - a;
    }
    if constexpr (sizeof(T) > 1) {
        using Vectors = LanesOfExtremes<largest, T>;
        while (stride == 1 && n - i >= Vectors::kLanes && a[best] == a[best]) {
            const int64_t count = (n - i < Vectors::kMost ? n - i : Vectors::kMost) / Vectors::kLanes * Vectors::kLanes;
            const int64_t place = Vectors::place(count, a + i);
            for (int64_t k = i; place < 0; ++k)
                if (a[k] != a[k]) return k;
            if (is_better(a[i + place], a[best])) best = i + place;
            i += count;
        }
    }
    for (; i < n && a[best * stride] == a[best * stride]; ++i)
        if (is_better(a[i * stride], a[best * stride])) best = i;
    return best;
}

template <class T, class To> void place_of_smallest(int64_t n, const T* a, int64_t stride, To* place) {
    *place = To(place_of_extreme<false>(n, a, stride));
}
template <class T, class To> void place_of_largest(int64_t n, const T* a, int64_t stride, To* place) {
    *place = To(place_of_extreme<true>(n, a, stride));
}

}  // namespace sluice::selection
