#include "transform/reduce/reduce.h"

namespace sluice::transform {

std::vector<rewrite::Transformation> reduce_transformations() {
    return {aug_assign_to_wcr(), map_reduce_fusion(), map_wcr_fusion(), reduce_expansion(), reduce_peeling(), wcr_to_aug_assign()};
}

bool keeps_type(const code::DType& element, const code::Type& value) {
    return code::promote({.dtype = element}, value).dtype == element;
}

}  // namespace sluice::transform
