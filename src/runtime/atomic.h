// Updates that several threads make to one place: compare-exchange for values up to 8 bytes, a lock chosen by the address for
// wider ones (16-byte exchanges need an alignment that NumPy does not give). Relaxed order: the join of the threads publishes.
#pragma once

#include "memory.h"
#include "types.h"

namespace sluice {

inline SpinLock update_locks[64];

template <class T, class Combine> inline void update_locked(T* target, Combine combine) {
    SpinLock& lock = update_locks[(reinterpret_cast<uintptr_t>(target) / sizeof(T)) % 64];
    lock.lock();
    *target = combine(*target);
    lock.unlock();
}

/// *target = combine(*target), atomically.
template <class T, class Combine> inline void update_atomically(T* target, Combine combine) {
    if constexpr (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8) {
        typedef bits_of<T> Bits __attribute__((may_alias));
        Bits* place = reinterpret_cast<Bits*>(target);
        bits_of<T> before = __atomic_load_n(place, __ATOMIC_RELAXED);
        for (;;) {
            const T combined = combine(__builtin_bit_cast(T, before));
            const bits_of<T> after = __builtin_bit_cast(bits_of<T>, combined);
            if (after == before) return;
            if (__atomic_compare_exchange_n(place, &before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
        }
    } else {
        update_locked(target, combine);
    }
}

}  // namespace sluice
