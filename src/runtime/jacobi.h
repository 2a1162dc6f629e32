// Eigenvalues of Hermitian matrices and singular values by Jacobi's rotations (Golub and Van Loan, Matrix Computations, 8.5 and
// 8.6.3): slower than LAPACK, for where there is none.
#pragma once

#include "complex.h"
#include "memory.h"

namespace sluice::jacobi {

template <class T> struct RealOf { using type = T; };
template <class T> struct RealOf<complex<T>> { using type = T; };
template <class T> using real_of = typename RealOf<T>::type;

template <class T> real_of<T> squared_size(T x) {
    return real(x * conj(x));
}

constexpr int kMostSweeps = 60;
template <class Real> constexpr Real kEpsilon = sizeof(Real) == 4 ? Real(1.2e-7) : Real(2.2e-16);

/// The rotation that makes the off-diagonal element of [[alpha, gamma], [conj(gamma), beta]] zero: the columns p and q become
/// cosine * p - conj(sine) * q and sine * p + cosine * q.
template <class T> struct Rotation {
    real_of<T> cosine;
    T sine;

    Rotation(real_of<T> alpha, real_of<T> beta, T gamma) {
        using Real = real_of<T>;
        const Real size = __builtin_sqrt(squared_size(gamma));
        const Real zeta = (beta - alpha) / (2 * size);
        const Real root = __builtin_fabs(zeta) + __builtin_sqrt(1 + zeta * zeta);
        const Real tangent = (zeta < 0 ? Real(-1) : Real(1)) / root;
        cosine = 1 / Real(__builtin_sqrt(1 + tangent * tangent));
        sine = gamma * T(cosine * tangent / size);
    }
    void turn(int64_t n, T* p, T* q) const {
        for (int64_t i = 0; i < n; ++i) {
            const T left = p[i], right = q[i];
            p[i] = T(cosine) * left - conj(sine) * right;
            q[i] = sine * left + T(cosine) * right;
        }
    }
};

/// The order of n values, by `before`.
template <class Real, class Before> void sort(int64_t n, const Real* values, int64_t* order, Before before) {
    for (int64_t i = 0; i < n; ++i) {
        int64_t at = i;
        for (; at > 0 && before(values[i], values[order[at - 1]]); --at) order[at] = order[at - 1];
        order[at] = i;
    }
}

/// a @ v == v @ diag(w) for a Hermitian a, of which the lower triangle is read; w ascends, and the columns of v are orthonormal.
/// Without `v` only w. `failed` becomes 1 where the rotations do not end (a holds NaN), else 0.
template <class T> void eigen(int64_t n, const T* a, int64_t a_row, int64_t a_column, T* w, int64_t w_stride, T* v, int64_t v_row,
                              int64_t v_column, T* failed) {
    using Real = real_of<T>;
    *failed = T(0);
    if (n <= 0) return;
    Buffer<T> memory({}, Extent(2) * Extent(n) * Extent(n));
    T *const columns = memory.data(), *const vectors = columns + n * n;  // both by columns
    Real sum = 0;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
            const T x = i >= j ? a[i * a_row + j * a_column] : conj(a[j * a_row + i * a_column]);
            columns[j * n + i] = i == j ? T(real(x)) : x;
            vectors[j * n + i] = T(i == j ? 1 : 0);
            sum += squared_size(x);
        }
    const Real small = kEpsilon<Real> / 2 * __builtin_sqrt(sum);
    int sweep = 0;
    for (bool turned = true; turned && sweep < kMostSweeps; ++sweep) {
        turned = false;
        for (int64_t p = 0; p + 1 < n; ++p)
            for (int64_t q = p + 1; q < n; ++q) {
                const T gamma = columns[q * n + p];
                const Real alpha = real(columns[p * n + p]), beta = real(columns[q * n + q]);
                const Real size = __builtin_sqrt(squared_size(gamma));
                if (size <= small) continue;
                turned = true;
                const Rotation<T> rotation(alpha, beta, gamma);
                rotation.turn(n, columns + p * n, columns + q * n);
                for (int64_t j = 0; j < n; ++j) {  // the rows likewise, with the conjugate rotation
                    const T left = columns[j * n + p], right = columns[j * n + q];
                    columns[j * n + p] = T(rotation.cosine) * left - rotation.sine * right;
                    columns[j * n + q] = conj(rotation.sine) * left + T(rotation.cosine) * right;
                }
                columns[q * n + p] = columns[p * n + q] = T(0);
                rotation.turn(n, vectors + p * n, vectors + q * n);
            }
    }
    if (sweep == kMostSweeps) *failed = T(1);
    Buffer<Real> values({}, n);
    Buffer<int64_t> order({}, n);
    for (int64_t i = 0; i < n; ++i) values.data()[i] = real(columns[i * n + i]);
    sort(n, values.data(), order.data(), [](Real x, Real y) { return x < y; });
    for (int64_t j = 0; j < n; ++j) {
        w[j * w_stride] = T(values.data()[order.data()[j]]);
        for (int64_t i = 0; v && i < n; ++i) v[i * v_row + j * v_column] = vectors[order.data()[j] * n + i];
    }
}

template <class T> void eigenvalues(int64_t n, const T* a, int64_t a_row, int64_t a_column, T* w, int64_t w_stride, T* failed) {
    eigen(n, a, a_row, a_column, w, w_stride, static_cast<T*>(nullptr), 0, 0, failed);
}

