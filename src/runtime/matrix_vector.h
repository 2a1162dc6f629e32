// Products of a matrix and a vector by the calling thread: four rows at a time, so that the vectors pass once for four. Memory
// is what they wait for, and one thread uses most of what a last-level cache gives; no other thread need be awake.
#pragma once

#include "multiply_add.h"

namespace sluice::matrix_vector {

/// Asks for the beginnings of four rows, where the processor's own prefetching would begin with a miss in each.
template <class T> inline void prefetch_rows(const T* row, int64_t columns, int64_t row_stride) {
    constexpr int64_t kLine = 64 / sizeof(T), kMost = 32 * kLine;
    const int64_t count = columns < kMost ? columns : kMost;
    for (int k = 0; k < 4; ++k, row += row_stride)
        for (int64_t j = 0; j < count; j += kLine) __builtin_prefetch(row + j, 0, 2);
}

/// y = alpha * a @ x + beta * y for rows that are contiguous; what y held is not read where beta is 0. `far`: no cache holds the
/// matrix.
template <bool far = false, class T> void by_rows(T alpha, const T* a, int64_t rows, int64_t columns, int64_t row_stride,
                                                  const T* x, int64_t x_stride, T beta, T* y, int64_t y_stride) {
    const auto set = [&](int64_t i, T sum) {
        T& to = y[i * y_stride];
        to = beta == T(0) ? alpha * sum : alpha * sum + beta * to;
    };
    int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        const T *a0 = a + i * row_stride, *a1 = a0 + row_stride, *a2 = a1 + row_stride, *a3 = a2 + row_stride;
        if (far && i + 8 <= rows) prefetch_rows(a3 + row_stride, columns, row_stride);
        T sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
        const auto add = [&](int64_t step) {
#pragma omp simd reduction(+ : sum0, sum1, sum2, sum3)
            for (int64_t j = 0; j < columns; ++j) {
                sum0 = multiply_add(a0[j], x[j * step], sum0);
                sum1 = multiply_add(a1[j], x[j * step], sum1);
                sum2 = multiply_add(a2[j], x[j * step], sum2);
                sum3 = multiply_add(a3[j], x[j * step], sum3);
            }
        };
        x_stride == 1 ? add(1) : add(x_stride);
        set(i, sum0);
        set(i + 1, sum1);
        set(i + 2, sum2);
        set(i + 3, sum3);
    }
    for (; i < rows; ++i) {
        const T* row = a + i * row_stride;
        T sum = 0;
        const auto add = [&](int64_t step) {
#pragma omp simd reduction(+ : sum)
            for (int64_t j = 0; j < columns; ++j) sum = multiply_add(row[j], x[j * step], sum);
        };
        x_stride == 1 ? add(1) : add(x_stride);
        set(i, sum);
    }
}

/// The same for columns that are contiguous.
template <class T> void by_columns(T alpha, const T* a, int64_t rows, int64_t columns, int64_t column_stride, const T* x,
                                   int64_t x_stride, T beta, T* __restrict__ y, int64_t y_stride) {
    const auto add = [&](int64_t step) {
#pragma omp simd
        for (int64_t i = 0; i < rows; ++i) y[i * step] = beta == T(0) ? T(0) : beta * y[i * step];
        int64_t j = 0;
        for (; j + 4 <= columns; j += 4) {
            const T *a0 = a + j * column_stride, *a1 = a0 + column_stride, *a2 = a1 + column_stride, *a3 = a2 + column_stride;
            const T x0 = alpha * x[j * x_stride], x1 = alpha * x[(j + 1) * x_stride], x2 = alpha * x[(j + 2) * x_stride],
                    x3 = alpha * x[(j + 3) * x_stride];
#pragma omp simd
            for (int64_t i = 0; i < rows; ++i)
                y[i * step] += multiply_add(a0[i], x0, a1[i] * x1) + multiply_add(a2[i], x2, a3[i] * x3);
        }
        for (; j < columns; ++j) {
            const T* column = a + j * column_stride;
            const T factor = alpha * x[j * x_stride];
#pragma omp simd
            for (int64_t i = 0; i < rows; ++i) y[i * step] = multiply_add(column[i], factor, y[i * step]);
        }
    };
    y_stride == 1 ? add(1) : add(y_stride);
}

/// Each matrix is its address, rows, columns, and strides between rows and between columns, of which one is 1; x and y are matrices
/// of one column.
template <bool far = false, class T> void multiply(T alpha, const T* a, int64_t rows, int64_t columns, int64_t row_stride,
                                                   int64_t column_stride, const T* x, int64_t, int64_t, int64_t x_stride, int64_t,
                                                   T beta, T* y, int64_t, int64_t, int64_t y_stride, int64_t) {
    if (column_stride == 1)
        by_rows<far>(alpha, a, rows, columns, row_stride, x, x_stride, beta, y, y_stride);
    else
        by_columns(alpha, a, rows, columns, column_stride, x, x_stride, beta, y, y_stride);
}

}  // namespace sluice::matrix_vector
