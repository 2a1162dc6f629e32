// MapFusion: run two maps, one of which reads what the other writes, as one.
//     map i { B -> t[i] } -> t -> map j { t[j] -> C }   ->   map i { B -> t -> C[i/j] }
// F1 the maps have dimensions with the same range (in any order), read no data for their ranges, and one schedule fits both.
// Dimensions that only one of them has become a map inside. F2 nothing else leads from the first to the second. F3 no point of the
// one conflicts with another point of the other. F4 a point of the second reads what the same point of the first writes for
// certain. F5 whatever else both touch at one point stays in order. F6 between them are arrays or scalars, of which nested SDFGs
// take one element, and no name inside the second map hides a parameter. The transient between them shrinks to what one point
// writes; if others look at it, the point writes it as well.
#include <algorithm>

#include "analysis/legality/fuse.h"
#include "analysis/propagate.h"
#include "transform/map/fusion_plan.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

/// Is every dimension of both maps in it?
bool complete(const Pairing& pairing, const ir::MapEntry& first, const ir::MapEntry& second) {
    return pairing.size() == first.params.size() && pairing.size() == second.params.size();
}

MapScopes scopes_of(const analysis::ScopeTree& scopes, ir::NodeId first, ir::NodeId second) {
    return {.first = {first, scopes.exit_of(first)}, .second = {second, scopes.exit_of(second)}};
}

std::optional<Refusal> conflicts(const rewrite::Site& site, const ir::Sdfg& sdfg, const ir::State& state, const MapPair& maps,
                                 const Pairing& pairing) {
    std::vector<std::size_t> places;
    for (const auto& [a, b] : pairing) places.push_back(b);
    const analysis::Verdict verdict = analysis::maps_fusible(sdfg, state, maps.first, maps.second, site.assumptions(), places);
    if (verdict.yes()) return {};
    Refusal refusal{.code = "F3", .why = verdict.why, .nodes = {maps.first, maps.second}};
    if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
    return site.unless_assumed(std::move(refusal));
}

/// One pairing, on a state in which both maps have the same dimensions.
std::optional<Refusal> attempt(const rewrite::Site& site, const MapPair& maps, const Pairing& pairing) {
    const ir::Sdfg& sdfg = rewrite::sdfg_at(maps.root, site.match().place);
    const ir::State& state = rewrite::state_at(maps.root, site.match().place);
    const auto plan = plan_fusion(sdfg, state, maps.view, maps.first, maps.second, pairing, site.assumptions());
    if (const auto* refusal = std::get_if<Refusal>(&plan)) return *refusal;
    return conflicts(site, sdfg, state, maps, pairing);
}

/// The same where they share only some dimensions: on a copy in which the others have become maps inside.
std::optional<Refusal> attempt_split(const rewrite::Site& site, const MapPair& maps, const Pairing& pairing) {
    ir::Sdfg root = maps.root;
    ir::State& state = rewrite::state_at(root, site.match().place);
    const ir::Sdfg& sdfg = rewrite::sdfg_at(std::as_const(root), site.match().place);
    split_both(sdfg, state, scopes_of(maps.view.scopes, maps.first, maps.second), pairing);
    analysis::propagate_memlets(sdfg, state);
    const rewrite::StateView view(state);
    return attempt(site, {root, view, maps.first, maps.second}, straight(pairing.size()));
}

const ir::MapEntry& map_at(const ir::State& state, ir::NodeId id) {
    return std::get<ir::MapEntry>(state.nodes[id].kind);
}

}  // namespace

FusionChoice choose_fusion(const rewrite::Site& site, const MapPair& maps) {
    const ir::State& state = rewrite::state_at(maps.root, site.match().place);
    const ir::MapEntry &first = map_at(state, maps.first), &second = map_at(state, maps.second);
    FusionChoice choice{.pairing = {},
                        .refusal = {.code = "F1", .why = "the maps have no range in common", .nodes = {maps.first, maps.second}}};
    if (has_dynamic_range(state.nodes[maps.first]) || has_dynamic_range(state.nodes[maps.second])) {
        choice.refusal.why = "a range is read from data";
        return choice;
    }
    if (!common_schedule(first.schedule, second.schedule)) {
        choice.refusal.why = "the maps are scheduled differently";
        return choice;
    }
    bool tried = false;
    for (const Pairing& pairing : common_dimensions(first, second)) {
        auto refusal = complete(pairing, first, second) ? attempt(site, maps, pairing) : attempt_split(site, maps, pairing);
        if (!refusal) return {.pairing = pairing, .refusal = {}};
        if (!tried) choice.refusal = std::move(*refusal);
        tried = true;
    }
    return choice;
}

void fuse_chosen(rewrite::Draft& draft, const analysis::ScopeTree& scopes, ir::NodeId first, ir::NodeId second,
                 const Pairing& pairing) {
    ir::State& state = draft.state();
    const bool whole = complete(pairing, map_at(state, first), map_at(state, second));
    if (!whole) {
        split_both(draft.sdfg(), state, scopes_of(scopes, first, second), pairing);
        analysis::propagate_memlets(draft.sdfg(), state);
    }
    const auto plan = plan_fusion(draft.sdfg(), state, rewrite::StateView(state), first, second,
                                  whole ? pairing : straight(pairing.size()), draft.before().assumptions());
    fuse(draft.sdfg(), state, std::get<FusionPlan>(plan));
}

std::vector<rewrite::Condition> fusion_conditions() {
    return {{"F1", "the maps have a range in common, read none from data, and one schedule fits both"},
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

std::optional<Refusal> can_apply(const rewrite::Site& site) {
    FusionChoice choice = choose_fusion(site, pair_of(site));
    if (choice.pairing) return {};
    return std::move(choice.refusal);
}

void apply(rewrite::Draft& draft) {
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
                           .patterns = {rewrite::chain({{"first_exit", rewrite::kind::map_exit},
                                                        {"array", rewrite::kind::access},
                                                        {"second", rewrite::kind::map_entry}})},
                           .conditions = fusion_conditions()},
            .can_apply = can_apply,
            .apply = apply};
}

}  // namespace sluice::transform
