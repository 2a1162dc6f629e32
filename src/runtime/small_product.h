// Products of matrices so small that a call costs more than they do. The compiler knows the sizes where they are constants: the
// sums of a row of the result then lie in registers, in the lanes of vectors, until all products are added.
#pragma once

#include "multiply_add.h"

namespace sluice::small_product {

/// c = alpha * a @ b + beta * c for a left matrix with any strides and rows of b and c that are contiguous; what c held is not read
/// where beta is 0. Each matrix is its address, rows, columns, and strides between rows and between columns.
template <class T> [[gnu::always_inline]] inline void multiply(T alpha, const T* a, int64_t, int64_t inner, int64_t a_row,
                                                               int64_t a_column, const T* b, int64_t, int64_t, int64_t b_row,
                                                               int64_t, T beta, T* __restrict__ c, int64_t rows, int64_t columns,
                                                               int64_t c_row, int64_t) {
    for (int64_t i = 0; i < rows; ++i) {
#pragma omp simd
        for (int64_t j = 0; j < columns; ++j) {
            T sum = 0;
            for (int64_t k = 0; k < inner; ++k) sum = multiply_add(a[i * a_row + k * a_column], b[k * b_row + j], sum);
            T& to = c[i * c_row + j];
            to = beta == T(0) ? alpha * sum : alpha * sum + beta * to;
        }
    }
}

}  // namespace sluice::small_product
