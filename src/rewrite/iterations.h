// The iterations of a loop as the points of a map.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::rewrite {

/// The transients that each iteration of a loop with this body gets for itself: the given ones, and those that a scope in it has to
/// itself. One that the rest of the SDFG uses too is taken apart: the body uses a new one. Names of symbols are left out.
std::set<std::string> privatise(ir::Sdfg& sdfg, ir::Region& body, const std::vector<std::string>& names);

/// A state in which the map runs the body: its one state as it is, where that can lie in a map, or else a nested SDFG. The
/// transients in `own` are new for each point.
ir::State all_iterations(ir::Sdfg& sdfg, ir::Region body, ir::MapEntry map, const std::set<std::string>& own,
                         const ir::Metadata& place);

}  // namespace sluice::rewrite
