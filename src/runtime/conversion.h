// Floats become integers as x86 and NumPy have it: what does not fit becomes what the processor says. Compilers take an integer
// that becomes a float again for trunc(x), which keeps -0.0 and what does not fit; the sum with a zero that they cannot see through
// keeps them from it, and leaves loops to vectors.
#pragma once

#include "types.h"

namespace sluice {

static const volatile int64_t kHidden = 0;
static const int64_t kZero = kHidden;

/// Of what is negative, processors with AVX-512 make all ones where the others, and NumPy, make what wraps around.
template <class To, class From> inline To truncated(From x) {
#ifdef __AVX512F__
    if constexpr (is_unsigned_integer<To> && sizeof(To) >= 4) {
        using Signed = conditional<sizeof(To) == 4, int32_t, int64_t>;
        constexpr To kHalf = To(1) << (8 * sizeof(To) - 1);
        return x >= From(kHalf) ? To(To(Signed(x - From(kHalf))) ^ kHalf) : To(Signed(x));
    }
#endif
    return To(x);
}

template <class To, class From> inline To whole(From x) {
    return To(truncated<To>(x) + To(kZero));
}

/// Any conversion between scalar types; complex.h has those of complex numbers.
template <class To, class From> inline To convert(From x) {
    if constexpr (is_integer<To> && is_floating<From>)
        return whole<To>(x);
    else
        return To(x);
}

}  // namespace sluice
