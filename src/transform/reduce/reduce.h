// What transformations of reductions (write-conflict resolutions and Reduce nodes) share.
#pragma once

#include "code/infer.h"
#include "rewrite/edit.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

/// Does `old op value` have the type of the elements, so that it does not matter whether `value` is converted first?
bool keeps_type(const code::DType& element, const code::Type& value);

}  // namespace sluice::transform
