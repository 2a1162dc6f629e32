#include "ir/strides.h"

namespace sluice::ir {

std::vector<symbolic::Expr> dense_strides(const std::vector<symbolic::Expr>& shape) {
    std::vector<symbolic::Expr> strides(shape.size(), symbolic::Expr(1));
    for (std::size_t dim = shape.size(); dim-- > 1;) strides[dim - 1] = strides[dim] * shape[dim];
    return strides;
}

std::vector<symbolic::Expr> strides_of(const Container& container) {
    const auto* array = std::get_if<Array>(&container.kind);
    return array && !array->strides.empty() ? array->strides : dense_strides(container.shape);
}

}  // namespace sluice::ir
