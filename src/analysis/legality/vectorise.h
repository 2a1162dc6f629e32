// May neighbouring points of a map run in the lanes of a vector?
#pragma once

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// Points that differ in one dimension of the map only run statement by statement instead of point by point. Legal if no two of
/// them conflict. Vectorization's question. `known` holds at the top of the state.
Verdict map_vectorisable(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId entry, std::size_t dimension,
                         const symbolic::Assumptions& known);

}  // namespace sluice::analysis
