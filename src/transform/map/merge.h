// Which dimensions two maps have in common, and how two scopes become one.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "transform/map/scope_edits.h"

namespace sluice::transform {

/// The map whose entry the node is.
const ir::MapEntry& map_at(const ir::State& state, ir::NodeId id);

/// A dimension of the first map and one of the second over the same range.
using Pairing = std::vector<std::pair<std::size_t, std::size_t>>;
/// The ways to pair as many dimensions as possible, in the order of the first map's; the straight one first, 24 at most. A range
/// that uses parameters of its map is paired only if those are, too, with each other.
std::vector<Pairing> common_dimensions(const ir::MapEntry& first, const ir::MapEntry& second);

/// Is every dimension of both maps in it?
bool pairs_all(const Pairing& pairing, const ir::State& state, ir::NodeId first, ir::NodeId second);
/// Why no pairing makes the two maps one, if none does: their ranges or their schedules.
std::optional<std::string> kept_apart(const ir::State& state, ir::NodeId first, ir::NodeId second);
/// A refusal under the code if a point of one map conflicts with another point of the other, unless that is assumed away. `sdfg`
/// and `state` may be a copy of the site's.
std::optional<rewrite::Refusal> refuse_conflicts(const rewrite::Site& site, std::string code, const ir::Sdfg& sdfg,
                                                 const ir::State& state, ir::NodeId first, ir::NodeId second,
                                                 const Pairing& pairing);

/// Leaves the map with the named dimensions, in this order, and puts the others into a map inside of it.
void split_off(ir::State& state, Scope scope, const std::vector<std::size_t>& outer);

struct MapScopes {
    Scope first, second;
};
MapScopes scopes_of(const analysis::ScopeTree& scopes, ir::NodeId first, ir::NodeId second);
/// Leaves both maps with the dimensions that they share, in the order of the pairing, with the others in maps inside. Parameters of
/// the second map that go inside get other names where the first map has a parameter of their name.
void split_both(const ir::Sdfg& sdfg, ir::State& state, const MapScopes& maps, const Pairing& pairing);
/// `[(0, 0), (1, 1), ...]`: the pairing after that.
Pairing straight(std::size_t rank);

/// Every edge of `from` now leads through the scope nodes of `into`; those of `from` go. The parameters must be the same already.
void merge_scopes(ir::State& state, Scope into, Scope from);

/// May one map run under the schedule of the other? The schedule of both together, if so.
std::optional<ir::Schedule> common_schedule(ir::Schedule first, ir::Schedule second);

}  // namespace sluice::transform
