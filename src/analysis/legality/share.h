// May two containers lie in one memory?
#pragma once

#include <string>

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// `first` and `second` are containers of the SDFG with the same indices, and the state uses both. Yes if, element by element, the
/// one is used up before the other begins: every access to an element of `first` is over before the same element of `second` is
/// written, or a tasklet reads the one before it writes the other. No: a witness. TransientReuse's question. `known` holds at the
/// top of the state.
Verdict used_before(const ir::Sdfg& sdfg, const ir::State& state, const std::string& first, const std::string& second,
                    const symbolic::Assumptions& known);

}  // namespace sluice::analysis
