// MapTilingWithOverlap: visit the points of a map tile by tile, and compute for each tile anew what it reads from another map.
//     map p { t[p] }; map i=b:e { t[i-1], t[i+1] -> B }
//         ->   map tile_i=b:e:T { map p=tile_i-1:tile_i+T+1 { t'[p] }; map i=tile_i:min(tile_i + T, e) { t', t' -> B } }
// T1 every tile size is a positive number or expression. T2 ranges use no other parameter of their map. T3 the ranges read no data,
// the steps of the second map are positive and those of the first are 1. O1 between the maps is one transient array, which nothing
// else uses. O2 the first map fills it, one element a point, each dimension along one of its parameters, and does nothing else. O3
// the part of it that a tile reads is a box whose extent is the same for all tiles. O4 the second map changes nothing that the
// first one reads. How far tiles overlap follows from what they read; neighbours compute the elements that both read twice.
#include <algorithm>

#include "analysis/legality/recompute.h"
#include "analysis/symbols.h"
#include "ir/port.h"
#include "transform/map/boundary.h"
#include "transform/map/merge.h"
#include "transform/map/tiles.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;
using symbolic::Expr;

struct OverlapPlan {
    Scope first, second;
    NodeId array;
    std::string container;
    std::vector<BoundaryMemlet> written, read;
    std::vector<std::size_t> parameter;  ///< Of the first map, that runs along each dimension of the array.
    std::vector<Expr> shift;             ///< Index minus parameter.
    symbolic::Subset box;                ///< What a tile reads, in terms of the placeholders for its first point.
    std::vector<Expr> extents;
};

std::string placeholder(const std::string& parameter) {
    return "$tile_" + parameter;
}

class OverlapPlanner {
public:
    explicit OverlapPlanner(const rewrite::Site& site) : site_(site), state_(site.state()), view_(site.view()) {
        plan_.array = site.node("array");
        plan_.container = site.get<ir::Access>("array").data;
        plan_.first = {entry_of(state_, site.node("first_exit")), site.node("first_exit")};
        plan_.second = {site.node("map"), view_.scopes.exit_of(site.node("map"))};
    }

    std::variant<OverlapPlan, Refusal> run() {
        if (auto refusal = check_tiles(site_)) return *refusal;
        const ir::Node& first = state_.nodes[plan_.first.entry];
        if (has_dynamic_range(first)) return refuse("T3", "the range of the first map is read from data");
        for (const symbolic::Range& range : first_map().range.dims) {
            if (!range.step.is_integer(1)) return refuse("T3", "the step of `" + symbolic::to_string(range) + "` is not 1");
            for (const std::string& name : symbolic::free_symbols(range))
                if (std::ranges::find(first_map().params, name) != first_map().params.end())
                    return refuse("T2", "the range `" + symbolic::to_string(range) + "` uses the parameter " + name);
        }
        if (auto refusal = check_memory()) return *refusal;
        if (auto refusal = check_filling()) return *refusal;
        if (auto refusal = find_box()) return *refusal;
        return std::move(plan_);
    }

private:
    Refusal refuse(std::string code, std::string why) const {
        return {.code = std::move(code), .why = std::move(why), .nodes = {plan_.first.entry, plan_.second.entry}};
    }
    const ir::MapEntry& first_map() const { return std::get<ir::MapEntry>(state_.nodes[plan_.first.entry].kind); }
    const ir::MapEntry& second_map() const { return std::get<ir::MapEntry>(state_.nodes[plan_.second.entry].kind); }

    std::optional<Refusal> check_memory() {
        const std::string& name = plan_.container;
        const ir::Container* container = site_.sdfg().containers.find(name);
        const auto* array = container ? std::get_if<ir::Array>(&container->kind) : nullptr;
        if (!array || !container->transient || container->binding != ir::Binding::Own || container->lifetime != ir::Lifetime::Scope)
            return refuse("O1", name + " is no transient array");
        if (!array->strides.empty() || !array->offset.empty() || !array->start_offset.is_integer(0))
            return refuse("O1", name + " has a layout of its own");
        if (rewrite::count_accesses(site_.sdfg(), name) != 1 || rewrite::used_in_control(site_.sdfg(), name))
            return refuse("O1", name + " is used elsewhere, too");
        const auto only = [&](std::span<const EdgeId> edges, NodeId other, bool in) {
            return std::ranges::all_of(edges, [&](EdgeId id) {
                return (in ? state_.edges[id].src : state_.edges[id].dst) == other && !state_.edges[id].memlet.empty();
            });
        };
        if (!only(view_.adjacency.in(plan_.array), plan_.first.exit, true) ||
            !only(view_.adjacency.out(plan_.array), plan_.second.entry, false))
            return refuse("O1", name + " is used by more than the two maps");
        return {};
    }

