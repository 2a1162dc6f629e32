// MapHorizontalFusion: run two maps side by side as one.
//     map i { A }, map j { B }   ->   map i { A; B[i/j] }
// H1 another map lies in the same scope, and no path leads from one to the other. H2 both have the same dimensions (in any order),
// read no data for their ranges, and one schedule fits both. H3 no point of the one conflicts with another point of the other. H4
// no name inside the second map hides a parameter. What both read from one node is passed once.
#include <algorithm>

#include "analysis/legality/fuse.h"
#include "transform/map/boundary.h"
#include "transform/map/merge.h"

namespace sluice::transform {

namespace {

using ir::NodeId;
using rewrite::Refusal;

const ir::MapEntry& map_at(const rewrite::Site& site, NodeId id) {
    return std::get<ir::MapEntry>(site.state().nodes[id].kind);
}

/// Other maps of the scope that no path joins with the first, by the name asked for.
std::vector<NodeId> neighbours(const rewrite::Site& site) {
    const NodeId first = site.node("first");
    const analysis::ScopeTree& scopes = site.view().scopes;
    std::vector<NodeId> found;
    for (const auto& [id, node] : site.state().nodes) {
        const auto* map = std::get_if<ir::MapEntry>(&node.kind);
        if (!map || id == first || scopes.parent(id) != scopes.parent(first)) continue;
        if (!site.text("second").empty() && map->label != site.text("second")) continue;
        if (!reaches(site.state(), site.view().adjacency, first, id) && !reaches(site.state(), site.view().adjacency, id, first))
            found.push_back(id);
    }
    return found;
}

symbolic::Substitution renaming(const rewrite::Site& site, NodeId second, const Pairing& pairing) {
    symbolic::Substitution parameters;
    const ir::MapEntry &a = map_at(site, site.node("first")), &b = map_at(site, second);
    for (const auto& [of_first, of_second] : pairing)
        if (a.params[of_first] != b.params[of_second])
            parameters.insert_or_assign(b.params[of_second], symbolic::symbol(a.params[of_first]));
    return parameters;
}

std::optional<Refusal> check_pairing(const rewrite::Site& site, NodeId second, const Pairing& pairing) {
    const NodeId first = site.node("first");
    if (const auto name = hidden_name(site.state(), site.view().scopes, second, renaming(site, second, pairing)))
        return Refusal{
            .code = "H4", .why = "the name " + *name + " means something else inside the second map", .nodes = {first, second}};
    std::vector<std::size_t> places;
    for (const auto& [a, b] : pairing) places.push_back(b);
    const analysis::Verdict verdict = analysis::maps_fusible(site.sdfg(), site.state(), first, second, site.assumptions(), places);
    if (verdict.yes()) return {};
    Refusal refusal{.code = "H3", .why = verdict.why, .nodes = {first, second}};
    if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
    return site.unless_assumed(std::move(refusal));
}

struct Choice {
    NodeId second;
    Pairing pairing;
    std::optional<Refusal> refusal;  ///< Of the first neighbour, if none can be fused.
};

Choice choose(const rewrite::Site& site) {
    const NodeId first = site.node("first");
    Choice choice{.second = {},
                  .pairing = {},
                  .refusal = Refusal{.code = "H1", .why = "there is no other map beside this one", .nodes = {first}}};
    bool tried = false;
    for (const NodeId second : neighbours(site)) {
        const ir::MapEntry &a = map_at(site, first), &b = map_at(site, second);
        std::optional<Refusal> refusal = Refusal{
            .code = "H2", .why = "the maps " + a.label + " and " + b.label + " have different ranges", .nodes = {first, second}};
        const bool dynamic = has_dynamic_range(site.state().nodes[first]) || has_dynamic_range(site.state().nodes[second]);
        if (dynamic) refusal->why = "a range is read from data";
        const bool scheduled = common_schedule(a.schedule, b.schedule).has_value();
        if (!scheduled) refusal->why = "the maps are scheduled differently";
        if (!dynamic && scheduled && a.params.size() == b.params.size())
            for (const Pairing& pairing : common_dimensions(a, b)) {
                if (pairing.size() != a.params.size()) continue;
                auto found = check_pairing(site, second, pairing);
                if (!found) return {.second = second, .pairing = pairing, .refusal = {}};
                if (refusal->code == "H2") refusal = std::move(found);
            }
        if (!tried) choice.refusal = std::move(refusal);
        tried = true;
    }
    return choice;
}

std::optional<Refusal> can_apply(const rewrite::Site& site) {
    return choose(site).refusal;
}

void apply(rewrite::Draft& draft) {
    const rewrite::Site& site = draft.before();
    const Choice choice = choose(site);
    const NodeId first = site.node("first");
    const analysis::ScopeTree& scopes = site.view().scopes;
    ir::State& state = draft.state();
    substitute_inside(state, rewrite::nodes_inside(scopes, choice.second), renaming(site, choice.second, choice.pairing));
    auto& map = std::get<ir::MapEntry>(state.nodes[first].kind);
    map.schedule = *common_schedule(map.schedule, map_at(site, choice.second).schedule);
    merge_scopes(state, {first, scopes.exit_of(first)}, {choice.second, scopes.exit_of(choice.second)});
    draft.forward(choice.second, first);
    draft.forward(scopes.exit_of(choice.second), scopes.exit_of(first));
}

}  // namespace

rewrite::Transformation map_horizontal_fusion() {
    return {.descriptor = {.name = "MapHorizontalFusion",
                           .group = "map",
                           .summary = "Runs two maps side by side as one.",
                           .drawing = "map i { A }, map j { B }   ->   map i { A; B[i/j] }",
                           .patterns = {{.nodes = {{"first", rewrite::kind::map_entry}}, .edges = {}}},
                           .conditions = {{"H1", "another map lies in the same scope, and no path joins the two"},
                                          {"H2", "both have the same dimensions, read none from data, and one schedule fits both"},
                                          {"H3", "no point of one map conflicts with another point of the other"},
                                          {"H4", "no name inside the second map hides a parameter"}},
                           .parameters = {{"second", std::string(),
                                           "Label of the other map; empty: the first one that can be fused."}}},
            .can_apply = can_apply,
            .apply = apply};
}

}  // namespace sluice::transform
