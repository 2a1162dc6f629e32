#include "library/reference.h"

#include "library/contract.h"
#include "library/expand.h"
#include "library/extern_call.h"
#include "library/extern_reference.h"

namespace sluice::library {

namespace {

/// The operand's dimensions as the form has them: single indices that do not count have size 1, so that the order of elements
/// stays.
void keep_dims(ir::Operand& operand, const std::vector<std::size_t>& dims) {
    std::vector<std::int64_t> shape;
    for (const std::size_t dim : dims) shape.push_back(operand.shape[dim]);
    operand.shape = std::move(shape);
}

ir::Meaning meaning_of_call(const NodeContext& context, const ExternCall& call) {
    ir::Call meaning{.arguments = {}, .run = reference_of_function(call.function)};
    if (!meaning.run) return {};
    for (const ExternCall::Argument& argument : call.arguments) {
        if (const auto* constant = std::get_if<ExternCall::Constant>(&argument)) {
            meaning.arguments.emplace_back(ir::Number(constant->value));
        } else if (const auto* size = std::get_if<ir::Expr>(&argument)) {
            meaning.arguments.emplace_back(*size);
        } else if (const auto* stride = std::get_if<ExternCall::Stride>(&argument)) {
            meaning.arguments.emplace_back(stride_of(context, *stride));
        } else {
            meaning.arguments.emplace_back(edge_at(context, std::get<ExternCall::Address>(argument).connector));
        }
    }
    return {.call = std::move(meaning)};
}

}  // namespace

ir::Meaning meaning_of(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId node, const std::string& path) {
    if (const auto& library = std::get<ir::LibraryNode>(state.nodes[node].kind); is_extern(library))
        return meaning_of_call({.sdfg = sdfg, .state = state, .node = node, .path = path}, extern_call(library));
    const NodeContext context = context_of(sdfg, state, node, path, false);
    const Operation& operation = *context.operation;
    if (!operation.reference) return {};
    const Binding binding = bind(context);
    ir::Meaning meaning{.operands = {}, .reads_outputs = context.updates(), .run = {}};
    std::map<std::string, std::vector<std::size_t>> dims;
    for (const auto* operands : {&binding.inputs, &binding.outputs})
        for (const BoundOperand& one : *operands) {
            meaning.operands.emplace(one.edge, one.connector);
            dims[one.connector] = one.dims;
        }
    if (context.updates())
        for (const auto& [connector, edge] : binding.old_values) meaning.operands.emplace(edge, connector);
    std::map<std::string, ir::Property> properties = context.library().properties;
    for (const PropertyRule& rule : operation.properties) properties.emplace(rule.name, rule.default_value);
    meaning.run = [&operation, form = binding.form, dims, properties](ir::Operands& operands) {
        for (auto& [connector, operand] : operands) keep_dims(operand, dims.at(connector));
        ReferenceCall call{form, properties, operands};
        operation.reference(call);
    };
    return meaning;
}

}  // namespace sluice::library
