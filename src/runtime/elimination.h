// Systems of equations by Gaussian elimination with partial pivoting, row by row (Golub and Van Loan, Matrix Computations, 3.4).
#pragma once

#include "complex.h"
#include "memory.h"

namespace sluice::elimination {

inline float magnitude(float x) {
    return __builtin_fabsf(x);
}
inline double magnitude(double x) {
    return __builtin_fabs(x);
}
/// As LAPACK compares pivots.
template <class T> T magnitude(complex<T> x) {
    return magnitude(x.real) + magnitude(x.imag);
}

/// x with a @ x == b, for a of n by n and b of n by m; with strides between rows and columns. `singular` becomes 1 where a pivot is
/// 0, and then x holds nothing of use; otherwise 0.
template <class T> void solve(int64_t n, int64_t m, const T* a, int64_t a_row, int64_t a_column, const T* b, int64_t b_row,
                              int64_t b_column, T* x, int64_t x_row, int64_t x_column, T* singular) {
    Buffer<T> buffer({}, Extent(n) * Extent(n));
    T* const u = buffer.data();
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < n; ++j) u[i * n + j] = a[i * a_row + j * a_column];
        for (int64_t j = 0; j < m; ++j) x[i * x_row + j * x_column] = b[i * b_row + j * b_column];
    }
    const auto exchange = [](T& left, T& right) {
        const T kept = left;
        left = right;
        right = kept;
    };
    *singular = T(0);
    for (int64_t k = 0; k < n; ++k) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; ++i)
            if (magnitude(u[i * n + k]) > magnitude(u[pivot * n + k])) pivot = i;
        if (u[pivot * n + k] == T(0)) return void(*singular = T(1));
        if (pivot != k) {
            for (int64_t j = k; j < n; ++j) exchange(u[k * n + j], u[pivot * n + j]);
            for (int64_t j = 0; j < m; ++j) exchange(x[k * x_row + j * x_column], x[pivot * x_row + j * x_column]);
        }
        for (int64_t i = k + 1; i < n; ++i) {
            const T factor = u[i * n + k] / u[k * n + k];
            for (int64_t j = k + 1; j < n; ++j) u[i * n + j] -= factor * u[k * n + j];
            for (int64_t j = 0; j < m; ++j) x[i * x_row + j * x_column] -= factor * x[k * x_row + j * x_column];
        }
    }
    for (int64_t k = n - 1; k >= 0; --k) {
        for (int64_t i = k + 1; i < n; ++i)
            for (int64_t j = 0; j < m; ++j) x[k * x_row + j * x_column] -= u[k * n + i] * x[i * x_row + j * x_column];
        for (int64_t j = 0; j < m; ++j) x[k * x_row + j * x_column] /= u[k * n + k];
    }
}

}  // namespace sluice::elimination
