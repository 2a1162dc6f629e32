// Transformations of library nodes: what an operation is carried out by.
#pragma once

#include <string>
#include <vector>

#include "library/expand.h"
#include "rewrite/session.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

/// The library node of a place in the program, with what is around it. Failures: B001.
library::NodeContext context_at(const ir::Sdfg& root, const rewrite::Place& place, ir::NodeId node);

/// Are matrices multiplied in the region that may be large, by a library then, as no scope in it keeps one out?
bool multiplies_matrices(const ir::Sdfg& sdfg, const ir::Region& region);

/// The program with the node of the match expanded so, or why it cannot be. A named implementation must serve.
Result<ir::Sdfg> expanded(const rewrite::Site& site, std::string_view node, const library::ExpandOptions& options);

/// Expands every library node of the session's program, or with `recursive` false those that are there now. Each level is one
/// application of ExpandLibraryNode, with the name of the expansion that was chosen, so that the recipe says what was done. Returns
/// how many. Errors: those of library::expand_library_nodes.
Result<std::size_t> expand_library_nodes(rewrite::Session& session, const library::ExpandOptions& options = {});

}  // namespace sluice::transform
