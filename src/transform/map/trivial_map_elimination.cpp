// TrivialMapElimination: remove the dimensions of a map that have a single point, and the map if none is left.
//     map i=5:6, j=0:N { B }   ->   map j=0:N { B[5/i] }          map i=5:6 { B }   ->   B[5/i]
// V1 a dimension has a single point. V2 the map holds something, no name inside hides the parameter or what stands for it, and
// nothing that others use is set to zero in it. V3 a map that goes as a whole takes no input for its range.
#include <algorithm>

#include "transform/map/scope_edits.h"

namespace sluice::transform {

namespace {

/// The parameters that have one value only, with this value in terms of the symbols outside.
symbolic::Substitution single_points(const rewrite::Site& site) {
    const auto& map = site.get<ir::MapEntry>("map");
    const symbolic::Assumptions known = known_around(site, site.node("map"));
    symbolic::Substitution values;
    for (std::size_t at = 0; at < map.params.size(); ++at) {
        const symbolic::Range range = symbolic::substitute(map.range.dims[at], values);
        if (symbolic::count(range, known).is_integer(1)) values[map.params[at]] = range.begin;
    }
    return values;
}

/// What stands for the parameters that go.
rewrite::Planned<symbolic::Substitution> plan_trivial_map_elimination(const rewrite::Site& site) {
    const ir::NodeId id = site.node("map");
    const analysis::ScopeTree& scopes = site.view().scopes;
    const symbolic::Substitution values = single_points(site);
    if (values.empty())
        return rewrite::Refusal{.code = "V1", .why = "no dimension of the map is known to have a single point", .nodes = {id}};
    if (const auto name = hidden_name(site.state(), scopes, id, values))
        return rewrite::Refusal{.code = "V2", .why = "the name " + *name + " means something else inside the map", .nodes = {id}};
    if (values.size() < site.get<ir::MapEntry>("map").params.size()) return values;
    if (rewrite::nodes_inside(scopes, id).empty())
        return rewrite::Refusal{.code = "V2", .why = "the map holds nothing", .nodes = {id}};
    if (const auto name = zeroed_in_scope(site.sdfg(), site.state(), site.view(), id))
        return rewrite::Refusal{.code = "V2", .why = "the map sets " + *name + " to zero when it begins", .nodes = {id}};
    if (has_dynamic_range(site.state().nodes[id]))
        return rewrite::Refusal{.code = "V3", .why = "the range is read from data", .nodes = {id}};
    return values;
}

void apply_trivial_map_elimination(rewrite::Draft& draft, const symbolic::Substitution& values) {
    const rewrite::Site& site = draft.before();
    const ir::NodeId entry = draft.node("map");
    ir::State& state = draft.state();
    substitute_inside(state, rewrite::nodes_inside(site.view().scopes, entry), values);
    auto& map = std::get<ir::MapEntry>(state.nodes[entry].kind);
    for (std::size_t at = map.params.size(); at-- > 0;) {
        if (!values.contains(map.params[at])) {
            map.range.dims[at] = symbolic::substitute(map.range.dims[at], values);
            continue;
        }
        map.params.erase(map.params.begin() + static_cast<std::ptrdiff_t>(at));
        map.range.dims.erase(map.range.dims.begin() + static_cast<std::ptrdiff_t>(at));
    }
    map.collapse = std::min<std::int64_t>(map.collapse, static_cast<std::int64_t>(map.params.size()));
    if (map.params.empty()) dissolve_scope(state, {entry, site.view().scopes.exit_of(entry)});
}

}  // namespace

rewrite::Transformation trivial_map_elimination() {
    return rewrite::transformation(
        {.name = "TrivialMapElimination",
         .summary = "Removes the dimensions of a map that have a single point, and the map if none is left.",
         .drawing = "map i=5:6, j=0:N { B }   ->   map j=0:N { B[5/i] }",
         .decided_by = {.structural = "The only point of the map does what it did."},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"V1", "a dimension has a single point"},
                        {"V2",
                         "the map holds something, no name inside hides the parameter or its value, and nothing that others use is "
                         "set to zero in it"},
                        {"V3", "a map that goes as a whole reads no data for its range"}},
         .parameters = {},
         .simplifies = true},
        plan_trivial_map_elimination, apply_trivial_map_elimination);
}

}  // namespace sluice::transform
