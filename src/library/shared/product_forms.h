// The forms of a product by the ranks of its operands, as NumPy's `@` has them.
//     _a [..., M, K] or [K],  _b [..., K, N] or [K]  ->  _c [..., M, N], [M] or [N];  leading dimensions broadcast.
#pragma once

#include <vector>

#include "library/node_context.h"

namespace sluice::library {

/// Candidates, best first: single indices of the operands' subsets count as dimensions of size 1, or not at all.
std::vector<Form> product_forms(const NodeContext& context);

}  // namespace sluice::library
