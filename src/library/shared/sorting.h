// Sort and ArgSort: the elements of each row in NumPy's order (from low to high, NaN last), or their places; equal ones stay in
// order.
#pragma once

#include "library/operation.h"

namespace sluice::library {

struct SortResult {
    std::string name;      ///< Of the operation.
    std::string function;  ///< Of runtime/sort.h, for one row.
    bool places = false;   ///< The output holds places instead of elements.
    std::string summary;
};
/// `_a[..., N] -> _b[..., N]`, with the expansions `rows`, `merge` and `native`.
Operation sorting(const SortResult& result);

}  // namespace sluice::library
