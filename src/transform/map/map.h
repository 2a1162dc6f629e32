// What transformations of maps share: what they ask of nested scopes, and the two edits that most of them make.
#pragma once

#include "rewrite/edit.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

/// What map/to_for_loop.cpp defines; ReducePeeling is made of it.
rewrite::Transformation map_to_for_loop();

/// Everything in the scope of `outer` is the scope of `inner`, with nothing beside it.
bool perfectly_nested(const ir::State& state, const rewrite::StateView& view, ir::NodeId outer, ir::NodeId inner);

/// The entry of a map's exit.
ir::NodeId entry_of(const ir::State& state, ir::NodeId exit);

/// What holds around the map; of its parameters, which its ranges may use, nothing is known.
symbolic::Assumptions known_around(const rewrite::Site& site, ir::NodeId entry);

/// The entry takes inputs that its range reads, beside those it passes on.
bool has_dynamic_range(const ir::Node& entry);

struct Scope {
    ir::NodeId entry, exit;
};

/// Names that mean something around the scope of the entry or in it: parameters, connectors, locals of tasklets. A map that is put
/// around the scope or right into it has parameters of other names.
std::set<std::string> names_at(const ir::State& state, const analysis::ScopeTree& scopes, ir::NodeId entry);
/// `base`, `base_0`, ...: none of the names, and nothing of the SDFG.
std::string fresh_parameter(const ir::Sdfg& sdfg, const std::set<std::string>& names, const std::string& base);
/// Edges into the entry and out of the exit.
struct ScopeEdges {
    std::vector<ir::EdgeId> in, out;
};
ScopeEdges edges_around(const ir::Adjacency& adjacency, Scope scope);
/// Where the state was edited: looks at all of its edges.
ScopeEdges edges_around(const ir::State& state, Scope scope);
/// Puts a map around a scope: every edge of the scope, which are these, now passes through the entry and exit of `outer`.
Scope wrap_scope(ir::State& state, Scope scope, const ScopeEdges& edges, ir::MapEntry outer);
/// Removes the scope nodes of `inner`, perfectly nested in `outer`: what passed through them passes through those of `outer` alone.
void unwrap_scope(ir::State& state, Scope outer, Scope inner);

}  // namespace sluice::transform
