// Patterns as data: small typed graphs that are sought in a state, or among the blocks of a region.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::rewrite {

/// Sets of node or block kinds, as bits.
using Kinds = std::uint32_t;

namespace kind {
inline constexpr Kinds access = 1 << 0, tasklet = 1 << 1, map_entry = 1 << 2, map_exit = 1 << 3, consume_entry = 1 << 4,
                       consume_exit = 1 << 5, nested_sdfg = 1 << 6, library = 1 << 7;
inline constexpr Kinds state = 1 << 8, loop = 1 << 9, conditional = 1 << 10, break_block = 1 << 11, continue_block = 1 << 12,
                       return_block = 1 << 13, named_region = 1 << 14;
inline constexpr Kinds any_node = 0xff, any_block = 0x7f00;
}  // namespace kind

Kinds kind_of(const ir::Node& node);
Kinds kind_of(const ir::Block& block);

/// What one place of a pattern admits.
struct PatternNode {
    std::string name;  ///< How `can_apply`, `apply` and recipes call it.
    Kinds kinds = kind::any_node;
    std::string operation = {};  ///< Of a library node; empty: any.
};

/// A connected graph (or a single node); an edge {0, 1} asks for at least one edge from nodes[0] to nodes[1]. It matches a
/// subgraph that may have further edges; different places are different nodes. Without nodes it matches every SDFG of the
/// program as a whole.
struct Pattern {
    std::vector<PatternNode> nodes;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;

    bool over_blocks() const { return !nodes.empty() && (nodes[0].kinds & kind::any_block) != 0; }
    bool over_graph() const { return nodes.empty(); }
};

/// `a -> b -> c`, the commonest pattern.
Pattern chain(std::vector<PatternNode> nodes);

}  // namespace sluice::rewrite
