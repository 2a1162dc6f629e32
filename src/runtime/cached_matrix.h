// When a thread alone multiplies a matrix by a vector as fast as several. Whoever chooses expansions asks it of sizes that are
// known, blas.h of those that only the run knows.
#pragma once

#include <stdint.h>

namespace sluice::matrix_vector {

/// Does a matrix of elements of so many bytes stay in the last-level cache?
inline constexpr bool stays_in_cache(int64_t rows, int64_t columns, int64_t bytes) {
    constexpr int64_t kCache = int64_t(8) << 20;
    return columns == 0 || rows <= kCache / bytes / columns;
}

}  // namespace sluice::matrix_vector
