// May what a map computes be computed again, later and in parts?
#pragma once

#include <string>

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// Two maps of one scope, the first before the second. Legal if points of the first, run between those of the second and more than
/// once, read what they read before: nothing that the first reads is written by the second, and the first writes `container` only,
/// which it does not read. MapTilingWithOverlap's question. `known` holds at the top of the state.
Verdict map_recomputable(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId first, ir::NodeId second,
                         const std::string& container, const symbolic::Assumptions& known);

}  // namespace sluice::analysis
