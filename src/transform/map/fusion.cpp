// MapFusion: run two maps, one of which reads what the other writes, as one.
//     map i { B -> t[i] } -> t -> map j { t[j] -> C }   ->   map i { B -> t -> C[i/j] }
// F1 the maps have points and dimensions with the same range (in any order), read no data for their ranges, and one schedule fits
// both.
// Dimensions that only one of them has become a map inside. F2 nothing else leads from the first to the second. F3 no point of the
// one conflicts with another point of the other. F4 a point of the second reads what the same point of the first writes for
// certain. F5 whatever else both touch at one point stays in order. F6 between them are arrays or scalars, of which nested SDFGs
// take one element, and no name inside the second map hides a parameter. F7 unless `strided`, elements that are neighbours are not
// torn apart, as where the innermost dimension alone is common and would become the outermost. The transient between them shrinks
// to what one point writes; if others look at it, the point writes it as well.
#include <algorithm>
#include <set>

#include "analysis/lanes.h"
#include "analysis/propagate.h"
#include "transform/map/fusion_plan.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

/// One pairing, on a state in which both maps have the same dimensions.
std::variant<FusionPlan, Refusal> attempt(const rewrite::Site& site, const MapPair& maps, const Pairing& pairing) {
    const ir::Sdfg& sdfg = rewrite::sdfg_at(maps.root, site.match().place);
    const ir::State& state = rewrite::state_at(maps.root, site.match().place);
    auto plan = plan_fusion(sdfg, state, maps.view, maps.first, maps.second, pairing, site.assumptions());
    if (std::holds_alternative<Refusal>(plan)) return plan;
    if (auto refusal = refuse_conflicts(site, "F3", sdfg, state, maps.first, maps.second, pairing)) return std::move(*refusal);
    return plan;
}

/// The same where they share only some dimensions: on a copy in which the others have become maps inside.
std::variant<FusionPlan, Refusal> attempt_split(const rewrite::Site& site, const MapPair& maps, const Pairing& pairing) {
    ir::Sdfg root = maps.root;
    ir::State& state = rewrite::state_at(root, site.match().place);
    const ir::Sdfg& sdfg = rewrite::sdfg_at(std::as_const(root), site.match().place);
    split_both(sdfg, state, scopes_of(maps.view.scopes, maps.first, maps.second), pairing);
    analysis::propagate_memlets(sdfg, state, site.assumptions());
    const rewrite::StateView view(state);
    return attempt(site, {root, view, maps.first, maps.second}, straight(pairing.size()));
}

}  // namespace

std::variant<FusionChoice, Refusal> choose_fusion(const rewrite::Site& site, const MapPair& maps) {
    const ir::State& state = rewrite::state_at(maps.root, site.match().place);
    Refusal first_refusal{.code = "F1", .why = {}, .nodes = {maps.first, maps.second}};
    if (auto why = kept_apart(state, maps.first, maps.second)) {
        first_refusal.why = std::move(*why);
        return first_refusal;
    }
    // What a map without points touches, legality says nothing of; its memlets must stay within their containers all the same.
    for (const ir::NodeId id : {maps.first, maps.second})
        if (symbolic::is_empty(map_at(state, id).range)) {
            first_refusal.why = "the map " + map_at(state, id).label + " has no points";
            return first_refusal;
        }
    bool tried = false;
    for (const Pairing& pairing : common_dimensions(map_at(state, maps.first), map_at(state, maps.second))) {
        const bool whole = pairs_all(pairing, state, maps.first, maps.second);
        auto found = whole ? attempt(site, maps, pairing) : attempt_split(site, maps, pairing);
        if (auto* plan = std::get_if<FusionPlan>(&found))
            return FusionChoice{scopes_of(maps.view.scopes, maps.first, maps.second), pairing, std::move(*plan)};
        if (!tried) first_refusal = std::get<Refusal>(std::move(found));
        tried = true;
    }
    return first_refusal;
}

