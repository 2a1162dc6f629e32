// Sorting by keys in NumPy's order: from low to high, NaN behind everything, equal keys in the order in which they came.
#pragma once

#include "memory.h"
#include "types.h"
#include "vector.h"

namespace sluice::sorting {

template <class T> bool precedes(const T& a, const T& b) {
    return a < b || (b != b && a == a);
}

template <class T> using Key = typename BitsOf<sizeof(T)>::type;

/// Unsigned integers in the order of the values: both zeros have one key, every NaN has the largest.
template <class T> Key<T> key_of(T value) {
    constexpr Key<T> sign = T(-1) < T(0) ? Key<T>(Key<T>(1) << (8 * sizeof(T) - 1)) : Key<T>(0);
    Key<T> bits;
    if constexpr (is_floating<T>) {
        if (value != value) return Key<T>(~Key<T>(0));
        value += T(0);
    }
    __builtin_memcpy(&bits, &value, sizeof bits);
    return Key<T>(is_floating<T> && (bits & sign) ? ~bits : bits ^ sign);
}
/// The value of a key.
template <class T> T value_of(Key<T> key) {
    constexpr Key<T> sign = T(-1) < T(0) ? Key<T>(Key<T>(1) << (8 * sizeof(T) - 1)) : Key<T>(0);
    const Key<T> bits = Key<T>(is_floating<T> && !(key & sign) ? ~key : key ^ sign);
    T value;
    __builtin_memcpy(&value, &bits, sizeof bits);
    return value;
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

/// Whole numbers with a sign in the order of the keys: vectors compare those.
template <class T> auto signed_key_of(T value) {
    using Signed = typename SignedOf<sizeof(T)>::type;
    constexpr Key<T> sign = Key<T>(Key<T>(1) << (8 * sizeof(T) - 1));
    return Signed(key_of(value) ^ sign);
}

inline constexpr int64_t kRanked = 127;  ///< Up to here counting is faster than any sort whose branches depend on the data.

/// Stable: the place of an item is how many stand before it (Knuth, The Art of Computer Programming 3, 5.2, algorithm C), which
/// vector lanes count. n <= kRanked.
template <class T, class Put> void rank_sort(int64_t n, const T* items, const Put& put) {
    using Signed = decltype(signed_key_of(T()));
    Signed keys[kRanked];
    for (int64_t i = 0; i < n; ++i) keys[i] = signed_key_of(items[i]);
    for (int64_t i = 0; i < n; ++i) {
        const Signed key = keys[i];
        Signed before = 0;
        for (int64_t j = 0; j < i; ++j) before = Signed(before + Signed(keys[j] <= key));
        for (int64_t j = i + 1; j < n; ++j) before = Signed(before + Signed(keys[j] < key));
        put(int64_t(before), i);
    }
}

/// Stable merge sort, bottom-up over runs that insertion sorts: `items` and `spare` have n items; true if the result lies in
/// `spare`.
template <class Item, class Precedes> bool merge_sort(int64_t n, Item* items, Item* spare, const Precedes& before) {
    for (int64_t begin = 0; begin < n; begin += kRun) insertion_sort(begin + kRun < n ? kRun : n - begin, items + begin, before);
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

/// Stable radix sort by digits of `key`, the lowest first (Knuth, The Art of Computer Programming 3, 5.2.5); true if the result
/// lies in `spare`. A digit that all keys share is passed over.
template <int kBits, class Item> bool radix_sort_by(int64_t n, Item* items, Item* spare) {
    constexpr int kDigits = (8 * int(sizeof(items->key)) + kBits - 1) / kBits, kValues = 1 << kBits;
    int64_t counts[kDigits][kValues] = {};
    const auto digit = [](const Item& item, int at) { return (item.key >> (kBits * at)) & (kValues - 1); };
    for (int64_t i = 0; i < n; ++i)
        for (int at = 0; at < kDigits; ++at) ++counts[at][digit(items[i], at)];
    bool swapped = false;
    for (int at = 0; at < kDigits; ++at) {
        if (counts[at][digit(items[0], at)] == n) continue;
        int64_t begin = 0;
        for (int64_t& count : counts[at]) {
            const int64_t end = begin + count;
            count = begin;
            begin = end;
        }
        for (int64_t i = 0; i < n; ++i) spare[counts[at][digit(items[i], at)]++] = items[i];
        Item* const other = items;
        items = spare;
        spare = other;
        swapped = !swapped;
    }
    return swapped;
}
/// Long digits take fewer passes, and counters that pay for many items alone.
template <class Item> bool radix_sort(int64_t n, Item* items, Item* spare) {
    constexpr int64_t kForLongDigits = 4096;
    if (sizeof(items->key) > 2 && n >= kForLongDigits) return radix_sort_by<11>(n, items, spare);
    return radix_sort_by<8>(n, items, spare);
}

/// Keys with a sign, sorted in the lanes of vectors by bitonic networks (Batcher, Sorting networks and their applications, 1968):
/// each vector by itself, then runs of them, of which vectors are merged at a time.
template <class T> struct SortedLanes {
    static constexpr int kLanes = int(__BIGGEST_ALIGNMENT__ / sizeof(T));
    using Lanes = typename VectorStorage<T, kLanes>::raw;
    static Lanes numbers() {
        Lanes lane;
        for (int k = 0; k < kLanes; ++k) lane[k] = T(k);
        return lane;
    }
    static Lanes& at(T* place) { return *reinterpret_cast<Lanes*>(place); }
    static Lanes& at(const T* place) { return at(const_cast<T*>(place)); }

    /// Each lane with the one whose number differs by the bit `across`: the larger where `up` holds.
    static Lanes exchanged(Lanes x, Lanes number, int across, Lanes up) {
        const Lanes other = permuted(x, number ^ T(across));
        return up ? (x < other ? other : x) : (x < other ? x : other);
    }
    /// What rises and then falls, from low to high.
    static Lanes merged(Lanes x) {
        const Lanes number = numbers();
#pragma GCC unroll 8
        for (int across = kLanes / 2; across > 0; across /= 2) x = exchanged(x, number, across, (number & T(across)) != 0);
        return x;
    }
    /// Vectors from `x` on, each by itself; several at a time, as one waits for each of its exchanges.
    template <int vectors> static void sort_each(T* x) {
        const Lanes number = numbers();
        Lanes all[vectors];
        for (int k = 0; k < vectors; ++k) all[k] = at(x + k * kLanes);
#pragma GCC unroll 8
        for (int size = 2; size <= kLanes; size *= 2)
#pragma GCC unroll 8
            for (int across = size / 2; across > 0; across /= 2) {
                const Lanes up = ((number & T(across)) != 0) ^ ((number & T(size)) != 0);
#pragma GCC unroll 8
                for (int k = 0; k < vectors; ++k) all[k] = exchanged(all[k], number, across, up);
            }
        for (int k = 0; k < vectors; ++k) at(x + k * kLanes) = all[k];
    }
    /// Two runs of whole vectors.
    static void merge(const T* a, const T* a_end, const T* b, const T* b_end, T* to) {
        const Lanes back = T(kLanes - 1) - numbers();
        Lanes kept = at(a), next = at(b);
        a += kLanes, b += kLanes;
        for (;; to += kLanes) {
            const Lanes falling = permuted(next, back);
            at(to) = merged(kept < falling ? kept : falling);
            kept = merged(kept < falling ? falling : kept);
            if (a == a_end && b == b_end) break;
            const bool second = a == a_end || (b != b_end && *b < *a);
            next = at(second ? b : a);
            a += second ? 0 : kLanes;
            b += second ? kLanes : 0;
        }
        at(to + kLanes) = kept;
    }
    /// n, a multiple of kLanes, keys; true if the result lies in `spare`.
    static bool sort(int64_t n, T* keys, T* spare) {
        int64_t i = 0;
        for (; i + 4 * kLanes <= n; i += 4 * kLanes) sort_each<4>(keys + i);
        for (; i < n; i += kLanes) sort_each<1>(keys + i);
        bool swapped = false;
        for (int64_t run = kLanes; run < n; run *= 2, swapped = !swapped) {
            T *const from = swapped ? spare : keys, *const to = swapped ? keys : spare;
            for (int64_t begin = 0; begin < n; begin += 2 * run) {
                const int64_t middle = begin + run < n ? begin + run : n, end = begin + 2 * run < n ? begin + 2 * run : n;
                if (middle == end)
                    for (i = begin; i < end; ++i) to[i] = from[i];
                else
                    merge(from + begin, from + middle, from + middle, from + end, to + begin);
            }
        }
        return swapped;
    }
};

inline constexpr int64_t kManyItems = 256;    ///< From here radix sort is faster than merging.
inline constexpr int64_t kManyKeys = 16384;   ///< The same beside vectors.
inline constexpr int64_t kKeysInPlace = 512;  ///< Short rows need no memory of their own.

/// b = the n elements of a in order; with strides in elements.
template <class T, class To> void sort(int64_t n, const T* a, int64_t a_stride, To* b, int64_t b_stride) {
    using Signed = decltype(signed_key_of(T()));
    if (n <= kRanked && (sizeof(T) == 1 || n < SortedLanes<Signed>::kLanes)) {
        T items[kRanked];
        for (int64_t i = 0; i < n; ++i) items[i] = a[i * a_stride];
        return rank_sort(n, items, [&](int64_t at, int64_t from) { b[at * b_stride] = To(items[from]); });
    }
    bool exact = true;  // Zeros of both signs have one key.
    if constexpr (is_floating<T>)
        for (int64_t i = 0; i < n; ++i) exact &= !(a[i * a_stride] == T(0) && __builtin_signbit(a[i * a_stride]));
    if (!exact) {
        Buffer<T> first({}, n), second({}, n);
        for (int64_t i = 0; i < n; ++i) first.data()[i] = a[i * a_stride];
        const auto before = [](const T& x, const T& y) { return precedes(x, y); };
        const T* const sorted = merge_sort(n, first.data(), second.data(), before) ? second.data() : first.data();
        for (int64_t i = 0; i < n; ++i) b[i * b_stride] = To(sorted[i]);
    } else if (sizeof(T) == 1 || n >= kManyKeys) {
        struct Item {
            Key<T> key;
        };
        Buffer<Item> first({}, n), second({}, n);
        for (int64_t i = 0; i < n; ++i) first.data()[i].key = key_of(a[i * a_stride]);
        const Item* const sorted = radix_sort(n, first.data(), second.data()) ? second.data() : first.data();
        for (int64_t i = 0; i < n; ++i) b[i * b_stride] = To(value_of<T>(sorted[i].key));
    } else {
        constexpr Key<T> sign = Key<T>(Key<T>(1) << (8 * sizeof(T) - 1)), last = Key<T>(sign - 1);
        constexpr int64_t kLanes = SortedLanes<Signed>::kLanes;
        const int64_t padded = (n + kLanes - 1) / kLanes * kLanes;
        const auto in = [&](Signed* keys, Signed* spare) {
            for (int64_t i = 0; i < n; ++i) keys[i] = signed_key_of(a[i * a_stride]);
            for (int64_t i = n; i < padded; ++i) keys[i] = Signed(last);
            const Signed* const sorted = SortedLanes<Signed>::sort(padded, keys, spare) ? spare : keys;
            for (int64_t i = 0; i < n; ++i) b[i * b_stride] = To(value_of<T>(Key<T>(Key<T>(sorted[i]) ^ sign)));
        };
        if (padded <= kKeysInPlace) {
            Signed keys[kKeysInPlace], spare[kKeysInPlace];
            return in(keys, spare);
        }
        Buffer<Signed> keys({}, padded), spare({}, padded);
        in(keys.data(), spare.data());
    }
}

/// b = the places in a of its elements in order.
template <class T, class To> void arg_sort(int64_t n, const T* a, int64_t a_stride, To* b, int64_t b_stride) {
    struct Item {
        Key<T> key;
        int64_t at;
    };
    const auto put = [&](Item* items) {
        for (int64_t i = 0; i < n; ++i) items[i] = Item{key_of(a[i * a_stride]), i};
    };
    const auto take = [&](const Item* items) {
        for (int64_t i = 0; i < n; ++i) b[i * b_stride] = To(items[i].at);
    };
    const auto before = [](const Item& x, const Item& y) { return x.key < y.key; };
    if (n <= kRanked) {
        T items[kRanked];
        for (int64_t i = 0; i < n; ++i) items[i] = a[i * a_stride];
        return rank_sort(n, items, [&](int64_t at, int64_t from) { b[at * b_stride] = To(from); });
    }
    Buffer<Item> first({}, n), second({}, n);
    put(first.data());
    const bool swapped =
        n < kManyItems ? merge_sort(n, first.data(), second.data(), before) : radix_sort(n, first.data(), second.data());
    take(swapped ? second.data() : first.data());
}

}  // namespace sluice::sorting
