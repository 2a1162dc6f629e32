// What an expansion sees: one library node in its state, the edges at its connectors, the scopes around it; and how it puts
// something else in the node's place.
#pragma once

#include <string>
#include <vector>

#include "ir/builder.h"
#include "library/operation.h"

namespace sluice::library {

/// What lies around a node.
struct Surroundings {
    std::vector<ir::NodeId> scopes = {};  ///< Entries of the scopes in the node's state, innermost first.
    bool parallel = false;                ///< One of them, or one around a call of the SDFG, may run its points at the same time.
};

/// An operand as the graph brings it.
struct Operand {
    code::DType type;
    std::vector<ir::Expr> shape, strides;  ///< In elements.
    bool in_memory = true;                 ///< False: a value on an edge between code, or a stream.
    bool is_stream = false;                ///< As many elements as its memlet moves.
};

struct NodeContext {
    const ir::Sdfg& sdfg;
    const ir::State& state;
    ir::NodeId node;
    const Operation* operation = nullptr;
    std::string path = {};  ///< For diagnostics: `sdfg/state/node`.
    Surroundings around = {};

    const ir::LibraryNode& library() const { return std::get<ir::LibraryNode>(state.nodes[node].kind); }
    /// The only edge at the connector, or at one that the operation gives for it; an invalid id if there is none.
    ir::EdgeId find_input(const std::string& connector) const;
    ir::EdgeId find_output(const std::string& connector) const;
    /// The same; failure B002 if there is none.
    ir::EdgeId input(const std::string& connector) const;
    ir::EdgeId output(const std::string& connector) const;
    /// The part of its container that an edge moves; the whole where the memlet does not say. Failure B002 for an empty memlet.
    ir::Subset subset(ir::EdgeId edge) const;
    const ir::Container& container(ir::EdgeId edge) const;
    /// The node's property, else the contract's default, else null.
    const ir::Property* property(const std::string& name) const;
    /// A property as Python text: a number, a symbolic expression or a text as it stands; `otherwise` where it is missing.
    std::string factor(const std::string& name, const std::string& otherwise) const;
    bool flag(const std::string& name, bool otherwise = false) const;
    /// A list of integers; empty where it is missing.
    std::vector<std::int64_t> axes(const std::string& name) const;
    /// Dimensions of the edge's subset that form the operand: all if there are no more than `rank` of them, else those that are no
    /// single index; the last ones where these are too few and single indices lead.
    std::vector<std::size_t> dims(ir::EdgeId edge, std::size_t rank) const;
    /// What the edge moves, with these dimensions of its subset.
    Operand operand(ir::EdgeId edge, const std::vector<std::size_t>& dims) const;
    /// Does the result depend on what the output holds before?
    bool updates() const;
    [[noreturn]] void refuse(const std::string& code, const std::string& message, const std::string& remedy) const;
};

/// Is an operand of the node a stream?
bool has_stream(const NodeContext& context);

/// A node that is being replaced. Its parts are the copies that may be written.
struct NodeDraft : NodeContext {
    ir::Sdfg& sdfg_draft;
    ir::State& state_draft;

    NodeDraft(ir::Sdfg& sdfg, ir::State& state, ir::NodeId node, const Operation* operation = nullptr, std::string path = {},
              Surroundings around = {})
        : NodeContext{sdfg, state, node, operation, std::move(path), std::move(around)}, sdfg_draft(sdfg), state_draft(state) {}
};

/// The edge, and the connector of the replacement to which it leads.
struct Lead {
    ir::EdgeId edge;
    std::string connector;
};
/// A nested SDFG in place of the node: containers shaped as the edges' operands are declared by the caller in `body` under the
/// names of the connectors to which the edges are led.
void replace_by(NodeDraft& draft, ir::Sdfg body, const std::vector<Lead>& inputs, const std::vector<Lead>& outputs);
/// Another operation in place of the node. The node's wish for an implementation goes over to it.
void become(NodeDraft& draft, const std::string& operation, const std::vector<Lead>& inputs, const std::vector<Lead>& outputs,
            std::map<std::string, ir::Property> properties);

/// Declares an array of `body` that stands for what `edge` moves, with these dimensions of its subset; strides follow from the
/// container.
void declare_operand(const NodeContext& context, ir::Sdfg& body, const std::string& name, ir::EdgeId edge,
                     const std::vector<std::size_t>& dims);
}  // namespace sluice::library
