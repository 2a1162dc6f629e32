// All built-in transformations.
#pragma once

#include "rewrite/registry.h"

namespace sluice::transform {

/// Made once; a session takes a copy and may add to it.
const rewrite::Registry& builtin();

}  // namespace sluice::transform
