// Parts of a state that run at the same time: a producer and a consumer that a bounded stream joins.
#pragma once

#include <vector>

#include "analysis/scopes.h"
#include "ir/sdfg.h"

namespace sluice::analysis {

/// Does the access node join a producer and a consumer of a bounded stream that may run at the same time? A consume scope is
/// neither: it pushes to its own stream, whose size therefore is no bound; nor is a copy of as many elements as have come.
bool joins_parts(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, ir::NodeId node);

/// The nodes at the top level in parts that nothing but such streams joins, each in topological order. One part, or none: nothing
/// can run at the same time.
std::vector<std::vector<ir::NodeId>> concurrent_parts(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency,
                                                      const ScopeTree& scopes);

}  // namespace sluice::analysis
