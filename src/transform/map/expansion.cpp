// MapExpansion: nest the dimensions of a map.
//     map i, j, k { B }   ->   map i { map j { map k { B } } }
// E1 the map has more than one dimension. E2 the limit is not negative and the inner schedule is one that exists.
#include <algorithm>

#include "transform/map/scope_edits.h"

namespace sluice::transform {

namespace {

struct Expansion {
    std::size_t single;  ///< How many maps of one dimension there will be.
    ir::Schedule inner;
};

rewrite::Planned<Expansion> plan_map_expansion(const rewrite::Site& site) {
    const auto& map = site.get<ir::MapEntry>("map");
    if (map.params.size() < 2)
        return rewrite::Refusal{.code = "E1", .why = "the map has one dimension only", .nodes = {site.node("map")}};
    const std::int64_t limit = site.integer("expansion_limit");
    if (limit < 0)
        return rewrite::Refusal{.code = "E2", .why = "the number of maps to split off is negative", .nodes = {site.node("map")}};
    const auto inner = ir::parse_enum<ir::Schedule>(site.text("inner_schedule"));
    if (!inner)
        return rewrite::Refusal{
            .code = "E2", .why = "there is no schedule " + site.text("inner_schedule"), .nodes = {site.node("map")}};
    const std::size_t rank = map.params.size();
    return Expansion{limit == 0 ? rank : std::min(static_cast<std::size_t>(limit), rank), *inner};
}

ir::MapEntry dimensions(const ir::MapEntry& map, std::size_t begin, std::size_t end) {
    ir::MapEntry part;
    part.label = map.label;
    for (std::size_t at = begin; at < end; ++at) {
        part.label += "_" + map.params[at];
        part.params.push_back(map.params[at]);
        part.range.dims.push_back(map.range.dims[at]);
    }
    return part;
}

void apply_map_expansion(rewrite::Draft& draft, const Expansion& plan) {
    const rewrite::Site& site = draft.before();
    const auto& all = site.get<ir::MapEntry>("map");
    const std::size_t rank = all.params.size();
    ir::State& state = draft.state();
    const ir::NodeId entry = draft.node("map");
    Scope scope{entry, site.view().scopes.exit_of(entry)};
    {
        auto& outer = std::get<ir::MapEntry>(state.nodes[entry].kind);
        outer.params.resize(1);
        outer.range.dims.resize(1);
        outer.collapse = 1;
    }
    for (std::size_t at = 1; at < rank; ++at) {
        ir::MapEntry inner = dimensions(all, at, at < plan.single ? at + 1 : rank);
        inner.schedule = plan.inner;
        scope = nest_scope(state, scope, std::move(inner));
        if (at >= plan.single) break;
    }
}

}  // namespace

rewrite::Transformation map_expansion() {
    return rewrite::transformation({.name = "MapExpansion",
                                    .summary = "Nests the dimensions of a map, each in a map of its own.",
                                    .drawing = "map i, j, k { B }   ->   map i { map j { map k { B } } }",
                                    .decided_by = {.structural = "Points of a map have no order, and each keeps what it does."},
                                    .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
                                    .conditions = {{"E1", "the map has more than one dimension"},
                                                   {"E2", "the limit is not negative and the inner schedule is one that exists"}},
                                    .parameters = {{"expansion_limit", std::int64_t{0},
                                                    "How many maps of one dimension are made; what is left stays one map. 0: all."},
                                                   {"inner_schedule", std::string("Sequential"), "Schedule of the maps inside."}}},
                                   plan_map_expansion, apply_map_expansion);
}

}  // namespace sluice::transform
