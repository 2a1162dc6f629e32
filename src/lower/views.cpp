#include "lower/views.h"

#include <map>

#include "ir/query.h"
#include "ir/views.h"
#include "lower/writes.h"

namespace sluice::lower {

namespace {

const ir::Access* access_at(const StateContext& state, NodeId node) {
    return std::get_if<ir::Access>(&state.node(node).kind);
}

bool is_view(const StateContext& state, NodeId node) {
    const ir::Access* access = access_at(state, node);
    const ir::Container* container = access ? ir::find_container(state.function.sdfg, access->data) : nullptr;
    return container && container->binding == ir::Binding::View;
}

std::optional<ir::EdgeId> view_edge(const StateContext& state, NodeId node) {
    return ir::view_edge(state.function.sdfg, state.state, state.adjacency, node);
}

Location viewed_location(const StateContext& state, ir::EdgeId id, NodeId view) {
    const ir::Edge& edge = state.state.edges[id];
    const NodeId far = edge.dst == view ? path_source(state, id).node : path_target(state, id).node;
    const std::string data = data_at(*access_at(state, far), edge.memlet);
    const bool names_far = edge.memlet.data == data;
    return locate(state, data, names_far ? edge.memlet.subset : edge.memlet.other_subset, view);
}

/// Views that are bound, by name: the edges that did it.
using BoundViews = std::map<std::string, ir::EdgeId>;

// A view is one pointer in a scope: its access nodes there must agree on what it looks at.
void require_same_view(const StateContext& state, ir::EdgeId first, ir::EdgeId edge, NodeId node) {
    if (!ir::view_different_places(state.state.edges[first], state.state.edges[edge])) return;
    const std::string& name = access_at(state, node)->data;
    refuse({"L009", "`" + name + "` views two places in one scope", state.node(node).metadata.where, state.path_of(node),
            "give each place a view of its own"});
}

void bind_view(StateContext& state, NodeId node, BoundViews& bound, ScopedBindings& bindings, Body& body) {
    const auto edge = view_edge(state, node);
    if (!edge) return;
    const std::string& name = access_at(state, node)->data;
    if (const auto present = bound.find(name); present != bound.end())
        return require_same_view(state, present->second, *edge, node);
    const ir::Edge& e = state.state.edges[*edge];
    const NodeId far = e.dst == node ? path_source(state, *edge).node : path_target(state, *edge).node;
    if (is_view(state, far)) bind_view(state, far, bound, bindings, body);
    const Location location = viewed_location(state, *edge, node);
    if (location.slot->kind != Slot::Kind::Buffer)
        refuse({"L009", "`" + name + "` views `" + location.slot->name + "`, which has no address", state.node(node).metadata.where,
                state.path_of(node), "view an array"});
    Slot slot;
    slot.container = ir::find_container(state.function.sdfg, name);
    const bool apart = conflict_of(state, location, code::ReductionType::Sum, false) == loop::Conflict::None;
    slot.depth = apart ? state.function.loops.size() : location.slot->depth;
    slot.shared = !apart && location.slot->shared;
    slot.space = location.slot->space;
    slot.name = state.function.names.fresh(name);
    const DType type = memory_type(*slot.container);
    // An element of an array of containers is a pointer to what is viewed.
    const bool points = location.element_type() == DType::pointer(type);
    emit(body, loop::Alias{slot.name, type, points ? read(location) : address_of(location), false},
         state.node(node).metadata.where);
    bindings.bind(name, slot);
    bound.emplace(name, *edge);
    if (std::holds_alternative<ir::Structure>(slot.container->kind))
        bind_members(
            state.function, name, slot, true, [&](const std::string& dotted, Slot own) { bindings.bind(dotted, std::move(own)); },
            body);
}

}  // namespace

bool is_view_edge(const StateContext& state, ir::EdgeId id) {
    return ir::is_view_edge(state.function.sdfg, state.state, state.adjacency, id);
}

void bind_views(StateContext& state, std::span<const NodeId> nodes, ScopedBindings& bindings, Body& body) {
    BoundViews bound;
    for (const NodeId node : nodes)
        if (is_view(state, node)) bind_view(state, node, bound, bindings, body);
}

void rebind_reference(StateContext& state, ir::EdgeId id, Body& body) {
    const ir::Edge& edge = state.state.edges[id];
    const auto* reference = access_at(state, edge.dst);
    const Location target = locate(state, reference->data, std::nullopt, edge.dst);
    const ir::Access* source = access_at(state, path_source(state, id).node);
    if (!source)
        refuse({"L009", "reference `" + reference->data + "` can only be set to a container", state.node(edge.dst).metadata.where,
                state.path_of(edge.dst), "connect an access node to its `set` connector"});
    const std::string data = data_at(*source, edge.memlet);
    const bool names_source = edge.memlet.data == data;
    const Location location = locate(state, data, names_source ? edge.memlet.subset : edge.memlet.other_subset, edge.dst);
    emit(body, loop::Rebind{target.slot->name, address_of(location)}, state.node(edge.dst).metadata.where);
}

}  // namespace sluice::lower
