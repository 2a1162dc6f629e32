#include "lower/reductions.h"

#include <algorithm>
#include <set>

#include "ir/query.h"

namespace sluice::lower {

using code::Scalar;
using loop::ReductionOp;

namespace {

// Private copies of a buffer larger than this cost more than atomic updates.
constexpr std::int64_t kLargestPrivateBuffer = 4096;

bool openmp_combines(ReductionOp op, const DType& type) {
    if (!type.is_scalar()) return false;
    const bool integer = is_integer(type.scalar), complex = is_complex(type.scalar);
    switch (op) {
        case ReductionOp::Sum:
        case ReductionOp::Product:
            return type.scalar != Scalar::Bool;
        case ReductionOp::Min:
        case ReductionOp::Max:
        case ReductionOp::LogicalAnd:
        case ReductionOp::LogicalOr:
            return !complex;
        case ReductionOp::BitwiseAnd:
        case ReductionOp::BitwiseOr:
        case ReductionOp::BitwiseXor:
            return integer;
        case ReductionOp::LogicalXor:
        case ReductionOp::Sub:
        case ReductionOp::Div:
        case ReductionOp::Exchange:
        case ReductionOp::Custom:
            return false;
    }
    return false;
}

// The edges of tasklets and other code whose updates arrive at an edge into an exit.
void collect_leaves(const StateContext& state, ir::EdgeId id, std::vector<ir::EdgeId>& leaves) {
    const ir::Edge& edge = state.state.edges[id];
    const ir::Node& node = state.node(edge.src);
    const bool exit = ir::is_exit(node);
    if (!exit || !edge.src_connector.starts_with("OUT_")) return leaves.push_back(id);
    const std::string inner = "IN_" + edge.src_connector.substr(4);
    for (const ir::EdgeId in : state.adjacency.in(edge.src))
        if (state.state.edges[in].dst_connector == inner) collect_leaves(state, in, leaves);
}

// Names that the scopes between the leaf and the entry bind, that of the entry excluded.
std::set<std::string> names_bound_inside(const StateContext& state, NodeId entry, NodeId leaf) {
    std::set<std::string> names;
    for (NodeId at = state.scopes.parent(leaf); at.valid() && at != entry; at = state.scopes.parent(at)) {
        if (const auto* map = std::get_if<ir::MapEntry>(&state.node(at).kind)) names.insert(map->params.begin(), map->params.end());
        if (const auto* consume = std::get_if<ir::ConsumeEntry>(&state.node(at).kind)) names.insert(consume->pe_index);
        for (const auto& [connector, type] : state.node(at).in)
            if (!connector.starts_with("IN_")) names.insert(connector);
    }
    return names;
}

void collect_accessed(const StateContext& state, NodeId entry, std::set<std::string>& names) {
    for (const NodeId child : state.scopes.children(entry)) {
        const ir::Node& node = state.node(child);
        if (const auto* access = std::get_if<ir::Access>(&node.kind)) names.insert(access->data);
        if (ir::is_entry(node)) collect_accessed(state, child, names);
    }
}

// Containers that the scope reads through its entry or touches at access nodes inside.
std::set<std::string> read_in_scope(const StateContext& state, NodeId entry) {
    std::set<std::string> names;
    for (const ir::EdgeId edge : state.adjacency.in(entry)) names.insert(state.state.edges[edge].memlet.data);
    collect_accessed(state, entry, names);
    return names;
}

bool has_call(const Expr& e) {
    return e.kind() == symbolic::Kind::Call || std::ranges::any_of(e.operands(), has_call);
}

bool same_update(const ir::Memlet& a, const ir::Memlet& b) {
    return a.data == b.data && a.subset == b.subset && a.wcr == b.wcr;
}

}  // namespace

std::vector<PlannedAccumulator> plan_accumulators(const StateContext& state, NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(state.node(entry).kind);
    const NodeId exit = state.scopes.exit_of(entry);
    std::vector<PlannedAccumulator> plans;
    std::optional<std::set<std::string>> reads;
    for (const ir::EdgeId id : state.adjacency.in(exit)) {
        const ir::Edge& edge = state.state.edges[id];
        if (!edge.dst_connector.starts_with("IN_") || edge.memlet.empty()) continue;
        const std::string name = edge.dst_connector.substr(3);
        std::vector<ir::EdgeId> leaves;
        for (const ir::EdgeId in : state.adjacency.in(exit))
            if (state.state.edges[in].dst_connector == edge.dst_connector) collect_leaves(state, in, leaves);
        if (leaves.empty() || std::ranges::any_of(plans, [&](const PlannedAccumulator& plan) { return plan.connector == name; }))
            continue;
        const ir::Memlet& memlet = state.state.edges[leaves[0]].memlet;
        if (!memlet.wcr || !std::ranges::all_of(leaves, [&](ir::EdgeId leaf) {
                const NodeId source = state.state.edges[leaf].src;
                return same_update(state.state.edges[leaf].memlet, memlet) &&
                       std::holds_alternative<ir::Tasklet>(state.node(source).kind);
            }))
            continue;
        const ir::Container* container = ir::find_container(state.function.sdfg, memlet.data);
        if (!container || std::holds_alternative<ir::Stream>(container->kind) || container->binding != ir::Binding::Own) continue;
        PlannedAccumulator plan{name,  leaves[0], reduction_op(ir::reduction_type(*memlet.wcr)), container->dtype, nullptr, 0,
                                false, {}};
        plan.identity = identity_of(plan.op, plan.type);
        Subset subset = memlet.subset.value_or(Subset::extents(container->shape));
        if (!plan.identity || !symbolic::num_elements(subset).is_integer(1)) continue;
        if (std::ranges::any_of(subset.dims, [](const symbolic::Range& range) { return has_call(range.begin); })) continue;
        const std::set<std::string> used = symbolic::free_symbols(subset);
        const std::set<std::string> inside = names_bound_inside(state, entry, state.state.edges[leaves[0]].src);
        if (std::ranges::any_of(used, [&](const std::string& symbol) { return inside.contains(symbol); })) continue;
        if (!reads) reads = read_in_scope(state, entry);
        if (reads->contains(memlet.data)) continue;
        for (std::size_t p = 0; p < map.params.size(); ++p)
            if (used.contains(map.params[p])) plan.level = p + 1;
        if (plan.level == map.params.size()) continue;
        plan.combines_in_parallel = openmp_combines(plan.op, plan.type);
        plans.push_back(std::move(plan));
    }
    return plans;
}

void open_accumulator(StateContext& state, NodeId exit, PlannedAccumulator& plan, Body& body) {
    plan.variable = state.function.names.fresh(state.state.edges[plan.leaf].memlet.data + "_sum");
    if (plan.op != ReductionOp::Sum)
        plan.variable = state.function.names.fresh(state.state.edges[plan.leaf].memlet.data + "_partial");
    emit(body, loop::Declare{plan.variable, plan.type, plan.identity, false});
    state.accumulators.insert_or_assign({exit, plan.connector}, Accumulator{plan.variable, plan.type});
}

void close_accumulator(StateContext& state, NodeId exit, const PlannedAccumulator& plan, Body& body) {
    state.accumulators.erase({exit, plan.connector});
    write_beyond(state, exit, plan.connector, state.state.edges[plan.leaf].memlet, loop::variable(plan.variable, plan.type), body);
}

std::vector<PlannedArrayReduction> plan_array_reductions(const StateContext& state, NodeId entry) {
    const NodeId exit = state.scopes.exit_of(entry);
    std::vector<PlannedArrayReduction> plans;
    std::set<std::string> refused = read_in_scope(state, entry);
    for (const ir::EdgeId id : state.adjacency.in(exit)) {
        std::vector<ir::EdgeId> leaves;
        collect_leaves(state, id, leaves);
        for (const ir::EdgeId leaf : leaves) {
            const ir::Memlet& memlet = state.state.edges[leaf].memlet;
            if (memlet.empty() || refused.contains(memlet.data)) continue;
            const auto slot = state.function.slots.find(memlet.data);
            const ReductionOp op = memlet.wcr ? reduction_op(ir::reduction_type(*memlet.wcr)) : ReductionOp::Custom;
            const auto present = std::ranges::find(plans, memlet.data, &PlannedArrayReduction::data);
            const bool fits = slot != state.function.slots.end() && slot->second.kind == Slot::Kind::Buffer &&
                              !slot->second.shared && slot->second.container->binding == ir::Binding::Own &&
                              openmp_combines(op, slot->second.container->dtype);
            // A size that is not a constant is as good as one that is too large.
            const std::int64_t total = fits
                                           ? layout_of(*slot->second.container).total.constant().value_or(kLargestPrivateBuffer + 1)
                                           : kLargestPrivateBuffer + 1;
            const bool agrees = present == plans.end() || present->reduction.op == op;
            if (total > kLargestPrivateBuffer || !agrees) {
                refused.insert(memlet.data);
                std::erase_if(plans, [&](const PlannedArrayReduction& plan) { return plan.data == memlet.data; });
            } else if (present == plans.end()) {
                plans.push_back({memlet.data, {slot->second.name, op, total}});
            }
        }
    }
    return plans;
}

}  // namespace sluice::lower
