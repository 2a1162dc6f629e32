#include "lower/state.h"

#include <algorithm>

#include "code/walk.h"
#include "ir/messages.h"
#include "ir/port.h"
#include "ir/query.h"
#include "lower/allocation.h"
#include "lower/consume.h"
#include "lower/copies.h"
#include "lower/dataflow.h"
#include "lower/extern.h"
#include "lower/maps.h"
#include "lower/messages.h"
#include "lower/nested.h"
#include "lower/sections.h"
#include "lower/tasklets.h"
#include "lower/team.h"
#include "lower/views.h"
#include "lower/writes.h"
#include "support/check.h"

namespace sluice::lower {

namespace {

bool is_access(const ir::Node& node) {
    return std::holds_alternative<ir::Access>(node.kind);
}

// Copies from an access node of the scope to containers beyond its exit: before what follows the node may write there, too.
void lower_copies_out(StateContext& state, NodeId node, Body& body) {
    for (const ir::EdgeId id : state.adjacency.out(node)) {
        const ir::Edge& edge = state.state.edges[id];
        if (!edge.memlet.empty() && ir::is_exit(state.node(edge.dst)) && !is_view_edge(state, id) &&
            is_access(state.node(path_target(state, id).node)))
            lower_copy(state, id, body);
    }
}

// Copies that end here: from another access node, directly or through the entry of the scope. Then those that lead out of it.
void lower_access(StateContext& state, NodeId node, Body& body) {
    for (const ir::EdgeId id : state.adjacency.in(node)) {
        const ir::Edge& edge = state.state.edges[id];
        const ir::Node& before = state.node(edge.src);
        if (edge.memlet.empty() || is_view_edge(state, id)) continue;
        if (edge.dst_connector == "set") {
            rebind_reference(state, id, body);
            continue;
        }
        if (std::holds_alternative<ir::ConsumeEntry>(before.kind) && edge.src_connector == ir::kStreamOut) {
            write(state, locate(state, std::get<ir::Access>(state.node(node).kind).data, std::nullopt, node), {}, nullptr,
                  state.wires.at({edge.src, edge.src_connector}), node, body);
            continue;
        }
        const bool enters = ir::is_entry(before);
        if ((is_access(before) || enters) && is_access(state.node(path_source(state, id).node))) lower_copy(state, id, body);
    }
    lower_copies_out(state, node, body);
}

bool feeds_code(const StateContext& state, NodeId node) {
    return std::ranges::any_of(state.adjacency.out(node), [&](ir::EdgeId id) {
        const ir::Edge& edge = state.state.edges[id];
        const ir::Node& after = state.node(edge.dst);
        return !edge.src_connector.empty() &&
               (std::holds_alternative<ir::Tasklet>(after.kind) || std::holds_alternative<ir::NestedSdfg>(after.kind));
    });
}

// A tasklet among others gets a scope of its own, so that names of connectors repeat; but not if later code uses its results.
void lower_tasklet_among(StateContext& state, NodeId node, bool alone, Body& body) {
    const auto& tasklet = std::get<ir::Tasklet>(state.node(node).kind);
    const bool measured = tasklet.instrument != ir::Instrumentation::No_Instrumentation, feeds = feeds_code(state, node);
    if (measured && feeds)
        refuse({"L038", "the tasklet `" + tasklet.label + "` is measured, and its result goes straight into other code",
                state.node(node).metadata.where, state.path_of(node), "measure the map around it, or store the result in between"});
    if ((alone && !measured) || feeds) return lower_tasklet(state, node, body);
    loop::Block block{tasklet.label, {}};
    {
        ScopedBindings scope(state.function);
        lower_tasklet(state, node, block.body);
    }
    Body whole;
    emit(whole, std::move(block), state.node(node).metadata.where);
    emit_timed(body, tasklet.instrument, state.path_of(node), std::move(whole));
}

}  // namespace

void emit_timed(Body& body, ir::Instrumentation instrument, const std::string& path, Body timed) {
    if (instrument != ir::Instrumentation::No_Instrumentation) {
        emit(body, loop::Timed{path, instrument != ir::Instrumentation::Timer, std::move(timed)});
        return;
    }
    for (loop::Statement& statement : timed) body.push_back(std::move(statement));
}

void lower_node(StateContext& state, NodeId node, bool alone, Body& body) {
    const std::size_t before = body.size();
    std::visit(code::Overloaded{
                   [&](const ir::Access&) { lower_access(state, node, body); },
                   [&](const ir::Tasklet&) { lower_tasklet_among(state, node, alone, body); },
                   [&](const ir::MapEntry&) { lower_map(state, node, body); },
                   [](const ir::MapExit&) {},
                   [&](const ir::ConsumeEntry&) { lower_consume(state, node, body); },
                   [](const ir::ConsumeExit&) {},
                   [&](const ir::NestedSdfg&) { lower_nested(state, node, body); },
                   [&](const ir::LibraryNode& operation) {
                       ir::is_message(operation) ? lower_message(state, node, body) : lower_extern(state, node, body);
                   },
               },
               state.node(node).kind);
    if (body.size() > before) state.function.module.origins.give(state.path_of(node), body, before);
}

void lower_children(StateContext& state, NodeId entry, Body& body) {
    ScopedBindings bindings(state.function);
    if (entry.valid())
        if (const auto own = state.function.allocated_in_scope.find({&state.state, entry});
            own != state.function.allocated_in_scope.end())
            for (const std::string& name : own->second) allocate(state.function, name, &bindings, body);
    const std::span<const NodeId> children = state.scopes.children(entry);
    bind_views(state, children, bindings, body);
    const auto is_code = [&](NodeId child) {
        const ir::Node& node = state.node(child);
        return !is_access(node) && !std::holds_alternative<ir::MapExit>(node.kind) &&
               !std::holds_alternative<ir::ConsumeExit>(node.kind);
    };
    const bool alone = std::ranges::count_if(children, is_code) <= 1;
    if (!entry.valid() && state.function.team) return lower_for_team(state, children, alone, body);
    for (const NodeId child : children) clear_at_start(state, child, body);
    if (!entry.valid() && lower_sections(state, body)) return;
    for (const NodeId child : children) lower_node(state, child, alone, body);
}

void lower_state(FunctionContext& function, const ir::State& ir_state, const std::string& label, Body& body) {
    if (ir_state.nodes.empty()) return;
    StateContext state(function, ir_state, function.path + "/" + label);
    loop::Block block{label, {}};
    {
        ScopedBindings bindings(function);
        if (const auto own = function.allocated_in_state.find(&ir_state); own != function.allocated_in_state.end())
            for (const std::string& name : own->second) allocate(function, name, &bindings, block.body);
        if (is_kernel(state))
            lower_dataflow(state, label, bindings, block.body);
        else
            lower_children(state, NodeId(), block.body);
    }
    if (block.body.empty()) return;
    Body whole;
    emit(whole, std::move(block));
    emit_timed(body, ir_state.instrument, state.path, std::move(whole));
}

}  // namespace sluice::lower
