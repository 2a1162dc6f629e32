// Products by a BLAS. The routines of its C interface have names of our own, so that a user's own declarations of them may stand
// beside these. Where a size or a stride is none of BLAS's (empty, past an int, rows that overlap), plain loops compute the
// product.
#pragma once

#include "blas_names.h"
#include "cached_matrix.h"
#include "complex.h"
#include "matrix_vector_team.h"

namespace sluice::blas {

void gemm(int, int, int, blas_int, blas_int, blas_int, float, const float*, blas_int, const float*, blas_int, float, float*,
          blas_int) __asm__(SLUICE_BLAS_NAME("cblas_sgemm"));
void gemm(int, int, int, blas_int, blas_int, blas_int, double, const double*, blas_int, const double*, blas_int, double, double*,
          blas_int) __asm__(SLUICE_BLAS_NAME("cblas_dgemm"));
void gemm(int, int, int, blas_int, blas_int, blas_int, const complex<float>&, const complex<float>*, blas_int,
          const complex<float>*, blas_int, const complex<float>&, complex<float>*,
          blas_int) __asm__(SLUICE_BLAS_NAME("cblas_cgemm"));
void gemm(int, int, int, blas_int, blas_int, blas_int, const complex<double>&, const complex<double>*, blas_int,
          const complex<double>*, blas_int, const complex<double>&, complex<double>*,
          blas_int) __asm__(SLUICE_BLAS_NAME("cblas_zgemm"));
void syrk(int, int, int, blas_int, blas_int, float, const float*, blas_int, float, float*,
          blas_int) __asm__(SLUICE_BLAS_NAME("cblas_ssyrk"));
void syrk(int, int, int, blas_int, blas_int, double, const double*, blas_int, double, double*,
          blas_int) __asm__(SLUICE_BLAS_NAME("cblas_dsyrk"));
void syrk(int, int, int, blas_int, blas_int, const complex<float>&, const complex<float>*, blas_int, const complex<float>&,
          complex<float>*, blas_int) __asm__(SLUICE_BLAS_NAME("cblas_csyrk"));
void syrk(int, int, int, blas_int, blas_int, const complex<double>&, const complex<double>*, blas_int, const complex<double>&,
          complex<double>*, blas_int) __asm__(SLUICE_BLAS_NAME("cblas_zsyrk"));
void gemv(int, int, blas_int, blas_int, float, const float*, blas_int, const float*, blas_int, float, float*,
          blas_int) __asm__(SLUICE_BLAS_NAME("cblas_sgemv"));
void gemv(int, int, blas_int, blas_int, double, const double*, blas_int, const double*, blas_int, double, double*,
          blas_int) __asm__(SLUICE_BLAS_NAME("cblas_dgemv"));
void gemv(int, int, blas_int, blas_int, const complex<float>&, const complex<float>*, blas_int, const complex<float>*, blas_int,
          const complex<float>&, complex<float>*, blas_int) __asm__(SLUICE_BLAS_NAME("cblas_cgemv"));
void gemv(int, int, blas_int, blas_int, const complex<double>&, const complex<double>*, blas_int, const complex<double>*, blas_int,
          const complex<double>&, complex<double>*, blas_int) __asm__(SLUICE_BLAS_NAME("cblas_zgemv"));
float real_dot(blas_int, const float*, blas_int, const float*, blas_int) __asm__(SLUICE_BLAS_NAME("cblas_sdot"));
double real_dot(blas_int, const double*, blas_int, const double*, blas_int) __asm__(SLUICE_BLAS_NAME("cblas_ddot"));
void complex_dot(blas_int, const complex<float>*, blas_int, const complex<float>*, blas_int,
                 complex<float>*) __asm__(SLUICE_BLAS_NAME("cblas_cdotu_sub"));
void complex_dot(blas_int, const complex<double>*, blas_int, const complex<double>*, blas_int,
                 complex<double>*) __asm__(SLUICE_BLAS_NAME("cblas_zdotu_sub"));

void axpy(blas_int, float, const float*, blas_int, float*, blas_int) __asm__(SLUICE_BLAS_NAME("cblas_saxpy"));
void axpy(blas_int, double, const double*, blas_int, double*, blas_int) __asm__(SLUICE_BLAS_NAME("cblas_daxpy"));
void axpy(blas_int, const complex<float>&, const complex<float>*, blas_int, complex<float>*,
          blas_int) __asm__(SLUICE_BLAS_NAME("cblas_caxpy"));
void axpy(blas_int, const complex<double>&, const complex<double>*, blas_int, complex<double>*,
          blas_int) __asm__(SLUICE_BLAS_NAME("cblas_zaxpy"));
void ger(int, blas_int, blas_int, float, const float*, blas_int, const float*, blas_int, float*,
         blas_int) __asm__(SLUICE_BLAS_NAME("cblas_sger"));
void ger(int, blas_int, blas_int, double, const double*, blas_int, const double*, blas_int, double*,
         blas_int) __asm__(SLUICE_BLAS_NAME("cblas_dger"));
void ger(int, blas_int, blas_int, const complex<float>&, const complex<float>*, blas_int, const complex<float>*, blas_int,
         complex<float>*, blas_int) __asm__(SLUICE_BLAS_NAME("cblas_cgeru"));
void ger(int, blas_int, blas_int, const complex<double>&, const complex<double>*, blas_int, const complex<double>*, blas_int,
         complex<double>*, blas_int) __asm__(SLUICE_BLAS_NAME("cblas_zgeru"));

inline constexpr int kRowMajor = 101, kNoTrans = 111, kTrans = 112, kUpper = 121;

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
    blas_int leading() const { return blas_int(by_rows() ? row_stride : column_stride); }
    bool is_transposed(const Matrix& other) const {
        return data == other.data && rows == other.columns && columns == other.rows && row_stride == other.column_stride &&
               column_stride == other.row_stride;
    }
    T& at(int64_t i, int64_t j) const { return data[i * row_stride + j * column_stride]; }
};

