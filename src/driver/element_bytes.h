// Elements of arrays as numbers.
#pragma once

#include <cstddef>

#include "code/dtype.h"
#include "ir/meaning.h"

namespace sluice::driver {

/// Bool, the integers, float32, float64 and the complex types; an InternalError for others.
ir::Number load_number(code::Scalar type, const std::byte* from);
void store_number(const ir::Number& value, code::Scalar type, std::byte* to);

}  // namespace sluice::driver
