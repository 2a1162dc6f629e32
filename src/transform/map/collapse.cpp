// MapCollapse: make one map of two that are perfectly nested.
//     map i { map j { B } }   ->   map i, j { B }
// C1 nothing else lies in the outer map. C2 the inner range reads no data. C3 no parameter of one is named as one of the other.
// C4 the inner map asks for no schedule of its own: it is as the outer one's, sequential or left open.
#include "transform/map/collapse.h"

#include <algorithm>

namespace sluice::transform {

std::optional<rewrite::Refusal> why_not_collapsible(const ir::State& state, const rewrite::StateView& view, ir::NodeId outer,
                                                    ir::NodeId inner) {
    const auto& above = std::get<ir::MapEntry>(state.nodes[outer].kind);
    const auto& below = std::get<ir::MapEntry>(state.nodes[inner].kind);
    if (!perfectly_nested(state, view, outer, inner))
        return rewrite::Refusal{.code = "C1", .why = "something other than the inner map lies in the outer map", .nodes = {outer}};
    if (has_dynamic_range(state.nodes[inner]))
        return rewrite::Refusal{
            .code = "C2", .why = "the range of the inner map is read from data inside the outer map", .nodes = {inner}};
    for (const std::string& name : below.params)
        if (std::ranges::find(above.params, name) != above.params.end())
            return rewrite::Refusal{.code = "C3", .why = "both maps have a parameter " + name, .nodes = {outer, inner}};
    if (below.schedule != above.schedule && below.schedule != ir::Schedule::Default && below.schedule != ir::Schedule::Sequential)
        return rewrite::Refusal{.code = "C4",
                                .why = "the inner map is scheduled " + std::string(ir::to_string(below.schedule)) +
                                       ", the outer one " + std::string(ir::to_string(above.schedule)),
                                .nodes = {inner}};
    return {};
}

void collapse(ir::State& state, Scope outer, Scope inner) {
    auto& above = std::get<ir::MapEntry>(state.nodes[outer.entry].kind);
    const auto& below = std::get<ir::MapEntry>(state.nodes[inner.entry].kind);
    above.params.insert(above.params.end(), below.params.begin(), below.params.end());
    above.range.dims.insert(above.range.dims.end(), below.range.dims.begin(), below.range.dims.end());
    unwrap_scope(state, outer, inner);
}

namespace {

/// The two scopes.
struct Nest {
    Scope outer, inner;
};

rewrite::Planned<Nest> plan_map_collapse(const rewrite::Site& site) {
    const ir::NodeId outer = site.node("outer"), inner = site.node("inner");
    if (auto refusal = why_not_collapsible(site.state(), site.view(), outer, inner)) return std::move(*refusal);
    const analysis::ScopeTree& scopes = site.view().scopes;
    return Nest{.outer = {outer, scopes.exit_of(outer)}, .inner = {inner, scopes.exit_of(inner)}};
}

void apply_map_collapse(rewrite::Draft& draft, const Nest& nest) {
    collapse(draft.state(), nest.outer, nest.inner);
    draft.forward(nest.inner.entry, nest.outer.entry);
    draft.forward(nest.inner.exit, nest.outer.exit);
}

}  // namespace

rewrite::Transformation map_collapse() {
    return rewrite::transformation(
        {.name = "MapCollapse",
         .summary = "Makes one map of two that are perfectly nested.",
         .drawing = "map i { map j { B } }   ->   map i, j { B }",
         .decided_by = {.structural = "Points of a map have no order, and each keeps what it does."},
         .patterns = {rewrite::chain({{"outer", rewrite::kind::map_entry}, {"inner", rewrite::kind::map_entry}})},
         .conditions = {{"C1", "nothing else lies in the outer map"},
                        {"C2", "the inner range reads no data"},
                        {"C3", "no parameter of one map is named as one of the other"},
                        {"C4", "the inner schedule is the outer one, sequential, or left open"}}},
        plan_map_collapse, apply_map_collapse);
}

}  // namespace sluice::transform
