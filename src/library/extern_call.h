// A call of a library's function as a node of the graph: the last step of an expansion. Lowering makes a statement of it; it has no
// further expansion, and no meaning without its library.
#pragma once

#include <complex>
#include <string>
#include <variant>
#include <vector>

#include "library/node_context.h"

namespace sluice::library {

/// Operation of the nodes.
inline constexpr const char* kExtern = ir::kExternCall;

struct ExternCall {
    struct Address {
        std::string connector;  ///< The first element of what its edge moves.
        bool operator==(const Address&) const = default;
    };
    struct Constant {
        code::Scalar type;
        std::complex<double> value;
        bool operator==(const Constant&) const = default;
    };
    /// Elements between neighbours along a dimension of the operand, which has `rank` of them. The container of the edge says how
    /// many, so that transformations may lead the edge to another one.
    struct Stride {
        std::string connector;
        std::size_t dim = 0, rank = 1;
        bool operator==(const Stride&) const = default;
    };
    using Argument = std::variant<Address, Constant, Stride, ir::Expr>;  ///< An expression is a 64-bit integer.

    std::string environment;  ///< environment.h: headers and libraries.
    std::string function;     ///< As the headers call it: `sluice::blas::multiply`.
    std::vector<Argument> arguments;
    bool operator==(const ExternCall&) const = default;
};

bool is_extern(const ir::LibraryNode& node);
/// Nodes that lowering makes statements of: calls, and messages between ranks. They have no expansion.
bool is_final(const ir::LibraryNode& node);
/// The call that a node stands for. Failure B005: its properties are no call's.
ExternCall extern_call(const ir::LibraryNode& node);
/// The edge at a connector of the call, of an output where there is one. Failure B002: there is none.
ir::EdgeId edge_at(const NodeContext& context, const std::string& connector);
/// Failure B002: the edge has another number of dimensions.
ir::Expr stride_of(const NodeContext& context, const ExternCall::Stride& stride);
/// A node for the call in place of another. `updates`: what the outputs hold before takes part.
void become_call(NodeDraft& draft, const ExternCall& call, const std::vector<Lead>& inputs, const std::vector<Lead>& outputs,
                 bool updates);

}  // namespace sluice::library
