// MapFission: run the parts of a map's contents in maps of their own, one after the other.
//     map i { A -> t -> B }   ->   map i { A } -> t[i] -> map i { B }
//     map i { nested { A; t; B } }   ->   nested { map i { nested { A } }; t[i]; map i { nested { B } } }
// F1 the range reads no data and no dimension of it uses a parameter of the map. F2 the contents fall into parts: pieces of code
// with nothing but transients of the map's own between them. F3 no point of one part conflicts with another point of another. F4
// how many points there are is known outside of the scopes around, and no name inside hides a parameter. Transients between the
// parts grow by the dimensions of the map. Those that are copied, that library nodes take, or that are no plain arrays or scalars
// stay together with the code around them.
#include <algorithm>

#include "analysis/legality/fission.h"
#include "analysis/legality/parallel.h"
#include "ir/port.h"
#include "transform/kept_order.h"
#include "transform/map/fission_nested.h"
#include "transform/map/fission_plan.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;

/// Of the map's contents, or of the states of what it calls.
using Fission = std::variant<FissionPlan, NestedFission>;

std::optional<Refusal> unless_yes(const rewrite::Site& site, const analysis::Verdict& verdict) {
    if (verdict.yes()) return {};
    Refusal refusal{.code = "F3", .why = verdict.why, .nodes = {site.node("map")}};
    if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
    return site.unless_assumed(std::move(refusal));
}

rewrite::Planned<Fission> plan_map_fission(const rewrite::Site& site) {
    const NodeId id = site.node("map");
    if (site.match().pattern == 1) {
        auto plan = plan_nested_fission(site);
        if (auto* refusal = std::get_if<Refusal>(&plan)) return std::move(*refusal);
        if (auto refusal = unless_yes(site, analysis::map_parallel(site.sdfg(), site.state(), id, site.assumptions())))
            return std::move(*refusal);
        return Fission(std::get<NestedFission>(std::move(plan)));
    }
    auto plan = plan_fission(site.sdfg(), site.state(), site.view(), id, known_around(site, id));
    if (auto* refusal = std::get_if<Refusal>(&plan)) return std::move(*refusal);
    auto& parts = std::get<FissionPlan>(plan).parts;
    if (auto refusal = unless_yes(site, analysis::map_fissionable(site.sdfg(), site.state(), id, parts, site.assumptions())))
        return std::move(*refusal);
    return Fission(std::get<FissionPlan>(std::move(plan)));
}

/// Gives every part a map of its own.
class Splitting {
public:
    /// `around`: the scope that the map lies in, or invalid ids.
    Splitting(const ir::Sdfg& sdfg, ir::State& state, const FissionPlan& plan, Scope around)
        : sdfg_(sdfg), state_(state), plan_(plan), around_(around) {
        for (std::size_t part = 0; part < plan.parts.size(); ++part)
            for (const NodeId id : plan.parts[part]) part_[id] = part;
    }

    std::vector<Scope> run() {
        make_scopes();
        std::vector<EdgeId> all;
        for (const auto& [id, edge] : state_.edges) all.push_back(id);
        for (const EdgeId id : all) gather_outer(id);
        for (const EdgeId id : all) route(id);
        for (const Scope& scope : scopes_) {
            for (const NodeId before : ordered_before_) add_order(before, scope.entry);
            for (const NodeId after : ordered_after_) add_order(scope.exit, after);
        }
        if (around_.entry.valid()) keep_inside();
        rewrite::erase_node(state_, plan_.entry);
        rewrite::erase_node(state_, plan_.exit);
        for (std::size_t part = 0; part < scopes_.size(); ++part) {
            std::set<NodeId> inside{scopes_[part].entry, scopes_[part].exit};
            inside.insert(plan_.parts[part].begin(), plan_.parts[part].end());
            keep_order(sdfg_, state_, inside, {before_.begin(), before_.end()}, {after_.begin(), after_.end()});
        }
        return scopes_;
    }

private:
    /// Parts that take nothing from the scope around, or give nothing to it, stay in it all the same.
    void keep_inside() {
        const ir::Adjacency adjacency(state_);
        for (const Scope& scope : scopes_) {
            if (adjacency.in(scope.entry).empty()) add_order(around_.entry, scope.entry);
            if (adjacency.out(scope.exit).empty()) add_order(scope.exit, around_.exit);
        }
    }

