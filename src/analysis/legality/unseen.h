// Does anybody look at what a node writes while it may move?
#pragma once

#include <string>

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// `writer` and `other` are nodes of one scope of the state: code, calls, or entries of scopes. Yes if in one execution of that
/// scope `other` neither reads nor writes an element that `writer` writes, `aside` not counted: then `other` may do all that it
/// does before `writer` writes. No: a witness. TaskletFusion's question. `known` holds at the top of the state.
Verdict writes_unseen(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId writer, ir::NodeId other, const std::string& aside,
                      const symbolic::Assumptions& known);

}  // namespace sluice::analysis
