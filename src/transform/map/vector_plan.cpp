#include "transform/map/vector_plan.h"

#include <algorithm>

#include "code/reduction.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;
using symbolic::Expr;

namespace {

/// What the lanes of one expression cannot do each for itself; empty if there is nothing.
std::string not_by_lane(const code::Expr& e) {
    std::string found = std::visit(code::Overloaded{
                                       [](const code::ConditionalExpr&) { return "a choice"; },
                                       [](const code::BoolExpr&) { return "a logical operator"; },
                                       [](const code::SubscriptExpr&) { return "an index"; },
                                       [](const code::LambdaExpr&) { return "a lambda"; },
                                       [](const auto&) { return ""; },
                                   },
                                   e.node);
    code::for_each_child(e, [&](const code::ExprPtr& child) {
        if (found.empty()) found = not_by_lane(*child);
    });
    return found;
}

std::string not_by_lane(const code::Body& body) {
    for (const code::StmtPtr& stmt : body) {
        std::string found = "control flow";
        if (const auto* assign = std::get_if<code::AssignStmt>(&stmt->node)) {
            found = not_by_lane(*assign->value);
            for (const code::ExprPtr& target : assign->targets)
                if (!std::holds_alternative<code::NameExpr>(target->node)) found = "an assignment to more than a name";
        } else if (const auto* update = std::get_if<code::AugAssignStmt>(&stmt->node)) {
            found = not_by_lane(*update->value);
            if (!std::holds_alternative<code::NameExpr>(update->target->node)) found = "an assignment to more than a name";
        } else if (std::holds_alternative<code::PassStmt>(stmt->node)) {
            found.clear();
        }
        if (!found.empty()) return found;
    }
    return {};
}

bool is_number(const code::DType& type) {
    return type.is_scalar() &&
           (code::is_integer(type.scalar) || type.scalar == code::Scalar::Float32 || type.scalar == code::Scalar::Float64);
}

/// Distance in memory of neighbours along the dimension, where it is a number.
std::optional<std::int64_t> stride_of(const ir::Container& container, std::size_t dimension) {
    const auto* array = std::get_if<ir::Array>(&container.kind);
    if (!array) return {};
    if (!array->strides.empty()) return array->strides[dimension].constant();
    Expr stride = 1;
    for (std::size_t d = dimension + 1; d < container.shape.size(); ++d) stride = stride * container.shape[d];
    return stride.constant();
}

class VectorPlanner {
public:
    VectorPlanner(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view, NodeId entry, std::size_t dimension)
        : sdfg_(sdfg),
          state_(state),
          view_(view),
          map_(std::get<ir::MapEntry>(state.nodes[entry].kind)),
          param_(map_.params[dimension]) {
        plan_.entry = entry;
        plan_.exit = view.scopes.exit_of(entry);
        plan_.dimension = dimension;
        for (const std::string& name : private_transients(sdfg, state, view, entry)) private_.insert(name);
    }

    std::variant<VectorPlan, Refusal> run() {
        for (const NodeId id : view_.scopes.children(plan_.entry))
            if (auto refusal = check_node(id)) return *refusal;
        for (const EdgeId id : view_.adjacency.out(plan_.entry))
            if (auto refusal = classify(id, false)) return *refusal;
        for (const EdgeId id : view_.adjacency.in(plan_.exit))
            if (auto refusal = classify(id, true)) return *refusal;
        spread();
        for (const NodeId id : view_.scopes.children(plan_.entry))
            if (std::holds_alternative<ir::Tasklet>(state_.nodes[id].kind))
                if (auto refusal = check_code(id)) return *refusal;
        if (plan_.wide.empty()) return refuse("V2", "no tasklet of the map computes with what its points differ in");
        return std::move(plan_);
    }

private:
    Refusal refuse(std::string code, std::string why, NodeId at = {}) const {
        return {.code = std::move(code), .why = std::move(why), .nodes = {at.valid() ? at : plan_.entry}};
    }

