// Factorisations and systems of equations by a LAPACK with a C interface. Where a size is none of LAPACK's, or the matrix is not
// positive definite, plain loops compute what the operation's definition says. Those of integers of 64 bits know every size.
#pragma once

#include "blas_names.h"
#include "elimination.h"
#include "jacobi.h"
#include "math.h"
#include "memory.h"
#include "types.h"

namespace sluice::lapack {

blas_int potrf(int, char, blas_int, float*, blas_int) __asm__(SLUICE_BLAS_NAME("LAPACKE_spotrf"));
blas_int potrf(int, char, blas_int, double*, blas_int) __asm__(SLUICE_BLAS_NAME("LAPACKE_dpotrf"));
// The routines without `_work` refuse matrices with NaN.
blas_int gesv(int, blas_int, blas_int, float*, blas_int, blas_int*, float*,
              blas_int) __asm__(SLUICE_BLAS_NAME("LAPACKE_sgesv_work"));
blas_int gesv(int, blas_int, blas_int, double*, blas_int, blas_int*, double*,
              blas_int) __asm__(SLUICE_BLAS_NAME("LAPACKE_dgesv_work"));
blas_int gesv(int, blas_int, blas_int, complex<float>*, blas_int, blas_int*, complex<float>*,
              blas_int) __asm__(SLUICE_BLAS_NAME("LAPACKE_cgesv_work"));
blas_int gesv(int, blas_int, blas_int, complex<double>*, blas_int, blas_int*, complex<double>*,
              blas_int) __asm__(SLUICE_BLAS_NAME("LAPACKE_zgesv_work"));
// Those without `_work` answer NaN by a status.
blas_int heevd(int, char, char, blas_int, float*, blas_int, float*) __asm__(SLUICE_BLAS_NAME("LAPACKE_ssyevd"));
blas_int heevd(int, char, char, blas_int, double*, blas_int, double*) __asm__(SLUICE_BLAS_NAME("LAPACKE_dsyevd"));
blas_int heevd(int, char, char, blas_int, complex<float>*, blas_int, float*) __asm__(SLUICE_BLAS_NAME("LAPACKE_cheevd"));
blas_int heevd(int, char, char, blas_int, complex<double>*, blas_int, double*) __asm__(SLUICE_BLAS_NAME("LAPACKE_zheevd"));
blas_int gesdd(int, char, blas_int, blas_int, float*, blas_int, float*, float*, blas_int, float*,
               blas_int) __asm__(SLUICE_BLAS_NAME("LAPACKE_sgesdd"));
blas_int gesdd(int, char, blas_int, blas_int, double*, blas_int, double*, double*, blas_int, double*,
               blas_int) __asm__(SLUICE_BLAS_NAME("LAPACKE_dgesdd"));
blas_int gesdd(int, char, blas_int, blas_int, complex<float>*, blas_int, float*, complex<float>*, blas_int, complex<float>*,
               blas_int) __asm__(SLUICE_BLAS_NAME("LAPACKE_cgesdd"));
blas_int gesdd(int, char, blas_int, blas_int, complex<double>*, blas_int, double*, complex<double>*, blas_int, complex<double>*,
               blas_int) __asm__(SLUICE_BLAS_NAME("LAPACKE_zgesdd"));
blas_int getrf(int, blas_int, blas_int, float*, blas_int, blas_int*) __asm__(SLUICE_BLAS_NAME("LAPACKE_sgetrf_work"));
blas_int getrf(int, blas_int, blas_int, double*, blas_int, blas_int*) __asm__(SLUICE_BLAS_NAME("LAPACKE_dgetrf_work"));
blas_int getrf(int, blas_int, blas_int, complex<float>*, blas_int, blas_int*) __asm__(SLUICE_BLAS_NAME("LAPACKE_cgetrf_work"));
blas_int getrf(int, blas_int, blas_int, complex<double>*, blas_int, blas_int*) __asm__(SLUICE_BLAS_NAME("LAPACKE_zgetrf_work"));

inline constexpr int kColumnMajor = 102;
constexpr int64_t kMostOfInt = 2147483647;

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
    const bool fits = n > 0 && n <= kMostOfInt && (by_rows || by_columns) && (by_rows ? row : column) <= kMostOfInt;
    if (fits && potrf(kColumnMajor, by_rows ? 'U' : 'L', blas_int(n), b, blas_int(by_rows ? row : column)) == 0) return;
    copy();
    for (int64_t k = 0; k < n; ++k) {
        T& root = b[k * row + k * column];
        root = __builtin_sqrt(root);
        for (int64_t i = k + 1; i < n; ++i) b[i * row + k * column] /= root;
        for (int64_t i = k + 1; i < n; ++i)
            for (int64_t j = k + 1; j <= i; ++j) b[i * row + j * column] -= b[i * row + k * column] * b[j * row + k * column];
    }
}

/// Copies a matrix in squares, so that neither side is read or written across all of its rows.
template <class T> void copy(int64_t rows, int64_t columns, const T* from, int64_t from_row, int64_t from_column, T* to,
                             int64_t to_row, int64_t to_column) {
    constexpr int64_t kSquare = 16;
    for (int64_t top = 0; top < rows; top += kSquare)
        for (int64_t left = 0; left < columns; left += kSquare)
            for (int64_t i = top; i < rows && i < top + kSquare; ++i)
                for (int64_t j = left; j < columns && j < left + kSquare; ++j)
                    to[i * to_row + j * to_column] = from[i * from_row + j * from_column];
}

