// NumPy's functions of vectors: the scalar function on every lane.
#pragma once

#include "vector.h"

namespace sluice {

#define SLUICE_UNARY(name, function)                             \
    template <class T, int n> inline auto name(vector<T, n> a) { \
        return each(a, [](T x) { return function(x); });         \
    }
#define SLUICE_BINARY(name, function)                                                   \
    template <class T, int n> inline auto name(vector<T, n> a, plain<vector<T, n>> b) { \
        return each(a, b, [](T x, T y) { return function(x, y); });                     \
    }

SLUICE_UNARY(sqrt, sqrt)
SLUICE_UNARY(cbrt, cbrt)
SLUICE_UNARY(exp, exp)
SLUICE_UNARY(exp2, exp2)
SLUICE_UNARY(expm1, expm1)
SLUICE_UNARY(log, log)
SLUICE_UNARY(log2, log2)
SLUICE_UNARY(log10, log10)
SLUICE_UNARY(log1p, log1p)
SLUICE_UNARY(sin, sin)
SLUICE_UNARY(cos, cos)
SLUICE_UNARY(tan, tan)
SLUICE_UNARY(arcsin, arcsin)
SLUICE_UNARY(arccos, arccos)
SLUICE_UNARY(arctan, arctan)
SLUICE_UNARY(sinh, sinh)
SLUICE_UNARY(cosh, cosh)
SLUICE_UNARY(tanh, tanh)
SLUICE_UNARY(arcsinh, arcsinh)
SLUICE_UNARY(arccosh, arccosh)
SLUICE_UNARY(arctanh, arctanh)
SLUICE_UNARY(erf, erf)
SLUICE_UNARY(erfc, erfc)
SLUICE_UNARY(gamma, gamma)
SLUICE_UNARY(lgamma, lgamma)
SLUICE_UNARY(floor, floor)
SLUICE_UNARY(ceil, ceil)
SLUICE_UNARY(trunc, trunc)
SLUICE_UNARY(rint, rint)
SLUICE_UNARY(round, round)
SLUICE_UNARY(abs, abs)
SLUICE_UNARY(sign, sign)
SLUICE_UNARY(square, square)
SLUICE_UNARY(reciprocal, reciprocal)
SLUICE_UNARY(isnan, isnan)
SLUICE_UNARY(isinf, isinf)
SLUICE_UNARY(isfinite, isfinite)
SLUICE_UNARY(real, real)
SLUICE_UNARY(imag, imag)
SLUICE_UNARY(conj, conj)
SLUICE_UNARY(logical_not, logical_not)
SLUICE_UNARY(invert, invert)
SLUICE_BINARY(minimum, minimum)
SLUICE_BINARY(maximum, maximum)
SLUICE_BINARY(fmin, fmin)
SLUICE_BINARY(fmax, fmax)
SLUICE_BINARY(power, power)
SLUICE_BINARY(floor_divide, floor_divide)
SLUICE_BINARY(remainder, remainder)
SLUICE_BINARY(fmod, fmod)
SLUICE_BINARY(arctan2, arctan2)
SLUICE_BINARY(hypot, hypot)
SLUICE_BINARY(copysign, copysign)
SLUICE_BINARY(left_shift, left_shift)
SLUICE_BINARY(right_shift, right_shift)
SLUICE_BINARY(logical_and, logical_and)
SLUICE_BINARY(logical_or, logical_or)
SLUICE_BINARY(logical_xor, logical_xor)
SLUICE_UNARY(asin, arcsin)
SLUICE_UNARY(acos, arccos)
SLUICE_UNARY(atan, arctan)
SLUICE_UNARY(asinh, arcsinh)
SLUICE_UNARY(acosh, arccosh)
SLUICE_UNARY(atanh, arctanh)
SLUICE_UNARY(conjugate, conj)
SLUICE_UNARY(signbit, signbit)
SLUICE_UNARY(deg2rad, deg2rad)
SLUICE_UNARY(rad2deg, rad2deg)
SLUICE_BINARY(mod, remainder)
SLUICE_BINARY(atan2, arctan2)
SLUICE_BINARY(heaviside, heaviside)
#undef SLUICE_UNARY
#undef SLUICE_BINARY

template <class T, int n> inline vector<T, n> clip(vector<T, n> x, plain<vector<T, n>> low, plain<vector<T, n>> high) {
    return minimum(maximum(x, low), high);
}

}  // namespace sluice
