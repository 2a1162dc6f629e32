// Transformations of reductions: write-conflict resolutions and Reduce nodes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "code/infer.h"
#include "rewrite/edit.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

std::vector<rewrite::Transformation> reduce_transformations();

rewrite::Transformation aug_assign_to_wcr();
rewrite::Transformation map_reduce_fusion();
rewrite::Transformation map_wcr_fusion();
rewrite::Transformation reduce_expansion();
rewrite::Transformation reduce_peeling();
rewrite::Transformation wcr_to_aug_assign();

/// Does `old op value` have the type of the elements, so that it does not matter whether `value` is converted first?
bool keeps_type(const code::DType& element, const code::Type& value);

}  // namespace sluice::transform
