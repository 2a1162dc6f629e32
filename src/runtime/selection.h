// Elements that a mask selects: how many there are, and where.
#pragma once

#include "types.h"

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

}  // namespace sluice::selection
