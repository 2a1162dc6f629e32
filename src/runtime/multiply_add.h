// Sums of products: rounded once where the machine has an instruction for it. Their order is the compiler's to choose, so that they
// are nobody's to the last bit; everywhere else products are rounded before they are added, as in NumPy.
#pragma once

#include "types.h"

namespace sluice {

/// a * b + c of numbers.
template <class T> inline T multiply_add(T a, plain<T> b, plain<T> c) {
#ifdef __FP_FAST_FMA
    if constexpr (same<T, double>) return __builtin_fma(a, b, c);
#endif
#ifdef __FP_FAST_FMAF
    if constexpr (same<T, float>) return __builtin_fmaf(a, b, c);
#endif
    return T(a * b + c);
}

}  // namespace sluice
