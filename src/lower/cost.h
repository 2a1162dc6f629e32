// A rough price of a scope in scalar operations, to tell maps that are worth a team of threads from those that are not.
#pragma once

#include "lower/context.h"

namespace sluice::lower {

/// Operations of a tasklet from which on a team gains more than it costs: some 50 microseconds of one thread, where starting the
/// threads and waiting for the last takes 1 to 5.
constexpr std::int64_t kParallelCost = 1 << 16;
/// The price of a call, or of a tasklet that loops: as good as nothing is known of it.
constexpr std::int64_t kUnknownCost = 4096;

/// In the names of the SDFG. Work of unknown amount counts as enough for a team.
Expr cost_of_map(const StateContext& state, NodeId entry);
/// Can the expression be evaluated before the map: over symbols of the function, no reads of data?
bool is_index(const StateContext& state, const Expr& e);

}  // namespace sluice::lower
