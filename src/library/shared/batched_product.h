// The contract of a product by the ranks of its operands, as NumPy's `@` has them.
//     _a [..., M, K] or [K],  _b [..., K, N] or [K]  ->  _c [..., M, N], [M] or [N];  leading dimensions broadcast.
#pragma once

#include <string>

#include "library/node_context.h"

namespace sluice::library {

/// `_c = alpha * _a @ _b + beta * _c`, either side of which may be given transposed. Examples of its forms and the expansions are
/// left to whoever asks.
Operation batched_product(std::string name, std::string classpath, std::string summary);

}  // namespace sluice::library
