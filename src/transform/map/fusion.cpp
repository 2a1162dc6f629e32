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

/// Leaves both maps with the dimensions that they share, in one order.
void split_both(ir::State& state, const analysis::ScopeTree& scopes, ir::NodeId first, ir::NodeId second, const Pairing& pairing) {
    std::vector<std::size_t> of_first, of_second;
    for (const auto& [a, b] : pairing) {
        of_first.push_back(a);
        of_second.push_back(b);
    }
    split_off(state, {first, scopes.exit_of(first)}, of_first);
    split_off(state, {second, scopes.exit_of(second)}, of_second);
}

Pairing straight(std::size_t rank) {
    Pairing pairing;
    for (std::size_t d = 0; d < rank; ++d) pairing.emplace_back(d, d);
    return pairing;
}

std::optional<Refusal> conflicts(const rewrite::Site& site, const ir::Sdfg& sdfg, const ir::State& state, const Pairing& pairing) {
    std::vector<std::size_t> places;
    for (const auto& [a, b] : pairing) places.push_back(b);
    const ir::NodeId first = entry_of(site.state(), site.node("first_exit")), second = site.node("second");
    const analysis::Verdict verdict = analysis::maps_fusible(sdfg, state, first, second, site.assumptions(), places);
    if (verdict.yes()) return {};
    Refusal refusal{.code = "F3", .why = verdict.why, .nodes = {first, second}};
    if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
    return site.unless_assumed(std::move(refusal));
}

/// One pairing, on a state in which both maps have the same dimensions.
std::variant<FusionPlan, Refusal> attempt(const rewrite::Site& site, const ir::Sdfg& sdfg, const ir::State& state,
                                          const rewrite::StateView& view, const Pairing& pairing) {
    const ir::NodeId first = entry_of(site.state(), site.node("first_exit")), second = site.node("second");
    auto plan = plan_fusion(sdfg, state, view, first, second, pairing, site.assumptions());
    if (std::holds_alternative<Refusal>(plan)) return plan;
    if (auto refusal = conflicts(site, sdfg, state, pairing)) return *refusal;
    return plan;
}

/// The first pairing under which the maps may be fused, with the copy of the program in which it was tried if they had to be split.
struct Choice {
    std::optional<Pairing> pairing;
    Refusal refusal;  ///< Of the first one that was tried, without a pairing.
};

Choice choose(const rewrite::Site& site) {
    const ir::NodeId first_id = entry_of(site.state(), site.node("first_exit")), second_id = site.node("second");
    const auto& first = std::get<ir::MapEntry>(site.state().nodes[first_id].kind);
    const auto& second = site.get<ir::MapEntry>("second");
    Choice choice{.pairing = {},
                  .refusal = {.code = "F1", .why = "the maps have no range in common", .nodes = {first_id, second_id}}};
    bool tried = false;
    for (const Pairing& pairing : common_dimensions(first, second)) {
        std::optional<Refusal> refusal;
        if (complete(pairing, first, second)) {
            auto plan = attempt(site, site.sdfg(), site.state(), site.view(), pairing);
            if (auto* found = std::get_if<Refusal>(&plan)) refusal = std::move(*found);
        } else {
            ir::Sdfg root = site.root();
            ir::State& state = rewrite::state_at(root, site.match().place);
            split_both(state, site.view().scopes, first_id, second_id, pairing);
            const ir::Sdfg& sdfg = rewrite::sdfg_at(std::as_const(root), site.match().place);
            analysis::propagate_memlets(sdfg, state);
            auto plan = attempt(site, sdfg, state, rewrite::StateView(state), straight(pairing.size()));
            if (auto* found = std::get_if<Refusal>(&plan)) refusal = std::move(*found);
        }
        if (!refusal) return {.pairing = pairing, .refusal = {}};
        if (!tried) choice.refusal = std::move(*refusal);
        tried = true;
    }
    return choice;
}

std::optional<Refusal> can_apply(const rewrite::Site& site) {
    const ir::NodeId first = entry_of(site.state(), site.node("first_exit")), second = site.node("second");
    if (has_dynamic_range(site.state().nodes[first]) || has_dynamic_range(site.state().nodes[second]))
        return Refusal{.code = "F1", .why = "a range is read from data", .nodes = {first, second}};
    if (!common_schedule(std::get<ir::MapEntry>(site.state().nodes[first].kind).schedule,
                         site.get<ir::MapEntry>("second").schedule))
        return Refusal{.code = "F1", .why = "the maps are scheduled differently", .nodes = {first, second}};
    const Choice choice = choose(site);
    if (choice.pairing) return {};
    return choice.refusal;
}

void apply(rewrite::Draft& draft) {
    const rewrite::Site& site = draft.before();
    const ir::NodeId first_id = entry_of(site.state(), site.node("first_exit")), second_id = site.node("second");
    const Pairing chosen = *choose(site).pairing;
    const bool whole =
        complete(chosen, std::get<ir::MapEntry>(site.state().nodes[first_id].kind), site.get<ir::MapEntry>("second"));
    ir::State& state = draft.state();
    if (!whole) {
        split_both(state, site.view().scopes, first_id, second_id, chosen);
        analysis::propagate_memlets(draft.sdfg(), state);
    }
    const auto plan = plan_fusion(draft.sdfg(), state, rewrite::StateView(state), first_id, second_id,
                                  whole ? chosen : straight(chosen.size()), site.assumptions());
    fuse(draft.sdfg(), state, std::get<FusionPlan>(plan));
    draft.forward(second_id, first_id);
    draft.forward(site.view().scopes.exit_of(second_id), site.node("first_exit"));
}

}  // namespace

rewrite::Transformation map_fusion() {
    return {
        .descriptor = {.name = "MapFusion",
                       .group = "map",
                       .summary = "Runs two maps, one of which reads what the other writes, as one.",
                       .drawing = "map i { B -> t[i] } -> t -> map j { t[j] -> C }   ->   map i { B -> t -> C[i/j] }",
                       .patterns = {rewrite::chain({{"first_exit", rewrite::kind::map_exit},
                                                    {"array", rewrite::kind::access},
                                                    {"second", rewrite::kind::map_entry}})},
                       .conditions = {{"F1", "the maps have a range in common, read none from data, and one schedule fits both"},
                                      {"F2", "nothing but what stands between them leads from the first map to the second"},
                                      {"F3", "no point of one map conflicts with another point of the other"},
                                      {"F4", "a point of the second reads what the same point of the first surely writes"},
                                      {"F5", "whatever else both maps touch at one point stays in order"},
                                      {"F6", "between the maps are arrays or scalars that can shrink, and no name is hidden"}}},
        .can_apply = can_apply,
        .apply = apply};
}

}  // namespace sluice::transform
