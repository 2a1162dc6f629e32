// Edges by node, built once for a state that is only read. After an edit it is built again, or follows what changed.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::ir {

class Adjacency {
public:
    explicit Adjacency(const State& state);
    /// After an edit: `before` is the state that this describes, `changed` the edges that are new, gone or different in `after`.
    void follow(const State& before, const State& after, std::span<const EdgeId> changed);

    /// Edges in id order.
    std::span<const EdgeId> in(NodeId node) const;
    std::span<const EdgeId> out(NodeId node) const;
    /// The edge at a connector, if there is exactly one or more: the first.
    std::optional<EdgeId> in_at(NodeId node, std::string_view connector) const;
    std::optional<EdgeId> out_at(NodeId node, std::string_view connector) const;

private:
    /// One direction.
    struct Edges {
        std::vector<EdgeId> grouped;                                    ///< By node.
        std::vector<std::uint32_t> first;                               ///< By node; one past the last node's group at the end.
        std::unordered_map<NodeId, std::vector<EdgeId>> followed = {};  ///< Instead, where an edit changed them.

        std::span<const EdgeId> at(NodeId node) const;
        std::vector<EdgeId>& own(NodeId node);
    };
    void build();

    const State* state_;
    std::size_t nodes_ = 0;  ///< One past the largest node id.
    Edges in_, out_;
};

/// Nodes so that every edge goes forward; ties in id order. Throws Failure G001 if there is a cycle.
std::vector<NodeId> topological_order(const State& state, const Adjacency& adjacency);

}  // namespace sluice::ir
