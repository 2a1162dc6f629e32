// Which element types a CPU program computes with.
#pragma once

#include <string>

#include "lower/context.h"

namespace sluice::lower {

/// Refuses types without arithmetic in generated code: bfloat16, the 8-bit floats, strings.
void require_computable(const DType& type, const std::string& what, const Span& where, const std::string& path);

}  // namespace sluice::lower
