// Reads a node by its operation's contract: which form it has, what its operands are, what its sizes are, what it costs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "library/node_context.h"

namespace sluice::library {

struct BoundOperand {
    std::string connector;  ///< As the form calls it.
    std::vector<std::string> sizes;
    ir::EdgeId edge;
    std::vector<std::size_t> dims;  ///< Dimensions of the edge's subset that the form's sizes are.
    Operand operand;
};
struct Binding {
    Form form;
    std::vector<BoundOperand> inputs, outputs;
    std::map<std::string, ir::Expr> sizes;
    /// Inputs that bring what an output holds before, by the output's connector, where the operation has an update factor.
    std::map<std::string, ir::EdgeId> old_values;

    const BoundOperand& input(const std::string& connector) const;
    const BoundOperand& output(const std::string& connector) const;
};

/// Checks the node against its contract. Failures: B002 a connector is missing or unknown, B003 shapes that fit no form, B005 an
/// element type or a property's value that the operation does not take.
Binding bind(const NodeContext& context);

/// Of one execution; what is updated counts as read and written.
struct Cost {
    std::optional<ir::Expr> flops;  ///< Missing where the contract does not say.
    ir::Expr bytes;
};
Cost cost_of(const NodeContext& context, const Binding& binding);
/// A product of matrices for which loops are not surely faster than a library.
bool is_large_product(const NodeContext& context);

}  // namespace sluice::library
