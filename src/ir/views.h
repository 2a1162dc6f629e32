// What a view views: the one rule, which the analyses, lowering and the interpreter follow.
#pragma once

#include <optional>
#include <string>

#include "ir/adjacency.h"

namespace sluice::ir {

/// The edge of a view's access node that says what it views: the one at the connector `views`; without it the first edge into the
/// node, else the first out of it, whose memlet path leads to an access node of another container. Nothing for a node of no
/// view, or without such an edge.
std::optional<EdgeId> view_edge(const Sdfg& sdfg, const State& state, const Adjacency& adjacency, NodeId node);

/// Does the edge say what a view at one of its ends views? It moves nothing.
bool is_view_edge(const Sdfg& sdfg, const State& state, const Adjacency& adjacency, EdgeId edge);

/// The container that has the memory of an argument: what lies at the other end of an edge at a nested SDFG, or what that views, by
/// however many views. Nothing where a reference, or a value without a container, lies on the way.
std::optional<std::string> memory_of_argument(const Sdfg& sdfg, const State& state, const Adjacency& adjacency, EdgeId edge,
                                              NodeId call);

/// Do two edges at the connectors `views` of one view lead to different places? In one scope a view has one.
bool view_different_places(const Edge& first, const Edge& second);

}  // namespace sluice::ir
