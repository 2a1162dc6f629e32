#include "transform/data/copy_plan.h"

#include <algorithm>

#include "analysis/legality/redundant_copy.h"
#include "analysis/liveness.h"
#include "analysis/projection.h"
#include "ir/query.h"
#include "ir/strides.h"
#include "rewrite/wires.h"

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;
using symbolic::Assumptions;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

namespace {

bool is_scope_node(const ir::Node& node) {
    return std::holds_alternative<ir::MapEntry>(node.kind) || std::holds_alternative<ir::MapExit>(node.kind) ||
           std::holds_alternative<ir::ConsumeEntry>(node.kind) || std::holds_alternative<ir::ConsumeExit>(node.kind);
}

bool is_plain(const ir::Container& container) {
    return container.binding == ir::Binding::Own &&
           (std::holds_alternative<ir::Array>(container.kind) || std::holds_alternative<ir::Scalar>(container.kind));
}

bool has_offset(const ir::Container& container) {
    const auto* array = std::get_if<ir::Array>(&container.kind);
    return array && (!array->start_offset.is_integer(0) ||
                     std::ranges::any_of(array->offset, [](const Expr& offset) { return !offset.is_integer(0); }));
}

/// Is the section one run of elements of a packed array?
bool is_run(const ir::Container& array, const Subset& section, const Assumptions& known) {
    if (!is_packed(array)) return false;
    bool partial = false;
    for (std::size_t d = section.rank(); d-- > 0;) {
        const Range &range = section.dims[d], all = analysis::whole_dimension(array, d);
        if (partial && !symbolic::num_elements(range, known).is_integer(1)) return false;
        if (!range.step.is_integer(1) || !range.tile.is_integer(1)) return false;
        partial = partial || !(range == all);
    }
    return true;
}

class CopyPlanner {
public:
    CopyPlanner(const rewrite::Site& site, NodeId array, NodeId transient)
        : site_(site),
          state_(site.state()),
          adjacency_(site.view().adjacency),
          known_(site.assumptions(site.view().scopes.parent(transient))) {
        plan_.array = array;
        plan_.transient = transient;
        plan_.array_name = std::get<ir::Access>(state_.nodes[array].kind).data;
        plan_.transient_name = std::get<ir::Access>(state_.nodes[transient].kind).data;
    }

    std::variant<CopyPlan, Refusal> run() {
        if (auto refusal = check_transient()) return *refusal;
        if (auto refusal = check_containers()) return *refusal;
        if (auto refusal = check_section()) return *refusal;
        if (auto refusal = check_users()) return *refusal;
        if (auto refusal = check_order()) return *refusal;
        return std::move(plan_);
    }

    std::variant<CopyPlan, Refusal> run_view() {
        if (auto refusal = check_view()) return *refusal;
        if (auto refusal = check_slice()) return *refusal;
        if (auto refusal = check_viewers()) return *refusal;
        return std::move(plan_);
    }

private:
    Refusal refuse(std::string code, std::string why) const {
        return {.code = std::move(code), .why = std::move(why), .nodes = {plan_.array, plan_.transient}};
    }

    /// R1
    std::optional<Refusal> check_transient() {
        const std::string& name = plan_.transient_name;
        if (!used_only_at(site_.sdfg(), state_, plan_.transient) ||
            std::get<ir::Access>(state_.nodes[plan_.transient].kind).setzero)
            return refuse("R1", name + " is no transient that is used here only");
        for (const EdgeId id : adjacency_.in(plan_.transient))
            if (state_.edges[id].src == plan_.array) {
                plan_.copy = id;
                plan_.from_array = true;
            }
        for (const EdgeId id : adjacency_.out(plan_.transient))
            if (state_.edges[id].dst == plan_.array) plan_.copy = id;
        const auto others = plan_.from_array ? adjacency_.in(plan_.transient) : adjacency_.out(plan_.transient);
        if (others.size() != 1)
            return refuse("R1", "more than this copy leads " + std::string(plan_.from_array ? "to " : "from ") + name);
        const ir::Edge& copy = state_.edges[plan_.copy];
        if (copy.memlet.empty() || copy.memlet.wcr || copy.memlet.dynamic || !copy.src_connector.empty() ||
            !copy.dst_connector.empty())
            return refuse("R1", "what leads from one to the other is no plain copy");
        return {};
    }

