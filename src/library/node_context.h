// What an expansion sees: one library node in its state, with the edges at its connectors.
#pragma once

#include <string>
#include <vector>

#include "ir/builder.h"

namespace sluice::library {

struct NodeContext {
    ir::Sdfg& sdfg;
    ir::State& state;
    ir::NodeId node;
    std::string path;               ///< For diagnostics: `sdfg/state/node`.
    bool vendor_libraries = false;  ///< Calls of OpenBLAS, which has threads of its own, are welcome: nothing around is parallel.

    const ir::LibraryNode& library() const { return std::get<ir::LibraryNode>(state.nodes[node].kind); }
    /// The only edge at the connector (or, with an empty name, the only edge). Failure B002.
    ir::EdgeId input(const std::string& connector) const;
    ir::EdgeId output(const std::string& connector) const;
    /// The part of its container that an edge moves; the whole where the memlet does not say. Failure B002 for an empty memlet.
    ir::Subset subset(ir::EdgeId edge) const;
    const ir::Container& container(ir::EdgeId edge) const;
    /// A property as Python text: a number, a symbolic expression or a text as it stands; `otherwise` where it is missing.
    std::string factor(const std::string& name, const std::string& otherwise) const;
    bool flag(const std::string& name, bool otherwise = false) const;
    /// A list of integers; empty where it is missing.
    std::vector<std::int64_t> axes(const std::string& name) const;
    [[noreturn]] void refuse(const std::string& code, const std::string& message, const std::string& remedy) const;
};

/// A nested SDFG in place of the node: containers `name` shaped as the edges' subsets without their single indices are declared by
/// the caller in `body`; the node's edges are led to the connectors of these names.
struct Lead {
    ir::EdgeId edge;
    std::string connector;
};
void replace_by(NodeContext& context, ir::Sdfg body, const std::vector<Lead>& inputs, const std::vector<Lead>& outputs);

/// Declares an array of `body` that stands for what `edge` moves: `sizes` gives its shape, the strides follow from the container.
void declare_operand(const NodeContext& context, ir::Sdfg& body, const std::string& name, ir::EdgeId edge,
                     const std::vector<std::size_t>& dims);
/// Dimensions of the edge's subset that form the operand: all if there are `rank` of them, else those that are no single index.
std::vector<std::size_t> operand_dims(const NodeContext& context, ir::EdgeId edge, std::size_t rank);

}  // namespace sluice::library
