// MapTiling: visit the points of a map tile by tile.
//     map i=b:e:s { B }   ->   map tile_i=b:e:s*T { map i=tile_i:min(tile_i + s*T, e):s { B } }
// T1 every tile size is a positive number or expression. T2 the map's later ranges use no earlier parameter of it.
// T3 the range reads no data and its steps are positive. T4 with `divides_evenly` the sizes divide the extents, as far as is known.
#include <algorithm>

#include "transform/map/map.h"

namespace sluice::transform {

namespace {

using symbolic::Expr;

/// The tile size of a dimension: the last one given holds for those that follow.
Expr tile_size(const std::vector<Expr>& sizes, std::size_t dimension) {
    return sizes[std::min(dimension, sizes.size() - 1)];
}

std::optional<rewrite::Refusal> can_apply(const rewrite::Site& site) {
    const ir::NodeId id = site.node("map");
    const auto& map = site.get<ir::MapEntry>("map");
    const std::vector<Expr>& sizes = site.expressions("tile_sizes");
    const symbolic::Assumptions known = site.assumptions(site.view().scopes.parent(id));
    if (sizes.empty()) return rewrite::Refusal{.code = "T1", .why = "no tile size is given", .nodes = {id}};
    for (const Expr& size : sizes)
        if (!symbolic::is_yes(symbolic::decide(symbolic::less_equal(1, size), known)))
            return rewrite::Refusal{
                .code = "T1", .why = "the tile size " + symbolic::to_string(size) + " may be less than 1", .nodes = {id}};
    for (const symbolic::Range& range : map.range.dims)
        for (const std::string& name : symbolic::free_symbols(range))
            if (std::ranges::find(map.params, name) != map.params.end())
                return rewrite::Refusal{.code = "T2",
                                        .why = "the range `" + symbolic::to_string(range) + "` uses the parameter " + name,
                                        .nodes = {id}};
    if (has_dynamic_range(site.state().nodes[id]))
        return rewrite::Refusal{.code = "T3", .why = "the range is read from data", .nodes = {id}};
    for (std::size_t dimension = 0; dimension < map.range.rank(); ++dimension) {
        const symbolic::Range& range = map.range.dims[dimension];
        if (!symbolic::is_yes(symbolic::decide(symbolic::less_equal(1, range.step), known)))
            return rewrite::Refusal{
                .code = "T3", .why = "the step " + symbolic::to_string(range.step) + " is not known to be positive", .nodes = {id}};
        const Expr remainder = symbolic::modulo(symbolic::count(range, known), tile_size(sizes, dimension));
        if (site.flag("divides_evenly") && !symbolic::is_yes(symbolic::decide(symbolic::equal(remainder, 0), known)))
            if (auto refusal =
                    site.unless_assumed({.code = "T4",
                                         .why = "it is not known that " + symbolic::to_string(tile_size(sizes, dimension)) +
                                                " divides the extent of " + map.params[dimension],
                                         .nodes = {id}}))
                return refusal;
    }
    return {};
}

void apply(rewrite::Draft& draft) {
    const rewrite::Site& site = draft.before();
    const std::vector<Expr>& sizes = site.expressions("tile_sizes");
    const ir::NodeId entry = draft.node("map");
    ir::MapEntry tiles = site.get<ir::MapEntry>("map");
    ir::State& state = draft.state();
    auto& points = std::get<ir::MapEntry>(state.nodes[entry].kind);
    for (std::size_t dimension = 0; dimension < tiles.params.size(); ++dimension) {
        const symbolic::Range range = points.range.dims[dimension];
        const Expr extent = range.step * tile_size(sizes, dimension);
        const std::string name = rewrite::fresh_symbol(draft.sdfg(), site.text("prefix") + "_" + points.params[dimension]);
        const Expr begin = symbolic::symbol(name);
        tiles.params[dimension] = name;
        tiles.range.dims[dimension].step = extent;
        points.range.dims[dimension].begin = begin;
        points.range.dims[dimension].end =
            site.flag("divides_evenly") ? begin + extent : symbolic::minimum(begin + extent, range.end);
    }
    tiles.label = site.text("prefix") + "_" + points.label;
    points.schedule = ir::Schedule::Default;
    points.collapse = 1;
    wrap_scope(state, {entry, site.view().scopes.exit_of(entry)}, std::move(tiles));
}

}  // namespace

rewrite::Transformation map_tiling() {
    return {.descriptor = {.name = "MapTiling",
                           .group = "map",
                           .summary = "Visits the points of a map tile by tile.",
                           .drawing = "map i=b:e:s { B }   ->   map tile_i=b:e:s*T { map i=tile_i:min(tile_i + s*T, e):s { B } }",
                           .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
                           .conditions = {{"T1", "every tile size is at least 1"},
                                          {"T2", "no range of the map uses another parameter of it"},
                                          {"T3", "the range reads no data and its steps are positive"},
                                          {"T4", "with divides_evenly, the tile sizes divide the extents"}},
                           .parameters = {{"tile_sizes", std::vector<Expr>{64},
                                           "Points of a tile in each dimension; the last holds for all that follow."},
                                          {"prefix", std::string("tile"), "Begins the names of the outer map and its parameters."},
                                          {"divides_evenly", false, "The tiles need no bound: every tile is full."}}},
            .can_apply = can_apply,
            .apply = apply};
}

}  // namespace sluice::transform
