#include "transform/reduce/reduce.h"

namespace sluice::transform {

bool keeps_type(const code::DType& element, const code::Type& value) {
    return code::promote({.dtype = element}, value).dtype == element;
}

}  // namespace sluice::transform
