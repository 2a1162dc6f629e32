// May threads of a team go on from one map to another without waiting for each other?
#pragma once

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// A map at the top of a state.
struct MapInState {
    const ir::State* state = nullptr;
    ir::NodeId entry;
};

/// One team runs the loop, a block of `region`, whose own states hold both maps; its threads share the first `collapse` parameters
/// of each. Yes if nothing that one thread does in `first` conflicts with what another does in `second`, in the same iteration of
/// the loop or, with `later`, in any later one; updates by one operator do conflict. Threads are distinguished where both maps
/// share one parameter, over one range in equal parts: equal values are one thread's. `known` holds where the loop stands.
/// ChooseSynchronization's question.
Verdict shares_apart(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId loop, const MapInState& first,
                     const MapInState& second, bool later, const symbolic::Assumptions& known);

}  // namespace sluice::analysis