    /// R2
    std::optional<Refusal> check_containers() const {
        const ir::Container* array = site_.sdfg().containers.find(plan_.array_name);
        const ir::Container& transient = site_.sdfg().containers.at(plan_.transient_name);
        if (!array || !is_plain(*array)) return refuse("R2", plan_.array_name + " is neither an array nor a scalar");
        if (!is_plain(transient)) return refuse("R2", plan_.transient_name + " is neither an array nor a scalar");
        if (!(array->dtype == transient.dtype)) return refuse("R2", "the copy converts elements");
        if (array->storage != transient.storage) return refuse("R2", "the copy moves elements to another storage");
        return {};
    }

    /// R3
    std::optional<Refusal> check_section() {
        const ir::Edge& copy = state_.edges[plan_.copy];
        const auto section = exact_side(site_.sdfg(), copy.memlet, plan_.array_name, plan_.from_array, known_);
        const auto part = exact_side(site_.sdfg(), copy.memlet, plan_.transient_name, !plan_.from_array, known_);
        if (!section || !part) return refuse("R3", "the copy does not say which elements it moves where");
        plan_.section = *section;
        part_ = *part;
        plan_.placement = placement(*section, *part, known_);
        return {};
    }

    /// V1
    std::optional<Refusal> check_view() {
        const std::string& name = plan_.transient_name;
        const ir::Container* view = site_.sdfg().containers.find(name);
        if (!view || view->binding != ir::Binding::View || !used_only_at(site_.sdfg(), state_, plan_.transient))
            return refuse("V1", name + " is no view that is used here only");
        const auto in = adjacency_.in_at(plan_.transient, "views"), out = adjacency_.out_at(plan_.transient, "views");
        plan_.from_array = in && state_.edges[*in].src == plan_.array;
        if (!plan_.from_array && !(out && state_.edges[*out].dst == plan_.array))
            return refuse("V1", name + " does not view " + plan_.array_name + " here");
        plan_.copy = plan_.from_array ? *in : *out;
        const auto others = plan_.from_array ? adjacency_.in(plan_.transient) : adjacency_.out(plan_.transient);
        if (others.size() != 1)
            return refuse("V1", name + " is " + std::string(plan_.from_array ? "written" : "read") + " through, too");
        return {};
    }
    /// V2
    std::optional<Refusal> check_slice() {
        const ir::Container* array = site_.sdfg().containers.find(plan_.array_name);
        const ir::Container& view = site_.sdfg().containers.at(plan_.transient_name);
        if (!array || !std::holds_alternative<ir::Array>(array->kind) || !std::holds_alternative<ir::Array>(view.kind) ||
            !(array->dtype == view.dtype))
            return refuse("V2", plan_.transient_name + " does not view an array of its element type");
        const auto section = exact_side(site_.sdfg(), state_.edges[plan_.copy].memlet, plan_.array_name, plan_.from_array, known_);
        part_ = analysis::whole(view);
        if (section) plan_.placement = placement(*section, part_, known_);
        if (!plan_.placement) return refuse("V2", plan_.transient_name + " has another shape than what it views");
        plan_.section = *section;
        if (!same_layout())
            return refuse("V2",
                          plan_.transient_name + " walks through " + plan_.array_name + " by other strides than a slice of it");
        return {};
    }
    /// V3
    std::optional<Refusal> check_viewers() {
        collect_edges();
        for (const EdgeId id : plan_.edges) {
            if (!fits(id)) return refuse("V3", "a user of " + plan_.transient_name + " needs a container with as many dimensions");
            if (!fill_other_side(id))
                return refuse("V3", "a copy does not say which elements of " + plan_.transient_name + " it moves");
        }
        return {};
    }

    void collect_edges() {
        std::set<EdgeId> edges;
        for (const bool in : {true, false})
            for (const EdgeId at : in ? adjacency_.in(plan_.transient) : adjacency_.out(plan_.transient))
                if (at != plan_.copy && !state_.edges[at].memlet.empty())
                    for (const EdgeId id : edges_of_access(state_, adjacency_, at)) edges.insert(id);
        plan_.edges.assign(edges.begin(), edges.end());
    }

    /// R5, and the edges that change.
    std::optional<Refusal> check_users() {
        collect_edges();
        bool rebases = plan_.placement.has_value();
        for (const EdgeId id : plan_.edges) {
            const ir::Memlet& memlet = state_.edges[id].memlet;
            if (memlet.wcr && !plan_.from_array)
                return refuse("R1", "what " + plan_.transient_name + " holds is updated through a resolution");
            rebases = rebases && fits(id);
        }
        for (const EdgeId id : plan_.edges)
            if (rebases && !fill_other_side(id))
                return refuse("R3", "a copy does not say which elements of " + plan_.transient_name + " it moves");
        if (rebases) {
            for (const EdgeId id : plan_.edges)
                if (!stays_in_part(id))
                    return refuse("R4", "elements of " + plan_.transient_name + " are used that the copy does not move");
            return {};
        }
        if (auto why = why_no_view()) return refuse("R5", *why);
        plan_.becomes_view = true;
        return {};
    }

