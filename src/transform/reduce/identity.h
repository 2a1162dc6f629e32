// The value from which a reduction begins, as text.
#pragma once

#include <string>

#include "code/reduction.h"

namespace sluice::transform {

/// Python text; empty where the operator has no identity in the type.
std::string identity_text(code::ReductionType operation, const code::DType& type);

}  // namespace sluice::transform
