// Two products with one matrix that is read once: y = a @ x beside w = z @ a, or w = y @ a. Four rows at a time, whose sums of x
// and whose parts of w share what was loaded. Where the matrix leaves the caches each thread of a team has rows of its own and a w
// of its own, which are added up in the end: memory is what they wait for, and half as much of it comes.
#pragma once

#include <omp.h>

#include "cached_matrix.h"
#include "matrix_vector.h"
#include "memory.h"
#include "punctuality.h"

namespace sluice::matrix_vector {

/// The rows from `begin` to `end`, which are contiguous: y of these rows, and w += z @ a. With z missing y is z. x and w are
/// contiguous.
template <class T> void rows_of_pair(const T* a, int64_t begin, int64_t end, int64_t columns, int64_t row_stride, const T* x,
                                     const T* z, int64_t z_stride, T* y, int64_t y_stride, T* __restrict__ w, bool far) {
    int64_t i = begin;
    for (; i + 4 <= end; i += 4) {
        const T *a0 = a + i * row_stride, *a1 = a0 + row_stride, *a2 = a1 + row_stride, *a3 = a2 + row_stride;
        if (far && i + 8 <= end) prefetch_rows(a3 + row_stride, columns, row_stride);
        T sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
        if (z) {
            const T z0 = z[i * z_stride], z1 = z[(i + 1) * z_stride], z2 = z[(i + 2) * z_stride], z3 = z[(i + 3) * z_stride];
#pragma omp simd reduction(+ : sum0, sum1, sum2, sum3)
            for (int64_t j = 0; j < columns; ++j) {
                sum0 = multiply_add(a0[j], x[j], sum0);
                sum1 = multiply_add(a1[j], x[j], sum1);
                sum2 = multiply_add(a2[j], x[j], sum2);
                sum3 = multiply_add(a3[j], x[j], sum3);
                w[j] += multiply_add(a0[j], z0, a1[j] * z1) + multiply_add(a2[j], z2, a3[j] * z3);
            }
        } else {
#pragma omp simd reduction(+ : sum0, sum1, sum2, sum3)
            for (int64_t j = 0; j < columns; ++j) {
                sum0 = multiply_add(a0[j], x[j], sum0);
                sum1 = multiply_add(a1[j], x[j], sum1);
                sum2 = multiply_add(a2[j], x[j], sum2);
                sum3 = multiply_add(a3[j], x[j], sum3);
            }
            const T z0 = sum0, z1 = sum1, z2 = sum2, z3 = sum3;
#pragma omp simd
            for (int64_t j = 0; j < columns; ++j) w[j] += multiply_add(a0[j], z0, a1[j] * z1) + multiply_add(a2[j], z2, a3[j] * z3);
        }
        y[i * y_stride] = sum0;
        y[(i + 1) * y_stride] = sum1;
        y[(i + 2) * y_stride] = sum2;
        y[(i + 3) * y_stride] = sum3;
    }
    for (; i < end; ++i) {
        const T* row = a + i * row_stride;
        T sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < columns; ++j) sum = multiply_add(row[j], x[j], sum);
        const T factor = z ? z[i * z_stride] : sum;
#pragma omp simd
        for (int64_t j = 0; j < columns; ++j) w[j] = multiply_add(row[j], factor, w[j]);
        y[i * y_stride] = sum;
    }
}

/// y = a @ x and w = z @ a, or w = y @ a without z. The matrix by its address, rows, columns, and strides between rows and between
/// columns, of which one is 1; without z it is the latter.
template <class T> void multiply_pair(const T* a, int64_t rows, int64_t columns, int64_t row_stride, int64_t column_stride,
                                      const T* x, int64_t x_stride, const T* z, int64_t z_stride, T* y, int64_t y_stride, T* w,
                                      int64_t w_stride) {
    if (column_stride != 1)
        return multiply_pair(a, columns, rows, column_stride, row_stride, z, z_stride, x, x_stride, w, w_stride, y, y_stride);
    const bool far = !stays_in_cache(rows, columns, sizeof(T));
    const int64_t threads = far ? omp_get_max_threads() : 1;
    constexpr int64_t kLine = 64 / sizeof(T);
    const int64_t stride = (columns + kLine - 1) / kLine * kLine;
    Buffer<T> sums({}, (threads + 1) * stride);
    T* const dense = sums.data() + threads * stride;
    if (x_stride != 1)
        for (int64_t j = 0; j < columns; ++j) dense[j] = x[j * x_stride];
    const T* const vector = x_stride == 1 ? x : dense;
    int64_t team = 1;
    const auto part = [&](int64_t thread) {
        T* const own = sums.data() + thread * stride;
        for (int64_t j = 0; j < columns; ++j) own[j] = 0;
        const int64_t share = (rows + team - 1) / team, begin = thread * share;
        const int64_t end = begin + share < rows ? begin + share : rows;
        rows_of_pair(a, begin, end, columns, row_stride, vector, z, z_stride, y, y_stride, own, far);
    };
    const auto add_up = [&] {
        for (int64_t j = 0; j < columns; ++j) {
            T sum = sums.data()[j];
            for (int64_t thread = 1; thread < team; ++thread) sum += sums.data()[thread * stride + j];
            w[j * w_stride] = sum;
        }
    };
    if (threads == 1) return part(0), add_up();
    static TeamRecord record;
    TeamRun run(record, true);
#pragma omp parallel num_threads(int(threads)) if (run.team)
    {
        TeamRun::Member member(run);
#pragma omp single
        team = omp_get_num_threads();
        part(omp_get_thread_num());
#pragma omp barrier
#pragma omp single
        add_up();
    }
}

/// y = a @ x and w = y @ a.
template <class T> void multiply_twice(const T* a, int64_t rows, int64_t columns, int64_t row_stride, int64_t column_stride,
                                       const T* x, int64_t x_stride, T* y, int64_t y_stride, T* w, int64_t w_stride) {
    const T* const none = nullptr;
    multiply_pair(a, rows, columns, row_stride, column_stride, x, x_stride, none, 0, y, y_stride, w, w_stride);
}

}  // namespace sluice::matrix_vector