/// elimination.h has what it computes.
template <class T> void solve(int64_t n, int64_t m, const T* a, int64_t a_row, int64_t a_column, const T* b, int64_t b_row,
                              int64_t b_column, T* x, int64_t x_row, int64_t x_column, T* singular) {
    if (n < 1 || n > kMostOfInt || m < 1 || m > kMostOfInt)
        return elimination::solve(n, m, a, a_row, a_column, b, b_row, b_column, x, x_row, x_column, singular);
    Buffer<T> matrix({}, Extent(n) * Extent(n)), right({}, Extent(n) * Extent(m));
    Buffer<blas_int> pivots({}, n);
    copy(n, n, a, a_row, a_column, matrix.data(), 1, n);
    copy(n, m, b, b_row, b_column, right.data(), 1, n);
    const blas_int status =
        gesv(kColumnMajor, blas_int(n), blas_int(m), matrix.data(), blas_int(n), pivots.data(), right.data(), blas_int(n));
    *singular = T(status > 0);
    copy(n, m, right.data(), 1, n, x, x_row, x_column);
}

/// elimination.h has what it computes.
template <class T>
void factor(int64_t n, const T* a, int64_t a_row, int64_t a_column, T* lu, int64_t lu_row, int64_t lu_column, T* sign) {
    if (n < 1 || n > kMostOfInt) return elimination::factor(n, a, a_row, a_column, lu, lu_row, lu_column, sign);
    Buffer<T> matrix({}, Extent(n) * Extent(n));
    Buffer<blas_int> pivots({}, n);
    copy(n, n, a, a_row, a_column, matrix.data(), 1, n);
    getrf(kColumnMajor, blas_int(n), blas_int(n), matrix.data(), blas_int(n), pivots.data());
    copy(n, n, matrix.data(), 1, n, lu, lu_row, lu_column);
    *sign = T(1);
    for (int64_t i = 0; i < n; ++i)
        if (pivots.data()[i] != i + 1) *sign = -*sign;
}

/// jacobi.h has what it computes.
template <class T> void eigen(int64_t n, const T* a, int64_t a_row, int64_t a_column, T* w, int64_t w_stride, T* v, int64_t v_row,
                              int64_t v_column, T* failed) {
    *failed = T(0);
    if (n < 1) return;
    if constexpr (sizeof(blas_int) < sizeof(int64_t))
        if (n > kMostOfInt) return jacobi::eigen(n, a, a_row, a_column, w, w_stride, v, v_row, v_column, failed);
    Buffer<T> matrix({}, Extent(n) * Extent(n));
    Buffer<jacobi::real_of<T>> values({}, n);
    copy(n, n, a, a_row, a_column, matrix.data(), 1, n);
    *failed = T(heevd(kColumnMajor, v ? 'V' : 'N', 'L', blas_int(n), matrix.data(), blas_int(n), values.data()) != 0);
    for (int64_t i = 0; i < n; ++i) w[i * w_stride] = T(values.data()[i]);
    if (v) copy(n, n, matrix.data(), 1, n, v, v_row, v_column);
}

template <class T> void eigenvalues(int64_t n, const T* a, int64_t a_row, int64_t a_column, T* w, int64_t w_stride, T* failed) {
    eigen(n, a, a_row, a_column, w, w_stride, static_cast<T*>(nullptr), 0, 0, failed);
}

/// jacobi.h has what it computes.
template <class T> void singular(int64_t m, int64_t n, int64_t k, const T* a, int64_t a_row, int64_t a_column, T* u, int64_t u_row,
                                 int64_t u_column, T* s, int64_t s_stride, T* v, int64_t v_row, int64_t v_column, T* failed) {
    const int64_t least = m < n ? m : n;
    if constexpr (sizeof(blas_int) < sizeof(int64_t))
        if (m > kMostOfInt || n > kMostOfInt)
            return jacobi::singular(m, n, k, a, a_row, a_column, u, u_row, u_column, s, s_stride, v, v_row, v_column, failed);
    Buffer<T> matrix({}, Extent(m) * Extent(n)), left({}, Extent(m) * Extent(u ? least : 1)),
        right({}, Extent(n) * Extent(u ? least : 1));
    Buffer<jacobi::real_of<T>> values({}, least);
    copy(m, n, a, a_row, a_column, matrix.data(), 1, m);
    *failed = T(least > 0 && gesdd(kColumnMajor, u ? 'S' : 'N', blas_int(m), blas_int(n), matrix.data(), blas_int(m), values.data(),
                                   left.data(), blas_int(m), right.data(), blas_int(u ? least : 1)) != 0);
    for (int64_t i = 0; i < k; ++i) s[i * s_stride] = i < least ? T(values.data()[i]) : T(0);
    if (!u) return;
    const int64_t kept = k < least ? k : least;
    copy(m, kept, left.data(), 1, m, u, u_row, u_column);
    copy(kept, n, right.data(), 1, least, v, v_row, v_column);
    for (int64_t j = least; j < k; ++j) {
        for (int64_t i = 0; i < m; ++i) u[i * u_row + j * u_column] = T(0);
        for (int64_t i = 0; i < n; ++i) v[j * v_row + i * v_column] = T(0);
    }
}

template <class T> void singular_values(int64_t m, int64_t n, int64_t k, const T* a, int64_t a_row, int64_t a_column, T* s,
                                        int64_t s_stride, T* failed) {
    singular(m, n, k, a, a_row, a_column, static_cast<T*>(nullptr), 0, 0, s, s_stride, static_cast<T*>(nullptr), 0, 0, failed);
}

}  // namespace sluice::lapack
