// Floats become integers as x86 and NumPy have it: what does not fit becomes what the processor says. Compilers take an integer
// that becomes a float again for trunc(x), which keeps -0.0 and what does not fit; the sum with a zero that they cannot see through
// keeps them from it, and leaves loops to vectors.
#pragma once

#include "types.h"

namespace sluice {

static const volatile int64_t kHidden = 0;
static const int64_t kZero = kHidden;

template <class To, class From> inline To whole(From x) {
    return To(To(x) + To(kZero));
}

/// Any conversion between scalar types; complex.h has those of complex numbers.
template <class To, class From> inline To convert(From x) {
    if constexpr (is_integer<To> && is_floating<From>)
        return whole<To>(x);
    else
        return To(x);
}

}  // namespace sluice
