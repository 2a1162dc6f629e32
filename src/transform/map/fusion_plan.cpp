#include "transform/map/fusion_plan.h"

#include <algorithm>

#include "analysis/legality/within.h"
#include "analysis/symbols.h"
#include "code/reduction.h"
#include "ir/code_block.h"

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;
using symbolic::Assumptions;
using symbolic::Expr;
using symbolic::Subset;

namespace {

/// Sums of the same kind and their like: in any order.
bool both_resolved(const ir::Memlet& a, const ir::Memlet& b) {
    if (!a.wcr || !b.wcr) return false;
    const code::ReductionType type = a.wcr->type();
    return type != code::ReductionType::Custom && type != code::ReductionType::Exchange && type == b.wcr->type();
}

class FusionPlanner {
public:
    FusionPlanner(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view, NodeId first, NodeId second,
                  const Assumptions& known)
        : sdfg_(sdfg), state_(state), view_(view), known_(analysis::assumptions_in(state, view.scopes, first, known)) {
        plan_.first = {first, view.scopes.exit_of(first)};
        plan_.second = {second, view.scopes.exit_of(second)};
        plan_.inside_second = rewrite::nodes_inside(view.scopes, second);
    }

    std::variant<FusionPlan, Refusal> run(const Pairing& pairing) {
        const auto& first = std::get<ir::MapEntry>(state_.nodes[plan_.first.entry].kind);
        const auto& second = std::get<ir::MapEntry>(state_.nodes[plan_.second.entry].kind);
        for (const auto& [a, b] : pairing)
            if (first.params[a] != second.params[b])
                plan_.parameters.insert_or_assign(second.params[b], symbolic::symbol(first.params[a]));
        if (const auto name = hidden_name(state_, view_.scopes, plan_.second.entry, plan_.parameters))
            return refuse("F6", "the name " + *name + " means something else inside the second map");
        before_ = boundary_memlets(state_, view_, plan_.first.entry);
        after_ = boundary_memlets(state_, view_, plan_.second.entry);
        for (BoundaryMemlet& boundary : after_)
            if (boundary.hull) boundary.hull = symbolic::substitute(*boundary.hull, plan_.parameters);
        find_intermediates();
        if (auto refusal = check_ways()) return *refusal;
        for (Intermediate& intermediate : plan_.intermediates) {
            if (auto refusal = check_memory(intermediate)) return *refusal;
            if (auto refusal = check_values(intermediate)) return *refusal;
        }
        if (auto refusal = check_order()) return *refusal;
        return std::move(plan_);
    }

private:
    Refusal refuse(std::string code, std::string why) const {
        return {.code = std::move(code), .why = std::move(why), .nodes = {plan_.first.entry, plan_.second.entry}};
    }

    void find_intermediates() {
        std::map<NodeId, Intermediate> found;
        for (const BoundaryMemlet& boundary : before_)
            if (boundary.writes && std::holds_alternative<ir::Access>(state_.nodes[boundary.outside].kind)) {
                Intermediate& intermediate = found[boundary.outside];
                intermediate.node = boundary.outside;
                intermediate.container = boundary.container;
                intermediate.written.push_back(boundary);
            }
        for (const BoundaryMemlet& boundary : after_)
            if (const auto at = found.find(boundary.outside); !boundary.writes && at != found.end())
                at->second.read.push_back(boundary);
        for (auto& [node, intermediate] : found)
            if (!intermediate.read.empty()) plan_.intermediates.push_back(std::move(intermediate));
    }

    bool is_intermediate(NodeId node) const {
        return std::ranges::any_of(plan_.intermediates, [&](const Intermediate& known) { return known.node == node; });
    }

    /// F2: data from the first map reaches the second through the intermediates only.
    std::optional<Refusal> check_ways() const {
        std::set<EdgeId> direct;
        for (const EdgeId id : view_.adjacency.in(plan_.second.entry))
            if (is_intermediate(state_.edges[id].src) && !state_.edges[id].memlet.empty()) direct.insert(id);
        if (reaches(state_, view_.adjacency, plan_.first.exit, plan_.second.entry, direct))
            return refuse("F2", "what the first map writes reaches the second by another way, too");
        for (const Intermediate& intermediate : plan_.intermediates)
            for (const EdgeId id : view_.adjacency.in(intermediate.node))
                if (state_.edges[id].src != plan_.first.exit)
                    return refuse("F2",
                                  intermediate.container + " is written by something else, too, before the second map reads it");
        return {};
    }