/// c = alpha * a @ b + beta * c; what c held is not read where beta is 0.
template <class T> void multiply_plainly(T alpha, Matrix<const T> a, Matrix<const T> b, T beta, Matrix<T> c) {
    for (int64_t i = 0; i < c.rows; ++i)
        for (int64_t j = 0; j < c.columns; ++j) {
            T sum = T(0);
            for (int64_t k = 0; k < a.columns; ++k) sum = multiply_add(a.at(i, k), b.at(k, j), sum);
            c.at(i, j) = beta == T(0) ? alpha * sum : alpha * sum + beta * c.at(i, j);
        }
}
/// c = alpha * a @ a.T: half of it is computed.
template <class T> void multiply_by_own_transposed(T alpha, Matrix<const T> a, Matrix<T> c) {
    syrk(kRowMajor, kUpper, a.transposition(), blas_int(a.rows), blas_int(a.columns), alpha, a.data, a.leading(), T(0), c.data,
         c.leading());
    constexpr int64_t kTile = 32;  // Rows and columns of it lie in the first cache together.
    for (int64_t top = 0; top < c.rows; top += kTile)
        for (int64_t left = 0; left <= top; left += kTile)
            for (int64_t i = top; i < (top + kTile < c.rows ? top + kTile : c.rows); ++i)
                for (int64_t j = left; j < (left + kTile < i ? left + kTile : i); ++j) c.at(i, j) = c.at(j, i);
}
/// Each matrix is its address, rows, columns, and strides between rows and between columns.
template <class T> void multiply(T alpha, const T* a_data, int64_t a_rows, int64_t a_columns, int64_t a_row, int64_t a_column,
                                 const T* b_data, int64_t b_rows, int64_t b_columns, int64_t b_row, int64_t b_column, T beta,
                                 T* c_data, int64_t c_rows, int64_t c_columns, int64_t c_row, int64_t c_column) {
    const Matrix<const T> a{a_data, a_rows, a_columns, a_row, a_column}, b{b_data, b_rows, b_columns, b_row, b_column};
    const Matrix<T> c{c_data, c_rows, c_columns, c_row, c_column};
    if (!a.is_matrix() || !b.is_matrix() || !c.is_matrix() || !c.by_rows()) return multiply_plainly(alpha, a, b, beta, c);
    if (a.is_transposed(b) && beta == T(0) && c.rows > 1) return multiply_by_own_transposed(alpha, a, c);
    gemm(kRowMajor, a.transposition(), b.transposition(), blas_int(c.rows), blas_int(c.columns), blas_int(a.columns), alpha, a.data,
         a.leading(), b.data, b.leading(), beta, c.data, c.leading());
}
/// The same for vectors b and c. A matrix that a cache holds is multiplied by this thread: to wake others takes longer.
template <class T> void multiply_vector(T alpha, const T* a_data, int64_t a_rows, int64_t a_columns, int64_t a_row,
                                        int64_t a_column, const T* b_data, int64_t b_rows, int64_t b_columns, int64_t b_row,
                                        int64_t b_column, T beta, T* c_data, int64_t c_rows, int64_t c_columns, int64_t c_row,
                                        int64_t c_column) {
    const Matrix<const T> a{a_data, a_rows, a_columns, a_row, a_column}, b{b_data, b_rows, b_columns, b_row, b_column};
    const Matrix<T> c{c_data, c_rows, c_columns, c_row, c_column};
    if (!a.is_matrix() || !is_size(b.row_stride) || !is_size(c.row_stride)) return multiply_plainly(alpha, a, b, beta, c);
    if constexpr (same<T, float> || same<T, double>) {
        if (matrix_vector::stays_in_cache(a.rows, a.columns, sizeof(T)))
            return matrix_vector::multiply(alpha, a_data, a_rows, a_columns, a_row, a_column, b_data, b_rows, b_columns, b_row,
                                           b_column, beta, c_data, c_rows, c_columns, c_row, c_column);
        if (matrix_vector::suits_team(a.rows, a.columns, sizeof(T), a.by_rows()))
            return matrix_vector::multiply_by_team(alpha, a_data, a_rows, a_columns, a_row, a_column, b_data, b_rows, b_columns,
                                                   b_row, b_column, beta, c_data, c_rows, c_columns, c_row, c_column);
    }
    // Versions of OpenBLAS differ in whether 0 * NaN of an old result is 0.
    if (beta == T(0)) {
        for (int64_t i = 0; i < c.rows; ++i) c.at(i, 0) = T(0);
        beta = T(1);
    }
    const bool by_rows = a.by_rows();
    gemv(kRowMajor, a.transposition(), blas_int(by_rows ? a.rows : a.columns), blas_int(by_rows ? a.columns : a.rows), alpha,
         a.data, a.leading(), b.data, blas_int(b.row_stride), beta, c.data, blas_int(c.row_stride));
}
/// result = sum of x * y, over `n` elements that lie a stride apart.
template <class T> void dot(int64_t n, const T* x, int64_t x_stride, const T* y, int64_t y_stride, T* result) {
    if (!is_size(n) || !is_size(x_stride) || !is_size(y_stride)) {
        T sum = T(0);
        for (int64_t i = 0; i < n; ++i) sum += x[i * x_stride] * y[i * y_stride];
        *result = sum;
    } else if constexpr (requires { real_dot(1, x, 1, y, 1); }) {
        *result = real_dot(blas_int(n), x, blas_int(x_stride), y, blas_int(y_stride));
    } else {
        complex_dot(blas_int(n), x, blas_int(x_stride), y, blas_int(y_stride), result);
    }
}

