// Replaces library nodes by what their expansions make of them: native graphs, other operations, calls of libraries.
#pragma once

#include <string>
#include <vector>

#include "library/choose.h"
#include "support/result.h"

namespace sluice::library {

/// Expands every library node in place, nested SDFGs included; calls of libraries (extern_call.h) stay. Errors B001 unknown
/// operation (with its class path), B002 the node's connectors do not fit its contract, B003 shapes do not go together, B004 an
/// implementation that nobody has, or none that serves, B005 an element type or property that the operation does not take. On an
/// error nothing is changed.
Result<std::vector<Expanded>> expand_library_nodes(ir::Sdfg& sdfg, const ExpandOptions& options = {});

/// One node, once: the steps are those of `options.recursive`. The same errors as failures.
std::vector<Expanded> expand_node(NodeDraft& draft, const ExpandOptions& options);

/// A node as its expansions see it, with its contract. Failure B001.
NodeContext context_of(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId node, std::string path, bool parallel_caller);

/// May the points of the scope that this entry opens run at the same time?
bool runs_in_parallel(const ir::Node& entry);

}  // namespace sluice::library
