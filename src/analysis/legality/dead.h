// Does anybody look at what is written?
#pragma once

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// The access node stands at the top of the state, and nothing reads from it. Yes if no value that arrives at it is seen: a later
/// access node in the state overwrites all of it before anybody reads, or nobody reads it before the end of the state and the
/// container, a transient, is then not live. Views and references of the container, uses of it in control flow and members of
/// structures are "no"; whether one write covers another is asked of exact sets (`lies_within`). `known` holds at the top of the
/// state, `everywhere` in the SDFG. DeadDataflowElimination's question.
Verdict never_seen(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId access, const symbolic::Assumptions& known,
                   const symbolic::Assumptions& everywhere);

}  // namespace sluice::analysis
