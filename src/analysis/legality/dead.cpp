#include "analysis/legality/dead.h"

#include <algorithm>
#include <set>

#include "analysis/edge_accesses.h"
#include "analysis/legality/within.h"
#include "analysis/liveness.h"
#include "ir/query.h"

namespace sluice::analysis {

namespace {

using ir::NodeId;

Verdict seen(std::string why, std::vector<NodeId> nodes) {
    return {.answer = Answer::No, .why = std::move(why), .nodes = std::move(nodes)};
}

std::set<NodeId> reached_from(const ir::State& state, const ir::Adjacency& adjacency, NodeId from) {
    std::set<NodeId> reached{from};
    std::vector<NodeId> pending{from};
    while (!pending.empty()) {
        const NodeId at = pending.back();
        pending.pop_back();
        for (const ir::EdgeId edge : adjacency.out(at))
            if (reached.insert(state.edges[edge].dst).second) pending.push_back(state.edges[edge].dst);
    }
    return reached;
}

/// Who else names the container in the state.
std::vector<NodeId> others(const ir::State& state, NodeId access, const std::string& data) {
    std::vector<NodeId> found;
    for (const auto& [id, node] : state.nodes)
        if (const auto* other = std::get_if<ir::Access>(&node.kind); other && id != access && ir::root_name(other->data) == data)
            found.push_back(id);
    return found;
}

bool joins_view(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, NodeId node) {
    const auto is_view = [&](NodeId other) {
        const auto* access = std::get_if<ir::Access>(&state.nodes[other].kind);
        const ir::Container* container = access ? ir::find_container(sdfg, access->data) : nullptr;
        return container && container->binding != ir::Binding::Own;
    };
    return std::ranges::any_of(adjacency.in(node), [&](ir::EdgeId edge) { return is_view(state.edges[edge].src); }) ||
           std::ranges::any_of(adjacency.out(node), [&](ir::EdgeId edge) { return is_view(state.edges[edge].dst); });
}

/// An update needs what was there before it, whether anybody sees what it makes or not.
bool reads(const ir::State& state, const ir::Adjacency& adjacency, NodeId node) {
    return std::ranges::any_of(adjacency.out(node), [&](ir::EdgeId edge) { return !state.edges[edge].memlet.empty(); }) ||
           std::ranges::any_of(adjacency.in(node), [&](ir::EdgeId edge) { return state.edges[edge].memlet.wcr.has_value(); });
}

/// Does an edge into `later` write for certain all that edges into `access` may write?
bool overwrites(const EdgeAccesses& edges, NodeId later, NodeId access, const std::string& data,
                const symbolic::Assumptions& known) {
    std::vector<symbolic::Subset> kills;
    for (const ir::EdgeId edge : edges.adjacency().in(later))
        if (const auto write = edges.at_top(edge, data, false);
            write && !write->updates && write->moved.exact && !write->moved.dynamic)
            kills.push_back(write->moved.subset);
    return std::ranges::all_of(edges.adjacency().in(access), [&](ir::EdgeId edge) {
        const auto write = edges.at_top(edge, data, false);
        return !write || std::ranges::any_of(kills, [&](const symbolic::Subset& kill) {
            return lies_within(write->moved.subset, kill, data, known).yes();
        });
    });
}

}  // namespace

Verdict never_seen(const ir::Sdfg& sdfg, const ir::State& state, NodeId access, const symbolic::Assumptions& known,
                   const symbolic::Assumptions& everywhere) {
    const std::string& data = std::get<ir::Access>(state.nodes[access].kind).data;
    const std::vector<NodeId> rest = others(state, access, data);
    const ir::Container& container = sdfg.containers.at(data);
    const bool forgotten = container.transient && container.lifetime != ir::Lifetime::Persistent &&
                           container.lifetime != ir::Lifetime::External && container.lifetime != ir::Lifetime::Global;
    if (rest.empty() && !forgotten) return seen("`" + data + "` is there when the program is over", {access});
    const EdgeAccesses edges(sdfg, state, known);
    const ir::Adjacency& adjacency = edges.adjacency();
    const std::set<NodeId> after = reached_from(state, adjacency, access);
    std::vector<NodeId> later, readers;
    if (joins_view(sdfg, state, adjacency, access)) return seen("`" + data + "` is seen through a view", {access});
    for (const NodeId other : rest) {
        if (std::get<ir::Access>(state.nodes[other].kind).data != data)
            return seen("a member of `" + data + "` has an access node of its own", {access, other});
        if (joins_view(sdfg, state, adjacency, other)) return seen("`" + data + "` is seen through a view", {access, other});
        if (after.contains(other)) later.push_back(other);
        const bool earlier = !after.contains(other) && reached_from(state, adjacency, other).contains(access);
        if (reads(state, adjacency, other) && !earlier) readers.push_back(other);
    }
    for (const NodeId killer : later) {
        if (!overwrites(edges, killer, access, data, known)) continue;
        const std::set<NodeId> behind = reached_from(state, adjacency, killer);
        const auto unkilled = std::ranges::find_if(readers, [&](NodeId reader) { return !behind.contains(reader); });
        if (unkilled == readers.end()) return {.answer = Answer::Yes};
    }
    if (!readers.empty()) return seen("`" + data + "` may be read later in the state", {access, readers.front()});
    if (!forgotten) return seen("`" + data + "` is there when the program is over", {access});
    const LiveSets live = live_out(sdfg, everywhere);
    const auto found = live.find(&state);
    if (found == live.end() || std::ranges::binary_search(found->second, data))
        return seen("`" + data + "` is read after the state", {access});
    return {.answer = Answer::Yes};
}

}  // namespace sluice::analysis
