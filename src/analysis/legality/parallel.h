// May iterations run at the same time?
//
// Two iterations conflict if they touch one element and one of them writes it, unless both update it through write-conflict
// resolutions of one commuting operator. A transient (or a symbol) that no read sees an earlier iteration's value of, and that
// nobody looks at outside, may be private to each iteration; the verdict lists it.
#pragma once

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// The loop is a block of `region`, which lies in `sdfg` (not in a nested one). `known` holds where the loop stands: begin with
/// assumptions_of(sdfg); ranges of the loops around it are added here. LoopToMap's question.
///
/// A "no" is found without asking about what could be private beside it; `InAnyCase` asks all the same, so that the verdict
/// lists everything that may be private.
enum class PrivateOnes { UnlessNo, InAnyCase };
Verdict loop_parallel(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId loop, const symbolic::Assumptions& known,
                      PrivateOnes listed = PrivateOnes::UnlessNo);

/// Are the points of the map free of conflicts? A race is a "no". `known` holds at the top of the state; ranges of the scopes and
/// loops around are added here.
Verdict map_parallel(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId entry, const symbolic::Assumptions& known);

}  // namespace sluice::analysis
