// MapInterchange: swap two perfectly nested maps.
//     map i { map j { B } }   ->   map j { map i { B } }
// I1 nothing else lies in the outer map. I2 the inner range uses no parameter of the outer map, and no data.
#include <algorithm>

#include "transform/map/map.h"

namespace sluice::transform {

namespace {

/// The two entries.
struct Nest {
    ir::NodeId outer, inner;
};

rewrite::Planned<Nest> plan_map_interchange(const rewrite::Site& site) {
    const ir::NodeId outer = site.node("outer"), inner = site.node("inner");
    if (!perfectly_nested(site.state(), site.view(), outer, inner))
        return rewrite::Refusal{.code = "I1", .why = "something other than the inner map lies in the outer map", .nodes = {outer}};
    const auto& params = site.get<ir::MapEntry>("outer").params;
    const auto& range = site.get<ir::MapEntry>("inner").range;
    for (const std::string& name : symbolic::free_symbols(range))
        if (std::ranges::find(params, name) != params.end())
            return rewrite::Refusal{
                .code = "I2",
                .why = "the range `" + symbolic::to_string(range) + "` uses " + name + ", a parameter of the map it would leave",
                .nodes = {inner, outer}};
    if (has_dynamic_range(site.state().nodes[inner]))
        return rewrite::Refusal{
            .code = "I2", .why = "the range of the inner map is read from data inside the outer map", .nodes = {inner}};
    return Nest{outer, inner};
}

/// The nodes keep their edges and exchange what they are: memlets between them are propagated anew.
void apply_map_interchange(rewrite::Draft& draft, const Nest& nest) {
    ir::State& state = draft.state();
    ir::Node &outer = state.nodes[nest.outer], &inner = state.nodes[nest.inner];
    std::swap(std::get<ir::MapEntry>(outer.kind), std::get<ir::MapEntry>(inner.kind));
}

}  // namespace

rewrite::Transformation map_interchange() {
    return rewrite::transformation(
        {.name = "MapInterchange",
         .summary = "Swaps two perfectly nested maps.",
         .drawing = "map i { map j { B } }   ->   map j { map i { B } }",
         .decided_by = {.structural = "Points of a map have no order, and each keeps what it does."},
         .patterns = {rewrite::chain({{"outer", rewrite::kind::map_entry}, {"inner", rewrite::kind::map_entry}})},
         .conditions = {{"I1", "nothing else lies in the outer map"},
                        {"I2", "the inner range uses no parameter of the outer map, and no data"}}},
        plan_map_interchange, apply_map_interchange);
}

}  // namespace sluice::transform
