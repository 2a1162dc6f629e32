// The range of a counted loop, where its text is one.
#pragma once

#include <optional>
#include <string>

#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// `i = a; while i < b (or <=, >, >=): ...; i = i + c` with a constant c that moves towards the bound, and a body that changes
/// neither `i` nor the bound's symbols. Bounds that read data have no range.
std::optional<symbolic::Range> loop_range(const ir::LoopRegion& loop);

/// `name` lies in the range: adds its bounds, whatever the sign of the step.
void assume_in(symbolic::Assumptions& known, const std::string& name, const symbolic::Range& range);

}  // namespace sluice::analysis
