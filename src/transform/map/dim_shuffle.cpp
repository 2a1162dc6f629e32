// MapDimShuffle: put the dimensions of a map into another order.
//     map i, j { B }   ->   map j, i { B }
// D1 the order names every parameter of the map once. D2 no range uses a parameter that would come after it.
#include <algorithm>

#include "transform/map/map.h"

namespace sluice::transform {

namespace {

/// Positions of the dimensions in their new order.
using DimensionOrder = std::vector<std::size_t>;

/// Empty where the names are no order of the parameters.
DimensionOrder order_of(const ir::MapEntry& map, std::vector<std::string> names) {
    if (names.empty()) names.assign(map.params.rbegin(), map.params.rend());
    DimensionOrder order;
    for (const std::string& name : names) {
        const auto at = std::ranges::find(map.params, name);
        const auto position = static_cast<std::size_t>(at - map.params.begin());
        if (at == map.params.end() || std::ranges::find(order, position) != order.end()) return {};
        order.push_back(position);
    }
    return order.size() == map.params.size() ? order : DimensionOrder();
}

rewrite::Planned<DimensionOrder> plan_map_dim_shuffle(const rewrite::Site& site) {
    const ir::NodeId id = site.node("map");
    const auto& map = site.get<ir::MapEntry>("map");
    const DimensionOrder order = order_of(map, site.texts("parameters"));
    if (order.empty())
        return rewrite::Refusal{.code = "D1", .why = "the order does not name every parameter of the map once", .nodes = {id}};
    for (std::size_t at = 0; at < order.size(); ++at)
        for (std::size_t after = at; after < order.size(); ++after)
            if (symbolic::free_symbols(map.range.dims[order[at]]).contains(map.params[order[after]]))
                return rewrite::Refusal{.code = "D2",
                                        .why = "the range `" + symbolic::to_string(map.range.dims[order[at]]) + "` of " +
                                               map.params[order[at]] + " uses " + map.params[order[after]] +
                                               ", which would come after it",
                                        .nodes = {id}};
    return order;
}

void apply_map_dim_shuffle(rewrite::Draft& draft, const DimensionOrder& order) {
    const auto& before = draft.before().get<ir::MapEntry>("map");
    auto& map = draft.get<ir::MapEntry>("map");
    std::size_t to = 0;
    for (const std::size_t from : order) {
        map.params[to] = before.params[from];
        map.range.dims[to++] = before.range.dims[from];
    }
}

}  // namespace

rewrite::Transformation map_dim_shuffle() {
    return rewrite::transformation(
        {.name = "MapDimShuffle",
         .summary = "Puts the dimensions of a map into another order.",
         .drawing = "map i, j { B }   ->   map j, i { B }",
         .decided_by = {.structural = "Points of a map have no order, and each keeps what it does."},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"D1", "the order names every parameter of the map once"},
                        {"D2", "no range uses a parameter that would come after it"}},
         .parameters = {{"parameters", std::vector<std::string>{}, "The parameters in their new order; none: reversed."}}},
        plan_map_dim_shuffle, apply_map_dim_shuffle);
}

}  // namespace sluice::transform