    /// V2: tasklets in Python, and private scalars between them.
    std::optional<Refusal> check_node(NodeId id) const {
        const ir::Node& node = state_.nodes[id];
        if (id == plan_.exit) return {};
        if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) {
            if (tasklet->code.language != ir::Language::Python)
                return refuse("V2", "the tasklet " + tasklet->label + " is not written in Python", id);
            if (ir::has_side_effects(*tasklet)) return refuse("V2", tasklet->label + " has side effects", id);
            return {};
        }
        const auto* access = std::get_if<ir::Access>(&node.kind);
        if (!access) return refuse("V2", ir::label_of(state_, id) + " lies inside of the map", id);
        const ir::Container* container = sdfg_.containers.find(access->data);
        if (!container || !private_.contains(access->data) || !std::holds_alternative<ir::Scalar>(container->kind))
            return refuse("V2", access->data + " is no scalar of the map's own", id);
        if (!is_number(container->dtype)) return refuse("V3", access->data + " holds no plain number", id);
        for (const EdgeId edge : view_.adjacency.in(id))
            if (!std::holds_alternative<ir::Tasklet>(state_.nodes[state_.edges[edge].src].kind) || state_.edges[edge].memlet.wcr)
                return refuse("V2", access->data + " is filled by more than a tasklet's assignment", id);
        for (const EdgeId edge : view_.adjacency.out(id))
            if (!std::holds_alternative<ir::Tasklet>(state_.nodes[state_.edges[edge].dst].kind))
                return refuse("V2", access->data + " is copied", id);
        return {};
    }

    /// V3: how the points of one vector meet the container.
    std::optional<Refusal> classify(EdgeId id, bool writes) {
        const ir::Edge& edge = state_.edges[id];
        const ir::Memlet& memlet = edge.memlet;
        if (memlet.empty()) return {};
        const NodeId at = writes ? edge.src : edge.dst;
        const ir::Container* container = sdfg_.containers.find(memlet.data);
        if (!container) return refuse("V3", memlet.data + " is a member of a structure", at);
        if (std::holds_alternative<ir::Stream>(container->kind)) return refuse("V3", memlet.data + " is a stream", at);
        if (memlet.dynamic) return refuse("V3", "whether " + memlet.data + " is touched depends on data", at);
        LaneAccess access;
        if (memlet.subset)
            if (auto why = place_lanes(*memlet.subset, *container, memlet.data, access)) return refuse("V3", *why, at);
        if (writes) {
            if (access.kind == LaneAccess::Kind::Same && !memlet.wcr)
                return refuse("V3", "all points of a vector write one element of " + memlet.data, at);
            if (memlet.wcr && memlet.wcr->type() == code::ReductionType::Custom)
                return refuse("V3", "the update of " + memlet.data + " is none of the known kinds", at);
        }
        if (writes || access.kind != LaneAccess::Kind::Same) {
            const code::DType declared =
                writes ? state_.nodes[at].out.at(edge.src_connector) : state_.nodes[at].in.at(edge.dst_connector);
            if (!is_number(container->dtype)) return refuse("V3", memlet.data + " holds no plain numbers", at);
            if (!declared.is_void() && !(declared == container->dtype))
                return refuse("V3", "a connector converts the elements of " + memlet.data, at);
            if (memlet.subset && !memlet.subset->is_index())
                return refuse("V3", "a point touches several elements of " + memlet.data, at);
        }
        plan_.moved.emplace(id, access);
        return {};
    }

