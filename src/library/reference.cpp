#include "library/reference.h"

#include "library/contract.h"
#include "library/expand.h"
#include "library/extern_call.h"

namespace sluice::library {

namespace {

/// The operand's dimensions as the form has them: single indices that do not count have size 1, so that the order of elements
/// stays.
void keep_dims(ir::Operand& operand, const std::vector<std::size_t>& dims) {
    std::vector<std::int64_t> shape;
    for (const std::size_t dim : dims) shape.push_back(operand.shape[dim]);
    operand.shape = std::move(shape);
}

}  // namespace

ir::Meaning meaning_of(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId node, const std::string& path) {
    if (is_extern(std::get<ir::LibraryNode>(state.nodes[node].kind))) return {};
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
