// Nodes that an edit took out of a node or a scope stay in order with what came before and after it.
#pragma once

#include <set>
#include <vector>

#include "ir/adjacency.h"
#include "ir/sdfg.h"

namespace sluice::transform {

/// Adds empty memlets between nodes outside, of which `before` came before everything inside and `after` after it, and the nodes
/// `inside`, where no path keeps two accesses in order that may conflict. Views may be anything.
void keep_order(const ir::Sdfg& sdfg, ir::State& state, const std::set<ir::NodeId>& inside, const std::vector<ir::NodeId>& before,
                const std::vector<ir::NodeId>& after);

/// Nodes from which `from` can be reached (or that it reaches, forwards), itself included.
std::set<ir::NodeId> reached_from(const ir::State& state, const ir::Adjacency& adjacency, ir::NodeId from, bool forwards);

}  // namespace sluice::transform
