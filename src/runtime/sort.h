// Sorting by keys in NumPy's order: from low to high, NaN behind everything, equal keys in the order in which they came.
#pragma once

#include "memory.h"
#include "types.h"
#include "vector_sort.h"

namespace sluice::sorting {

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

template <class T> using SignedKey = typename SignedOf<sizeof(T)>::type;

/// Whole numbers with a sign in the order of the keys: vectors compare those.
template <class T> SignedKey<T> signed_key_of(T value) {
    constexpr int kSign = 8 * sizeof(T) - 1;
    constexpr SignedKey<T> last = SignedKey<T>(~(SignedKey<T>(1) << kSign));
    if constexpr (is_floating<T>) {
        const auto bits = __builtin_bit_cast(SignedKey<T>, T(value + T(0)));
        return value != value ? last : SignedKey<T>(bits ^ ((bits >> kSign) & last));
    } else {
        return SignedKey<T>(key_of(value) ^ Key<T>(Key<T>(1) << kSign));
    }
}
/// Fills the keys; how many of them stand for a NaN that has none.
template <class T> int64_t put_keys(int64_t n, const T* a, int64_t stride, SignedKey<T>* keys) {
    for (int64_t i = 0; stride == 1 && i < n; ++i) keys[i] = signed_key_of(a[i]);
    for (int64_t i = 0; stride != 1 && i < n; ++i) keys[i] = signed_key_of(a[i * stride]);
    return 0;
}
/// The values of n keys.
template <class T, class To> void put_values(int64_t n, int64_t, const SignedKey<T>* keys, To* b, int64_t stride) {
    constexpr Key<T> sign = Key<T>(Key<T>(1) << (8 * sizeof(T) - 1));
    const auto value = [](SignedKey<T> key) { return To(value_of<T>(Key<T>(Key<T>(key) ^ sign))); };
    for (int64_t i = 0; stride == 1 && i < n; ++i) b[i] = value(keys[i]);
    for (int64_t i = 0; stride != 1 && i < n; ++i) b[i * stride] = value(keys[i]);
}
/// Doubles are keys themselves, NaN as infinity.
inline int64_t put_keys(int64_t n, const double* a, int64_t stride, double* keys) {
    int64_t nans = 0;
    const auto put = [&](int64_t i, double value) {
        nans += value != value;
        keys[i] = value != value ? __builtin_inf() : value;
    };
    for (int64_t i = 0; stride == 1 && i < n; ++i) put(i, a[i]);
    for (int64_t i = 0; stride != 1 && i < n; ++i) put(i, a[i * stride]);
    return nans;
}
template <class T, class To> void put_values(int64_t n, int64_t nans, const double* keys, To* b, int64_t stride) {
    for (int64_t i = 0; i < n - nans; ++i) b[i * stride] = To(keys[i]);
    for (int64_t i = n - nans; i < n; ++i) b[i * stride] = To(__builtin_nan(""));
}

/// Whether one of the elements is -0.0.
template <class T> bool has_minus_zero(int64_t n, const T* a, int64_t stride) {
    const auto is_one = [](T value) { return __builtin_bit_cast(Key<T>, value) == Key<T>(Key<T>(1) << (8 * sizeof(T) - 1)); };
    Key<T> found = 0;
    for (int64_t i = 0; stride == 1 && i < n; ++i) found |= Key<T>(is_one(a[i]));
    for (int64_t i = 0; stride != 1 && i < n; ++i) found |= Key<T>(is_one(a[i * stride]));
    return found != 0;
}

/// Up to here counting is faster than partitions: keys and counts stay in registers.
template <class Signed> inline constexpr int64_t kRanked = Register<Signed>::kLanes < 8 ? 8 * Register<Signed>::kLanes : 64;

/// Stable: the place of an item is how many stand before it (Knuth, The Art of Computer Programming 3, 5.2, algorithm C), which
/// each lane counts for its own item. n <= kRanked.
template <class KeyAt, class Put> void rank_sort(int64_t n, const KeyAt& key_at, const Put& put) {
    using Signed = decltype(key_at(0));
    using Lanes = typename Register<Signed>::Lanes;
    constexpr int kLanes = Register<Signed>::kLanes, kBlocks = int(kRanked<Signed> / kLanes);
    Signed keys[kRanked<Signed>];
    for (int64_t i = 0; i < n; ++i) keys[i] = key_at(i);
    for (int64_t i = n; i < kRanked<Signed>; ++i) keys[i] = 0;
    Lanes all[kBlocks], before[kBlocks];
#pragma GCC unroll 8
    for (int k = 0; k < kBlocks; ++k) all[k] = register_at(keys + k * kLanes), before[k] = Lanes{};
#pragma GCC unroll 8
    for (int own = 0; own < kBlocks; ++own)
        for (int64_t i = own * kLanes; i < n && i < (own + 1) * kLanes; ++i) {
            const Lanes key = keys[i] - Lanes{};
            const auto later = Register<Signed>::numbers() > Signed(i - own * kLanes);
#pragma GCC unroll 8
            for (int k = 0; k < kBlocks; ++k)
                before[k] -= k < own ? key < all[k] : k > own ? key <= all[k] : (key < all[k]) | ((key == all[k]) & later);
        }
    Signed places[kRanked<Signed>];
#pragma GCC unroll 8
    for (int k = 0; k < kBlocks; ++k) register_at(places + k * kLanes) = before[k];
    for (int64_t i = 0; i < n; ++i) put(int64_t(places[i]), i);
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

/// Zeros of both signs have one key: those among the n sorted elements of b get the signs in the order in which a has them.
template <class T, class To> void put_zeros(int64_t n, const T* a, int64_t a_stride, To* b, int64_t b_stride) {
    int64_t at = 0;
    for (int64_t end = n; at < end;) {
        const int64_t middle = at + (end - at) / 2;
        if (b[middle * b_stride] < To(0))
            at = middle + 1;
        else
            end = middle;
    }
    for (int64_t i = 0; i < n; ++i)
        if (a[i * a_stride] == T(0)) b[at++ * b_stride] = To(a[i * a_stride]);
}

/// Partitions may be this many times as deep as even ones before radix sort takes over.
inline constexpr int kDepths = 3;
template <class T> int depth_of(int64_t n) {
    return kDepths * (64 - __builtin_clzll(uint64_t(n) | 1));
}

/// Every part is wanted.
inline constexpr auto whatever = [](int64_t, const auto*) { return true; };

/// Memory for n numbers and a register more: on the stack if they are few.
template <class T> class Room {
public:
    explicit Room(int64_t n) {
        if (n > kFew) buffer_.allocate({}, n + Register<T>::kLanes);
        data_ = n > kFew ? buffer_.data() : few_;
    }
    T* data() { return data_; }

private:
    static constexpr int64_t kFew = 512;
    T few_[kFew + Register<T>::kLanes];
    Buffer<T> buffer_;
    T* data_;
};

/// Vectors have the smaller of two doubles, but not of two int64.
template <class T> using SortedKey = conditional<same<T, double>, double, SignedKey<T>>;
template <class T>
inline constexpr auto by_network = [](int64_t n, const Keys<SortedKey<T>>& part) { sort_by_network(n, part.keys); };

/// b = the n elements of a in order; with strides in elements.
template <class T, class To> void sort(int64_t n, const T* a, int64_t a_stride, To* b, int64_t b_stride) {
    using Sorted = SortedKey<T>;
    const auto by_digits = [&] {
        struct Item {
            Key<T> key;
        };
        Buffer<Item> first({}, n), second({}, n);
        for (int64_t i = 0; i < n; ++i) first.data()[i].key = key_of(a[i * a_stride]);
        const Item* const sorted = n > 0 && radix_sort(n, first.data(), second.data()) ? second.data() : first.data();
        for (int64_t i = 0; i < n; ++i) b[i * b_stride] = To(value_of<T>(sorted[i].key));
    };
    constexpr int64_t kFewDigits = 2048;  // From here two passes are faster.
    if (sizeof(T) == 1 || (sizeof(T) == 2 && n >= kFewDigits)) {
        by_digits();
    } else {
        Room<Sorted> keys(n), spare(n);
        const int64_t nans = put_keys(n, a, a_stride, keys.data());
        const Keys<Sorted> all{keys.data(), nullptr}, room{spare.data(), nullptr};
        if (quick_sort<false>(n, all, room, kNetwork<Sorted>, depth_of<T>(n), whatever, by_network<T>))
            put_values<T>(n, nans, keys.data(), b, b_stride);
        else
            by_digits();
    }
    if constexpr (is_floating<T>)
        if (has_minus_zero(n, a, a_stride)) put_zeros(n, a, a_stride, b, b_stride);
}

/// b = the elements that stand at `count` places, which are less than n, once the n elements of a are in order; 0 where there are
/// none.
template <class T, class To>
void select(int64_t n, const T* a, int64_t a_stride, int64_t count, const int64_t* at, int64_t at_stride, To* b, int64_t b_stride) {
    constexpr int64_t kMany = 16;  // From here each partition would ask too many places.
    if constexpr (sizeof(T) > 1) {
        bool zeros = false;
        if constexpr (is_floating<T>) zeros = has_minus_zero(n, a, a_stride);  // Which of them it is only a sort knows.
        Room<SortedKey<T>> keys(n), spare(n);
        const int64_t nans = put_keys(n, a, a_stride, keys.data());
        const SortedKey<T>* const first = keys.data();
        const auto wanted = [&](int64_t size, const SortedKey<T>* part) {
            bool found = false;
            for (int64_t k = 0; k < count; ++k) found |= uint64_t(at[k * at_stride] - (part - first)) < uint64_t(size);
            return found;
        };
        if (n > 0 && !zeros && count < kMany &&
            quick_sort<false, SortedKey<T>>(n, {keys.data(), nullptr}, {spare.data(), nullptr}, kNetwork<SortedKey<T>>,
                                            depth_of<T>(n), wanted, by_network<T>)) {
            for (int64_t k = 0; k < count; ++k) {
                const int64_t place = at[k * at_stride];
                put_values<T>(1, place >= n - nans, first + place, b + k * b_stride, 1);
            }
            return;
        }
    }
    Buffer<T> sorted({}, n);
    sort(n, a, a_stride, sorted.data(), 1);
    for (int64_t k = 0; k < count; ++k) b[k * b_stride] = n > 0 ? To(sorted.data()[at[k * at_stride]]) : To(0);
}

/// b = the places in a of its elements in order.
template <class T, class To> void arg_sort(int64_t n, const T* a, int64_t a_stride, To* b, int64_t b_stride) {
    using Signed = SignedKey<T>;
    const auto key_at = [&](int64_t i) { return signed_key_of(a[i * a_stride]); };
    if (n <= kRanked<Signed>) return rank_sort(n, key_at, [&](int64_t at, int64_t from) { b[at * b_stride] = To(from); });
    // Above that places have no numbers; or digits are faster: those of whole numbers are often few, and registers have few lanes.
    constexpr int64_t kMost = sizeof(T) == 4 ? int64_t(1) << 31 : kRegisterBytes == 64 && is_floating<T> ? int64_t(1) << 62 : 1024;
    // And where digits pass through memory once for each.
    constexpr int64_t kFar = kRegisterBytes == 32 && is_floating<T> ? int64_t(1) << 18 : int64_t(1) << 62;
    if constexpr (sizeof(T) >= 4) {
        if (n < kMost || n >= kFar) {
            Room<Signed> keys(n), places(n), spare_keys(n), spare_places(n);
            put_keys(n, a, a_stride, keys.data());
            for (int64_t i = 0; i < n; ++i) places.data()[i] = Signed(i);
            const auto rank = [](int64_t count, const Keys<Signed>& part) {
                Signed some[kRanked<Signed>];
                for (int64_t i = 0; i < count; ++i) some[i] = part.places[i];
                rank_sort(
                    count, [&](int64_t i) { return part.keys[i]; },
                    [&](int64_t at, int64_t from) { part.places[at] = some[from]; });
            };
            const Keys<Signed> all{keys.data(), places.data()}, room{spare_keys.data(), spare_places.data()};
            if (quick_sort<true>(n, all, room, kRanked<Signed>, depth_of<T>(n), whatever, rank)) {
                for (int64_t i = 0; i < n; ++i) b[i * b_stride] = To(places.data()[i]);
                return;
            }
        }
    }
    struct Item {
        Key<T> key;
        int64_t at;
    };
    Buffer<Item> first({}, n), second({}, n);
    for (int64_t i = 0; i < n; ++i) first.data()[i] = Item{key_of(a[i * a_stride]), i};
    const Item* const sorted = radix_sort(n, first.data(), second.data()) ? second.data() : first.data();
    for (int64_t i = 0; i < n; ++i) b[i * b_stride] = To(sorted[i].at);
}

}  // namespace sluice::sorting
