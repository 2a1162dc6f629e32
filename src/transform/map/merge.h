// Which dimensions two maps have in common, and how two scopes become one.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "transform/map/scope_edits.h"

namespace sluice::transform {

/// A dimension of the first map and one of the second over the same range.
using Pairing = std::vector<std::pair<std::size_t, std::size_t>>;
/// The ways to pair as many dimensions as possible, in the order of the first map's; the straight one first, 24 at most. A range
/// that uses parameters of its map is paired only if those are, too, with each other.
std::vector<Pairing> common_dimensions(const ir::MapEntry& first, const ir::MapEntry& second);

/// Leaves the map with the named dimensions, in this order, and puts the others into a map inside of it.
void split_off(ir::State& state, Scope scope, const std::vector<std::size_t>& outer);

struct MapScopes {
    Scope first, second;
};
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
