// Where the elements of a container lie, in elements between neighbours along each dimension.
#pragma once

#include <vector>

#include "ir/container.h"

namespace sluice::ir {

/// Without gaps, the last dimension innermost.
std::vector<symbolic::Expr> dense_strides(const std::vector<symbolic::Expr>& shape);
/// As declared, else dense.
std::vector<symbolic::Expr> strides_of(const Container& container);

}  // namespace sluice::ir
