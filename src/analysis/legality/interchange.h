// May a loop around a map become a loop inside of it?
#pragma once

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// The loop's body is a state that holds one map of `dimensions` parameters. Legal if different points of the map never conflict in
/// different iterations: then every point may run through all iterations by itself. MoveLoopIntoMap's question. `known` holds where
/// the loop stands.
Verdict loop_moves_into_map(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId loop, std::size_t dimensions,
                            const symbolic::Assumptions& known);

}  // namespace sluice::analysis
