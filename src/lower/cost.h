// A rough price of a scope in scalar operations, to tell maps that are worth a team of threads from those that are not.
#pragma once

#include "lower/context.h"

namespace sluice::lower {

/// Starting a team costs about as much as this many operations of a tasklet.
constexpr std::int64_t kParallelCost = 4096;

/// In the names of the SDFG. Work of unknown amount counts as enough for a team.
Expr cost_of_map(const StateContext& state, NodeId entry);
/// Can the expression be evaluated before the map: over symbols of the function, no reads of data?
bool is_index(const StateContext& state, const Expr& e);

}  // namespace sluice::lower
