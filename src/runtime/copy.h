// Copies of elements that lie one behind the other, in vector lanes.
//
// The C library's memcpy moves by `rep movsb` what is longer than some 2 KB, which takes 14 times as long where the destination
// lies 8 bytes behind the source, counted modulo 4096 (AMD Zen 4: 7 GB/s instead of 100): what rolls and shifted slices of
// aligned arrays are. No size was found for which it is faster than the loop. A flag keeps the compiler from making
// a memcpy of the loop again (driver/targets/toolchain.cpp).
#pragma once

#include <stdint.h>

namespace sluice {

/// They do not overlap.
template <class T> inline void copy_elements(void* to, const void* from, int64_t count) noexcept {
    T* __restrict__ const destination = static_cast<T*>(to);
    const T* __restrict__ const source = static_cast<const T*>(from);
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) destination[i] = source[i];
}

}  // namespace sluice
