// Sorting by keys in NumPy's order: from low to high, NaN behind everything, equal keys in the order in which they came.
#pragma once

#include "memory.h"
#include "types.h"

namespace sluice::sorting {

template <class T> bool precedes(const T& a, const T& b) {
    return a < b || (b != b && a == a);
}

/// Stable insertion sort in place.
template <class Item, class Precedes> void insertion_sort(int64_t n, Item* items, const Precedes& before) {
    for (int64_t i = 1; i < n; ++i) {
        const Item item = items[i];
        int64_t j = i;
        for (; j > 0 && before(item, items[j - 1]); --j) items[j] = items[j - 1];
        items[j] = item;
    }
}

inline constexpr int64_t kRun = 16;  ///< Insertion sort is faster up to here.

/// Stable merge sort, bottom-up over runs that insertion sorts: `items` and `spare` have n items; true if the result lies in
/// `spare`.
template <class Item, class Precedes> bool merge_sort(int64_t n, Item* items, Item* spare, const Precedes& before) {
    for (int64_t begin = 0; begin < n; begin += kRun)
        insertion_sort(begin + kRun < n ? kRun : n - begin, items + begin, before);
    bool swapped = false;
    for (int64_t run = kRun; run < n; run *= 2) {
        for (int64_t begin = 0; begin < n; begin += 2 * run) {
            const int64_t middle = begin + run < n ? begin + run : n, end = begin + 2 * run < n ? begin + 2 * run : n;
            int64_t left = begin, right = middle, at = begin;
            // Which half the next item is from is a number, not a branch that would be guessed wrong every other time.
            while (left < middle && right < end) {
                const bool second = before(items[right], items[left]);
                spare[at++] = items[second ? right : left];
                right += second;
                left += !second;
            }
            while (left < middle) spare[at++] = items[left++];
            while (right < end) spare[at++] = items[right++];
        }
        Item* const other = items;
        items = spare;
        spare = other;
        swapped = !swapped;
    }
    return swapped;
}

/// Sorts n items that `put(items)` writes, and hands them to `take(items)`. A short row needs no memory of its own.
template <class Item, class Put, class Precedes, class Take>
void sort_items(int64_t n, const Put& put, const Precedes& before, const Take& take) {
    if (n <= kRun) {
        Item items[kRun];
        put(items);
        insertion_sort(n, items, before);
        return take(items);
    }
    Buffer<Item> first({}, n), second({}, n);
    put(first.data());
    take(merge_sort(n, first.data(), second.data(), before) ? second.data() : first.data());
}

/// b = the n elements of a in order; with strides in elements.
template <class T, class To> void sort(int64_t n, const T* a, int64_t a_stride, To* b, int64_t b_stride) {
    sort_items<T>(
        n,
        [&](T* items) {
            for (int64_t i = 0; i < n; ++i) items[i] = a[i * a_stride];
        },
        [](const T& x, const T& y) { return precedes(x, y); },
        [&](const T* items) {
            for (int64_t i = 0; i < n; ++i) b[i * b_stride] = To(items[i]);
        });
}

/// b = the places in a of its elements in order.
template <class T, class To> void arg_sort(int64_t n, const T* a, int64_t a_stride, To* b, int64_t b_stride) {
    struct Item {
        T key;
        int64_t at;
    };
    sort_items<Item>(
        n,
        [&](Item* items) {
            for (int64_t i = 0; i < n; ++i) items[i] = Item{a[i * a_stride], i};
        },
        [](const Item& x, const Item& y) { return precedes(x.key, y.key); },
        [&](const Item* items) {
            for (int64_t i = 0; i < n; ++i) b[i * b_stride] = To(items[i].at);
        });
}

}  // namespace sluice::sorting
