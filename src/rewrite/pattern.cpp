#include "rewrite/pattern.h"

namespace sluice::rewrite {

// The bits stand in the order of the variants' alternatives.
Kinds kind_of(const ir::Node& node) {
    return Kinds{1} << node.kind.index();
}

Kinds kind_of(const ir::Block& block) {
    return kind::state << block.kind.index();
}

Pattern chain(std::vector<PatternNode> nodes) {
    Pattern pattern{.nodes = std::move(nodes), .edges = {}};
    for (std::uint32_t i = 1; i < pattern.nodes.size(); ++i) pattern.edges.emplace_back(i - 1, i);
    return pattern;
}

}  // namespace sluice::rewrite
