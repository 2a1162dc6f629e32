// What transformations have to know of a tasklet.
#pragma once

#include <vector>

#include "code/infer.h"
#include "rewrite/edit.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

/// Types of the names that the tasklet's code may read: connectors have that of the elements they carry, symbols their own.
code::TypeEnvironment types_in(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId tasklet);

/// Every name in a Python tasklet: connectors, locals, what the code reads.
std::set<std::string> names_of(const ir::Node& tasklet);
/// `base`, `base_0`, ...: the first that is not taken.
std::string free_name(const std::set<std::string>& taken, const std::string& base);

/// Edges with data at one side of the node, empty memlets left out.
std::vector<ir::EdgeId> data_in(const ir::State& state, const ir::Adjacency& adjacency, ir::NodeId node);
std::vector<ir::EdgeId> data_out(const ir::State& state, const ir::Adjacency& adjacency, ir::NodeId node);

/// The access node at the far end of the path of an edge that enters or leaves a tasklet; invalid where another node stands there.
ir::NodeId access_before(const ir::State& state, const ir::Adjacency& adjacency, ir::EdgeId edge);
ir::NodeId access_behind(const ir::State& state, const ir::Adjacency& adjacency, ir::EdgeId edge);

}  // namespace sluice::transform
