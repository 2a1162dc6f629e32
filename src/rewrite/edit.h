// The edits that transformations are written in. Each leaves everything that it does not name as it was; none checks legality.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "analysis/scopes.h"
#include "ir/builder.h"
#include "symbolic/expr.h"

namespace sluice::rewrite {

// ---- looking ------------------------------------------------------------------------------------------------------------
/// Nodes strictly inside the scope of `entry`, however deep, in topological order of each scope; the exit is not among them.
std::vector<ir::NodeId> nodes_inside(const analysis::ScopeTree& scopes, ir::NodeId entry);
/// Edges at the nodes (either end), each once, in id order.
std::vector<ir::EdgeId> edges_at(const ir::State& state, std::span<const ir::NodeId> nodes);

/// The edges from the node where the data comes from to the one where it goes, through scope entries or exits, of which `edge` is
/// one. At a fork (one edge into a scope, several inside) the path goes on along the first.
std::vector<ir::EdgeId> memlet_path(const ir::State& state, const ir::Adjacency& adjacency, ir::EdgeId edge);
/// The innermost edges of all paths that run through `edge`, which leads into or out of a scope, or `edge` itself if it does not.
std::vector<ir::EdgeId> memlet_leaves(const ir::State& state, const ir::Adjacency& adjacency, ir::EdgeId edge);
/// The edge on the other side of a scope node's connector: of `OUT_x` that into `IN_x`, of an exit's `OUT_x` the first into
/// `IN_x`. Invalid where the connector is no such pair.
ir::EdgeId outer_edge(const ir::State& state, const ir::Adjacency& adjacency, ir::EdgeId edge);

/// Access nodes of a container in the whole SDFG, by place of their state; nested SDFGs see it under other names and do not count.
std::size_t count_accesses(const ir::Sdfg& sdfg, const std::string& data);
/// Is the name read outside of dataflow: in a condition, an assignment, a loop's statement, a range, a shape?
bool used_in_control(const ir::Sdfg& sdfg, const std::string& name);
/// `base`, `base_0`, ...: free as a container, symbol, constant, and as a parameter anywhere in the SDFG.
std::string fresh_symbol(const ir::Sdfg& sdfg, const std::string& base);

// ---- graph --------------------------------------------------------------------------------------------------------------
/// The node and its edges.
void erase_node(ir::State& state, ir::NodeId node);
/// A pair IN_x / OUT_x on a scope node: `x` is `name`, or `name_0`, ... if it is taken. Returns `x`.
std::string add_passing_connector(ir::Node& scope_node, const std::string& name);
/// Connectors of the node without an edge are removed; those that name containers of a nested SDFG as well.
void erase_unused_connectors(ir::State& state, ir::NodeId node);
/// What a scope entry passes on and nothing inside reads any more is not brought to it either, through the entries around it. Nodes
/// that lose their edge to it stay ordered before it by an empty memlet.
void erase_unread_inputs(ir::State& state, ir::NodeId entry);
/// Copies nodes with the edges among them (within one state or into another); old id -> new id. Exits follow their entries.
std::map<ir::NodeId, ir::NodeId> copy_nodes(ir::State& to, const ir::State& from, std::span<const ir::NodeId> nodes);
/// Removes access nodes without any edge, which mean nothing.
void erase_isolated_accesses(ir::State& state);

// ---- names --------------------------------------------------------------------------------------------------------------
/// Replaces symbols in the memlets of the edges, and in the ranges, mappings, properties and code of the nodes. Parameters and
/// connectors of a node hide the symbols of their name in it (not in the nodes inside: give these their own names first).
void substitute(ir::State& state, std::span<const ir::NodeId> nodes, std::span<const ir::EdgeId> edges,
                const symbolic::Substitution& replacement);
/// In a whole region: states, conditions, assignments, loops; a loop variable hides its name in its loop.
void substitute(ir::Region& region, const symbolic::Substitution& replacement);
/// In the layout of the container: its extents, strides, offsets and sizes.
void substitute(ir::Container& container, const symbolic::Substitution& replacement);
/// The same in code; names in `bound` stay. Python code is parsed and printed; in C++ identifiers are replaced.
ir::CodeBlock substitute(const ir::CodeBlock& code, const symbolic::Substitution& replacement,
                         const std::set<std::string>& bound = {});
std::string substitute(const std::string& python, const symbolic::Substitution& replacement,
                       const std::set<std::string>& bound = {});

/// Access nodes and memlets of `from` now name `to`; connectors keep their names.
void rename_data(ir::State& state, const std::string& from, const std::string& to);
/// Everywhere in the region, code of conditions and assignments included.
void rename_data(ir::Region& region, const std::string& from, const std::string& to);

}  // namespace sluice::rewrite
