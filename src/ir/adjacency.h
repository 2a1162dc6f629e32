// Edges by node, built once for a state that is only read. Rebuild after an edit.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::ir {

class Adjacency {
public:
    explicit Adjacency(const State& state);

    /// Edges in id order.
    std::span<const EdgeId> in(NodeId node) const;
    std::span<const EdgeId> out(NodeId node) const;
    /// The edge at a connector, if there is exactly one or more: the first.
    std::optional<EdgeId> in_at(NodeId node, std::string_view connector) const;
    std::optional<EdgeId> out_at(NodeId node, std::string_view connector) const;

private:
    const State* state_;
    std::vector<EdgeId> edges_in_, edges_out_;         // grouped by node
    std::vector<std::uint32_t> first_in_, first_out_;  // one past the last node's group at the end
};

/// Nodes so that every edge goes forward; ties in id order. Throws Failure G001 if there is a cycle.
std::vector<NodeId> topological_order(const State& state, const Adjacency& adjacency);

}  // namespace sluice::ir