    /// Dimensions in which the copy moves one index disappear: does the edge use no other index there?
    bool stays_in_part(EdgeId id) const {
        const ir::Edge& edge = state_.edges[id];
        const NodeId far = plan_.from_array ? edge.dst : edge.src;
        if (is_scope_node(state_.nodes[far])) return true;  // It moves what the edges inside move.
        const ir::Container& transient = site_.sdfg().containers.at(plan_.transient_name);
        std::set<std::size_t> kept;
        for (const auto& along : plan_.placement->along)
            if (along) kept.insert(*along);
        const Assumptions there = site_.assumptions(site_.view().scopes.parent(far));
        const auto filled = plan_.other_sides.find(id);
        const bool own = edge.memlet.data == plan_.transient_name;
        const Subset side = own                        ? edge.memlet.subset.value_or(analysis::whole(transient))
                            : edge.memlet.other_subset ? *edge.memlet.other_subset
                                                       : filled->second;
        for (std::size_t k = 0; k < side.rank(); ++k) {
            if (kept.contains(k)) continue;
            const Range& range = side.dims[k];
            const bool same = symbolic::num_elements(range, there).is_integer(1) &&
                              (transient.shape[k].is_integer(1) ||
                               symbolic::is_yes(symbolic::decide(symbolic::equal(range.begin, part_.dims[k].begin), there)));
            if (!same) return false;
        }
        return true;
    }
    bool same_layout() const {
        if (!plan_.placement) return false;
        const ir::Container &array = site_.sdfg().containers.at(plan_.array_name),
                            &transient = site_.sdfg().containers.at(plan_.transient_name);
        if (has_offset(transient) || (transient.shape.size() > 0 && array.shape.empty())) return false;
        const std::vector<Expr> outer = ir::strides_of(array), inner = ir::strides_of(transient);
        for (std::size_t d = 0; d < plan_.placement->along.size(); ++d)
            if (const auto k = plan_.placement->along[d]; k && !(outer[d] * plan_.section.dims[d].step == inner[*k])) return false;
        return true;
    }
    /// Do users that count dimensions see the same ones?
    bool same_rank() const {
        const auto& along = plan_.placement->along;
        if (along.size() != plan_.placement->origin.size()) return false;
        for (std::size_t d = 0; d < along.size(); ++d)
            if (along[d] != d) return false;
        return true;
    }

    /// May the user at the far end of the edge get the section of the array in place of the transient?
    bool fits(EdgeId id) const {
        const ir::Edge& edge = state_.edges[id];
        const NodeId far = plan_.from_array ? edge.dst : edge.src;
        const ir::Node& node = state_.nodes[far];
        if (is_scope_node(node)) return true;
        if (std::holds_alternative<ir::NestedSdfg>(node.kind)) return same_layout();
        if (std::holds_alternative<ir::LibraryNode>(node.kind)) return same_rank();
        if (const auto* access = std::get_if<ir::Access>(&node.kind)) {
            const ir::Container* other = ir::find_container(site_.sdfg(), access->data);
            return (other && other->binding == ir::Binding::Own) || same_layout();
        }
        const auto side = edge.memlet.data == plan_.transient_name ? edge.memlet.subset : edge.memlet.other_subset;
        if (site_.sdfg().containers.at(plan_.transient_name).shape.empty()) return true;
        if (side && symbolic::num_elements(*side, known_).is_integer(1)) return true;
        const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind);
        const bool python = tasklet && tasklet->code.language == ir::Language::Python;
        return same_rank() && (python || same_layout());
    }

    /// Copies between the transient and others say both sides, so that what is left out stays said.
    bool fill_other_side(EdgeId id) {
        const ir::Edge& edge = state_.edges[id];
        const bool own = edge.memlet.data == plan_.transient_name;
        const std::vector<EdgeId> path = rewrite::memlet_path(state_, adjacency_, id);
        const NodeId far = plan_.from_array ? state_.edges[path.back()].dst : state_.edges[path.front()].src;
        const auto* access = std::get_if<ir::Access>(&state_.nodes[far].kind);
        if (!own) {
            if (edge.memlet.other_subset) return true;
            const auto side = exact_side(site_.sdfg(), edge.memlet, plan_.transient_name, plan_.from_array, known_);
            if (side) plan_.other_sides.emplace(id, *side);
            return side.has_value();
        }
        const bool touches_far = (plan_.from_array ? edge.dst : edge.src) == far;
        if (!access || !touches_far || edge.memlet.other_subset) return true;
        const auto side = exact_side(site_.sdfg(), edge.memlet, access->data, !plan_.from_array, known_);
        if (side) plan_.other_sides.emplace(id, *side);
        return side.has_value();
    }

