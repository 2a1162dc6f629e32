#include "library/extern_call.h"
#include "ir/messages.h"

#include <sstream>

#include <fmt/format.h>

#include "library/registry.h"

namespace sluice::library {

namespace {

/// Properties `argument00`, `argument01`, ...: `&_a` an address, `&_a 0 2` the stride along the first of two dimensions,
/// `=float64(2.5, 0)` a constant, an expression as one.
ir::Property property_of(const ExternCall::Argument& argument) {
    if (const auto* address = std::get_if<ExternCall::Address>(&argument)) return "&" + address->connector;
    if (const auto* constant = std::get_if<ExternCall::Constant>(&argument))
        return fmt::format("={}({}, {})", code::scalar_name(constant->type), constant->value.real(), constant->value.imag());
    if (const auto* stride = std::get_if<ExternCall::Stride>(&argument))
        return fmt::format("&{} {} {}", stride->connector, stride->dim, stride->rank);
    return std::get<ir::Expr>(argument);
}

[[noreturn]] void refuse_call(const std::string& what) {
    fail({.code = "B005",
          .message = "a node of a library's call " + what,
          .where = {},
          .path = {},
          .remedy = "expand the operation again",
          .notes = {}});
}

ExternCall::Argument argument_of(const ir::Property& property) {
    if (const auto* e = std::get_if<ir::Expr>(&property)) return *e;
    if (const auto* integer = std::get_if<std::int64_t>(&property)) return ir::Expr(*integer);
    const auto* text = std::get_if<std::string>(&property);
    if (text && text->starts_with("&")) {
        std::istringstream words(text->substr(1));
        ExternCall::Stride stride;
        words >> stride.connector;
        if (words.eof()) return ExternCall::Address{stride.connector};
        if (!(words >> stride.dim >> stride.rank) || stride.dim >= stride.rank) refuse_call("has a stride that does not read");
        return stride;
    }
    const std::size_t open = text && text->starts_with("=") ? text->find('(') : std::string::npos,
                      comma = text ? text->find(',') : std::string::npos;
    const auto type = open == std::string::npos ? std::nullopt : code::parse_dtype(text->substr(1, open - 1));
    if (!type || !type->is_scalar() || comma == std::string::npos) refuse_call("has an argument that does not read");
    return ExternCall::Constant{type->scalar,
                                {std::strtod(text->c_str() + open + 1, nullptr), std::strtod(text->c_str() + comma + 1, nullptr)}};
}

std::string text_property(const ir::LibraryNode& node, const std::string& name) {
    const auto at = node.properties.find(name);
    const auto* text = at == node.properties.end() ? nullptr : std::get_if<std::string>(&at->second);
    if (!text) refuse_call("has no " + name);
    return *text;
}

}  // namespace

ir::EdgeId edge_at(const NodeContext& context, const std::string& connector) {
    for (const bool output : {true, false})
        for (const auto& [id, edge] : context.state.edges)
            if (!edge.memlet.empty() && (output ? edge.src : edge.dst) == context.node &&
                (output ? edge.src_connector : edge.dst_connector) == connector)
                return id;
    context.refuse("B002", "the call of a library has no connector " + connector, "connect it");
}

ir::Expr stride_of(const NodeContext& context, const ExternCall::Stride& stride) {
    const ir::EdgeId edge = edge_at(context, stride.connector);
    const std::vector<std::size_t> dims = context.dims(edge, stride.rank);
    if (dims.size() != stride.rank)
        context.refuse("B002",
                       fmt::format("the call of a library takes {} dimension{} at {}, not {}", stride.rank,
                                   stride.rank == 1 ? "" : "s", stride.connector, dims.size()),
                       "expand the operation again");
    return context.operand(edge, dims).strides[stride.dim];
}

bool is_extern(const ir::LibraryNode& node) {
    return node.operation == kExtern;
}

bool is_final(const ir::LibraryNode& node) {
    if (is_extern(node)) return true;
    const Operation* operation = ir::is_message(node) ? operations().find(node.operation) : nullptr;
    return operation && operation->expansions.empty();
}

ExternCall extern_call(const ir::LibraryNode& node) {
    ExternCall call{.environment = text_property(node, "library"), .function = text_property(node, "function"), .arguments = {}};
    for (const auto& [name, value] : node.properties)
        if (name.starts_with("argument")) call.arguments.push_back(argument_of(value));
    return call;
}

void become_call(NodeDraft& draft, const ExternCall& call, const std::vector<Lead>& inputs, const std::vector<Lead>& outputs,
                 bool updates) {
    std::map<std::string, ir::Property> properties{{"library", call.environment}, {"function", call.function}};
    for (std::size_t at = 0; at < call.arguments.size(); ++at)
        properties.emplace(fmt::format("argument{:02}", at), property_of(call.arguments[at]));
    if (updates) properties.emplace("beta", std::int64_t{1});
    become(draft, kExtern, inputs, outputs, std::move(properties));
    auto& node = std::get<ir::LibraryNode>(draft.state_draft.nodes[draft.node].kind);
    node.implementation.reset();
}

}  // namespace sluice::library