    std::optional<std::string> place_lanes(const symbolic::Subset& subset, const ir::Container& container, const std::string& name,
                                           LaneAccess& access) const {
        const symbolic::Substitution next{{param_, symbolic::symbol(param_) + map_.range.dims[plan_.dimension].step}};
        for (std::size_t d = 0; d < subset.rank(); ++d) {
            if (!symbolic::free_symbols(subset.dims[d]).contains(param_)) continue;
            if (!subset.is_index()) return "a point touches several elements of " + name;
            const auto distance = (symbolic::substitute(subset.dims[d].begin, next) - subset.dims[d].begin).constant();
            if (!distance) return "the elements of " + name + " are at no constant distance";
            if (*distance == 0) continue;
            if (*distance < 0) return "the elements of " + name + " run backwards";
            if (access.kind != LaneAccess::Kind::Same) return "the elements of " + name + " lie on a diagonal";
            const bool neighbours = *distance == 1 && stride_of(container, d) == 1;
            access = {
                .kind = neighbours ? LaneAccess::Kind::Neighbours : LaneAccess::Kind::Apart, .dimension = d, .distance = *distance};
        }
        return {};
    }

    /// Tasklets that take a vector, or whose results leave the map, compute in vectors, and what they hand on is one.
    void spread() {
        for (bool again = true; again;) {
            again = false;
            for (const NodeId id : view_.scopes.children(plan_.entry)) {
                if (!std::holds_alternative<ir::Tasklet>(state_.nodes[id].kind) || plan_.wide.contains(id) || !is_wide(id))
                    continue;
                plan_.wide.insert(id);
                for (const EdgeId edge : view_.adjacency.out(id))
                    if (const auto* access = std::get_if<ir::Access>(&state_.nodes[state_.edges[edge].dst].kind))
                        plan_.wide_scalars.insert(access->data);
                again = true;
            }
        }
    }
    bool is_wide(NodeId id) const {
        for (const EdgeId edge : view_.adjacency.in(id)) {
            const auto moved = plan_.moved.find(edge);
            if (moved != plan_.moved.end() && moved->second.kind != LaneAccess::Kind::Same) return true;
            const NodeId src = state_.edges[edge].src;
            if (plan_.wide.contains(src) && !state_.edges[edge].src_connector.empty()) return true;
            if (const auto* access = std::get_if<ir::Access>(&state_.nodes[src].kind);
                access && plan_.wide_scalars.contains(access->data))
                return true;
        }
        return std::ranges::any_of(view_.adjacency.out(id), [&](EdgeId edge) {
            const auto* access = std::get_if<ir::Access>(&state_.nodes[state_.edges[edge].dst].kind);
            return plan_.moved.contains(edge) || (access && plan_.wide_scalars.contains(access->data));
        });
    }

    /// V4: every lane computes for itself what a point computed.
    std::optional<Refusal> check_code(NodeId id) const {
        const auto& tasklet = std::get<ir::Tasklet>(state_.nodes[id].kind);
        const auto body = ir::parsed_body(tasklet.code);
        if (!body) return refuse("V4", "the code of " + tasklet.label + " cannot be read", id);
        if (ir::free_names(*body).contains(param_))
            return refuse("V4", tasklet.label + " computes with the parameter " + param_, id);
        if (!plan_.wide.contains(id)) return {};
        if (const std::string found = not_by_lane(*body); !found.empty())
            return refuse("V4", "the code of " + tasklet.label + " has " + found, id);
        for (const EdgeId edge : view_.adjacency.in(id)) {
            const auto moved = plan_.moved.find(edge);
            const ir::Memlet& memlet = state_.edges[edge].memlet;
            if (moved != plan_.moved.end() && memlet.subset && !memlet.subset->is_index() && memlet.subset->rank() > 0)
                return refuse("V4", tasklet.label + " takes several elements of " + memlet.data, id);
        }
        return {};
    }

    const ir::Sdfg& sdfg_;
    const ir::State& state_;
    const rewrite::StateView& view_;
    const ir::MapEntry& map_;
    const std::string param_;
    VectorPlan plan_;
    std::set<std::string> private_;
};

}  // namespace

std::variant<VectorPlan, Refusal> plan_vectors(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view,
                                               NodeId entry, std::size_t dimension) {
    return VectorPlanner(sdfg, state, view, entry, dimension).run();
}

}  // namespace sluice::transform
