// MapInterchange: swap two perfectly nested maps.
//     map i { map j { B } }   ->   map j { map i { B } }
// I1 nothing else lies in the outer map. I2 neither the inner range nor its `omp_if` uses a parameter of the outer map, nor the
// range data.
#include <algorithm>
#include <set>

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
    const auto& map = site.get<ir::MapEntry>("inner");
    const auto parameter_in = [&](const std::set<std::string>& names) {
        return std::ranges::find_if(params, [&](const std::string& name) { return names.contains(name); });
    };
    if (const auto used = parameter_in(symbolic::free_symbols(map.range)); used != params.end())
        return rewrite::Refusal{
            .code = "I2",
            .why = "the range `" + symbolic::to_string(map.range) + "` uses " + *used + ", a parameter of the map it would leave",
            .nodes = {inner, outer}};
    if (const auto used = parameter_in(symbolic::free_symbols(map.omp_if)); used != params.end())
        return rewrite::Refusal{.code = "I2",
                                .why = "whether a team runs the inner map depends on " + *used + ", a parameter of the outer one",
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
                        {"I2", "neither the inner range nor its `omp_if` uses a parameter of the outer map, nor the range data"}}},
        plan_map_interchange, apply_map_interchange);
}

}  // namespace sluice::transform
