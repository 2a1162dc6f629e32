// May a map run as several maps, one after the other, each with a part of its contents?
#pragma once

#include <set>
#include <vector>

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// The parts are sets of nodes directly or deeper inside of the map. Legal if no point of one part conflicts with another point of
/// another: at one point the parts stay in order by the graph. MapFission's question. `known` holds at the top of the state.
Verdict map_fissionable(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId entry,
                        const std::vector<std::set<ir::NodeId>>& parts, const symbolic::Assumptions& known);

}  // namespace sluice::analysis
