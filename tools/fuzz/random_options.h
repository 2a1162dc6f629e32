// Values for the parameters of a transformation, of which some make sense where it is to be applied.
#pragma once

#include "fuzz/random.h"
#include "rewrite/transformation.h"

namespace sluice::fuzz {

/// Half of the time none: the defaults.
rewrite::Options random_options(Random& random, const ir::Sdfg& root, const rewrite::Descriptor& descriptor,
                                const rewrite::Match& match);

}  // namespace sluice::fuzz
