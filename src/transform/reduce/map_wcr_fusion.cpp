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
    collapse(state, site.view().scopes, site.node("outer"), site.node("inner"));
    analysis::propagate_memlets(rewrite::sdfg_at(std::as_const(root), site.match().place), state, site.assumptions());
    return root;
}

FusionChoice choose(const rewrite::Site& site) {
    const ir::Sdfg root = collapsed(site);
    const rewrite::StateView view(rewrite::state_at(root, site.match().place));
    return choose_fusion(site, {root, view, entry_of(site.state(), site.node("first_exit")), site.node("outer")});
}

std::optional<Refusal> why_not_map_wcr_fusion(const rewrite::Site& site) {
    const ir::NodeId outer = site.node("outer"), inner = site.node("inner");
    if (auto refusal = why_not_collapsible(site.state(), site.view(), outer, inner)) {
        refusal->code = "W1";
        return refusal;
    }
    if (!updates(site))
        return Refusal{.code = "W2",
                       .why = "the inner map updates nothing through a write-conflict resolution",
                       .nodes = {inner},
                       .notes = {{"MapCollapse and MapFusion do this for maps that do not reduce"}}};
    FusionChoice choice = choose(site);
    if (choice.pairing) return {};
    return std::move(choice.refusal);
}

void apply_map_wcr_fusion(rewrite::Draft& draft) {
    const rewrite::Site& site = draft.before();
    const analysis::ScopeTree& scopes = site.view().scopes;
    const ir::NodeId first = entry_of(site.state(), site.node("first_exit")), outer = site.node("outer"),
                     inner = site.node("inner");
    const Pairing pairing = *choose(site).pairing;
    draft.root() = collapsed(site);
    fuse_chosen(draft, analysis::ScopeTree(draft.state(), ir::Adjacency(draft.state())), first, outer, pairing);
    for (const ir::NodeId entry : {outer, inner}) {
        draft.forward(entry, first);
        draft.forward(scopes.exit_of(entry), site.node("first_exit"));
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
    return {.descriptor = {.name = "MapWCRFusion",
                           .group = "reduce",
                           .summary = "Runs a map as one with the two nested maps that reduce what it writes.",
                           .drawing = "map i, k { B -> t[i, k] } -> t -> map i { map k { t[i, k] -wcr-> Y[i] } }   ->   "
                                      "map i, k { B -> t -wcr-> Y[i] }",
                           .decided_by = {.predicates = {"maps_fusible"}},
                           .patterns = {rewrite::chain(
                               {{"first_exit", map_exit}, {"array", access}, {"outer", map_entry}, {"inner", map_entry}})},
                           .conditions = conditions()},
            .can_apply = why_not_map_wcr_fusion,
            .apply = apply_map_wcr_fusion};
}

}  // namespace sluice::transform