    /// F6: what kind of memory stands between the maps, and who else sees it.
    std::optional<Refusal> check_memory(Intermediate& intermediate) {
        const std::string& name = intermediate.container;
        const ir::Container* container = sdfg_.containers.find(name);
        const auto* array = container ? std::get_if<ir::Array>(&container->kind) : nullptr;
        if (!container || container->binding != ir::Binding::Own ||
            (!array && !std::holds_alternative<ir::Scalar>(container->kind)))
            return refuse("F6", name + " is neither an array nor a scalar");
        if (array && std::ranges::any_of(array->offset, [](const Expr& offset) { return !offset.is_integer(0); }))
            return refuse("F6", "the indices of " + name + " have an offset");
        const bool scoped = container->lifetime == ir::Lifetime::Scope || container->lifetime == ir::Lifetime::State;
        const bool alone = std::ranges::all_of(view_.adjacency.out(intermediate.node),
                                               [&](EdgeId id) { return state_.edges[id].dst == plan_.second.entry; });
        intermediate.private_memory = container->transient && scoped && alone && rewrite::count_accesses(sdfg_, name) == 1 &&
                                      !rewrite::used_in_control(sdfg_, name);
        intermediate.stays = !intermediate.private_memory && !(alone && overwritten(intermediate));
        return {};
    }

    /// The second map writes all that the first wrote: nobody sees what was there in between.
    bool overwritten(const Intermediate& intermediate) const {
        return std::ranges::all_of(intermediate.written, [&](const BoundaryMemlet& written) {
            return written.hull && std::ranges::any_of(after_, [&](const BoundaryMemlet& boundary) {
                       if (!boundary.writes || boundary.container != written.container) return false;
                       const auto sure = surely_written(state_, view_, boundary, known_);
                       return sure && analysis::lies_within(*written.hull, symbolic::substitute(*sure, plan_.parameters),
                                                            written.container, known_)
                                          .yes();
                   });
        });
    }

    /// F4: a point of the second map reads what the same point of the first writes for certain.
    std::optional<Refusal> check_values(Intermediate& intermediate) {
        std::vector<Subset> sure;
        for (BoundaryMemlet& boundary : intermediate.written) {
            const auto subset = surely_written(state_, view_, boundary, known_);
            if (!subset) return refuse("F4", "it is not certain what a point of the first map writes of " + intermediate.container);
            boundary.hull = subset;
            sure.push_back(*subset);
        }
        for (const BoundaryMemlet& boundary : intermediate.read) {
            const bool covered = boundary.hull && std::ranges::any_of(sure, [&](const Subset& subset) {
                                     return analysis::lies_within(*boundary.hull, subset, intermediate.container, known_).yes();
                                 });
            if (!covered)
                return refuse("F4", "a point of the second map may read elements of " + intermediate.container +
                                        " that the same point of the first does not write");
        }
        return shape(intermediate, sure);
    }

    std::optional<Refusal> shape(Intermediate& intermediate, const std::vector<Subset>& sure) {
        Subset hull = sure.front();
        for (const Subset& subset : sure) hull = symbolic::hull_union(hull, subset, known_);
        std::set<std::string> local;  // parameters: no extent may use them
        for (NodeId at = plan_.first.entry; at.valid(); at = view_.scopes.parent(at)) {
            if (const auto* map = std::get_if<ir::MapEntry>(&state_.nodes[at].kind))
                local.insert(map->params.begin(), map->params.end());
            if (const auto* consume = std::get_if<ir::ConsumeEntry>(&state_.nodes[at].kind)) local.insert(consume->pe_index);
            for (const auto& [connector, type] : state_.nodes[at].in) local.insert(connector);
        }
        const ir::Container& container = *sdfg_.containers.find(intermediate.container);
        bool single = true;
        for (std::size_t d = 0; d < hull.rank(); ++d) {
            const Expr begin = symbolic::min_index(hull.dims[d]), extent = symbolic::max_index(hull.dims[d]) - begin + 1;
            const bool fixed =
                std::ranges::none_of(symbolic::free_symbols(extent), [&](const auto& name) { return local.contains(name); });
            intermediate.origin.push_back(fixed ? begin : Expr(0));
            intermediate.extent.push_back(fixed ? extent : container.shape[d]);
            single = single && intermediate.extent.back().is_integer(1);
        }
        single = single && symbolic::is_yes(symbolic::covers(hull, Subset::indices(intermediate.origin), known_));
        return check_leaves(intermediate, single);
    }

