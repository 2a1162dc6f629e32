// MapUnroll: write out the points of a map, one copy of its contents for each.
//     map i=0:3 { B }   ->   B[0/i]; B[1/i]; B[2/i]
// U1 the number of points is known, at least 1 and at most `limit`. U2 the range reads no data. U3 the map holds something, no name
// inside hides a parameter or what stands for it, and nothing that others use is set to zero for each point.
#include <algorithm>

#include "transform/map/scope_edits.h"

namespace sluice::transform {

namespace {

using symbolic::Substitution;

/// The points in order, as values of the parameters; nothing if their number is not known or above the limit.
std::optional<std::vector<Substitution>> points_of(const rewrite::Site& site) {
    const auto& map = site.get<ir::MapEntry>("map");
    const symbolic::Assumptions known = known_around(site, site.node("map"));
    const std::int64_t limit = site.integer("limit");
    std::vector<Substitution> points{{}};
    for (std::size_t d = 0; d < map.params.size(); ++d) {
        std::vector<Substitution> longer;
        for (const Substitution& point : points) {
            const symbolic::Range range = symbolic::substitute(map.range.dims[d], point);
            const auto count = symbolic::count(range, known).constant();
            if (!count || *count + static_cast<std::int64_t>(longer.size()) > limit) return {};
            for (std::int64_t k = 0; k < *count; ++k) {
                longer.push_back(point);
                longer.back()[map.params[d]] = range.begin + range.step * symbolic::Expr(k);
            }
        }
        points = std::move(longer);
    }
    return points;
}

rewrite::Planned<std::vector<Substitution>> plan_map_unroll(const rewrite::Site& site) {
    const ir::NodeId id = site.node("map");
    auto points = points_of(site);
    if (!points)
        return rewrite::Refusal{.code = "U1",
                                .why = "the number of points of `" + symbolic::to_string(site.get<ir::MapEntry>("map").range) +
                                       "` is not known to be at most " + std::to_string(site.integer("limit")),
                                .nodes = {id}};
    if (points->empty()) return rewrite::Refusal{.code = "U1", .why = "the map has no point", .nodes = {id}};
    if (has_dynamic_range(site.state().nodes[id]))
        return rewrite::Refusal{.code = "U2", .why = "the range is read from data", .nodes = {id}};
    if (rewrite::nodes_inside(site.view().scopes, id).empty())
        return rewrite::Refusal{.code = "U3", .why = "the map holds nothing", .nodes = {id}};
    if (const auto name = hidden_name(site.state(), site.view().scopes, id, points->back()))
        return rewrite::Refusal{.code = "U3", .why = "the name " + *name + " means something else inside the map", .nodes = {id}};
    if (const auto name = zeroed_in_scope(site.sdfg(), site.state(), site.view(), id))
        return rewrite::Refusal{.code = "U3", .why = "each point sets " + *name + " to zero when it begins", .nodes = {id}};
    return std::move(*points);
}

void apply_map_unroll(rewrite::Draft& draft, const std::vector<Substitution>& points) {
    const rewrite::Site& site = draft.before();
    const ir::NodeId entry = draft.node("map");
    const analysis::ScopeTree& scopes = site.view().scopes;
    const std::vector<ir::NodeId> nodes = scope_nodes(scopes, entry), inside = rewrite::nodes_inside(scopes, entry);
    std::vector<std::string> own = private_transients(site.sdfg(), site.state(), site.view(), entry);
    for (std::string& view : views_inside(site.sdfg(), site.state(), site.view(), entry)) own.push_back(std::move(view));
    ir::State& state = draft.state();
    std::vector<std::map<ir::NodeId, ir::NodeId>> copies(points.size());
    for (std::size_t at = 1; at < points.size(); ++at) copies[at] = copy_scope(draft.sdfg(), state, nodes, own);
    for (std::size_t at = 0; at < points.size(); ++at) {
        const auto copy_of = [&](ir::NodeId id) { return at == 0 ? id : copies[at].at(id); };
        std::vector<ir::NodeId> copied;
        for (const ir::NodeId id : inside) copied.push_back(copy_of(id));
        substitute_inside(state, copied, points[at]);
        dissolve_scope(state, {copy_of(entry), copy_of(scopes.exit_of(entry))});
    }
}

}  // namespace

rewrite::Transformation map_unroll() {
    return rewrite::transformation(
        {.name = "MapUnroll",
         .summary = "Writes out the points of a map, one copy of its contents for each.",
         .drawing = "map i=0:3 { B }   ->   B[0/i]; B[1/i]; B[2/i]",
         .decided_by = {.structural = "Points of a map have no order, and each keeps what it does."},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions =
             {{"U1", "the number of points is known, at least 1 and at most `limit`"},
              {"U2", "the range reads no data"},
              {"U3",
               "the map holds something, no name inside hides a parameter or its value, and nothing that others use is set "
               "to zero for each point"}},
         .parameters = {{"limit", std::int64_t{256}, "The most copies that are made."}}},
        plan_map_unroll, apply_map_unroll);
}

}  // namespace sluice::transform
