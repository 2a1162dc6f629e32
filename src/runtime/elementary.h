// Elementary functions of real numbers from the C library, most of them as vectors as well.
#pragma once

#include "vectorised.h"

namespace sluice {

// The elementary functions of real numbers, one template each: float and float16 compute in single precision, all others in double.
template <Number T> inline floating_of<T> sqrt(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_sqrtf(float(x)));
    else
        return __builtin_sqrt(double(x));
}
template <Number T> inline floating_of<T> cbrt(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::cbrtf(float(x)));
    else
        return vectorised::cbrt(double(x));
}
template <Number T> inline floating_of<T> exp(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::expf(float(x)));
    else
        return vectorised::exp(double(x));
}
template <Number T> inline floating_of<T> exp2(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::exp2f(float(x)));
    else
        return vectorised::exp2(double(x));
}
template <Number T> inline floating_of<T> expm1(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::expm1f(float(x)));
    else
        return vectorised::expm1(double(x));
}
template <Number T> inline floating_of<T> log(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::logf(float(x)));
    else
        return vectorised::log(double(x));
}
template <Number T> inline floating_of<T> log2(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::log2f(float(x)));
    else
        return vectorised::log2(double(x));
}
template <Number T> inline floating_of<T> log10(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::log10f(float(x)));
    else
        return vectorised::log10(double(x));
}
template <Number T> inline floating_of<T> log1p(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::log1pf(float(x)));
    else
        return vectorised::log1p(double(x));
}
template <Number T> inline floating_of<T> sin(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::sinf(float(x)));
    else
        return vectorised::sin(double(x));
}
template <Number T> inline floating_of<T> cos(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::cosf(float(x)));
    else
        return vectorised::cos(double(x));
}
template <Number T> inline floating_of<T> tan(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::tanf(float(x)));
    else
        return vectorised::tan(double(x));
}
template <Number T> inline floating_of<T> arcsin(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::asinf(float(x)));
    else
        return vectorised::asin(double(x));
}
template <Number T> inline floating_of<T> arccos(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::acosf(float(x)));
    else
        return vectorised::acos(double(x));
}
template <Number T> inline floating_of<T> arctan(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::atanf(float(x)));
    else
        return vectorised::atan(double(x));
}
template <Number T> inline floating_of<T> sinh(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::sinhf(float(x)));
    else
        return vectorised::sinh(double(x));
}
template <Number T> inline floating_of<T> cosh(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::coshf(float(x)));
    else
        return vectorised::cosh(double(x));
}
template <Number T> inline floating_of<T> tanh(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::tanhf(float(x)));
    else
        return vectorised::tanh(double(x));
}
template <Number T> inline floating_of<T> arcsinh(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::asinhf(float(x)));
    else
        return vectorised::asinh(double(x));
}
template <Number T> inline floating_of<T> arccosh(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::acoshf(float(x)));
    else
        return vectorised::acosh(double(x));
}
template <Number T> inline floating_of<T> arctanh(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::atanhf(float(x)));
    else
        return vectorised::atanh(double(x));
}
template <Number T> inline floating_of<T> erf(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::erff(float(x)));
    else
        return vectorised::erf(double(x));
}
template <Number T> inline floating_of<T> erfc(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::erfcf(float(x)));
    else
        return vectorised::erfc(double(x));
}
template <Number T> inline floating_of<T> gamma(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_tgammaf(float(x)));
    else
        return __builtin_tgamma(double(x));
}
template <Number T> inline floating_of<T> lgamma(T x) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_lgammaf(float(x)));
    else
        return __builtin_lgamma(double(x));
}
template <Number T> inline floating_of<T> arctan2(T a, plain<T> b) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::atan2f(float(a), float(b)));
    else
        return vectorised::atan2(double(a), double(b));
}
template <Number T> inline floating_of<T> hypot(T a, plain<T> b) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(vectorised::hypotf(float(a), float(b)));
    else
        return vectorised::hypot(double(a), double(b));
}
template <Number T> inline floating_of<T> nextafter(T a, plain<T> b) {
    if constexpr (same<T, float> || same<T, float16>)
        return T(__builtin_nextafterf(float(a), float(b)));
    else
        return __builtin_nextafter(double(a), double(b));
}

// Python's names.
template <Number T> inline auto asin(T x) {
    return arcsin(x);
}
template <Number T> inline auto acos(T x) {
    return arccos(x);
}
template <Number T> inline auto atan(T x) {
    return arctan(x);
}
template <Number T> inline auto asinh(T x) {
    return arcsinh(x);
}
template <Number T> inline auto acosh(T x) {
    return arccosh(x);
}
template <Number T> inline auto atanh(T x) {
    return arctanh(x);
}
template <Number T> inline auto tgamma(T x) {
    return gamma(x);
}
template <Number T> inline auto atan2(T a, plain<T> b) {
    return arctan2(a, b);
}

}  // namespace sluice
