#include "analysis/sections.h"

#include <algorithm>
#include <map>

#include "ir/query.h"

namespace sluice::analysis {

namespace {

const ir::Stream* stream_at(const ir::Sdfg& sdfg, const ir::Node& node) {
    const auto* access = std::get_if<ir::Access>(&node.kind);
    const ir::Container* container = access ? ir::find_container(sdfg, access->data) : nullptr;
    return container ? std::get_if<ir::Stream>(&container->kind) : nullptr;
}

/// Union-find over the nodes at the top level.
class Parts {
public:
    explicit Parts(std::span<const ir::NodeId> children) {
        for (const ir::NodeId child : children) leader_[child] = child;
    }
    void join(ir::NodeId a, ir::NodeId b) { leader_[find(b)] = find(a); }
    ir::NodeId find(ir::NodeId node) {
        while (leader_.at(node) != node) node = leader_[node] = leader_.at(leader_.at(node));
        return node;
    }

private:
    std::map<ir::NodeId, ir::NodeId> leader_;
};

}  // namespace

bool joins_parts(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, ir::NodeId node) {
    const ir::Stream* stream = stream_at(sdfg, state.nodes[node]);
    if (!stream || stream->buffer_size.is_integer(0) || adjacency.in(node).empty() || adjacency.out(node).empty()) return false;
    const auto joins = [&](ir::NodeId other) {
        return !stream_at(sdfg, state.nodes[other]) && !std::holds_alternative<ir::ConsumeEntry>(state.nodes[other].kind);
    };
    // A copy of as many elements as there are ends when it finds none: it cannot begin before the last has come.
    const auto drains = [&](ir::EdgeId id) {
        return state.edges[id].memlet.dynamic && std::holds_alternative<ir::Access>(state.nodes[state.edges[id].dst].kind);
    };
    return std::ranges::all_of(adjacency.in(node), [&](ir::EdgeId id) { return joins(state.edges[id].src); }) &&
           std::ranges::all_of(adjacency.out(node), [&](ir::EdgeId id) { return joins(state.edges[id].dst) && !drains(id); });
}

std::vector<std::vector<ir::NodeId>> concurrent_parts(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency,
                                                      const ScopeTree& scopes) {
    const std::span<const ir::NodeId> children = scopes.children({});
    const auto joins = [&](ir::NodeId node) { return joins_parts(sdfg, state, adjacency, node); };
    if (std::ranges::none_of(children, joins)) return {};
    Parts parts(children);
    for (const ir::NodeId child : children) {
        if (joins(child)) continue;
        const bool entry = ir::is_entry(state.nodes[child]);
        for (const ir::EdgeId edge : adjacency.out(entry ? scopes.exit_of(child) : child))
            if (!joins(state.edges[edge].dst)) parts.join(child, state.edges[edge].dst);
    }
    std::vector<std::vector<ir::NodeId>> members;
    std::map<ir::NodeId, std::size_t> position;
    for (const ir::NodeId child : children) {
        if (joins(child)) continue;
        const auto [at, added] = position.emplace(parts.find(child), members.size());
        if (added) members.emplace_back();
        members[at->second].push_back(child);
    }
    return members;
}

}  // namespace sluice::analysis
