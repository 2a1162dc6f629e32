// May an iteration of a loop already copy what the next one needs?
#pragma once

#include <string>

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// The loop counts, and in each iteration the edge `copy` of a state of its body copies elements to a transient. Yes if the copy of
/// an iteration may happen during the iteration before: no statement of that one, and none of its own iteration that is not bound
/// to come after it, writes what it reads. DoubleBuffering's question. `known` holds where the loop stands.
Verdict copy_ahead(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId loop, const ir::State& state, ir::EdgeId copy,
                   const symbolic::Assumptions& known);

}  // namespace sluice::analysis