void fuse_chosen(rewrite::Draft& draft, const FusionChoice& choice) {
    ir::State& state = draft.state();
    if (!pairs_all(choice.pairing, state, choice.maps.first.entry, choice.maps.second.entry)) {
        split_both(draft.sdfg(), state, choice.maps, choice.pairing);
        analysis::propagate_memlets(draft.sdfg(), state, draft.before().assumptions());
    }
    fuse(draft.sdfg(), state, choice.fusion);
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

/// Accesses of tasklets in the scope whose elements are neighbours along the dimension.
std::size_t neighbours(const rewrite::Site& site, ir::NodeId entry, const std::string& parameter) {
    std::size_t count = 0;
    for (const ir::NodeId node : rewrite::nodes_inside(site.view().scopes, entry)) {
        if (!std::holds_alternative<ir::Tasklet>(site.state().nodes[node].kind)) continue;
        for (const bool output : {false, true})
            for (const ir::EdgeId id : output ? site.view().adjacency.out(node) : site.view().adjacency.in(node)) {
                const auto distance = analysis::element_stride(site.sdfg(), site.state().edges[id].memlet, parameter);
                count += distance && std::abs(*distance) == 1;
            }
    }
    return count;
}

/// Would a dimension along which elements are neighbours run outside of one along which they are far apart?
bool tears_apart(const rewrite::Site& site, ir::NodeId entry, const std::set<std::size_t>& outer) {
    const std::vector<std::string>& parameters = map_at(site.state(), entry).params;
    const std::size_t last = parameters.size() - 1;
    if (outer.size() == parameters.size() || !outer.contains(last)) return false;
    const std::size_t now = neighbours(site, entry, parameters[last]);
    for (std::size_t d = 0; d < last; ++d)
        if (!outer.contains(d) && neighbours(site, entry, parameters[d]) >= now) return false;
    return now > 0;
}

rewrite::Planned<FusionChoice> plan_map_fusion(const rewrite::Site& site) {
    const ir::NodeId first = entry_of(site.state(), site.node("first_exit")), second = site.node("second");
    auto found = choose_fusion(site, {site.root(), site.view(), first, second});
    const auto* choice = std::get_if<FusionChoice>(&found);
    if (!choice || site.flag("strided")) return found;
    std::set<std::size_t> of_first, of_second;
    for (const auto& [a, b] : choice->pairing) of_first.insert(a), of_second.insert(b);
    for (const auto& [entry, outer] : {std::pair(first, &of_first), std::pair(second, &of_second)})
        if (tears_apart(site, entry, *outer))
            return Refusal{.code = "F7",
                           .why = "the innermost dimension of " + map_at(site.state(), entry).label +
                                  ", along which elements are neighbours, would become an outer one",
                           .nodes = {entry}};
    return found;
}

std::vector<rewrite::Condition> conditions_of_map_fusion() {
    auto all = fusion_conditions();
    all.push_back({"F7", "elements that are neighbours stay so in the innermost loop, unless `strided`"});
    return all;
}

void apply_map_fusion(rewrite::Draft& draft, const FusionChoice& choice) {
    fuse_chosen(draft, choice);
    draft.forward(choice.maps.second.entry, choice.maps.first.entry);
    draft.forward(choice.maps.second.exit, choice.maps.first.exit);
}

}  // namespace

rewrite::Transformation map_fusion() {
    return rewrite::transformation(
        {.name = "MapFusion",
         .summary = "Runs two maps, one of which reads what the other writes, as one.",
         .drawing = "map i { B -> t[i] } -> t -> map j { t[j] -> C }   ->   map i { B -> t -> C[i/j] }",
         .decided_by = {.predicates = {"maps_fusible", "lies_within", "lies_apart"}},
         .patterns = {rewrite::chain(
             {{"first_exit", rewrite::kind::map_exit}, {"array", rewrite::kind::access}, {"second", rewrite::kind::map_entry}})},
         .conditions = conditions_of_map_fusion(),
         .parameters = {{"strided", false, "Fuses as well where the innermost loop then leaps through memory."}}},
        plan_map_fusion, apply_map_fusion);
}

}  // namespace sluice::transform
