// Vectors of `lanes` scalars. Arithmetic types with a power-of-two number of lanes use the compiler's vectors; others an array of
// lanes. Aligned as one element and allowed to alias it, because they are loaded from and stored to plain arrays.
#pragma once

#include "complex.h"
#include "multiply_add.h"

namespace sluice {

template <class T, int lanes> struct VectorStorage {
    typedef T raw __attribute__((vector_size(sizeof(T) * lanes), aligned(alignof(T)), may_alias));
};
template <class T, int lanes>
inline constexpr bool is_native_vector = (is_integer<T> || same<T, float> || same<T, double>)&&(lanes&(lanes - 1)) == 0;

template <class T, int lanes, bool native = is_native_vector<T, lanes>> struct __attribute__((may_alias)) vector {
    T lane[lanes];
    vector() = default;
    vector(T all) {
        for (int i = 0; i < lanes; ++i) lane[i] = all;
    }
    T& operator[](int64_t i) { return lane[i]; }
    const T& operator[](int64_t i) const { return lane[i]; }
};
template <class T, int lanes> struct __attribute__((may_alias)) vector<T, lanes, true> {
    typename VectorStorage<T, lanes>::raw lane;
    vector() = default;
    /// Nothing changes when zero is taken away, not even the sign of a zero; compilers see one broadcast in it, in a loop they do
    /// not.
    vector(T all) : lane(all - typename VectorStorage<T, lanes>::raw{}) {}
    T operator[](int64_t i) const { return lane[i]; }
    auto& operator[](int64_t i) { return reinterpret_cast<T(&)[lanes]>(lane)[i]; }
};

/// Lane k of the result is lane from[k] of x, for vectors of the compiler's.
template <class Lanes, class Places> inline Lanes permuted(Lanes x, Places from) {
#ifdef __clang__
    Lanes result;
    for (unsigned long k = 0; k < sizeof(Lanes) / sizeof(x[0]); ++k) result[k] = x[from[k]];
    return result;
#else
    return __builtin_shuffle(x, from);
#endif
}

/// The `n` consecutive elements from `first` on, as one vector in place.
template <int n, class T> inline vector<T, n>& lanes_at(T* first) {
    return *reinterpret_cast<vector<T, n>*>(first);
}
template <int n, class T> inline const vector<T, n>& lanes_at(const T* first) {
    return *reinterpret_cast<const vector<T, n>*>(first);
}

/// f of every lane; the results make the new vector.
template <class T, int n, class F> inline auto each(vector<T, n> a, F f) {
    vector<decltype(f(a[0])), n> out;
    for (int i = 0; i < n; ++i) out.lane[i] = f(T(a.lane[i]));
    return out;
}
template <class T, class U, int n, class F> inline auto each(vector<T, n> a, vector<U, n> b, F f) {
    vector<decltype(f(T(a.lane[0]), U(b.lane[0]))), n> out;
    for (int i = 0; i < n; ++i) out.lane[i] = f(T(a.lane[i]), U(b.lane[i]));
    return out;
}
template <class To, class T, int n> inline vector<To, n> convert_lanes(vector<T, n> a) {
    return each(a, [](T x) { return convert<To>(x); });
}
template <class T, int n> inline vector<T, n> where(vector<bool, n> condition, vector<T, n> if_true, plain<vector<T, n>> if_false) {
    vector<T, n> out;
    for (int i = 0; i < n; ++i) out.lane[i] = condition.lane[i] ? if_true.lane[i] : if_false.lane[i];
    return out;
}
template <class T, int n> inline vector<T, n> where(bool condition, vector<T, n> if_true, plain<vector<T, n>> if_false) {
    return condition ? if_true : if_false;
}

template <class T, int n> inline vector<T, n> operator+(vector<T, n> a, plain<vector<T, n>> b) {
    if constexpr (is_native_vector<T, n>) {
        a.lane = a.lane + b.lane;
        return a;
    } else {
        return each(a, b, [](T x, T y) { return T(x + y); });
    }
}
template <class T, int n> inline vector<T, n>& operator+=(vector<T, n>& a, plain<vector<T, n>> b) {
    return a = a + b;
}
template <class T, int n> inline vector<T, n> operator-(vector<T, n> a, plain<vector<T, n>> b) {
    if constexpr (is_native_vector<T, n>) {
        a.lane = a.lane - b.lane;
        return a;
    } else {
        return each(a, b, [](T x, T y) { return T(x - y); });
    }
}
template <class T, int n> inline vector<T, n>& operator-=(vector<T, n>& a, plain<vector<T, n>> b) {
    return a = a - b;
}
template <class T, int n> inline vector<T, n> operator*(vector<T, n> a, plain<vector<T, n>> b) {
    if constexpr (is_native_vector<T, n>) {
        a.lane = a.lane * b.lane;
        return a;
    } else {
        return each(a, b, [](T x, T y) { return T(x * y); });
    }
}
template <class T, int n> inline vector<T, n>& operator*=(vector<T, n>& a, plain<vector<T, n>> b) {
    return a = a * b;
}
/// a * b + c of each lane. GCC has no name for it that all vectors share.
template <class T, int n> inline vector<T, n> multiply_add(vector<T, n> a, plain<vector<T, n>> b, plain<vector<T, n>> c) {
    if constexpr (is_native_vector<T, n> && is_floating<T>) {
        [[maybe_unused]] constexpr int bytes = n * sizeof(T);
#if __has_builtin(__builtin_elementwise_fma)
        return a.lane = __builtin_elementwise_fma(a.lane, b.lane, c.lane), a;
#elif defined __FMA__
        if constexpr (same<T, double> && bytes == 16) return a.lane = __builtin_ia32_vfmaddpd(a.lane, b.lane, c.lane), a;
        if constexpr (same<T, double> && bytes == 32) return a.lane = __builtin_ia32_vfmaddpd256(a.lane, b.lane, c.lane), a;
        if constexpr (same<T, float> && bytes == 16) return a.lane = __builtin_ia32_vfmaddps(a.lane, b.lane, c.lane), a;
        if constexpr (same<T, float> && bytes == 32) return a.lane = __builtin_ia32_vfmaddps256(a.lane, b.lane, c.lane), a;
#ifdef __AVX512F__
        constexpr int as_set = 4;  // the rounding
        if constexpr (same<T, double> && bytes == 64)
            return a.lane = __builtin_ia32_vfmaddpd512_mask(a.lane, b.lane, c.lane, -1, as_set), a;
        if constexpr (same<T, float> && bytes == 64)
            return a.lane = __builtin_ia32_vfmaddps512_mask(a.lane, b.lane, c.lane, -1, as_set), a;
#endif
#endif
    }
    return a * b + c;
}
template <class T, int n> inline vector<T, n> operator/(vector<T, n> a, plain<vector<T, n>> b) {
    if constexpr (is_native_vector<T, n>) {
        a.lane = a.lane / b.lane;
        return a;
    } else {
        return each(a, b, [](T x, T y) { return T(x / y); });
    }
}
template <class T, int n> inline vector<T, n>& operator/=(vector<T, n>& a, plain<vector<T, n>> b) {
    return a = a / b;
}
template <class T, int n> inline vector<T, n> operator%(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return T(x % y); });
}
template <class T, int n> inline vector<T, n> operator&(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return T(x & y); });
}
template <class T, int n> inline vector<T, n>& operator&=(vector<T, n>& a, plain<vector<T, n>> b) {
    return a = a & b;
}
template <class T, int n> inline vector<T, n> operator|(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return T(x | y); });
}
template <class T, int n> inline vector<T, n>& operator|=(vector<T, n>& a, plain<vector<T, n>> b) {
    return a = a | b;
}
template <class T, int n> inline vector<T, n> operator^(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return T(x ^ y); });
}
template <class T, int n> inline vector<T, n>& operator^=(vector<T, n>& a, plain<vector<T, n>> b) {
    return a = a ^ b;
}
template <class T, int n> inline vector<T, n> operator<<(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return T(x << y); });
}
template <class T, int n> inline vector<T, n> operator>>(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return T(x >> y); });
}
template <class T, int n> inline vector<bool, n> operator==(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return x == y; });
}
template <class T, int n> inline vector<bool, n> operator!=(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return x != y; });
}
template <class T, int n> inline vector<bool, n> operator<(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return x < y; });
}
template <class T, int n> inline vector<bool, n> operator<=(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return x <= y; });
}
template <class T, int n> inline vector<bool, n> operator>(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return x > y; });
}
template <class T, int n> inline vector<bool, n> operator>=(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return x >= y; });
}
template <class T, int n> inline vector<bool, n> operator&&(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return x && y; });
}
template <class T, int n> inline vector<bool, n> operator||(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return x || y; });
}
template <class T, int n> inline auto operator-(vector<T, n> a) {
    return each(a, [](T x) { return T(-x); });
}
template <class T, int n> inline auto operator~(vector<T, n> a) {
    return each(a, [](T x) { return T(~x); });
}
template <class T, int n> inline auto operator!(vector<T, n> a) {
    return each(a, [](T x) { return !x; });
}

}  // namespace sluice