/// A column of length 1 that is orthogonal to the first `count` ones, which are.
template <class T> void complete(int64_t m, T* columns, int64_t count) {
    T* const added = columns + count * m;
    for (int64_t unit = 0; unit < m; ++unit) {
        for (int64_t i = 0; i < m; ++i) added[i] = T(i == unit ? 1 : 0);
        for (int turn = 0; turn < 2; ++turn)  // twice is enough (Kahan)
            for (int64_t k = 0; k < count; ++k) {
                T part(0);
                for (int64_t i = 0; i < m; ++i) part += conj(columns[k * m + i]) * added[i];
                for (int64_t i = 0; i < m; ++i) added[i] -= part * columns[k * m + i];
            }
        real_of<T> length = 0;
        for (int64_t i = 0; i < m; ++i) length += squared_size(added[i]);
        if (length * m < 0.5) continue;
        for (int64_t i = 0; i < m; ++i) added[i] /= T(real_of<T>(__builtin_sqrt(length)));
        return;
    }
}

/// As `singular`, for m >= n.
template <class T> void singular_of_tall(int64_t m, int64_t n, int64_t k, const T* a, int64_t a_row, int64_t a_column, T* u,
                                         int64_t u_row, int64_t u_column, T* s, int64_t s_stride, T* v, int64_t v_row,
                                         int64_t v_column, T* failed) {
    using Real = real_of<T>;
    *failed = T(0);
    Buffer<T> memory({}, Extent(m + n) * Extent(n));
    T *const columns = memory.data(), *const vectors = columns + m * n;
    for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < m; ++i) columns[j * m + i] = a[i * a_row + j * a_column];
        for (int64_t i = 0; i < n; ++i) vectors[j * n + i] = T(i == j ? 1 : 0);
    }
    const Real orthogonal = kEpsilon<Real> * __builtin_sqrt(Real(m));
    int sweep = 0;
    for (bool turned = true; turned && sweep < kMostSweeps; ++sweep) {
        turned = false;
        for (int64_t p = 0; p + 1 < n; ++p)
            for (int64_t q = p + 1; q < n; ++q) {
                Real alpha = 0, beta = 0;
                T gamma(0);
                for (int64_t i = 0; i < m; ++i) {
                    alpha += squared_size(columns[p * m + i]);
                    beta += squared_size(columns[q * m + i]);
                    gamma += conj(columns[p * m + i]) * columns[q * m + i];
                }
                const Real size = __builtin_sqrt(squared_size(gamma));
                if (size <= orthogonal * __builtin_sqrt(alpha * beta)) continue;
                turned = true;
                const Rotation<T> rotation(alpha, beta, gamma);
                rotation.turn(m, columns + p * m, columns + q * m);
                rotation.turn(n, vectors + p * n, vectors + q * n);
            }
    }
    if (sweep == kMostSweeps) *failed = T(1);
    Buffer<Real> lengths({}, n);
    Buffer<int64_t> order({}, n);
    for (int64_t j = 0; j < n; ++j) {
        Real sum = 0;
        for (int64_t i = 0; i < m; ++i) sum += squared_size(columns[j * m + i]);
        lengths.data()[j] = __builtin_sqrt(sum);
    }
    sort(n, lengths.data(), order.data(), [](Real x, Real y) { return x > y; });
    Buffer<T> left({}, Extent(m) * Extent(n));
    for (int64_t j = 0; j < k; ++j) {
        const int64_t from = j < n ? order.data()[j] : 0;
        const Real length = j < n ? lengths.data()[from] : Real(0);
        s[j * s_stride] = T(length);
        if (!u) continue;
        T* const column = left.data() + j * m;
        if (j < n && length > kEpsilon<Real> * lengths.data()[order.data()[0]])
            for (int64_t i = 0; i < m; ++i) column[i] = columns[from * m + i] / T(length);
        else if (j < n)
            complete(m, left.data(), j);
        for (int64_t i = 0; i < m; ++i) u[i * u_row + j * u_column] = j < n ? column[i] : T(0);
        for (int64_t i = 0; i < n; ++i) v[j * v_row + i * v_column] = j < n ? conj(vectors[from * n + i]) : T(0);
    }
}

/// The k largest singular values of the m by n matrix a, descending, in s; with the columns of u and the rows of v that belong to
/// them: a == u @ diag(s) @ v for k = min(m, n). What lies beyond is 0. Without `u` only s. `failed` as above.
template <class T> void singular(int64_t m, int64_t n, int64_t k, const T* a, int64_t a_row, int64_t a_column, T* u, int64_t u_row,
                                 int64_t u_column, T* s, int64_t s_stride, T* v, int64_t v_row, int64_t v_column, T* failed) {
    if (m >= n) return singular_of_tall(m, n, k, a, a_row, a_column, u, u_row, u_column, s, s_stride, v, v_row, v_column, failed);
    // The conjugate transpose has the same singular values.
    Buffer<T> turned({}, Extent(m) * Extent(n)), left({}, Extent(n) * Extent(k)), right({}, Extent(k) * Extent(m));
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) turned.data()[j * m + i] = conj(a[i * a_row + j * a_column]);
    singular_of_tall(n, m, k, turned.data(), m, 1, u ? left.data() : u, k, 1, s, s_stride, right.data(), m, 1, failed);
    for (int64_t j = 0; u && j < k; ++j) {
        for (int64_t i = 0; i < m; ++i) u[i * u_row + j * u_column] = conj(right.data()[j * m + i]);
        for (int64_t i = 0; i < n; ++i) v[j * v_row + i * v_column] = conj(left.data()[i * k + j]);
    }
}

template <class T> void singular_values(int64_t m, int64_t n, int64_t k, const T* a, int64_t a_row, int64_t a_column, T* s,
                                        int64_t s_stride, T* failed) {
    singular(m, n, k, a, a_row, a_column, static_cast<T*>(nullptr), 0, 0, s, s_stride, static_cast<T*>(nullptr), 0, 0, failed);
}

}  // namespace sluice::jacobi