    void make_scopes() {
        const ir::Node entry = state_.nodes[plan_.entry], exit = state_.nodes[plan_.exit];
        for (std::size_t part = 0; part < plan_.parts.size(); ++part) {
            ir::Node opens{.kind = entry.kind, .in = {}, .out = {}, .metadata = entry.metadata};
            opens.metadata.guid.clear();
            if (part > 0) std::get<ir::MapEntry>(opens.kind).label += "_" + std::to_string(part);
            const NodeId made = state_.nodes.add(std::move(opens));
            ir::Node closes{.kind = ir::MapExit{made}, .in = {}, .out = {}, .metadata = exit.metadata};
            closes.metadata.guid.clear();
            scopes_.push_back({made, state_.nodes.add(std::move(closes))});
        }
    }

    void gather_outer(EdgeId id) {
        const ir::Edge& edge = state_.edges[id];
        if (edge.dst == plan_.entry) {
            if (edge.src != around_.entry) before_.insert(edge.src);
            if (edge.dst_connector.empty())
                ordered_before_.insert(edge.src);
            else
                into_.emplace(std::string(ir::port_name(edge.dst_connector)), edge);
        } else if (edge.src == plan_.exit) {
            if (edge.dst != around_.exit) after_.insert(edge.dst);
            if (edge.src_connector.empty())
                ordered_after_.insert(edge.dst);
            else
                out_of_.emplace(std::string(ir::port_name(edge.src_connector)), edge);
        }
    }

    void route(EdgeId id) {
        const ir::Edge edge = state_.edges[id];
        const auto from = part_.find(edge.src), to = part_.find(edge.dst);
        if (edge.src == plan_.entry && to != part_.end()) {
            const bool order = edge.src_connector.empty();
            enter(id, to->second, order ? ir::Edge{} : into_.at(std::string(ir::port_name(edge.src_connector))));
        } else if (edge.dst == plan_.exit && from != part_.end()) {
            const bool order = edge.dst_connector.empty();
            leave(id, from->second, order ? ir::Edge{} : out_of_.at(std::string(ir::port_name(edge.dst_connector))));
        } else if (plan_.between.contains(edge.src) && to != part_.end()) {
            if (edge.memlet.empty()) add_order(edge.src, scopes_[to->second].entry);
            enter(id, to->second, edge);
        } else if (plan_.between.contains(edge.dst) && from != part_.end()) {
            if (edge.memlet.empty()) add_order(scopes_[from->second].exit, edge.dst);
            leave(id, from->second, edge);
        }
    }

    /// The edge now begins at the part's entry, to which `outer` brings what it carries.
    void enter(EdgeId id, std::size_t part, ir::Edge outer) {
        const NodeId entry = scopes_[part].entry;
        ir::Edge& edge = state_.edges[id];
        edge.src = entry;
        edge.src_connector.clear();
        if (edge.memlet.empty()) return;
        std::string& x = passing_in_[{part, outer.src, outer.src_connector + "." + outer.memlet.data}];
        if (x.empty()) {
            x = rewrite::add_passing_connector(state_.nodes[entry], outer.memlet.data);
            outer.dst = entry;
            outer.dst_connector = ir::port_in(x);
            state_.edges.add(std::move(outer));
        }
        state_.edges[id].src_connector = ir::port_out(x);
    }
    void leave(EdgeId id, std::size_t part, ir::Edge outer) {
        const NodeId exit = scopes_[part].exit;
        ir::Edge& edge = state_.edges[id];
        edge.dst = exit;
        edge.dst_connector.clear();
        if (edge.memlet.empty()) return;
        std::string& x = passing_out_[{part, outer.dst, outer.dst_connector + "." + outer.memlet.data}];
        if (x.empty()) {
            x = rewrite::add_passing_connector(state_.nodes[exit], outer.memlet.data);
            outer.src = exit;
            outer.src_connector = ir::port_out(x);
            state_.edges.add(std::move(outer));
        }
        state_.edges[id].dst_connector = ir::port_in(x);
    }
    void add_order(NodeId from, NodeId to) { state_.edges.add({from, "", to, "", ir::no_memlet()}); }

