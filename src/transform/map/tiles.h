// What the tilings of a map share: which maps can be tiled, and the edit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transform/map/map.h"

namespace sluice::transform {

/// The tile size of a dimension: the last one given holds for those that follow.
symbolic::Expr tile_size(const std::vector<symbolic::Expr>& sizes, std::size_t dimension);

/// Conditions T1 to T3 of the map named `map` with the sizes `tile_sizes`: every size is at least 1; no range of the map uses
/// another parameter of it; ranges read no data and have positive steps.
std::optional<rewrite::Refusal> check_tiles(const rewrite::Site& site);

/// The tiles of one dimension, in points.
struct TileShape {
    symbolic::Expr size;
    bool full = false;                    ///< Every tile is known to end within the range.
    symbolic::Expr lower = 0, upper = 0;  ///< Points of the neighbours that a tile visits as well.
};
/// What the parameters of the map over tiles may be called: `prefix` begins their names, and they are none of `taken`.
struct TileNames {
    std::string prefix;
    std::set<std::string> taken;
};
/// Puts a map over tiles around the map, whose edges are these and which keeps the points of one tile. One shape for each
/// dimension.
Scope tile_scope(const ir::Sdfg& sdfg, ir::State& state, Scope scope, const ScopeEdges& edges, const std::vector<TileShape>& shapes,
                 const TileNames& names);

}  // namespace sluice::transform
