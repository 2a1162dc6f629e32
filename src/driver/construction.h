// What a face that builds a graph piece by piece asks of it and brings up to date on the way.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::driver {

/// Computes the memlets around scopes from those inside: of the whole graph, or of one of its states.
void propagate(ir::Sdfg& sdfg);
void propagate(const ir::Sdfg& sdfg, ir::State& state);

/// Symbols that a caller gives a value.
std::set<std::string> free_symbols(const ir::Sdfg& sdfg);
/// Names of all arguments in the order of a call.
std::vector<std::string> argument_order(const ir::Sdfg& sdfg);

}  // namespace sluice::driver
