#include "analysis/sections.h"

#include <algorithm>
#include <map>

#include "ir/query.h"
#include "ir/stream_join.h"

namespace sluice::analysis {

namespace {

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

std::vector<std::vector<ir::NodeId>> concurrent_parts(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency,
                                                      const ScopeTree& scopes) {
    const auto joins = [&](ir::NodeId node) { return ir::joins_parts(sdfg, state, adjacency, node); };
    if (std::ranges::none_of(scopes.children({}), joins) && !ir::streams_between_nodes(sdfg, state, adjacency)) return {};
    // An array that several parts read, and none of them copies, orders nothing.
    const auto is_read = [&](ir::NodeId node) {
        const auto* access = std::get_if<ir::Access>(&state.nodes[node].kind);
        const ir::Container* container = access ? ir::find_container(sdfg, access->data) : nullptr;
        return container && container->binding == ir::Binding::Own && std::holds_alternative<ir::Array>(container->kind) &&
               adjacency.in(node).empty() && std::ranges::none_of(adjacency.out(node), [&](ir::EdgeId edge) {
                   return std::holds_alternative<ir::Access>(state.nodes[state.edges[edge].dst].kind);
               });
    };
    return components(state, adjacency, scopes, [&](ir::NodeId node) { return joins(node) || is_read(node); });
}

std::vector<std::vector<ir::NodeId>> components(const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
                                                const std::function<bool(ir::NodeId)>& joins) {
    const std::span<const ir::NodeId> children = scopes.children({});
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

std::map<ir::NodeId, std::size_t> joined_by_streams(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency,
                                                    const ScopeTree& scopes, const std::function<bool(ir::NodeId)>& separates) {
    const auto members = components(state, adjacency, scopes, separates);
    Parts parts(scopes.children({}));
    std::map<std::string, ir::NodeId> users;
    for (const auto& component : members)
        for (const ir::NodeId node : component) {
            parts.join(component.front(), node);
            const auto* access = std::get_if<ir::Access>(&state.nodes[node].kind);
            const ir::Container* container = access ? ir::find_container(sdfg, access->data) : nullptr;
            if (container && std::holds_alternative<ir::Stream>(container->kind))
                parts.join(users.emplace(access->data, node).first->second, node);
        }
    std::map<ir::NodeId, std::size_t> numbers, number_of_leader;
    for (const auto& component : members)
        for (const ir::NodeId node : component)
            numbers[node] = number_of_leader.emplace(parts.find(node), number_of_leader.size()).first->second;
    return numbers;
}

}  // namespace sluice::analysis
