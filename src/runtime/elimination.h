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

/// The triangular factors of a with its rows exchanged, both in lu (of the lower one the diagonal, which is 1, is left out), and
/// the sign of the exchanges. A column without a pivot is passed over: there the upper factor has a 0.
template <class T>
void factor(int64_t n, const T* a, int64_t a_row, int64_t a_column, T* lu, int64_t lu_row, int64_t lu_column, T* sign) {
    const auto at = [&](int64_t i, int64_t j) -> T& { return lu[i * lu_row + j * lu_column]; };
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) at(i, j) = a[i * a_row + j * a_column];
    *sign = T(1);
    for (int64_t k = 0; k < n; ++k) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; ++i)
            if (magnitude(at(i, k)) > magnitude(at(pivot, k))) pivot = i;
        if (at(pivot, k) == T(0)) continue;
        if (pivot != k) {
            *sign = -*sign;
            for (int64_t j = 0; j < n; ++j) {
                const T kept = at(k, j);
                at(k, j) = at(pivot, j);
                at(pivot, j) = kept;
            }
        }
        for (int64_t i = k + 1; i < n; ++i) {
            at(i, k) /= at(k, k);
            for (int64_t j = k + 1; j < n; ++j) at(i, j) -= at(i, k) * at(k, j);
        }
    }
}

}  // namespace sluice::elimination
