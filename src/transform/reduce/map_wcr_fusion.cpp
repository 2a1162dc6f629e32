// MapWCRFusion: run a map as one with the two nested maps that reduce what it writes.
//     map i, k { B -> t[i, k] } -> t -> map i { map k { t[i, k] -wcr-> Y[i] } }   ->   map i, k { B -> t -wcr-> Y[i] }
// W1 the maps of the reduction can be made one (MapCollapse). W2 they update something through a write-conflict resolution. F1 to
// F6: that one map and the first can be fused (MapFusion). It is what MapReduceFusion is for a Reduce node, for a reduction that is
// written out: where its result is set to the identity does not matter, as that stays as it is.
#include "analysis/propagate.h"
#include "transform/map/collapse.h"
#include "transform/map/fusion_plan.h"
#include "transform/reduce/reduce.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

bool updates(const rewrite::Site& site) {
    for (const ir::EdgeId id : site.view().adjacency.in(site.view().scopes.exit_of(site.node("inner"))))
        if (site.state().edges[id].memlet.wcr) return true;
    return false;
}

/// The program with the reduction as one map.
ir::Sdfg collapsed(const rewrite::Site& site) {
    ir::Sdfg root = site.root();
    ir::State& state = rewrite::state_at(root, site.match().place);
    const auto scope = [&](const char* entry) { return Scope{site.node(entry), site.view().scopes.exit_of(site.node(entry))}; };
    collapse(state, scope("outer"), scope("inner"));
    analysis::propagate_memlets(rewrite::sdfg_at(std::as_const(root), site.match().place), state, site.assumptions());
    return root;
}

struct WcrFusion {
    ir::Sdfg collapsed;   ///< The program with the reduction as one map.
    FusionChoice fusion;  ///< In it.
};

rewrite::Planned<WcrFusion> plan_map_wcr_fusion(const rewrite::Site& site) {
    const ir::NodeId outer = site.node("outer"), inner = site.node("inner");
    if (auto refusal = why_not_collapsible(site.state(), site.view(), outer, inner)) {
        refusal->code = "W1";
        return std::move(*refusal);
    }
    if (!updates(site))
        return Refusal{.code = "W2",
                       .why = "the inner map updates nothing through a write-conflict resolution",
                       .nodes = {inner},
                       .notes = {{"MapCollapse and MapFusion do this for maps that do not reduce"}}};
    ir::Sdfg root = collapsed(site);
    const rewrite::StateView view(rewrite::state_at(std::as_const(root), site.match().place));
    auto choice = choose_fusion(site, {root, view, entry_of(site.state(), site.node("first_exit")), outer});
    if (auto* refusal = std::get_if<Refusal>(&choice)) return std::move(*refusal);
    return WcrFusion{std::move(root), std::get<FusionChoice>(std::move(choice))};
}

void apply_map_wcr_fusion(rewrite::Draft& draft, const WcrFusion& plan) {
    const rewrite::Site& site = draft.before();
    const analysis::ScopeTree& scopes = site.view().scopes;
    draft.root() = plan.collapsed;
    fuse_chosen(draft, plan.fusion);
    for (const ir::NodeId entry : {site.node("outer"), site.node("inner")}) {
        draft.forward(entry, plan.fusion.maps.first.entry);
        draft.forward(scopes.exit_of(entry), plan.fusion.maps.first.exit);
    }
}

std::vector<rewrite::Condition> conditions() {
    std::vector<rewrite::Condition> all = {{"W1", "the maps of the reduction can be made one by MapCollapse"},
                                           {"W2", "they update something through a write-conflict resolution"}};
    for (rewrite::Condition& condition : fusion_conditions()) all.push_back(std::move(condition));
    return all;
}

}  // namespace

rewrite::Transformation map_wcr_fusion() {
    using namespace rewrite::kind;
    return rewrite::transformation(
        {.name = "MapWCRFusion",
         .summary = "Runs a map as one with the two nested maps that reduce what it writes.",
         .drawing = "map i, k { B -> t[i, k] } -> t -> map i { map k { t[i, k] -wcr-> Y[i] } }   ->   "
                    "map i, k { B -> t -wcr-> Y[i] }",
         .decided_by = {.predicates = {"maps_fusible"}},
         .patterns = {rewrite::chain({{"first_exit", map_exit}, {"array", access}, {"outer", map_entry}, {"inner", map_entry}})},
         .conditions = conditions()},
        plan_map_wcr_fusion, apply_map_wcr_fusion);
}

}  // namespace sluice::transform
