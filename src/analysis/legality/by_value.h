// May a value that a call takes be read where the call uses it?
#pragma once

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// A nested SDFG takes scalars that it only reads by value, when it is called. Yes if they would be the same read inside: no
/// execution of the call writes an element that one of its values is taken from. No: a witness. The inlinings' question. `known`
/// holds at the top of the state.
Verdict values_kept(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId nested, const symbolic::Assumptions& known);

}  // namespace sluice::analysis