    std::optional<std::string> why_no_view() {
        const ir::Container &array = site_.sdfg().containers.at(plan_.array_name),
                            &transient = site_.sdfg().containers.at(plan_.transient_name);
        const bool arrays = std::holds_alternative<ir::Array>(array.kind) && std::holds_alternative<ir::Array>(transient.kind);
        if (!arrays || !(part_ == analysis::whole(transient)) || has_offset(transient))
            return "users of " + plan_.transient_name + " take it by its address, and it is not copied as a whole";
        plan_.strides = ir::strides_of(transient);
        if (plan_.placement && !is_run_of_both()) {
            const std::vector<Expr> outer = ir::strides_of(array);
            for (std::size_t d = 0; d < plan_.placement->along.size(); ++d)
                if (const auto k = plan_.placement->along[d]) plan_.strides[*k] = outer[d] * plan_.section.dims[d].step;
            if (plan_.strides == ir::strides_of(transient)) return {};
            for (const EdgeId id : plan_.edges)
                if (by_address(id))
                    return "a user takes " + plan_.transient_name + " by its address, and elements lie otherwise in " +
                           plan_.array_name;
            return {};
        }
        if (!is_run_of_both())
            return "the copy changes the shape, and the elements do not lie one behind the other in " + plan_.array_name;
        return {};
    }
    bool is_run_of_both() const {
        return is_run(site_.sdfg().containers.at(plan_.array_name), plan_.section, known_) &&
               is_packed(site_.sdfg().containers.at(plan_.transient_name));
    }
    /// The user knows the strides of the transient.
    bool by_address(EdgeId id) const {
        const ir::Edge& edge = state_.edges[id];
        const ir::Node& node = state_.nodes[plan_.from_array ? edge.dst : edge.src];
        if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) return tasklet->code.language != ir::Language::Python;
        if (const auto* access = std::get_if<ir::Access>(&node.kind)) {
            const ir::Container* other = ir::find_container(site_.sdfg(), access->data);
            return !other || other->binding != ir::Binding::Own;
        }
        return std::holds_alternative<ir::NestedSdfg>(node.kind);
    }

    /// R4: asked about the program in which a twin of the array stands for the transient.
    std::optional<Refusal> check_order() const {
        for (const std::string& other : aliases(site_.sdfg(), plan_.array_name))
            for (const auto& [id, node] : state_.nodes)
                if (const auto* access = std::get_if<ir::Access>(&node.kind);
                    access && ir::root_name(access->data) == other && (!plan_.from_array || !adjacency_.in(id).empty()))
                    return site_.unless_assumed(refuse("R4", other + " may be the same memory as " + plan_.array_name));
        if (!plan_.from_array && !initialised_elsewhere().empty()) return refuse("R4", initialised_elsewhere());
        if (alone()) return {};
        ir::Sdfg root = site_.root();
        ir::Sdfg& sdfg = rewrite::sdfg_at(root, site_.match().place);
        ir::State& state = rewrite::state_at(root, site_.match().place);
        CopyPlan twin = plan_;
        twin.array_name = rewrite::fresh_symbol(sdfg, plan_.array_name + "_twin");
        ir::Container container = sdfg.containers.at(plan_.array_name);
        container.transient = true;
        container.lifetime = ir::Lifetime::Scope;
        sdfg.containers.set(twin.array_name, std::move(container));
        twin.array = state.nodes.add({.kind = ir::Access{.data = twin.array_name}, .in = {}, .out = {}, .metadata = {}});
        leave_out_copy(sdfg, state, twin);
        ir::Memlet same = ir::no_memlet();
        same.data = plan_.array_name;
        same.subset = same.other_subset = plan_.section;
        const EdgeId copy = plan_.from_array ? state.edges.add({plan_.array, "", twin.array, "", std::move(same)})
                                             : state.edges.add({twin.array, "", plan_.array, "", std::move(same)});
        const analysis::Verdict verdict = analysis::copy_redundant(
            sdfg, state, {.edge = copy, .twin = twin.array_name, .array = plan_.array_name, .from_array = plan_.from_array},
            site_.assumptions());
        if (verdict.yes()) return {};
        Refusal refusal = refuse("R4", verdict.why);
        if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
        return site_.unless_assumed(std::move(refusal));
    }

    /// Nothing else in the state touches the array, and the whole transient is copied: the usual case, seen without a model.
    bool alone() const {
        if (!(part_ == analysis::whole(site_.sdfg().containers.at(plan_.transient_name)))) return false;
        for (const auto& [id, node] : state_.nodes) {
            const auto* access = std::get_if<ir::Access>(&node.kind);
            if (!access) continue;
            const ir::Container* container = site_.sdfg().containers.find(ir::root_name(access->data));
            if (!container || container->binding != ir::Binding::Own) return false;
            if (access->data == plan_.array_name && id != plan_.array) return false;
        }
        return true;
    }

    /// A transient that keeps its elements from one run of the state to the next hands on old ones, unless all are written anew.
    std::string initialised_elsewhere() const {
        const auto allocated = analysis::allocation_scopes(site_.sdfg(), site_.assumptions());
        const auto allocation = allocated.find(plan_.transient_name);
        if (allocation != allocated.end() && allocation->second.level != analysis::AllocationScope::Level::Sdfg) return {};
        return plan_.transient_name + " may keep elements from an earlier run of the state";
    }

    const rewrite::Site& site_;
    const ir::State& state_;
    const ir::Adjacency& adjacency_;
    const Assumptions known_;
    CopyPlan plan_;
    Subset part_;
};