    std::optional<Refusal> check_filling() {
        for (const EdgeId id : view_.adjacency.out(plan_.first.exit))
            if (state_.edges[id].dst != plan_.array) return refuse("O2", "the first map has other results, too");
        for (const BoundaryMemlet& boundary : boundary_memlets(state_, view_, plan_.first.entry))
            if (boundary.writes) plan_.written.push_back(boundary);
        const symbolic::Assumptions inside = analysis::assumptions_in(state_, view_.scopes, plan_.first.entry, site_.assumptions());
        if (plan_.written.size() != 1) return refuse("O2", plan_.container + " is written in several places");
        const auto element = surely_written(state_, view_, plan_.written[0], inside);
        if (!element || !element->is_index() || element->rank() != first_map().params.size())
            return refuse("O2", "a point does not write one element of " + plan_.container + " for each of its parameters");
        std::set<std::size_t> taken;
        for (const symbolic::Range& range : element->dims) {
            const std::vector<std::string>& params = first_map().params;
            const auto uses = [&](const Expr& e, std::size_t p) { return symbolic::free_symbols(e).contains(params[p]); };
            std::size_t along = params.size();
            for (std::size_t p = 0; p < params.size(); ++p)
                if (uses(range.begin, p)) along = p;
            const Expr shift = along < params.size() ? range.begin - symbolic::symbol(params[along]) : range.begin;
            bool shifted = along < params.size() && taken.insert(along).second;
            for (std::size_t p = 0; p < params.size(); ++p) shifted = shifted && !uses(shift, p);
            if (!shifted) return refuse("O2", "`" + symbolic::to_string(range) + "` is no parameter of the first map by a shift");
            plan_.parameter.push_back(along);
            plan_.shift.push_back(shift);
        }
        return {};
    }

    /// O3: hull of what the points of one full tile read.
    std::optional<Refusal> find_box() {
        symbolic::Assumptions known = analysis::assumptions_in(state_, view_.scopes, plan_.second.entry, site_.assumptions());
        std::optional<symbolic::Subset> box;
        for (const BoundaryMemlet& boundary : boundary_memlets(state_, view_, plan_.second.entry)) {
            if (boundary.writes || boundary.outside != plan_.array) continue;
            if (!boundary.hull) return refuse("O3", "a point reads all of " + plan_.container);
            for (const EdgeId id : edges_inward(state_, view_.adjacency, boundary.edge))
                if (std::holds_alternative<ir::NestedSdfg>(state_.nodes[state_.edges[id].dst].kind) ||
                    state_.edges[id].memlet.data != plan_.container)
                    return refuse("O3", "a nested SDFG or a copy takes a part of " + plan_.container);
            symbolic::Subset part = *boundary.hull;
            for (std::size_t d = second_map().params.size(); d-- > 0;) {
                const symbolic::Range& range = second_map().range.dims[d];
                const Expr begin = symbolic::symbol(placeholder(second_map().params[d]));
                const Expr size = tile_size(site_.expressions("tile_sizes"), d);
                known.assume_any(placeholder(second_map().params[d]));
                part = symbolic::image_over(part, second_map().params[d],
                                            {begin, begin + range.step * (size - 1) + 1, range.step, 1}, known)
                           .subset;
            }
            box = box ? symbolic::hull_union(*box, part, known) : part;
            plan_.read.push_back(boundary);
        }
        if (!box) return refuse("O3", "the second map reads nothing of " + plan_.container);
        for (const symbolic::Range& range : box->dims) {
            const Expr extent = symbolic::max_index(range) + 1 - symbolic::min_index(range);
            for (const std::string& name : symbolic::free_symbols(extent))
                if (!site_.sdfg().symbols.contains(name) ||
                    std::ranges::find(second_map().params, name) != second_map().params.end())
                    return refuse("O3", "how much of " + plan_.container + " a tile reads differs from tile to tile");
            plan_.extents.push_back(extent);
        }
        plan_.box = *box;
        return {};
    }

    const rewrite::Site& site_;
    const ir::State& state_;
    const rewrite::StateView& view_;
    OverlapPlan plan_;
};

rewrite::Planned<OverlapPlan> plan_map_tiling_with_overlap(const rewrite::Site& site) {
    auto plan = OverlapPlanner(site).run();
    if (std::holds_alternative<Refusal>(plan)) return plan;
    const auto& found = std::get<OverlapPlan>(plan);
    const analysis::Verdict verdict = analysis::map_recomputable(site.sdfg(), site.state(), found.first.entry, found.second.entry,
                                                                 found.container, site.assumptions());
    if (verdict.yes()) return plan;
    Refusal conflict{.code = "O4", .why = verdict.why, .nodes = {found.first.entry, found.second.entry}};
    if (verdict.witness) conflict.notes.push_back({analysis::to_string(*verdict.witness), {}});
    if (auto refusal = site.unless_assumed(std::move(conflict))) return std::move(*refusal);
    return plan;
}

