// Transformations of states, of what they call, and of the way from one to the next.
#pragma once

#include <vector>

#include "rewrite/edit.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

std::vector<rewrite::Transformation> state_transformations();

rewrite::Transformation inline_multistate_sdfg();
rewrite::Transformation inline_sdfg();
rewrite::Transformation nest_sdfg();
rewrite::Transformation state_fusion();

}  // namespace sluice::transform
