// What a BLAS calls its routines and the integers that they take. The OpenBLAS in PyPI's NumPy has names of its own, so that
// another one may be in the same process, and integers of 64 bits.
#pragma once

#include "types.h"

#ifdef SLUICE_SCIPY_OPENBLAS
#define SLUICE_BLAS_NAME(routine) "scipy_" routine "64_"
#else
#define SLUICE_BLAS_NAME(routine) routine
#endif

namespace sluice {

#ifdef SLUICE_SCIPY_OPENBLAS
using blas_int = int64_t;
#else
using blas_int = int;
#endif

}  // namespace sluice
