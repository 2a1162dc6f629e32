// MapFusion: run two maps, one of which reads what the other writes, as one.
//     map i { B -> t[i] } -> t -> map j { t[j] -> C }   ->   map i { B -> t -> C[i/j] }
// F1 the maps have points and dimensions with the same range (in any order), read no data for their ranges, and one schedule fits
// both.
// Dimensions that only one of them has become a map inside. F2 nothing else leads from the first to the second. F3 no point of the
// one conflicts with another point of the other. F4 a point of the second reads what the same point of the first writes for
// certain. F5 whatever else both touch at one point stays in order. F6 between them are arrays or scalars, of which nested SDFGs
// take one element, and no name inside the second map hides a parameter. The transient between them shrinks to what one point
// writes; if others look at it, the point writes it as well.
#include <algorithm>

#include "analysis/propagate.h"
#include "transform/map/fusion_plan.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

/// One pairing, on a state in which both maps have the same dimensions.
std::optional<Refusal> attempt(const rewrite::Site& site, const MapPair& maps, const Pairing& pairing) {
    const ir::Sdfg& sdfg = rewrite::sdfg_at(maps.root, site.match().place);
    const ir::State& state = rewrite::state_at(maps.root, site.match().place);
    const auto plan = plan_fusion(sdfg, state, maps.view, maps.first, maps.second, pairing, site.assumptions());
    if (const auto* refusal = std::get_if<Refusal>(&plan)) return *refusal;
    return refuse_conflicts(site, "F3", sdfg, state, maps.first, maps.second, pairing);
}

/// The same where they share only some dimensions: on a copy in which the others have become maps inside.
std::optional<Refusal> attempt_split(const rewrite::Site& site, const MapPair& maps, const Pairing& pairing) {
    ir::Sdfg root = maps.root;
    ir::State& state = rewrite::state_at(root, site.match().place);
    const ir::Sdfg& sdfg = rewrite::sdfg_at(std::as_const(root), site.match().place);
    split_both(sdfg, state, scopes_of(maps.view.scopes, maps.first, maps.second), pairing);
    analysis::propagate_memlets(sdfg, state, site.assumptions());
    const rewrite::StateView view(state);
    return attempt(site, {root, view, maps.first, maps.second}, straight(pairing.size()));
}

}  // namespace

FusionChoice choose_fusion(const rewrite::Site& site, const MapPair& maps) {
    const ir::State& state = rewrite::state_at(maps.root, site.match().place);
    FusionChoice choice{.pairing = {}, .refusal = {.code = "F1", .why = {}, .nodes = {maps.first, maps.second}}};
    if (auto why = kept_apart(state, maps.first, maps.second)) {
        choice.refusal.why = std::move(*why);
        return choice;
    }
    // What a map without points touches, legality says nothing of; its memlets must stay within their containers all the same.
    for (const ir::NodeId id : {maps.first, maps.second})
        if (symbolic::is_empty(map_at(state, id).range)) {
            choice.refusal.why = "the map " + map_at(state, id).label + " has no points";
            return choice;
        }
    bool tried = false;
    for (const Pairing& pairing : common_dimensions(map_at(state, maps.first), map_at(state, maps.second))) {
        const bool whole = pairs_all(pairing, state, maps.first, maps.second);
        auto refusal = whole ? attempt(site, maps, pairing) : attempt_split(site, maps, pairing);
        if (!refusal) return {.pairing = pairing, .refusal = {}};
        if (!tried) choice.refusal = std::move(*refusal);
        tried = true;
    }
    return choice;
}

void fuse_chosen(rewrite::Draft& draft, const analysis::ScopeTree& scopes, ir::NodeId first, ir::NodeId second,
                 const Pairing& pairing) {
    ir::State& state = draft.state();
    const bool whole = pairs_all(pairing, state, first, second);
    if (!whole) {
        split_both(draft.sdfg(), state, scopes_of(scopes, first, second), pairing);
        analysis::propagate_memlets(draft.sdfg(), state, draft.before().assumptions());
    }
    const auto plan = plan_fusion(draft.sdfg(), state, rewrite::StateView(state), first, second,
                                  whole ? pairing : straight(pairing.size()), draft.before().assumptions());
    fuse(draft.sdfg(), state, std::get<FusionPlan>(plan));
}

std::vector<rewrite::Condition> fusion_conditions() {
    return {{"F1", "the maps have points, a range in common, read none from data, and one schedule fits both"},
            {"F2", "nothing but what stands between them leads from the first map to the second"},
            {"F3", "no point of one map conflicts with another point of the other"},
            {"F4", "a point of the second reads what the same point of the first surely writes"},
            {"F5", "whatever else both maps touch at one point stays in order"},
            {"F6", "between the maps are arrays or scalars that can shrink, and no name is hidden"}};
}

namespace {

MapPair pair_of(const rewrite::Site& site) {
    return {site.root(), site.view(), entry_of(site.state(), site.node("first_exit")), site.node("second")};
}

std::optional<Refusal> why_not_map_fusion(const rewrite::Site& site) {
    FusionChoice choice = choose_fusion(site, pair_of(site));
    if (choice.pairing) return {};
    return std::move(choice.refusal);
}

void apply_map_fusion(rewrite::Draft& draft) {
    const rewrite::Site& site = draft.before();
    const MapPair maps = pair_of(site);
    fuse_chosen(draft, site.view().scopes, maps.first, maps.second, *choose_fusion(site, maps).pairing);
    draft.forward(maps.second, maps.first);
    draft.forward(site.view().scopes.exit_of(maps.second), site.node("first_exit"));
}

}  // namespace

rewrite::Transformation map_fusion() {
    return {.descriptor = {.name = "MapFusion",
                           .group = "map",
                           .summary = "Runs two maps, one of which reads what the other writes, as one.",
                           .drawing = "map i { B -> t[i] } -> t -> map j { t[j] -> C }   ->   map i { B -> t -> C[i/j] }",
                           .decided_by = {.predicates = {"maps_fusible"}},
                           .patterns = {rewrite::chain({{"first_exit", rewrite::kind::map_exit},
                                                        {"array", rewrite::kind::access},
                                                        {"second", rewrite::kind::map_entry}})},
                           .conditions = fusion_conditions()},
            .can_apply = why_not_map_fusion,
            .apply = apply_map_fusion};
}

}  // namespace sluice::transform
