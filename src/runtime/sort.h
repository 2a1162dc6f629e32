// Sorting by keys in NumPy's order: from low to high, NaN behind everything, equal keys in the order in which they came.
#pragma once

#include "memory.h"
#include "types.h"

namespace sluice::sorting {

template <class T> bool precedes(const T& a, const T& b) {
    return a < b || (b != b && a == a);
}

/// Stable merge sort, bottom-up over runs that insertion sorts: `items` and `spare` have n items; true if the result lies in
/// `spare`.
template <class Item, class Precedes> bool merge_sort(int64_t n, Item* items, Item* spare, const Precedes& before) {
    constexpr int64_t kRun = 16;
    for (int64_t begin = 0; begin < n; begin += kRun) {
        const int64_t end = begin + kRun < n ? begin + kRun : n;
        for (int64_t i = begin + 1; i < end; ++i) {
            const Item item = items[i];
            int64_t j = i;
            for (; j > begin && before(item, items[j - 1]); --j) items[j] = items[j - 1];
            items[j] = item;
        }
    }
    bool swapped = false;
    for (int64_t run = kRun; run < n; run *= 2) {
        for (int64_t begin = 0; begin < n; begin += 2 * run) {
            const int64_t middle = begin + run < n ? begin + run : n, end = begin + 2 * run < n ? begin + 2 * run : n;
            int64_t left = begin, right = middle;
            for (int64_t at = begin; at < end; ++at) {
                const bool second = left == middle || (right < end && before(items[right], items[left]));
                spare[at] = second ? items[right++] : items[left++];
            }
        }
        Item* const other = items;
        items = spare;
        spare = other;
        swapped = !swapped;
    }
    return swapped;
}

/// b = the n elements of a in order; with strides in elements.
template <class T, class To> void sort(int64_t n, const T* a, int64_t a_stride, To* b, int64_t b_stride) {
    Buffer<T> first({}, n), second({}, n);
    for (int64_t i = 0; i < n; ++i) first.data()[i] = a[i * a_stride];
    const bool swapped = merge_sort(n, first.data(), second.data(), [](const T& x, const T& y) { return precedes(x, y); });
    const T* const sorted = swapped ? second.data() : first.data();
    for (int64_t i = 0; i < n; ++i) b[i * b_stride] = To(sorted[i]);
}

/// b = the places in a of its elements in order.
template <class T, class To> void arg_sort(int64_t n, const T* a, int64_t a_stride, To* b, int64_t b_stride) {
    struct Item {
        T key;
        int64_t at;
    };
    Buffer<Item> first({}, n), second({}, n);
    for (int64_t i = 0; i < n; ++i) first.data()[i] = Item{a[i * a_stride], i};
    const bool swapped =
        merge_sort(n, first.data(), second.data(), [](const Item& x, const Item& y) { return precedes(x.key, y.key); });
    const Item* const sorted = swapped ? second.data() : first.data();
    for (int64_t i = 0; i < n; ++i) b[i * b_stride] = To(sorted[i].at);
}

}  // namespace sluice::sorting