    using Port = std::tuple<std::size_t, NodeId, std::string>;

    const ir::Sdfg& sdfg_;
    ir::State& state_;
    const FissionPlan& plan_;
    const Scope around_;
    std::map<NodeId, std::size_t> part_;
    std::vector<Scope> scopes_;
    std::map<std::string, ir::Edge> into_, out_of_;    ///< By connector: edges outside of the map.
    std::set<NodeId> before_, after_;                  ///< The map's neighbours.
    std::set<NodeId> ordered_before_, ordered_after_;  ///< Those that nothing but an empty memlet joins to it.
    std::map<Port, std::string> passing_in_, passing_out_;
};

/// One element for each point of the map.
void grow(ir::Sdfg& sdfg, ir::State& state, const std::vector<NodeId>& inside, const FissionPlan& plan) {
    symbolic::Subset point;
    for (const symbolic::Expr& index : plan.indices) point.dims.push_back(symbolic::Range::index(index));
    for (const EdgeId id : rewrite::edges_at(state, inside)) {
        ir::Memlet& memlet = state.edges[id].memlet;
        if (!plan.grown.contains(memlet.data)) continue;
        symbolic::Subset subset = point;
        const symbolic::Subset own = memlet.subset.value_or(symbolic::Subset::extents(sdfg.containers.at(memlet.data).shape));
        subset.dims.insert(subset.dims.end(), own.dims.begin(), own.dims.end());
        memlet.subset = std::move(subset);
    }
    for (const std::string& name : plan.grown) {
        ir::Container& container = *sdfg.containers.find(name);
        container.shape.insert(container.shape.begin(), plan.extents.begin(), plan.extents.end());
        if (std::holds_alternative<ir::Scalar>(container.kind)) container.kind = ir::Array{};
        std::get<ir::Array>(container.kind).total_size = 0;
        if (container.storage == ir::Storage::Register) container.storage = ir::Storage::Default;
    }
}

void apply_map_fission(rewrite::Draft& draft, const Fission& fission) {
    const rewrite::Site& site = draft.before();
    if (const auto* nested = std::get_if<NestedFission>(&fission)) return split_nested(draft, *nested);
    const FissionPlan& plan = std::get<FissionPlan>(fission);
    ir::State& state = draft.state();
    grow(draft.sdfg(), state, rewrite::nodes_inside(site.view().scopes, plan.entry), plan);
    const NodeId around = site.view().scopes.parent(plan.entry);
    const std::vector<Scope> scopes =
        Splitting(draft.sdfg(), state, plan, {around, around.valid() ? site.view().scopes.exit_of(around) : NodeId()}).run();
    draft.forward(plan.entry, scopes.front().entry);
    draft.forward(plan.exit, scopes.back().exit);
}

}  // namespace

rewrite::Transformation map_fission() {
    return rewrite::transformation(
        {.name = "MapFission",
         .summary = "Runs the parts of a map's contents in maps of their own, one after the other.",
         .drawing = "map i { A -> t -> B }   ->   map i { A } -> t[i] -> map i { B }",
         .decided_by = {.predicates = {"map_fissionable", "map_parallel"}},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}},
                      rewrite::chain({{"map", rewrite::kind::map_entry}, {"nested", rewrite::kind::nested_sdfg}})},
         .conditions = {{"F1", "the range reads no data, and no dimension uses a parameter of the map"},
                        {"F2",
                         "the contents fall into parts, with transients of the map's own between them, or are states "
                         "of a nested SDFG that follow each other"},
                        {"F3", "no point of one part conflicts with another point of another"},
                        {"F4",
                         "the number of points is known outside of the scopes around, and no name hides a "
                         "parameter"}}},
        plan_map_fission, apply_map_fission);
}

}  // namespace sluice::transform
