// Factorisations by a LAPACK with a C interface. Where a size is none of LAPACK's, or the matrix is not positive definite, plain
// loops compute what the operation's definition says.
#pragma once

#include "blas_names.h"
#include "math.h"
#include "types.h"

namespace sluice::lapack {

blas_int potrf(int, char, blas_int, float*, blas_int) __asm__(SLUICE_BLAS_NAME("LAPACKE_spotrf"));
blas_int potrf(int, char, blas_int, double*, blas_int) __asm__(SLUICE_BLAS_NAME("LAPACKE_dpotrf"));

/// b = the lower triangular factor of a (or its transpose), n by n, with strides between rows and columns. Only the lower triangle
/// of a is read; the other triangle of b becomes 0.
template <class T>
void cholesky(int64_t n, const T* a, int64_t a_row, int64_t a_column, T* b, int64_t b_row, int64_t b_column, int64_t lower) {
    const int64_t row = lower ? b_row : b_column, column = lower ? b_column : b_row;  // of the lower factor
    const auto copy = [&] {
        for (int64_t i = 0; i < n; ++i)
            for (int64_t j = 0; j < n; ++j) b[i * row + j * column] = j <= i ? a[i * a_row + j * a_column] : T(0);
    };
    copy();
    // By columns, as LAPACK itself: rows of the lower factor are columns of the upper one.
    const bool by_rows = column == 1 && row >= n, by_columns = row == 1 && column >= n;
    const bool fits = n > 0 && n <= 2147483647 && (by_rows || by_columns) && (by_rows ? row : column) <= 2147483647;
    if (fits && potrf(102, by_rows ? 'U' : 'L', blas_int(n), b, blas_int(by_rows ? row : column)) == 0) return;
    copy();
    for (int64_t k = 0; k < n; ++k) {
        T& root = b[k * row + k * column];
        root = __builtin_sqrt(root);
        for (int64_t i = k + 1; i < n; ++i) b[i * row + k * column] /= root;
        for (int64_t i = k + 1; i < n; ++i)
            for (int64_t j = k + 1; j <= i; ++j) b[i * row + j * column] -= b[i * row + k * column] * b[j * row + k * column];
    }
}

}  // namespace sluice::lapack
