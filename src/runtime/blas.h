// Products by OpenBLAS. The routines of its C interface have names of our own, so that a user's own declarations of them may stand
// beside these. Where a size or a stride is none of BLAS's (empty, past an int, rows that overlap), plain loops compute the
// product.
#pragma once

#include "complex.h"

namespace sluice::blas {

void gemm(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int) __asm__("cblas_sgemm");
void gemm(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*,
          int) __asm__("cblas_dgemm");
void gemm(int, int, int, int, int, int, const complex<float>&, const complex<float>*, int, const complex<float>*, int,
          const complex<float>&, complex<float>*, int) __asm__("cblas_cgemm");
void gemm(int, int, int, int, int, int, const complex<double>&, const complex<double>*, int, const complex<double>*, int,
          const complex<double>&, complex<double>*, int) __asm__("cblas_zgemm");
void gemv(int, int, int, int, float, const float*, int, const float*, int, float, float*, int) __asm__("cblas_sgemv");
void gemv(int, int, int, int, double, const double*, int, const double*, int, double, double*, int) __asm__("cblas_dgemv");
void gemv(int, int, int, int, const complex<float>&, const complex<float>*, int, const complex<float>*, int, const complex<float>&,
          complex<float>*, int) __asm__("cblas_cgemv");
void gemv(int, int, int, int, const complex<double>&, const complex<double>*, int, const complex<double>*, int,
          const complex<double>&, complex<double>*, int) __asm__("cblas_zgemv");

inline constexpr int kRowMajor = 101, kNoTrans = 111, kTrans = 112;

inline bool is_size(int64_t value) {
    return value > 0 && value <= 2147483647;
}

/// [rows, columns] with strides in elements; a vector is a matrix of one column.
template <class T> struct Matrix {
    T* data;
    int64_t rows, columns, row_stride, column_stride;

    bool by_rows() const { return column_stride == 1 && row_stride >= columns; }
    bool by_columns() const { return row_stride == 1 && column_stride >= rows; }
    bool is_matrix() const {
        return is_size(rows) && is_size(columns) && (by_rows() ? is_size(row_stride) : by_columns() && is_size(column_stride));
    }
    int transposition() const { return by_rows() ? kNoTrans : kTrans; }
    int leading() const { return int(by_rows() ? row_stride : column_stride); }
    T& at(int64_t i, int64_t j) const { return data[i * row_stride + j * column_stride]; }
};

/// c = alpha * a @ b + beta * c; what c held is not read where beta is 0.
template <class T> void multiply_plainly(T alpha, Matrix<const T> a, Matrix<const T> b, T beta, Matrix<T> c) {
    for (int64_t i = 0; i < c.rows; ++i)
        for (int64_t j = 0; j < c.columns; ++j) {
            T sum = T(0);
            for (int64_t k = 0; k < a.columns; ++k) sum += a.at(i, k) * b.at(k, j);
            c.at(i, j) = beta == T(0) ? alpha * sum : alpha * sum + beta * c.at(i, j);
        }
}
template <class T> void multiply(T alpha, Matrix<const T> a, Matrix<const T> b, T beta, Matrix<T> c) {
    if (!a.is_matrix() || !b.is_matrix() || !c.is_matrix() || !c.by_rows()) return multiply_plainly(alpha, a, b, beta, c);
    gemm(kRowMajor, a.transposition(), b.transposition(), int(c.rows), int(c.columns), int(a.columns), alpha, a.data, a.leading(),
         b.data, b.leading(), beta, c.data, c.leading());
}
/// The same for vectors b and c.
template <class T> void multiply_vector(T alpha, Matrix<const T> a, Matrix<const T> b, T beta, Matrix<T> c) {
    if (!a.is_matrix() || !is_size(b.row_stride) || !is_size(c.row_stride)) return multiply_plainly(alpha, a, b, beta, c);
    // Versions of OpenBLAS differ in whether 0 * NaN of an old result is 0.
    if (beta == T(0)) {
        for (int64_t i = 0; i < c.rows; ++i) c.at(i, 0) = T(0);
        beta = T(1);
    }
    const bool by_rows = a.by_rows();
    gemv(kRowMajor, a.transposition(), int(by_rows ? a.rows : a.columns), int(by_rows ? a.columns : a.rows), alpha, a.data,
         a.leading(), b.data, int(b.row_stride), beta, c.data, int(c.row_stride));
}

}  // namespace sluice::blas
