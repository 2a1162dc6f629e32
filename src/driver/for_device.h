// A program for a target with a device.
#pragma once

#include "ir/sdfg.h"
#include "library/choose.h"
#include "support/result.h"
#include "target/target.h"

namespace sluice::driver {

/// The program as it is if it has parts on a device already; otherwise simplified, its operations expanded to loops, and moved
/// there by GPUTransformSDFG or FPGATransformSDFG. Error E007: that is refused, with the place.
Result<ir::Sdfg> for_device(ir::Sdfg sdfg, library::ExpandOptions expansions, const target::Target& target);

}  // namespace sluice::driver
