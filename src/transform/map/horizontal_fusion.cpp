// MapHorizontalFusion: run two maps side by side as one.
//     map i { A }, map j { B }   ->   map i { A; B[i/j] }
// H1 another map lies in the same scope; no path leads from one to the other, nor do streams join the components of the state that
// hold them, which as one would wait for itself. H2 both have dimensions with the same range (in any order), read no data for their
// ranges, and one schedule fits both. Dimensions that only one of them has become a map inside; a map that shares all dimensions is
// preferred. H3 no point of the one conflicts with another point of the other. H4 no name inside the second map hides a parameter.
// What both read from one node is passed once.
#include <algorithm>
#include <set>

#include "analysis/propagate.h"
#include "analysis/sections.h"
#include "ir/stream_join.h"
#include "transform/map/boundary.h"
#include "transform/map/merge.h"

namespace sluice::transform {

namespace {

using ir::NodeId;
using rewrite::Refusal;

/// Nodes of other components of the state, which streams join with the component of the map, directly or through others.
std::set<NodeId> joined_by_streams(const rewrite::Site& site, NodeId map) {
    const ir::Sdfg& sdfg = site.sdfg();
    const ir::State& state = site.state();
    const rewrite::StateView& view = site.view();
    std::set<NodeId> nodes;
    if (view.scopes.parent(map).valid()) return nodes;
    const auto separates = [&](NodeId node) { return ir::joins_parts(sdfg, state, view.adjacency, node); };
    const auto numbers = analysis::joined_by_streams(sdfg, state, view.adjacency, view.scopes, [](NodeId) { return false; });
    for (const auto& part : analysis::components(state, view.adjacency, view.scopes, separates))
        if (std::ranges::find(part, map) == part.end() && numbers.at(part.front()) == numbers.at(map))
            nodes.insert(part.begin(), part.end());
    return nodes;
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

symbolic::Substitution renaming(const ir::State& state, NodeId first, NodeId second, const Pairing& pairing) {
    symbolic::Substitution parameters;
    const ir::MapEntry &a = map_at(state, first), &b = map_at(state, second);
    for (const auto& [of_first, of_second] : pairing)
        if (a.params[of_first] != b.params[of_second])
            parameters.insert_or_assign(b.params[of_second], symbolic::symbol(a.params[of_first]));
    return parameters;
}

/// On a state in which the pairing is of all dimensions of both maps.
std::optional<Refusal> check_whole(const rewrite::Site& site, const ir::Sdfg& sdfg, const ir::State& state,
                                   const analysis::ScopeTree& scopes, NodeId second, const Pairing& pairing) {
    const NodeId first = site.node("first");
    if (const auto name = hidden_name(state, scopes, second, renaming(state, first, second, pairing)))
        return Refusal{
            .code = "H4", .why = "the name " + *name + " means something else inside the second map", .nodes = {first, second}};
    return refuse_conflicts(site, "H3", sdfg, state, first, second, pairing);
}

std::optional<Refusal> check_pairing(const rewrite::Site& site, NodeId second, const Pairing& pairing) {
    if (pairs_all(pairing, site.state(), site.node("first"), second))
        return check_whole(site, site.sdfg(), site.state(), site.view().scopes, second, pairing);
    ir::Sdfg root = site.root();
    ir::State& state = rewrite::state_at(root, site.match().place);
    const ir::Sdfg& sdfg = rewrite::sdfg_at(std::as_const(root), site.match().place);
    split_both(sdfg, state, scopes_of(site.view().scopes, site.node("first"), second), pairing);
    analysis::propagate_memlets(sdfg, state, site.assumptions());
    return check_whole(site, sdfg, state, rewrite::StateView(state).scopes, second, straight(pairing.size()));
}

struct Neighbour {
    NodeId second;
    Pairing pairing;
};

/// The first neighbour that can be fused; why the first of them cannot be, if none can.
rewrite::Planned<Neighbour> plan_map_horizontal_fusion(const rewrite::Site& site) {
    const NodeId first = site.node("first");
    Refusal first_refusal{.code = "H1", .why = "there is no independent map in its scope", .nodes = {first}};
    bool tried = false;
    const std::set<NodeId> joined = joined_by_streams(site, first);
    for (const bool whole : {true, false})
        for (const NodeId second : neighbours(site)) {
            if (joined.contains(second)) {
                if (!tried)
                    first_refusal = {.code = "H1",
                                     .why = "streams join the components of the maps, which as one would wait for itself",
                                     .nodes = {first, second}};
                tried = true;
                continue;
            }
            if (const auto why = kept_apart(site.state(), first, second)) {
                if (!tried) first_refusal = {.code = "H2", .why = *why, .nodes = {first, second}};
                tried = true;
                continue;
            }
            for (const Pairing& pairing : common_dimensions(map_at(site.state(), first), map_at(site.state(), second))) {
                if (pairs_all(pairing, site.state(), first, second) != whole) continue;
                std::optional<Refusal> refusal = check_pairing(site, second, pairing);
                if (!refusal) return Neighbour{.second = second, .pairing = pairing};
                if (!tried) first_refusal = std::move(*refusal);
                tried = true;
            }
        }
    return first_refusal;
}

void apply_map_horizontal_fusion(rewrite::Draft& draft, const Neighbour& neighbour) {
    const rewrite::Site& site = draft.before();
    const NodeId first = site.node("first"), second = neighbour.second;
    Pairing pairing = neighbour.pairing;
    const MapScopes maps = scopes_of(site.view().scopes, first, second);
    ir::State& state = draft.state();
    if (!pairs_all(pairing, state, first, second)) {
        split_both(draft.sdfg(), state, maps, pairing);
        pairing = straight(pairing.size());
    }
    substitute_inside(state, rewrite::nodes_inside(rewrite::StateView(state).scopes, second),
                      renaming(state, first, second, pairing));
    auto& map = std::get<ir::MapEntry>(state.nodes[first].kind);
    map.schedule = *common_schedule(map.schedule, map_at(state, second).schedule);
    merge_scopes(state, maps.first, maps.second);
    draft.forward(second, first);
    draft.forward(maps.second.exit, maps.first.exit);
}

}  // namespace

rewrite::Transformation map_horizontal_fusion() {
    return rewrite::transformation(
        {.name = "MapHorizontalFusion",
         .summary = "Runs two maps side by side as one.",
         .drawing = "map i { A }, map j { B }   ->   map i { A; B[i/j] }",
         .decided_by = {.predicates = {"maps_fusible"}},
         .patterns = {{.nodes = {{"first", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions =
             {{"H1",
               "another map lies in the same scope; no path joins the two, nor do streams join their components of the state"},
              {"H2", "the maps have a range in common, read none from data, and one schedule fits both"},
              {"H3", "no point of one map conflicts with another point of the other"},
              {"H4", "no name inside the second map hides a parameter"}},
         .parameters = {{"second", std::string(), "Label of the other map; empty: the first one that can be fused."}}},
        plan_map_horizontal_fusion, apply_map_horizontal_fusion);
}

}  // namespace sluice::transform
