#include "library/extern_call.h"

#include <fmt/format.h>

namespace sluice::library {

namespace {

/// Properties `argument00`, `argument01`, ...: `&_a` an address, `=float64(2.5, 0)` a constant, an expression as one.
ir::Property property_of(const ExternCall::Argument& argument) {
    if (const auto* address = std::get_if<ExternCall::Address>(&argument)) return "&" + address->connector;
    if (const auto* constant = std::get_if<ExternCall::Constant>(&argument))
        return fmt::format("={}({}, {})", code::scalar_name(constant->type), constant->value.real(), constant->value.imag());
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
    if (text && text->starts_with("&")) return ExternCall::Address{text->substr(1)};
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

bool is_extern(const ir::LibraryNode& node) {
    return node.operation == kExtern;
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
