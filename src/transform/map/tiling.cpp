// MapTiling: visit the points of a map tile by tile.
//     map i=b:e:s { B }   ->   map tile_i=b:e:s*T { map i=tile_i:min(tile_i + s*T, e):s { B } }
// T1 every tile size is a positive number or expression. T2 the map's later ranges use no earlier parameter of it.
// T3 the range reads no data and its steps are positive. T4 with `divides_evenly` the sizes divide the extents, as far as is known.
// With `separate_partial_tiles` the tiles that are full, whose loops then have a fixed length, lie in one map and the others in
// maps beside it: for each dimension those that are partial in it and full in the dimensions before.
#include <algorithm>

#include "analysis/legality/tile.h"
#include "transform/map/scope_edits.h"
#include "transform/map/tiles.h"

namespace sluice::transform {

namespace {

using symbolic::Expr;

/// The tiles of each dimension; full ones need no bound.
rewrite::Planned<std::vector<TileShape>> plan_map_tiling(const rewrite::Site& site) {
    if (auto refusal = check_tiles(site)) return std::move(*refusal);
    const ir::NodeId id = site.node("map");
    const auto& map = site.get<ir::MapEntry>("map");
    const symbolic::Assumptions known = known_around(site, id);
    const bool even = site.flag("divides_evenly");
    std::vector<TileShape> shapes;
    for (std::size_t dimension = 0; dimension < map.range.rank(); ++dimension) {
        const Expr size = tile_size(site.expressions("tile_sizes"), dimension);
        shapes.push_back({.size = size, .full = even});
        if (!even && !site.flag("separate_partial_tiles")) continue;
        const analysis::Verdict verdict = analysis::tiles_full(map.range.dims[dimension], size, known);
        if (!even) shapes.back().full = verdict.yes();
        if (verdict.yes() || !even) continue;
        if (auto refusal = site.unless_assumed({.code = "T4", .why = verdict.why, .nodes = {id}})) return std::move(*refusal);
    }
    return shapes;
}

/// Copies of the scope for the points outside of full tiles; the scope itself keeps the others. `shapes` are those of all.
void separate(rewrite::Draft& draft, const std::vector<TileShape>& shapes, const TileNames& names) {
    const rewrite::Site& site = draft.before();
    const ir::NodeId entry = draft.node("map");
    const std::vector<symbolic::Range> ranges = site.get<ir::MapEntry>("map").range.dims;
    const symbolic::Assumptions known = known_around(site, entry);
    const std::vector<ir::NodeId> nodes = scope_nodes(site.view().scopes, entry);
    const std::vector<std::string> privates = private_transients(site.sdfg(), site.state(), site.view(), entry);
    std::vector<symbolic::Range> whole = ranges;
    for (std::size_t d = 0; d < ranges.size(); ++d)
        if (!shapes[d].full)
            whole[d].end = ranges[d].begin + symbolic::floor_divide(symbolic::count(ranges[d], known), shapes[d].size) *
                                                 shapes[d].size * ranges[d].step;
    ir::State& state = draft.state();
    std::vector<TileShape> partial = shapes;
    for (std::size_t d = 0; d < ranges.size(); ++d) {
        if (!shapes[d].full) {
            const auto copies = copy_scope(draft.sdfg(), state, nodes, privates);
            const Scope rest{copies.at(entry), copies.at(site.view().scopes.exit_of(entry))};
            auto& map = std::get<ir::MapEntry>(state.nodes[rest.entry].kind);
            for (std::size_t before = 0; before < d; ++before) map.range.dims[before] = whole[before];
            map.range.dims[d] = {whole[d].end, ranges[d].end, ranges[d].step, ranges[d].tile};
            map.label += "_partial_" + map.params[d];
            tile_scope(draft.sdfg(), state, rest, edges_around(state, rest), partial, names);
        }
        partial[d].full = true;
    }
    std::get<ir::MapEntry>(state.nodes[entry].kind).range.dims = whole;
}

void apply_map_tiling(rewrite::Draft& draft, std::vector<TileShape> shapes) {
    const rewrite::Site& site = draft.before();
    const ir::NodeId entry = draft.node("map");
    const Scope scope{entry, site.view().scopes.exit_of(entry)};
    const TileNames names{.prefix = site.text("prefix"), .taken = names_at(site.state(), site.view().scopes, entry)};
    if (site.flag("separate_partial_tiles")) {
        separate(draft, shapes, names);
        for (TileShape& shape : shapes) shape.full = true;
    }
    tile_scope(draft.sdfg(), draft.state(), scope, edges_around(site.view().adjacency, scope), shapes, names);
}

}  // namespace

rewrite::Transformation map_tiling() {
    return rewrite::transformation(
        {.name = "MapTiling",
         .summary = "Visits the points of a map tile by tile.",
         .drawing = "map i=b:e:s { B }   ->   map tile_i=b:e:s*T { map i=tile_i:min(tile_i + s*T, e):s { B } }",
         .decided_by = {.predicates = {"tiles_full"}},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"T1", "every tile size is at least 1"},
                        {"T2", "no range of the map uses another parameter of it"},
                        {"T3", "the range reads no data and its steps are positive"},
                        {"T4", "with divides_evenly, the tile sizes divide the extents"}},
         .parameters = {{"tile_sizes", std::vector<Expr>{64},
                         "Points of a tile in each dimension; the last holds for all that follow."},
                        {.name = "prefix",
                         .default_value = std::string("tile"),
                         .help = "Begins the names of the outer map and its parameters.",
                         .begins_names = true},
                        {"divides_evenly", false, "The tiles need no bound: every tile is full."},
                        {"separate_partial_tiles", false,
                         "Full tiles get a map of their own, in which every tile has the same length."}}},
        plan_map_tiling, apply_map_tiling);
}

}  // namespace sluice::transform