    /// What a nested SDFG sees has the strides of the container: it fits a smaller one only if it is one element.
    std::optional<Refusal> check_leaves(Intermediate& intermediate, bool single) {
        intermediate.scalar = single;
        for (const auto* boundary_memlets : {&intermediate.written, &intermediate.read})
            for (const BoundaryMemlet& boundary : *boundary_memlets)
                for (const EdgeId id : edges_inward(state_, view_.adjacency, boundary.edge)) {
                    const ir::Edge& edge = state_.edges[id];
                    const ir::Node& end = state_.nodes[boundary.writes ? edge.src : edge.dst];
                    if (goes_both_ways(end, boundary.writes ? edge.src_connector : edge.dst_connector))
                        return refuse("F6", "a nested SDFG reads and writes " + intermediate.container + " through one connector");
                    if (std::holds_alternative<ir::NestedSdfg>(end.kind) && !single)
                        return refuse("F6", "a nested SDFG takes more than one element of " + intermediate.container);
                    const bool plain = std::holds_alternative<ir::Tasklet>(end.kind) ||
                                       std::holds_alternative<ir::MapEntry>(end.kind) ||
                                       std::holds_alternative<ir::MapExit>(end.kind);
                    intermediate.scalar = intermediate.scalar && plain;
                }
        return {};
    }

    /// F5: whatever else both touch at one point is either different memory or still in order.
    std::optional<Refusal> check_order() const {
        for (const BoundaryMemlet& a : before_)
            for (const BoundaryMemlet& b : after_) {
                if ((!a.writes && !b.writes) || !may_overlap(sdfg_, a.container, b.container)) continue;
                if (a.container == b.container && a.hull && b.hull &&
                    analysis::lies_apart(*a.hull, *b.hull, a.container, known_).yes())
                    continue;
                const Intermediate* passed = intermediate_of(a);
                if (passed && !b.writes && b.outside == passed->node) continue;
                if (both_resolved(state_.edges[a.edge].memlet, state_.edges[b.edge].memlet)) continue;
                if ((passed && passed->stays) || !in_order(a.inside, b.inside))
                    return refuse("F5", "at one point both maps touch " + b.container + ", and nothing would keep them in order");
            }
        return {};
    }
    const Intermediate* intermediate_of(const BoundaryMemlet& boundary) const {
        if (!boundary.writes) return nullptr;
        for (const Intermediate& intermediate : plan_.intermediates)
            if (intermediate.node == boundary.outside) return &intermediate;
        return nullptr;
    }
    /// Will a path lead from the one to the other through an intermediate?
    bool in_order(NodeId a, NodeId b) const {
        return std::ranges::any_of(plan_.intermediates, [&](const Intermediate& intermediate) {
            return std::ranges::any_of(
                       intermediate.written,
                       [&](const BoundaryMemlet& written) { return reaches(state_, view_.adjacency, a, written.inside); }) &&
                   std::ranges::any_of(intermediate.read, [&](const BoundaryMemlet& read) {
                       return reaches(state_, view_.adjacency, read.inside, b);
                   });
        });
    }

    const ir::Sdfg& sdfg_;
    const ir::State& state_;
    const rewrite::StateView& view_;
    const Assumptions known_;
    FusionPlan plan_;
    std::vector<BoundaryMemlet> before_, after_;
};

}  // namespace

std::variant<FusionPlan, Refusal> plan_fusion(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view,
                                              NodeId first, NodeId second, const Pairing& pairing, const Assumptions& known) {
    return FusionPlanner(sdfg, state, view, first, second, known).run(pairing);
}

