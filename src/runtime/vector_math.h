// NumPy's functions of vectors: the scalar function on every lane.
#pragma once

#include "vector.h"

namespace sluice {

template <class T, int n> inline auto sqrt(vector<T, n> a) {
    return each(a, [](T x) { return sqrt(x); });
}
template <class T, int n> inline auto cbrt(vector<T, n> a) {
    return each(a, [](T x) { return cbrt(x); });
}
template <class T, int n> inline auto exp(vector<T, n> a) {
    return each(a, [](T x) { return exp(x); });
}
template <class T, int n> inline auto exp2(vector<T, n> a) {
    return each(a, [](T x) { return exp2(x); });
}
template <class T, int n> inline auto expm1(vector<T, n> a) {
    return each(a, [](T x) { return expm1(x); });
}
template <class T, int n> inline auto log(vector<T, n> a) {
    return each(a, [](T x) { return log(x); });
}
template <class T, int n> inline auto log2(vector<T, n> a) {
    return each(a, [](T x) { return log2(x); });
}
template <class T, int n> inline auto log10(vector<T, n> a) {
    return each(a, [](T x) { return log10(x); });
}
template <class T, int n> inline auto log1p(vector<T, n> a) {
    return each(a, [](T x) { return log1p(x); });
}
template <class T, int n> inline auto sin(vector<T, n> a) {
    return each(a, [](T x) { return sin(x); });
}
template <class T, int n> inline auto cos(vector<T, n> a) {
    return each(a, [](T x) { return cos(x); });
}
template <class T, int n> inline auto tan(vector<T, n> a) {
    return each(a, [](T x) { return tan(x); });
}
template <class T, int n> inline auto arcsin(vector<T, n> a) {
    return each(a, [](T x) { return arcsin(x); });
}
template <class T, int n> inline auto arccos(vector<T, n> a) {
    return each(a, [](T x) { return arccos(x); });
}
template <class T, int n> inline auto arctan(vector<T, n> a) {
    return each(a, [](T x) { return arctan(x); });
}
template <class T, int n> inline auto sinh(vector<T, n> a) {
    return each(a, [](T x) { return sinh(x); });
}
template <class T, int n> inline auto cosh(vector<T, n> a) {
    return each(a, [](T x) { return cosh(x); });
}
template <class T, int n> inline auto tanh(vector<T, n> a) {
    return each(a, [](T x) { return tanh(x); });
}
template <class T, int n> inline auto arcsinh(vector<T, n> a) {
    return each(a, [](T x) { return arcsinh(x); });
}
template <class T, int n> inline auto arccosh(vector<T, n> a) {
    return each(a, [](T x) { return arccosh(x); });
}
template <class T, int n> inline auto arctanh(vector<T, n> a) {
    return each(a, [](T x) { return arctanh(x); });
}
template <class T, int n> inline auto erf(vector<T, n> a) {
    return each(a, [](T x) { return erf(x); });
}
template <class T, int n> inline auto floor(vector<T, n> a) {
    return each(a, [](T x) { return floor(x); });
}
template <class T, int n> inline auto ceil(vector<T, n> a) {
    return each(a, [](T x) { return ceil(x); });
}
template <class T, int n> inline auto trunc(vector<T, n> a) {
    return each(a, [](T x) { return trunc(x); });
}
template <class T, int n> inline auto rint(vector<T, n> a) {
    return each(a, [](T x) { return rint(x); });
}
template <class T, int n> inline auto round(vector<T, n> a) {
    return each(a, [](T x) { return round(x); });
}
template <class T, int n> inline auto abs(vector<T, n> a) {
    return each(a, [](T x) { return abs(x); });
}
template <class T, int n> inline auto sign(vector<T, n> a) {
    return each(a, [](T x) { return sign(x); });
}
template <class T, int n> inline auto square(vector<T, n> a) {
    return each(a, [](T x) { return square(x); });
}
template <class T, int n> inline auto reciprocal(vector<T, n> a) {
    return each(a, [](T x) { return reciprocal(x); });
}
template <class T, int n> inline auto isnan(vector<T, n> a) {
    return each(a, [](T x) { return isnan(x); });
}
template <class T, int n> inline auto isinf(vector<T, n> a) {
    return each(a, [](T x) { return isinf(x); });
}
template <class T, int n> inline auto isfinite(vector<T, n> a) {
    return each(a, [](T x) { return isfinite(x); });
}
template <class T, int n> inline auto real(vector<T, n> a) {
    return each(a, [](T x) { return real(x); });
}
template <class T, int n> inline auto imag(vector<T, n> a) {
    return each(a, [](T x) { return imag(x); });
}
template <class T, int n> inline auto conj(vector<T, n> a) {
    return each(a, [](T x) { return conj(x); });
}
template <class T, int n> inline auto logical_not(vector<T, n> a) {
    return each(a, [](T x) { return logical_not(x); });
}
template <class T, int n> inline auto invert(vector<T, n> a) {
    return each(a, [](T x) { return invert(x); });
}
template <class T, int n> inline auto minimum(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return minimum(x, y); });
}
template <class T, int n> inline auto maximum(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return maximum(x, y); });
}
template <class T, int n> inline auto fmin(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return fmin(x, y); });
}
template <class T, int n> inline auto fmax(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return fmax(x, y); });
}
template <class T, int n> inline auto power(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return power(x, y); });
}
template <class T, int n> inline auto floor_divide(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return floor_divide(x, y); });
}
template <class T, int n> inline auto remainder(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return remainder(x, y); });
}
template <class T, int n> inline auto fmod(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return fmod(x, y); });
}
template <class T, int n> inline auto arctan2(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return arctan2(x, y); });
}
template <class T, int n> inline auto hypot(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return hypot(x, y); });
}
template <class T, int n> inline auto copysign(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return copysign(x, y); });
}
template <class T, int n> inline auto left_shift(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return left_shift(x, y); });
}
template <class T, int n> inline auto right_shift(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return right_shift(x, y); });
}
template <class T, int n> inline auto logical_and(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return logical_and(x, y); });
}
template <class T, int n> inline auto logical_or(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return logical_or(x, y); });
}
template <class T, int n> inline auto logical_xor(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return logical_xor(x, y); });
}
template <class T, int n> inline auto asin(vector<T, n> a) {
    return each(a, [](T x) { return arcsin(x); });
}
template <class T, int n> inline auto acos(vector<T, n> a) {
    return each(a, [](T x) { return arccos(x); });
}
template <class T, int n> inline auto atan(vector<T, n> a) {
    return each(a, [](T x) { return arctan(x); });
}
template <class T, int n> inline auto asinh(vector<T, n> a) {
    return each(a, [](T x) { return arcsinh(x); });
}
template <class T, int n> inline auto acosh(vector<T, n> a) {
    return each(a, [](T x) { return arccosh(x); });
}
template <class T, int n> inline auto atanh(vector<T, n> a) {
    return each(a, [](T x) { return arctanh(x); });
}
template <class T, int n> inline auto conjugate(vector<T, n> a) {
    return each(a, [](T x) { return conj(x); });
}
template <class T, int n> inline auto signbit(vector<T, n> a) {
    return each(a, [](T x) { return signbit(x); });
}
template <class T, int n> inline auto deg2rad(vector<T, n> a) {
    return each(a, [](T x) { return deg2rad(x); });
}
template <class T, int n> inline auto rad2deg(vector<T, n> a) {
    return each(a, [](T x) { return rad2deg(x); });
}
template <class T, int n> inline auto mod(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return remainder(x, y); });
}
template <class T, int n> inline auto atan2(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return arctan2(x, y); });
}
template <class T, int n> inline auto heaviside(vector<T, n> a, plain<vector<T, n>> b) {
    return each(a, b, [](T x, T y) { return heaviside(x, y); });
}
template <class T, int n> inline vector<T, n> clip(vector<T, n> x, plain<vector<T, n>> low, plain<vector<T, n>> high) {
    return minimum(maximum(x, low), high);
}

}  // namespace sluice
