// Loops whose iterations are counted before they begin, and what an SDFG writes, which their bounds must not read.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "ir/sdfg.h"
#include "symbolic/subset.h"

namespace sluice::analysis {

/// Names of containers that the SDFG writes.
std::set<std::string> written_containers(const ir::Sdfg& sdfg);

/// The range of a loop that can be taken before it starts: no symbol or scalar of the bounds changes inside.
std::optional<symbolic::Range> range_before(const ir::Sdfg& sdfg, const ir::LoopRegion& loop);

/// Loop variables that are counted by their loops alone and read nowhere else: they exist only inside their loops.
std::set<std::string> counted_variables(const ir::Sdfg& sdfg);

}  // namespace sluice::analysis