/// What goes into the first map now comes through the entry of the tiles; the array lies between the maps inside of a tile.
void move_inside(ir::State& state, const OverlapPlan& plan, Scope tiles) {
    std::vector<EdgeId> into, through;
    std::string connector;
    for (const auto& [id, edge] : state.edges) {
        if (edge.dst == plan.first.entry) into.push_back(id);
        if (edge.src == plan.array && edge.dst == tiles.entry) through.push_back(id);
    }
    for (const EdgeId id : into) {
        ir::Edge inner = state.edges[id];
        state.edges[id].dst = tiles.entry;
        inner.src = tiles.entry;
        inner.src_connector.clear();
        if (!inner.dst_connector.empty()) {
            const std::string x = rewrite::add_passing_connector(state.nodes[tiles.entry], inner.memlet.data);
            state.edges[id].dst_connector = ir::port_in(x);
            inner.src_connector = ir::port_out(x);
        }
        state.edges.add(std::move(inner));
    }
    if (into.empty()) state.edges.add({tiles.entry, "", plan.first.entry, "", ir::no_memlet()});
    for (const EdgeId id : through) {
        const std::string x = std::string(ir::port_name(state.edges[id].dst_connector));
        for (auto [inner, edge] : state.edges)
            if (edge.src == tiles.entry && edge.src_connector == ir::port_out(x)) {
                edge.src = plan.array;
                edge.src_connector.clear();
            }
        state.edges.erase(id);
    }
    rewrite::erase_unused_connectors(state, tiles.entry);
}

void apply_map_tiling_with_overlap(rewrite::Draft& draft, const OverlapPlan& plan) {
    const rewrite::Site& site = draft.before();
    const auto& before = site.get<ir::MapEntry>("map");
    ir::State& state = draft.state();
    const ir::Adjacency adjacency(state);
    std::vector<TileShape> shapes;
    for (std::size_t d = 0; d < before.params.size(); ++d)
        shapes.push_back({.size = tile_size(site.expressions("tile_sizes"), d), .full = false});
    TileNames names{.prefix = site.text("prefix"), .taken = names_at(site.state(), site.view().scopes, plan.second.entry)};
    names.taken.merge(names_at(site.state(), site.view().scopes, plan.first.entry));
    const Scope tiles = tile_scope(draft.sdfg(), state, plan.second, edges_around(adjacency, plan.second), shapes, names);
    symbolic::Substitution first_points;
    for (std::size_t d = 0; d < before.params.size(); ++d)
        first_points.insert_or_assign(placeholder(before.params[d]),
                                      symbolic::symbol(std::get<ir::MapEntry>(state.nodes[tiles.entry].kind).params[d]));
    std::vector<Expr> origin;
    auto& first = std::get<ir::MapEntry>(state.nodes[plan.first.entry].kind);
    for (std::size_t d = 0; d < plan.extents.size(); ++d) {
        const Expr begin = symbolic::substitute(symbolic::min_index(plan.box.dims[d]), first_points);
        symbolic::Range& range = first.range.dims[plan.parameter[d]];
        range.end = symbolic::minimum(range.end, begin + plan.extents[d] - plan.shift[d]);
        range.begin = symbolic::maximum(range.begin, begin - plan.shift[d]);
        origin.push_back(-begin);
    }
    first.schedule = ir::Schedule::Default;
    first.collapse = 1;
    for (const auto* boundary_memlets : {&plan.written, &plan.read})
        for (const BoundaryMemlet& boundary : *boundary_memlets)
            for (const EdgeId id : edges_inward(state, adjacency, boundary.edge))
                if (auto& subset = state.edges[id].memlet.subset) subset = symbolic::offset_by(*subset, origin);
    move_inside(state, plan, tiles);
    ir::Container& container = *draft.sdfg().containers.find(plan.container);
    container.shape = plan.extents;
    std::get<ir::Array>(container.kind).total_size = 0;
}

}  // namespace

rewrite::Transformation map_tiling_with_overlap() {
    return rewrite::transformation(
        {.name = "MapTilingWithOverlap",
         .summary = "Visits the points of a map tile by tile, and computes for each tile anew what it reads from another map.",
         .drawing = "map p { t[p] }; map i { t[i-1:i+2] -> B }   ->   map tile_i { map p { t'[p] }; map i { t' -> B } }",
         .decided_by = {.predicates = {"map_recomputable"}},
         .patterns = {rewrite::chain(
             {{"first_exit", rewrite::kind::map_exit}, {"array", rewrite::kind::access}, {"map", rewrite::kind::map_entry}})},
         .conditions = {{"T1", "every tile size is at least 1"},
                        {"T2", "ranges use no other parameter of their map"},
                        {"T3", "the ranges read no data, steps of the second map are positive and of the first 1"},
                        {"O1", "between the maps is one transient array, which nothing else uses"},
                        {"O2", "a point of the first map writes one element of it, and nothing else"},
                        {"O3", "a tile reads a box of it whose extent is the same for all tiles"},
                        {"O4", "the second map changes nothing that the first one reads"}},
         .parameters = {{"tile_sizes", std::vector<Expr>{64},
                         "Points of a tile in each dimension; the last holds for all that follow."},
                        {.name = "prefix",
                         .default_value = std::string("tile"),
                         .help = "Begins the names of the outer map and its parameters.",
                         .begins_names = true}}},
        plan_map_tiling_with_overlap, apply_map_tiling_with_overlap);
}

}  // namespace sluice::transform
