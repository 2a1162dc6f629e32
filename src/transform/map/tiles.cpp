#include "transform/map/tiles.h"

#include <algorithm>

namespace sluice::transform {

using rewrite::Refusal;
using symbolic::Expr;

Expr tile_size(const std::vector<Expr>& sizes, std::size_t dimension) {
    return sizes[std::min(dimension, sizes.size() - 1)];
}

std::optional<Refusal> check_tiles(const rewrite::Site& site) {
    const ir::NodeId id = site.node("map");
    const auto& map = site.get<ir::MapEntry>("map");
    const std::vector<Expr>& sizes = site.expressions("tile_sizes");
    const symbolic::Assumptions known = known_around(site, id);
    if (sizes.empty()) return Refusal{.code = "T1", .why = "no tile size is given", .nodes = {id}};
    for (const Expr& size : sizes)
        if (!symbolic::is_yes(symbolic::decide(symbolic::less_equal(1, size), known)))
            return Refusal{
                .code = "T1", .why = "the tile size " + symbolic::to_string(size) + " may be less than 1", .nodes = {id}};
    for (const symbolic::Range& range : map.range.dims)
        for (const std::string& name : symbolic::free_symbols(range))
            if (std::ranges::find(map.params, name) != map.params.end())
                return Refusal{.code = "T2",
                               .why = "the range `" + symbolic::to_string(range) + "` uses the parameter " + name,
                               .nodes = {id}};
    if (has_dynamic_range(site.state().nodes[id]))
        return Refusal{.code = "T3", .why = "the range is read from data", .nodes = {id}};
    for (const symbolic::Range& range : map.range.dims)
        if (!symbolic::is_yes(symbolic::decide(symbolic::less_equal(1, range.step), known)))
            return Refusal{
                .code = "T3", .why = "the step " + symbolic::to_string(range.step) + " is not known to be positive", .nodes = {id}};
    return {};
}

Scope tile_scope(const ir::Sdfg& sdfg, ir::State& state, Scope scope, const ScopeEdges& edges, const std::vector<TileShape>& shapes,
                 const TileNames& names) {
    auto& points = std::get<ir::MapEntry>(state.nodes[scope.entry].kind);
    ir::MapEntry tiles = points;
    for (std::size_t dimension = 0; dimension < tiles.params.size(); ++dimension) {
        const TileShape& shape = shapes[dimension];
        const symbolic::Range range = points.range.dims[dimension];
        const Expr extent = range.step * shape.size;
        const std::string name = fresh_parameter(sdfg, names.taken, names.prefix + "_" + points.params[dimension]);
        const Expr tile = symbolic::symbol(name);
        tiles.params[dimension] = name;
        tiles.range.dims[dimension].step = extent;
        symbolic::Range& inner = points.range.dims[dimension];
        inner.begin = shape.lower.is_integer(0) ? tile : symbolic::maximum(range.begin, tile - range.step * shape.lower);
        const Expr end = tile + extent + range.step * shape.upper;
        inner.end = shape.full ? end : symbolic::minimum(end, range.end);
    }
    tiles.label = names.prefix + "_" + points.label;
    points.schedule = ir::Schedule::Default;
    points.collapse = 1;
    return wrap_scope(state, scope, edges, std::move(tiles));
}

}  // namespace sluice::transform
