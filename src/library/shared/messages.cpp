#include "library/shared/messages.h"

#include <limits>

#include "ir/messages.h"
#include "library/node_context.h"

namespace sluice::library {

namespace {

using code::Scalar;

const std::vector<PropertyRule>& rules() {
    static const std::vector<PropertyRule> all{
        {"peer", std::int64_t{0}, "The other rank."},
        {"tag", std::int64_t{0}, "Send and receive have the same."},
        {"root", std::int64_t{0}, "The rank from which or to which elements go."},
        {"op", std::string("sum"),
         "sum, product, min, max, logical_and, logical_or, logical_xor, bitwise_and, bitwise_or or bitwise_xor."}};
    return all;
}

/// Of the group of ranks among which the message is (ir/messages.h).
std::vector<PropertyRule> group_rules() {
    std::vector<PropertyRule> all{{"first", std::int64_t{0}, "The first rank of the group."}};
    for (std::size_t dim = 0; dim < ir::kMostGroupDimensions; ++dim) {
        const std::string number = std::to_string(dim);
        all.push_back(
            {"count" + number, std::int64_t{0}, "How many ranks the group has along its dimension " + number + "; 0: no such."});
        all.push_back({"step" + number, std::int64_t{1}, "From one of them to the next."});
    }
    return all;
}

/// Sizes with names of their own: what fits what is known when ranks meet.
FormOperand operand_of(const NodeContext& context, ir::EdgeId edge, const std::string& connector) {
    FormOperand result{connector, {}};
    if (!edge.valid()) return result;
    for (std::size_t at = 0; at < context.dims(edge, std::numeric_limits<std::size_t>::max()).size(); ++at)
        result.sizes.push_back("S" + connector + std::to_string(at));
    return result;
}

}  // namespace

Operation message(const MessageContract& contract) {
    Operation result;
    result.name = contract.name;
    result.summary = contract.summary;
    result.forms_of = [contract](const NodeContext& context) {
        Form form;
        for (const std::string& one : contract.inputs) form.inputs.push_back(operand_of(context, context.find_input(one), one));
        for (const std::string& one : contract.outputs) form.outputs.push_back(operand_of(context, context.find_output(one), one));
        for (const auto& [id, edge] : context.state.edges) {
            if (edge.memlet.empty()) continue;
            if (edge.dst == context.node && edge.dst_connector.starts_with("_held"))
                form.inputs.push_back(operand_of(context, id, edge.dst_connector));
            if (edge.src == context.node && edge.src_connector.starts_with("_held"))
                form.outputs.push_back(operand_of(context, id, edge.src_connector));
        }
        return std::vector<Form>{form};
    };
    for (const PropertyRule& rule : rules())
        for (const std::string& name : contract.properties)
            if (rule.name == name) result.properties.push_back(rule);
    if (contract.name != "MPI_Wait")
        for (PropertyRule& rule : group_rules()) result.properties.push_back(std::move(rule));
    result.types = {Scalar::Bool,    Scalar::Int8,      Scalar::Int16,     Scalar::Int32,  Scalar::Int64,
                    Scalar::UInt8,   Scalar::UInt16,    Scalar::UInt32,    Scalar::UInt64, Scalar::Float32,
                    Scalar::Float64, Scalar::Complex64, Scalar::Complex128};
    return result;
}

}  // namespace sluice::library
