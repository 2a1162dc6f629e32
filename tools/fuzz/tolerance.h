// How exact a result can be asked to be. Everything is bit for bit, but floating-point results whose order of operations the graph
// leaves open: sums and products by conflict resolution and by library nodes.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "ir/sdfg.h"

namespace sluice::fuzz {

enum class Exactness : std::uint8_t {
    Exact,
    Reassociated,  ///< Holds sums or products of exact numbers, or copies of them: there is an error bound.
    Derived,       ///< Computed from what is not exact: compared loosely.
};

/// By container; those that are not listed are exact.
std::map<std::string, Exactness> exactness_of(const ir::Sdfg& sdfg);

/// Has any container, of nested SDFGs as well, complex numbers for its elements?
bool has_complex(const ir::Sdfg& sdfg);

/// The same graph with each sum `a + b` replaced by `abs(a) + abs(b)`. Where the graph sums exact terms x_1 ... x_n in any order,
/// rounding each time, the result is off by at most (n - 1) eps sum |x_i| to first order (Higham, "Accuracy and Stability of
/// Numerical Algorithms", section 4.2), and the twin computes that last factor. Of products it leaves out the factors below 1: it
/// is infinite if the product overflows in any order, though a factor of zero comes first in another.
ir::Sdfg magnitude_twin(const ir::Sdfg& sdfg);

}  // namespace sluice::fuzz
