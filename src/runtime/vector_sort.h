// Whole numbers with a sign in order by vectors: bitonic networks (Batcher, Sorting networks and their applications, 1968) for as
// many as registers hold, above that quicksort whose partitions no branch guesses (Bramas, A novel hybrid quicksort algorithm
// vectorized using AVX-512, 2017). Partitions keep the order of what lies on one side, so that places beside keys come out as a
// stable sort has them.
#pragma once

#include "vector.h"

namespace sluice::sorting {

#if defined __AVX512F__
inline constexpr int kRegisterBytes = 64;
#elif defined __AVX__
inline constexpr int kRegisterBytes = 32;
#else
inline constexpr int kRegisterBytes = 16;
#endif

/// Lanes of one vector register. Keys are whole numbers with a sign, or doubles that are no NaN.
template <class T> struct Register {
    static constexpr int kLanes = kRegisterBytes / int(sizeof(T));
    using Number = typename SignedOf<sizeof(T)>::type;
    using Lanes = typename VectorStorage<T, kLanes>::raw;
    using Numbers = typename VectorStorage<Number, kLanes>::raw;
    static constexpr T last() {
        if constexpr (is_floating<T>) return T(__builtin_inf());
        return T(~(Number(1) << (8 * sizeof(T) - 1)));
    }
    static constexpr T kLast = last();  ///< No key is above it.
    static T next(T key) {
        if constexpr (is_floating<T>)
            return key == 0 ? T(__DBL_DENORM_MIN__)
                            : __builtin_bit_cast(T, Number(__builtin_bit_cast(Number, key) + (key < 0 ? -1 : 1)));
        return T(key + 1);
    }
    static Numbers numbers() {
        Numbers lane;
        for (int k = 0; k < kLanes; ++k) lane[k] = Number(k);
        return lane;
    }
    // Of doubles GCC makes a comparison and a choice, because of zeros of both signs, where one instruction is enough: whoever
    // sorts puts zeros right (sort.h).
    static Lanes smaller(Lanes x, Lanes y) {
#if defined __AVX512F__ && !defined __clang__
        if constexpr (same<T, double>) return __builtin_ia32_minpd512_mask(x, y, x, -1, kRounding);
#elif defined __AVX__ && !defined __clang__
        if constexpr (same<T, double>) return __builtin_ia32_minpd256(x, y);
#endif
        return x < y ? x : y;
    }
    static Lanes larger(Lanes x, Lanes y) {
#if defined __AVX512F__ && !defined __clang__
        if constexpr (same<T, double>) return __builtin_ia32_maxpd512_mask(x, y, x, -1, kRounding);
#elif defined __AVX__ && !defined __clang__
        if constexpr (same<T, double>) return __builtin_ia32_maxpd256(x, y);
#endif
        return x < y ? y : x;
    }

private:
    static constexpr int kRounding = 4;  // as it is set
};

/// The register full of numbers that lie there.
template <class T> inline typename Register<T>::Lanes& register_at(T* place) {
    return *reinterpret_cast<typename Register<T>::Lanes*>(place);
}

/// Sorts up to `vectors` registers of keys.
template <class T, int vectors> struct Network : Register<T> {
    using Register<T>::kLanes, Register<T>::kLast, Register<T>::numbers, Register<T>::smaller, Register<T>::larger;
    using typename Register<T>::Lanes, typename Register<T>::Numbers, typename Register<T>::Number;

    /// Each lane with the one whose number differs by the bit `across`: the larger where `up` holds.
    static Lanes exchanged(Lanes x, Numbers number, int across, Numbers up) {
        const Lanes other = permuted(x, number ^ Number(across));
        return up ? larger(x, other) : smaller(x, other);
    }
    static void exchange(Lanes& x, Lanes& y) {
        const Lanes first = smaller(x, y);
        y = larger(x, y);
        x = first;
    }
    /// 0 < n <= vectors * kLanes.
    static void sort(int64_t n, T* keys) {
        const Numbers number = numbers(), back = Number(kLanes - 1) - number;
        Lanes all[vectors];
        const int64_t whole = n / kLanes, rest = n % kLanes;
        T partial[kLanes];
        register_at(partial) = kLast - Lanes{};
        for (int64_t k = 0; k < rest; ++k) partial[k] = keys[whole * kLanes + k];
#pragma GCC unroll 16
        for (int k = 0; k < vectors; ++k)
            all[k] = k < whole ? register_at(keys + k * kLanes) : k == whole ? register_at(partial) : kLast - Lanes{};
#pragma GCC unroll 8
        for (int size = 2; size <= kLanes; size *= 2)
#pragma GCC unroll 8
            for (int across = size / 2; across > 0; across /= 2) {
                const Numbers up = ((number & Number(across)) != 0) ^ ((number & Number(size)) != 0);
#pragma GCC unroll 16
                for (int k = 0; k < vectors; ++k) all[k] = exchanged(all[k], number, across, up);
            }
#pragma GCC unroll 8
        for (int run = 1; run < vectors; run *= 2) {
            // What rises and then falls: the second of two runs backwards behind the first. Vectors that are not there would be
            // kLast.
#pragma GCC unroll 16
            for (int k = 0; k < vectors; ++k)
                if (k & run) all[k] = permuted(all[k], back);
#pragma GCC unroll 16
            for (int k = 0; k < vectors; ++k)
                if (!(k & run) && (k ^ (2 * run - 1)) < vectors) exchange(all[k], all[k ^ (2 * run - 1)]);
#pragma GCC unroll 8
            for (int half = run / 2; half > 0; half /= 2)
#pragma GCC unroll 16
                for (int k = 0; k < vectors; ++k)
                    if (!(k & half) && (k ^ half) < vectors) exchange(all[k], all[k ^ half]);
#pragma GCC unroll 8
            for (int across = kLanes / 2; across > 0; across /= 2)
#pragma GCC unroll 16
                for (int k = 0; k < vectors; ++k) all[k] = exchanged(all[k], number, across, (number & Number(across)) != 0);
        }
#pragma GCC unroll 16
        for (int k = 0; k < vectors; ++k) {
            if (k < whole) register_at(keys + k * kLanes) = all[k];
            if (k == whole) register_at(partial) = all[k];
        }
        for (int64_t k = 0; k < rest; ++k) keys[whole * kLanes + k] = partial[k];
    }
};

/// As many keys as the registers hold.
template <class T> inline constexpr int64_t kNetwork = (kRegisterBytes == 64 ? 16 : 8) * Register<T>::kLanes;

/// 0 < n <= kNetwork.
template <class T> void sort_by_network(int64_t n, T* keys) {
    constexpr int kLanes = Register<T>::kLanes;
    if (n <= kLanes) return Network<T, 1>::sort(n, keys);
    if (n <= 2 * kLanes) return Network<T, 2>::sort(n, keys);
    if (n <= 4 * kLanes) return Network<T, 4>::sort(n, keys);
    if (n <= 8 * kLanes) return Network<T, 8>::sort(n, keys);
    if constexpr (kNetwork < T >> 8 * kLanes)
        if (n <= 12 * kLanes) return Network<T, 12>::sort(n, keys);
    if constexpr (kNetwork < T >> 8 * kLanes) Network<T, 16>::sort(n, keys);
}

/// Keys beside the places that they came from (null where nobody asks), or room for them.
template <class T> struct Keys {
    using Place = typename SignedOf<sizeof(T)>::type;
    T* keys;
    Place* places;
    Keys from(int64_t first) const { return {keys + first, places ? places + first : nullptr}; }
};

#ifdef __AVX512F__
typedef long long LongLanes __attribute__((vector_size(64)));
typedef int IntLanes __attribute__((vector_size(64)));
/// The bits of the lanes of x below those of y.
template <class T, class Lanes> inline unsigned lanes_below(Lanes x, Lanes y) {
    constexpr int less = 1;
    if constexpr (same<T, double>) return uint8_t(__builtin_ia32_cmppd512_mask(x, y, less, -1, 4));
    if constexpr (sizeof(x[0]) == 8) return uint8_t(__builtin_ia32_cmpq512_mask((LongLanes)x, (LongLanes)y, less, -1));
    return uint16_t(__builtin_ia32_cmpd512_mask((IntLanes)x, (IntLanes)y, less, -1));
}
/// The chosen lanes in front.
template <class Lanes> inline Lanes compressed(Lanes x, unsigned chosen) {
    if constexpr (sizeof(x[0]) == 8) return (Lanes)__builtin_ia32_compressdi512_mask((LongLanes)x, LongLanes{}, uint8_t(chosen));
    return (Lanes)__builtin_ia32_compresssi512_mask((IntLanes)x, IntLanes{}, uint16_t(chosen));
}
#elif defined __AVX2__
typedef int IntLanes __attribute__((vector_size(32)));
typedef float FloatLanes __attribute__((vector_size(32)));
typedef double DoubleLanes __attribute__((vector_size(32)));
/// The bits of the lanes of x below those of y.
template <class T, class Lanes> inline unsigned lanes_below(Lanes x, Lanes y) {
    if constexpr (sizeof(T) == 8) return unsigned(__builtin_ia32_movmskpd256((DoubleLanes)(x < y)));
    return unsigned(__builtin_ia32_movmskps256((FloatLanes)(x < y)));
}
/// For each choice among `count` lanes of `words` words each, the words of the chosen lanes and then those of the others.
template <int count, int words> struct ChosenFirst {
    alignas(32) int at[1 << count][count * words];
    constexpr ChosenFirst() : at() {
        for (int chosen = 0; chosen < 1 << count; ++chosen) {
            int to = 0;
            for (int wanted = 1; wanted >= 0; --wanted)
                for (int lane = 0; lane < count; ++lane)
                    for (int word = 0; word < words && (chosen >> lane & 1) == wanted; ++word)
                        at[chosen][to++] = lane * words + word;
        }
    }
};
template <int count, int words> inline constexpr ChosenFirst<count, words> kChosenFirst;
/// The chosen lanes in front.
template <class Lanes> inline Lanes compressed(Lanes x, unsigned chosen) {
    constexpr int kWords = int(sizeof(x[0]) / sizeof(int)), kCount = int(sizeof(IntLanes) / sizeof(x[0]));
    constexpr unsigned kAll = (1U << kCount) - 1;
    return (Lanes)__builtin_ia32_permvarsi256((IntLanes)x, *(const IntLanes*)kChosenFirst<kCount, kWords>.at[chosen & kAll]);
}
#endif

/// Puts the keys below the pivot in front of the others, both in the order in which they were; how many they are. `spare` is room
/// for n of them and a register more.
template <bool placed, class T> int64_t partition(int64_t n, const Keys<T>& all, const Keys<T>& spare, T pivot) {
    T *const keys = all.keys, *const high_keys = spare.keys;
    typename Keys<T>::Place *const places = all.places, *const high_places = spare.places;
    int64_t low = 0, i = 0;
#if defined __AVX512F__ || defined __AVX2__
    if constexpr (sizeof(T) >= 4) {
        constexpr int kLanes = Register<T>::kLanes;
        const auto pivots = pivot - typename Register<T>::Lanes{};
#pragma GCC unroll 4
        for (; i + kLanes <= n; i += kLanes) {
            const auto key = register_at(keys + i);
            const unsigned below = lanes_below<T>(key, pivots);
            if constexpr (placed) {
                const auto place = register_at(places + i);
                register_at(places + low) = compressed(place, below);
                register_at(high_places + i - low) = compressed(place, ~below);
            }
            register_at(keys + low) = compressed(key, below);
            register_at(high_keys + i - low) = compressed(key, ~below);
            low += __builtin_popcount(below);
        }
    }
#endif
    // Both places are written, and the one that counts is stepped over: a branch would be guessed wrong every other time.
    for (; i < n; ++i) {
        const T key = keys[i];
        if constexpr (placed) places[low] = high_places[i - low] = places[i];
        keys[low] = high_keys[i - low] = key;
        low += key < pivot;
    }
    if constexpr (placed) __builtin_memcpy(places + low, high_places, size_t(n - low) * sizeof(T));
    __builtin_memcpy(keys + low, high_keys, size_t(n - low) * sizeof(T));
    return low;
}

/// A key near the middle: the middle one of some that lie evenly apart.
template <class T> T pivot_of(int64_t n, const T* keys) {
    constexpr int kLanes = Register<T>::kLanes, kSome = kLanes < 8 ? 8 : kLanes;
    T some[kSome];
    for (int k = 0; k < kSome; ++k) some[k] = keys[(2 * k + 1) * n / (2 * kSome)];
    Network<T, kSome / kLanes>::sort(kSome, some);
    return some[kSome / 2];
}

/// Calls `finish(n, keys)` for each part of at most `most` keys that is to be sorted, of the parts that are `wanted(n, keys)`;
/// false where pivots are bad again and again. `spare` as for partition.
template <bool placed, class T, class Wanted, class Finish>
bool quick_sort(int64_t n, Keys<T> all, const Keys<T>& spare, int64_t most, int depth, const Wanted& wanted, const Finish& finish) {
    while (n > 0 && wanted(n, all.keys)) {
        if (n <= most) {
            finish(n, all);
            return true;
        }
        if (depth-- == 0) return false;
        const T pivot = pivot_of(n, all.keys);
        int64_t low = partition<placed>(n, all, spare, pivot);
        if (low == 0) {  // The pivots are the smallest.
            if (pivot == Register<T>::kLast) return true;
            low = partition<placed>(n, all, spare, Register<T>::next(pivot));
        } else if (!quick_sort<placed>(low, all, spare, most, depth, wanted, finish)) {
            return false;
        }
        all = all.from(low);
        n -= low;
    }
    return true;
}

}  // namespace sluice::sorting
