#include "lower/sections.h"

#include <algorithm>
#include <map>

#include "ir/query.h"
#include "lower/copies.h"
#include "lower/state.h"

namespace sluice::lower {

namespace {

const ir::Stream* stream_at(const StateContext& state, NodeId node) {
    const auto* access = std::get_if<ir::Access>(&state.node(node).kind);
    const ir::Container* container = access ? ir::find_container(state.function.sdfg, access->data) : nullptr;
    return container ? std::get_if<ir::Stream>(&container->kind) : nullptr;
}

// Joins a producer and a consumer that run at the same time. A consume scope is none: it pushes to its own stream, whose size
// therefore is no bound (allocation.cpp).
bool is_bounded_stream(const StateContext& state, NodeId node) {
    const ir::Stream* stream = stream_at(state, node);
    if (!stream || stream->buffer_size.is_integer(0) || state.adjacency.in(node).empty() || state.adjacency.out(node).empty())
        return false;
    const auto joins = [&](NodeId other) {
        return !stream_at(state, other) && !std::holds_alternative<ir::ConsumeEntry>(state.node(other).kind);
    };
    return std::ranges::all_of(state.adjacency.in(node), [&](ir::EdgeId id) { return joins(state.state.edges[id].src); }) &&
           std::ranges::all_of(state.adjacency.out(node), [&](ir::EdgeId id) { return joins(state.state.edges[id].dst); });
}

// Top-level nodes that hang together without bounded streams, each part named by one of its nodes.
class Parts {
public:
    Parts(const StateContext& state, std::span<const NodeId> children) {
        for (const NodeId child : children) leader_[child] = child;
        for (const NodeId child : children) {
            if (is_bounded_stream(state, child)) continue;
            for (const NodeId after : successors(state, child))
                if (!is_bounded_stream(state, after)) leader_[find(after)] = find(child);
        }
    }
    NodeId find(NodeId node) {
        while (leader_.at(node) != node) node = leader_[node] = leader_.at(leader_.at(node));
        return node;
    }
    static std::vector<NodeId> successors(const StateContext& state, NodeId node) {
        const bool entry = ir::is_entry(state.node(node));
        std::vector<NodeId> result;
        for (const ir::EdgeId edge : state.adjacency.out(entry ? state.scopes.exit_of(node) : node))
            result.push_back(state.state.edges[edge].dst);
        return result;
    }

private:
    std::map<NodeId, NodeId> leader_;
};

// Copies from access nodes of a part into the streams at its border.
void lower_feeds(StateContext& state, std::span<const NodeId> members, Body& section) {
    for (const NodeId member : members) {
        if (!std::holds_alternative<ir::Access>(state.node(member).kind)) continue;
        for (const ir::EdgeId id : state.adjacency.out(member)) {
            const ir::Edge& edge = state.state.edges[id];
            if (!edge.memlet.empty() && is_bounded_stream(state, edge.dst)) lower_copy(state, id, section);
        }
    }
}

}  // namespace

bool lower_sections(StateContext& state, std::span<const NodeId> children, Body& body) {
    if (!state.function.may_share()) return false;
    if (std::ranges::none_of(children, [&](NodeId child) { return is_bounded_stream(state, child); })) return false;
    Parts parts(state, children);
    std::vector<NodeId> order;
    std::map<NodeId, std::vector<NodeId>> members;
    for (const NodeId child : children) {
        if (is_bounded_stream(state, child)) continue;
        const NodeId part = parts.find(child);
        if (!members.contains(part)) order.push_back(part);
        members[part].push_back(child);
    }
    if (order.size() < 2) return false;
    loop::ParallelSections sections;
    state.function.loops.push_back({"", {}, true});
    for (const NodeId part : order) {
        Body section;
        ScopedBindings scope(state.function);
        for (const NodeId child : members[part]) lower_node(state, child, members[part].size() == 1, section);
        lower_feeds(state, members[part], section);
        if (!section.empty()) sections.sections.push_back(std::move(section));
    }
    state.function.loops.pop_back();
    emit(body, std::move(sections));
    return true;
}

}  // namespace sluice::lower
