#include "lower/reductions.h"

#include <algorithm>

#include "analysis/updates.h"
#include "code/reduction.h"
#include "ir/query.h"

namespace sluice::lower {

using code::ReductionType;
using code::Scalar;

namespace {

bool is_inside(const StateContext& state, NodeId entry, NodeId node) {
    NodeId scope = state.scopes.parent(node);
    while (scope.valid() && scope != entry) scope = state.scopes.parent(scope);
    return scope.valid();
}

/// Does anything in the map read the container, or write it without resolution?
bool is_read_inside(const StateContext& state, NodeId entry, const std::string& data) {
    return std::ranges::any_of(state.state.edges, [&](const auto& one) {
        const ir::Edge& edge = one.second;
        return edge.memlet.data == data && !edge.memlet.wcr &&
               (is_inside(state, entry, edge.src) || is_inside(state, entry, edge.dst));
    });
}

bool is_private(const ir::MapEntry& map, const std::string& data) {
    return std::ranges::find(map.private_updates, data) != map.private_updates.end();
}

/// `any = any or x` of one truth at a time is a branch or a byte in each iteration to a compiler; integers it combines in lanes,
/// seven times as fast. They are 0 and 1, or all bits where the operator's identity says so.
void hold_truths_as_integers(const StateContext& state, PlannedAccumulator& plan) {
    const bool all = plan.op == ReductionType::LogicalAnd;
    if ((!all && plan.op != ReductionType::LogicalOr) || !(plan.type == DType(Scalar::Bool))) return;
    if (const auto* target = state.function.module.options.target; target && target->device) return;
    plan.op = all ? ReductionType::BitwiseAnd : ReductionType::BitwiseOr;
    plan.type = Scalar::Int64;
    plan.combines_in_parallel = analysis::openmp_combines(plan.op, plan.type);
}

}  // namespace

std::vector<PlannedAccumulator> plan_accumulators(const StateContext& state, NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(state.node(entry).kind);
    std::vector<PlannedAccumulator> plans;
    // A processing element is one thread, and memory off the chip is far.
    const bool of_element = state.function.on_device && map.schedule == ir::Schedule::FPGA_Device;
    if (map.private_updates.empty() && !of_element) return plans;
    for (const analysis::RepeatedUpdate& update :
         analysis::repeated_updates(state.function.sdfg, state.state, state.adjacency, state.scopes, entry)) {
        const ir::Memlet& memlet = state.state.edges[update.leaves[0]].memlet;
        if (!is_private(map, memlet.data) && !(of_element && !is_read_inside(state, entry, memlet.data))) continue;
        const DType& type = ir::find_container(state.function.sdfg, memlet.data)->dtype;
        const code::ReductionType operation = memlet.wcr->type();
        PlannedAccumulator plan{update.connector,
                                update.leaves[0],
                                operation,
                                type,
                                nullptr,
                                update.level,
                                analysis::openmp_combines(operation, type),
                                {}};
        hold_truths_as_integers(state, plan);
        plan.identity = identity_value(plan.op, plan.type);
        plans.push_back(std::move(plan));
    }
    return plans;
}

void open_accumulator(StateContext& state, NodeId exit, PlannedAccumulator& plan, std::size_t depth, Body& body) {
    plan.variable = state.function.names.fresh(state.state.edges[plan.leaf].memlet.data + "_sum");
    if (plan.op != ReductionType::Sum)
        plan.variable = state.function.names.fresh(state.state.edges[plan.leaf].memlet.data + "_partial");
    emit(body, loop::Declare{plan.variable, plan.type, plan.identity, false});
    state.accumulators.insert_or_assign({exit, plan.connector}, Accumulator{plan.variable, plan.type, depth, plan.op});
}

void close_accumulator(StateContext& state, NodeId exit, const PlannedAccumulator& plan, Body& body) {
    state.accumulators.erase({exit, plan.connector});
    write_beyond(state, exit, plan.connector, state.state.edges[plan.leaf].memlet, loop::variable(plan.variable, plan.type), body);
}

std::vector<PlannedArrayReduction> plan_array_reductions(const StateContext& state, NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(state.node(entry).kind);
    std::vector<PlannedArrayReduction> plans;
    if (map.private_updates.empty()) return plans;
    for (const ir::EdgeId id : state.adjacency.in(state.scopes.exit_of(entry)))
        for (const ir::EdgeId leaf : analysis::update_leaves(state.state, state.adjacency, id)) {
            const ir::Memlet& memlet = state.state.edges[leaf].memlet;
            if (!memlet.wcr || memlet.wcr_nonatomic || !is_private(map, memlet.data)) continue;  // Threads may be apart already.
            if (std::ranges::find(plans, memlet.data, &PlannedArrayReduction::data) != plans.end()) continue;
            const auto slot = state.function.slots.find(memlet.data);
            if (slot == state.function.slots.end() || slot->second.kind != Slot::Kind::Buffer) continue;
            const code::ReductionType operation = memlet.wcr->type();
            if (analysis::openmp_combines(operation, slot->second.container->dtype))
                plans.push_back(
                    {memlet.data,
                     {slot->second.name, operation, resolve(state.function, layout_of(*slot->second.container).total)}});
        }
    return plans;
}

}  // namespace sluice::lower
