// ArgMin and ArgMax: the place of the smallest or largest element of each row, the first of several; where there is NaN, the first
// of these.
#pragma once

#include "library/operation.h"

namespace sluice::library {

/// `_a[..., N] -> _b[...]`, with the expansions `rows`, `scan` and `native`.
Operation arg_extreme(const std::string& name, bool largest);

}  // namespace sluice::library
