// What is known inside of a nested SDFG, whose symbols are what the call makes of those outside.
#pragma once

#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// What is known of the symbols of a nested SDFG everywhere in it, where `outside` holds at the node: those of the mapping are
/// positive, or have a least or a largest value, only where that is proven; what it assigns itself may be any integer.
symbolic::Assumptions assumptions_inside(const ir::NestedSdfg& nested, const symbolic::Assumptions& outside);

}  // namespace sluice::analysis
