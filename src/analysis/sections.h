// Parts of a state that run at the same time: a producer and a consumer that a bounded stream joins.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "analysis/scopes.h"
#include "ir/sdfg.h"

namespace sluice::analysis {

/// The nodes at the top level in parts that nothing but bounded streams joins (ir/stream_join.h), each in topological order. One
/// part, or none: nothing can run at the same time.
std::vector<std::vector<ir::NodeId>> concurrent_parts(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency,
                                                      const ScopeTree& scopes);

/// The nodes at the top level in weakly connected components, where the nodes for which `separates` holds join nothing and belong
/// to none; each in topological order.
std::vector<std::vector<ir::NodeId>> components(const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
                                                const std::function<bool(ir::NodeId)>& separates);

/// Of each node at the top level the number of its component. Components in which nodes access one stream have one number: what one
/// pushes may be what the other waits for.
std::map<ir::NodeId, std::size_t> joined_by_streams(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency,
                                                    const ScopeTree& scopes, const std::function<bool(ir::NodeId)>& separates);

}  // namespace sluice::analysis
