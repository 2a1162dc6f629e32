// What library nodes ask of their operands.
#pragma once

#include "frontend/array/value.h"

namespace sluice::frontend {

/// A container, or a slice that keeps all its dimensions in their order: what a memlet of a library node can say.
bool is_in_order(const Value& value);

}  // namespace sluice::frontend