namespace {

Subset moved(const Subset& subset, const Intermediate& intermediate) {
    if (intermediate.scalar) return {};
    std::vector<Expr> by;
    for (const Expr& origin : intermediate.origin) by.push_back(-origin);
    return symbolic::offset_by(subset, by);
}

/// The container in which a point of the fused map hands the value on.
std::string make_local(ir::Sdfg& sdfg, const Intermediate& intermediate) {
    ir::Container local = *sdfg.containers.find(intermediate.container);
    if (intermediate.scalar) {
        local.shape.clear();
        local.kind = ir::Scalar{};
    } else if (std::holds_alternative<ir::Array>(local.kind)) {
        local.shape = intermediate.extent;
        local.kind = ir::Array{};
    }
    local.transient = true;
    local.lifetime = ir::Lifetime::Scope;
    local.metadata.guid.clear();
    if (!intermediate.private_memory) local.storage = ir::Storage::Default;
    const std::string name =
        intermediate.private_memory ? intermediate.container : rewrite::fresh_symbol(sdfg, intermediate.container + "_local");
    sdfg.containers.set(name, std::move(local));
    return name;
}

/// Memlets of the path from the scope's boundary inwards name the local container.
void redirect(ir::State& state, const std::vector<EdgeId>& path, const Intermediate& intermediate, const std::string& local) {
    for (const EdgeId id : path) {
        ir::Memlet& memlet = state.edges[id].memlet;
        std::optional<Subset>& side = memlet.data == intermediate.container ? memlet.subset : memlet.other_subset;
        if (side) side = moved(*side, intermediate);
        if (memlet.data == intermediate.container) memlet.data = local;
    }
}

void pass_on(ir::Sdfg& sdfg, ir::State& state, const ir::Adjacency& adjacency, const FusionPlan& plan,
             const Intermediate& intermediate) {
    const std::string local = make_local(sdfg, intermediate);
    const NodeId node = state.nodes.add({.kind = ir::Access{.data = local}, .in = {}, .out = {}, .metadata = {}});
    for (const BoundaryMemlet& boundary : intermediate.written) {
        redirect(state, edges_inward(state, adjacency, boundary.edge), intermediate, local);
        ir::Edge& edge = state.edges[boundary.edge];
        if (intermediate.stays) {
            ir::Memlet store = ir::no_memlet();
            store.data = intermediate.container;
            store.subset = intermediate.scalar ? Subset::indices(intermediate.origin) : *boundary.hull;
            store.other_subset = moved(*boundary.hull, intermediate);
            ir::Edge copy{node, "", plan.first.exit, edge.dst_connector, std::move(store)};
            edge.dst = node;
            edge.dst_connector.clear();
            state.edges.add(std::move(copy));
        } else {
            edge.dst = node;
            edge.dst_connector.clear();
        }
    }
    for (const BoundaryMemlet& boundary : intermediate.read) {
        redirect(state, edges_inward(state, adjacency, boundary.edge), intermediate, local);
        state.edges[boundary.edge].src = node;
        state.edges[boundary.edge].src_connector.clear();
    }
    std::vector<EdgeId> gone;
    for (const auto& [id, edge] : state.edges)
        if ((edge.src == intermediate.node && edge.dst == plan.second.entry) ||
            (!intermediate.stays && edge.src == plan.first.exit && edge.dst == intermediate.node))
            gone.push_back(id);
    for (const EdgeId id : gone) state.edges.erase(id);
    if (!intermediate.stays) return rewrite::erase_node(state, intermediate.node);
    // In a scope everything leads to the exit.
    const ir::Adjacency now(state);
    const analysis::ScopeTree scopes(state, now);
    if (const NodeId around = scopes.parent(intermediate.node); around.valid() && now.out(intermediate.node).empty())
        state.edges.add({intermediate.node, "", scopes.exit_of(around), "", ir::no_memlet()});
}

}  // namespace

void fuse(ir::Sdfg& sdfg, ir::State& state, const FusionPlan& plan) {
    const ir::Adjacency adjacency(state);
    substitute_inside(state, plan.inside_second, plan.parameters);
    for (const Intermediate& intermediate : plan.intermediates) pass_on(sdfg, state, adjacency, plan, intermediate);
    rewrite::erase_unused_connectors(state, plan.first.exit);
    rewrite::erase_unused_connectors(state, plan.second.entry);
    auto& map = std::get<ir::MapEntry>(state.nodes[plan.first.entry].kind);
    map.schedule = *common_schedule(map.schedule, std::get<ir::MapEntry>(state.nodes[plan.second.entry].kind).schedule);
    merge_scopes(state, plan.first, plan.second);
}

}  // namespace sluice::transform