/// One edge carries the array's section in place of the transient.
void redirect(ir::Edge& edge, EdgeId id, const CopyPlan& plan, bool transient_is_source, const std::string& far) {
    ir::Memlet& memlet = edge.memlet;
    const bool own = memlet.data == plan.transient_name;
    const auto filled = plan.other_sides.find(id);
    if (own) {
        memlet.subset = placed(*plan.placement, *memlet.subset);
        if (filled != plan.other_sides.end()) memlet.other_subset = filled->second;
        memlet.data = plan.array_name;
    } else {
        memlet.other_subset = placed(*plan.placement, memlet.other_subset ? *memlet.other_subset : filled->second);
    }
    memlet.is_data_src.reset();
    if (far == plan.array_name) memlet.is_data_src = own == transient_is_source;
}

}  // namespace

std::variant<CopyPlan, Refusal> plan_copy(const rewrite::Site& site, NodeId array, NodeId transient) {
    return CopyPlanner(site, array, transient).run();
}

std::variant<CopyPlan, Refusal> plan_slice(const rewrite::Site& site, NodeId array, NodeId view) {
    return CopyPlanner(site, array, view).run_view();
}

void leave_out_copy(ir::Sdfg& sdfg, ir::State& state, const CopyPlan& plan) {
    if (plan.becomes_view) {
        ir::Container& view = *sdfg.containers.find(plan.transient_name);
        view.binding = ir::Binding::View;
        view.lifetime = ir::Lifetime::Scope;
        auto& layout = std::get<ir::Array>(view.kind);
        layout.strides = plan.strides;
        layout.alignment = 0;
        if (is_packed(view)) layout.strides.clear();
        (plan.from_array ? state.nodes[plan.transient].in : state.nodes[plan.transient].out).emplace("views", code::DType());
        ir::Memlet memlet = ir::no_memlet();
        memlet.data = plan.array_name;
        memlet.subset = plan.section;
        state.edges.erase(plan.copy);
        if (plan.from_array)
            state.edges.add({plan.array, "", plan.transient, "views", std::move(memlet)});
        else
            state.edges.add({plan.transient, "views", plan.array, "", std::move(memlet)});
        return;
    }
    const ir::Adjacency adjacency(state);
    const ir::Container& transient = sdfg.containers.at(plan.transient_name);
    for (const EdgeId id : plan.edges) {
        const std::vector<EdgeId> path = rewrite::memlet_path(state, adjacency, id);
        const NodeId far = plan.from_array ? state.edges[path.back()].dst : state.edges[path.front()].src;
        const auto* access = std::get_if<ir::Access>(&state.nodes[far].kind);
        ir::Edge& edge = state.edges[id];
        if (edge.memlet.data == plan.transient_name && !edge.memlet.subset) edge.memlet.subset = analysis::whole(transient);
        redirect(edge, id, plan, plan.from_array, access ? access->data : "");
    }
    state.edges.erase(plan.copy);
    for (const EdgeId id : rewrite::edges_at(state, std::vector{plan.transient})) {
        ir::Edge& edge = state.edges[id];
        if (edge.src == plan.transient) edge.src = plan.array;
        if (edge.dst == plan.transient) edge.dst = plan.array;
    }
    state.nodes.erase(plan.transient);
    rewrite::erase_container(sdfg, plan.transient_name);
}

}  // namespace sluice::transform
