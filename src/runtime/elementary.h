// Elementary functions of real numbers from the C library, most of them as vectors as well.
#pragma once

#include "vectorised.h"

namespace sluice {

// Float and float16 compute in single precision, all others in double.
#define SLUICE_UNARY(name, function)                      \
    template <Number T> inline floating_of<T> name(T x) { \
        if constexpr (same<T, float> || same<T, float16>) \
            return T(function##f(float(x)));              \
        else                                              \
            return function(double(x));                   \
    }
#define SLUICE_BINARY(name, function)                                 \
    template <Number T> inline floating_of<T> name(T a, plain<T> b) { \
        if constexpr (same<T, float> || same<T, float16>)             \
            return T(function##f(float(a), float(b)));                \
        else                                                          \
            return function(double(a), double(b));                    \
    }

SLUICE_UNARY(sqrt, __builtin_sqrt)
SLUICE_UNARY(cbrt, vectorised::cbrt)
SLUICE_UNARY(exp, vectorised::exp)
SLUICE_UNARY(exp2, vectorised::exp2)
SLUICE_UNARY(expm1, vectorised::expm1)
SLUICE_UNARY(log, vectorised::log)
SLUICE_UNARY(log2, vectorised::log2)
SLUICE_UNARY(log10, vectorised::log10)
SLUICE_UNARY(log1p, vectorised::log1p)
SLUICE_UNARY(sin, vectorised::sin)
SLUICE_UNARY(cos, vectorised::cos)
SLUICE_UNARY(tan, vectorised::tan)
SLUICE_UNARY(arcsin, vectorised::asin)
SLUICE_UNARY(arccos, vectorised::acos)
SLUICE_UNARY(arctan, vectorised::atan)
SLUICE_UNARY(sinh, vectorised::sinh)
SLUICE_UNARY(cosh, vectorised::cosh)
SLUICE_UNARY(tanh, vectorised::tanh)
SLUICE_UNARY(arcsinh, vectorised::asinh)
SLUICE_UNARY(arccosh, vectorised::acosh)
SLUICE_UNARY(arctanh, vectorised::atanh)
SLUICE_UNARY(erf, vectorised::erf)
SLUICE_UNARY(erfc, vectorised::erfc)
SLUICE_UNARY(gamma, __builtin_tgamma)
SLUICE_UNARY(lgamma, __builtin_lgamma)
SLUICE_BINARY(arctan2, vectorised::atan2)
SLUICE_BINARY(hypot, vectorised::hypot)
SLUICE_BINARY(nextafter, __builtin_nextafter)

// Python's names.
SLUICE_UNARY(asin, vectorised::asin)
SLUICE_UNARY(acos, vectorised::acos)
SLUICE_UNARY(atan, vectorised::atan)
SLUICE_UNARY(asinh, vectorised::asinh)
SLUICE_UNARY(acosh, vectorised::acosh)
SLUICE_UNARY(atanh, vectorised::atanh)
SLUICE_UNARY(tgamma, __builtin_tgamma)
SLUICE_BINARY(atan2, vectorised::atan2)
#undef SLUICE_UNARY
#undef SLUICE_BINARY

}  // namespace sluice
