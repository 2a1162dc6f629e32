// Where a key is among others, by an index that grows with them: open addressing with linear probes (Knuth, The Art of Computer
// Programming 3, 6.4, algorithm L). `table` holds how many slots it has, how many keys are in it, and the slots: the place of a
// key, counted from 1, or 0. Whoever changes keys writes a 0 to table[1]; keys that are added are found without.
#pragma once

#include <stdint.h>

namespace sluice::lookup {

inline constexpr int64_t kFew = 8, kFirstSlot = 2;

inline uint64_t mixed(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
}

/// The first of n keys that equals the wanted one, n where there is none. `hash(i)`, `same(i, j)`: of keys, n stands for the wanted
/// one. A table of fewer than 4 * n + 16 elements may be too small: then it stays as it is, and the keys are compared one by one.
template <class Hash, class Same>
int64_t place(int64_t n, int64_t elements, int64_t* table, int64_t stride, const Hash& hash, const Same& same) {
    int64_t slots = 2 * kFew;
    while (slots < 2 * (n + 1)) slots *= 2;
    if (n < kFew || slots + kFirstSlot > elements) {
        int64_t at = 0;
        while (at < n && !same(at, n)) ++at;
        return at;
    }
    int64_t &present = table[0], &known = table[stride];
    if (known <= 0 || known > n || present < slots || present + kFirstSlot > elements) {
        for (int64_t i = 0; i < slots; ++i) table[(kFirstSlot + i) * stride] = 0;
        present = slots;
        known = 0;
    }
    const uint64_t mask = uint64_t(present) - 1;
    const auto slot_of = [&](int64_t key) -> int64_t& {
        uint64_t at = hash(key) & mask;
        for (;; at = (at + 1) & mask) {
            int64_t& slot = table[(kFirstSlot + int64_t(at)) * stride];
            if (slot == 0 || same(slot - 1, key)) return slot;
        }
    };
    for (; known < n; ++known) {
        int64_t& slot = slot_of(known);
        if (slot == 0) slot = known + 1;
    }
    const int64_t slot = slot_of(n);
    return slot == 0 ? n : slot - 1;
}

template <class A, class X, class Table, class Place>
void find(int64_t n, int64_t elements, const A* a, int64_t a_stride, const X* x, Table* table, int64_t stride, Place* found) {
    const auto key = [&](int64_t i) { return i == n ? uint64_t(*x) : uint64_t(a[i * a_stride]); };
    *found = place(
        n, elements, table, stride, [&](int64_t i) { return mixed(0, key(i)); },
        [&](int64_t i, int64_t j) { return key(i) == key(j); });
}
/// Of keys that are pairs.
template <class A, class B, class X, class Y, class Table, class Place>
void find(int64_t n, int64_t elements, const A* a, int64_t a_stride, const B* b, int64_t b_stride, const X* x, const Y* y,
          Table* table, int64_t stride, Place* found) {
    const auto first = [&](int64_t i) { return i == n ? uint64_t(*x) : uint64_t(a[i * a_stride]); };
    const auto second = [&](int64_t i) { return i == n ? uint64_t(*y) : uint64_t(b[i * b_stride]); };
    *found = place(
        n, elements, table, stride, [&](int64_t i) { return mixed(mixed(0, first(i)), second(i)); },
        [&](int64_t i, int64_t j) { return first(i) == first(j) && second(i) == second(j); });
}
/// And triples.
template <class A, class B, class C, class X, class Y, class Z, class Table, class Place>
void find(int64_t n, int64_t elements, const A* a, int64_t a_stride, const B* b, int64_t b_stride, const C* c, int64_t c_stride,
          const X* x, const Y* y, const Z* z, Table* table, int64_t stride, Place* found) {
    const auto first = [&](int64_t i) { return i == n ? uint64_t(*x) : uint64_t(a[i * a_stride]); };
    const auto second = [&](int64_t i) { return i == n ? uint64_t(*y) : uint64_t(b[i * b_stride]); };
    const auto third = [&](int64_t i) { return i == n ? uint64_t(*z) : uint64_t(c[i * c_stride]); };
    *found = place(
        n, elements, table, stride, [&](int64_t i) { return mixed(mixed(mixed(0, first(i)), second(i)), third(i)); },
        [&](int64_t i, int64_t j) { return first(i) == first(j) && second(i) == second(j) && third(i) == third(j); });
}

}  // namespace sluice::lookup