/// result = a * x + y; the result may lie where x or y lies. A factor of 0 is multiplied, which the routine does not do.
template <class T>
void add_scaled(int64_t n, T a, const T* x, int64_t x_stride, const T* y, int64_t y_stride, T* result, int64_t result_stride) {
    if (a == T(0) || x == result || !is_size(n) || !is_size(x_stride) || !is_size(result_stride)) {
        for (int64_t i = 0; i < n; ++i) result[i * result_stride] = a * x[i * x_stride] + y[i * y_stride];
        return;
    }
    if (y != result)
        for (int64_t i = 0; i < n; ++i) result[i * result_stride] = y[i * y_stride];
    axpy(blas_int(n), a, x, blas_int(x_stride), result, blas_int(result_stride));
}
/// result = a + alpha * outer(x, y); the result may lie where a lies.
template <class T> void add_outer(int64_t rows, int64_t columns, T alpha, const T* x, int64_t x_stride, const T* y,
                                  int64_t y_stride, const T* a, int64_t a_row, int64_t a_column, T* result, int64_t result_row,
                                  int64_t result_column) {
    const Matrix<const T> old{a, rows, columns, a_row, a_column};
    const Matrix<T> sum{result, rows, columns, result_row, result_column};
    if (alpha == T(0) || !sum.is_matrix() || !is_size(x_stride) || !is_size(y_stride)) {
        for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < columns; ++j) sum.at(i, j) = old.at(i, j) + alpha * x[i * x_stride] * y[j * y_stride];
        return;
    }
    if (a != result)
        for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < columns; ++j) sum.at(i, j) = old.at(i, j);
    if (sum.by_rows())
        ger(kRowMajor, blas_int(rows), blas_int(columns), alpha, x, blas_int(x_stride), y, blas_int(y_stride), result,
            sum.leading());
    else
        ger(kRowMajor, blas_int(columns), blas_int(rows), alpha, y, blas_int(y_stride), x, blas_int(x_stride), result,
            sum.leading());
}

}  // namespace sluice::blas
