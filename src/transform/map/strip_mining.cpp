// StripMining: visit the points of one dimension of a map strip by strip.
//     map i=b:e:s, ... { B }   ->   map tile_i=b:e:s*T { map i=tile_i:min(tile_i + s*T, e):s, ... { B } }
// With `strided` a strip takes every T-th point: tile_i=b:min(b + s*T, e):s, i=tile_i:e:s*T. With `tiling_type` "ceilrange" the
// outer parameter counts the strips; with "number_of_tiles" there are T of them.
// S1 the map has the dimension. S2 its range uses no other parameter of the map. S3 its range reads no data and its step is
// positive. S4 the size is at least 1. S5 with `divides_evenly` the size divides the extent. S6 the kind of tiling exists, and
// strips that are strided or that count do not also divide evenly.
#include <algorithm>

#include "analysis/legality/tile.h"
#include "transform/map/map.h"

namespace sluice::transform {

namespace {

using symbolic::Expr;
using symbolic::Range;

/// Negative indices count from the end, as in Python.
std::optional<std::size_t> dimension_of(const rewrite::Site& site) {
    const auto rank = static_cast<std::int64_t>(site.get<ir::MapEntry>("map").params.size());
    const std::int64_t index = site.integer("dim_idx"), at = index < 0 ? index + rank : index;
    return at >= 0 && at < rank ? std::optional(static_cast<std::size_t>(at)) : std::nullopt;
}

std::optional<rewrite::Refusal> check_options(const rewrite::Site& site) {
    const std::string& type = site.text("tiling_type");
    if (type != "normal" && type != "ceilrange" && type != "number_of_tiles")
        return rewrite::Refusal{.code = "S6", .why = "there is no kind of tiling named " + type};
    if (site.flag("divides_evenly") && (type != "normal" || site.flag("strided")))
        return rewrite::Refusal{.code = "S6", .why = "`divides_evenly` belongs to contiguous tiles of the normal kind"};
    if (site.flag("strided") && type != "normal")
        return rewrite::Refusal{.code = "S6", .why = "`strided` belongs to tiles of the normal kind"};
    return {};
}

/// Position of the dimension that is cut.
rewrite::Planned<std::size_t> plan_strip_mining(const rewrite::Site& site) {
    const ir::NodeId id = site.node("map");
    const auto& map = site.get<ir::MapEntry>("map");
    const auto dimension = dimension_of(site);
    if (!dimension)
        return rewrite::Refusal{
            .code = "S1", .why = "the map has " + std::to_string(map.params.size()) + " dimensions", .nodes = {id}};
    const Range& range = map.range.dims[*dimension];
    for (const std::string& name : symbolic::free_symbols(range))
        if (std::ranges::find(map.params, name) != map.params.end())
            return rewrite::Refusal{
                .code = "S2", .why = "the range `" + symbolic::to_string(range) + "` uses the parameter " + name, .nodes = {id}};
    if (has_dynamic_range(site.state().nodes[id]))
        return rewrite::Refusal{.code = "S3", .why = "the range is read from data", .nodes = {id}};
    const symbolic::Assumptions known = known_around(site, id);
    if (!symbolic::is_yes(symbolic::decide(symbolic::less_equal(1, range.step), known)))
        return rewrite::Refusal{
            .code = "S3", .why = "the step " + symbolic::to_string(range.step) + " is not known to be positive", .nodes = {id}};
    const Expr& size = site.expression("tile_size");
    if (!symbolic::is_yes(symbolic::decide(symbolic::less_equal(1, size), known)))
        return rewrite::Refusal{
            .code = "S4", .why = "the size " + symbolic::to_string(size) + " may be less than 1", .nodes = {id}};
    if (auto refusal = check_options(site)) return std::move(*refusal);
    if (!site.flag("divides_evenly")) return *dimension;
    const analysis::Verdict verdict = analysis::tiles_full(range, size, known);
    if (!verdict.yes())
        if (auto refusal = site.unless_assumed({.code = "S5", .why = verdict.why, .nodes = {id}})) return std::move(*refusal);
    return *dimension;
}

/// The two ranges in place of one; `tile` is the outer parameter.
std::pair<Range, Range> strips(const rewrite::Site& site, const Range& range, const Expr& tile,
                               const symbolic::Assumptions& known) {
    const std::string& type = site.text("tiling_type");
    const Expr& size = site.expression("tile_size");
    const auto last = [&](const Expr& end) { return symbolic::minimum(end, range.end); };
    if (site.flag("strided"))
        return {{range.begin, last(range.begin + range.step * size), range.step, 1},
                {tile, range.end, range.step * size, range.tile}};
    if (type == "normal") {
        const Expr extent = range.step * size, end = tile + extent;
        return {{range.begin, range.end, extent, 1}, {tile, site.flag("divides_evenly") ? end : last(end), range.step, range.tile}};
    }
    const Expr points = symbolic::count(range, known);
    const bool number = type == "number_of_tiles";
    const Expr length = number ? symbolic::ceil_divide(points, size) : size;
    const Expr begin = range.begin + range.step * length * tile;
    return {Range::extent(number ? size : symbolic::ceil_divide(points, size)),
            {number ? last(begin) : begin, last(begin + range.step * length), range.step, range.tile}};
}

void apply_strip_mining(rewrite::Draft& draft, std::size_t dimension) {
    const rewrite::Site& site = draft.before();
    const ir::NodeId entry = draft.node("map");
    const symbolic::Assumptions known = known_around(site, entry);
    ir::State& state = draft.state();
    ir::MapEntry outer = site.get<ir::MapEntry>("map");
    auto& inner = std::get<ir::MapEntry>(state.nodes[entry].kind);
    const analysis::ScopeTree& scopes = site.view().scopes;
    const std::string name = fresh_parameter(draft.sdfg(), names_at(site.state(), scopes, entry),
                                             site.text("new_dim_prefix") + "_" + inner.params[dimension]);
    const auto [tiles, points] = strips(site, inner.range.dims[dimension], symbolic::symbol(name), known);
    outer.params = {name};
    outer.range.dims = {tiles};
    outer.label = site.text("new_dim_prefix") + "_" + inner.label;
    outer.collapse = 1;
    inner.range.dims[dimension] = points;
    inner.schedule = ir::Schedule::Default;
    inner.collapse = 1;
    const Scope scope{entry, scopes.exit_of(entry)};
    wrap_scope(state, scope, edges_around(site.view().adjacency, scope), std::move(outer));
}

}  // namespace

rewrite::Transformation strip_mining() {
    return rewrite::transformation(
        {.name = "StripMining",
         .summary = "Visits the points of one dimension of a map strip by strip.",
         .drawing = "map i=b:e:s { B }   ->   map tile_i=b:e:s*T { map i=tile_i:min(tile_i + s*T, e):s { B } }",
         .decided_by = {.predicates = {"tiles_full"}},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"S1", "the map has the dimension"},
                        {"S2", "the range of the dimension uses no other parameter of the map"},
                        {"S3", "the range reads no data and its step is positive"},
                        {"S4", "the size is at least 1"},
                        {"S5", "with divides_evenly, the size divides the extent"},
                        {"S6", "the kind of tiling exists and goes together with the other options"}},
         .parameters = {{"dim_idx", std::int64_t{-1}, "Which dimension; negative numbers count from the last."},
                        {.name = "new_dim_prefix",
                         .default_value = std::string("tile"),
                         .help = "Begins the names of the outer map and its parameter.",
                         .begins_names = true},
                        {"tile_size", Expr(64), "Points of a strip, or with number_of_tiles the number of strips."},
                        {"divides_evenly", false, "The strips need no bound: every one is full."},
                        {"strided", false, "A strip takes every T-th point instead of T neighbours."},
                        {"tiling_type", std::string("normal"),
                         "`normal`: the outer parameter is the first point of the strip; `ceilrange`: its number; "
                         "`number_of_tiles`: its number, and the size says how many there are."}}},
        plan_strip_mining, apply_strip_mining);
}

}  // namespace sluice::transform
