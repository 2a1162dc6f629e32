#include "lower/extern.h"

#include "code/walk.h"
#include "library/environment.h"
#include "library/extern_call.h"
#include "lower/layout.h"

namespace sluice::lower {

namespace {

ValuePtr address_argument(StateContext& state, NodeId node, const library::NodeContext& context, const std::string& connector) {
    const ir::Memlet& memlet = state.state.edges[library::edge_at(context, connector)].memlet;
    return address_of(locate(state, memlet.data, memlet.subset, node));
}

ValuePtr constant_argument(const library::ExternCall::Constant& constant) {
    return std::make_shared<loop::Value>(
        loop::Value{DType(constant.type), loop::FloatLiteral{constant.value.real(), constant.value.imag()}});
}

void add_once(std::string& code, const std::string& text) {
    if (!text.empty() && code.find(text) == std::string::npos) code += text + "\n";
}

}  // namespace

std::string use_environment(StateContext& state, NodeId node, const std::string& name) {
    const library::Environment* environment = library::find_environment(name);
    if (!environment)
        refuse({"L021", "nobody has registered the environment `" + name + "`", state.node(node).metadata.where,
                state.path_of(node), "register what it includes and links, or take it off the node"});
    const auto words = library::link_words(*environment);
    if (!words)
        refuse({"L022", "the library `" + environment->name + "` is called, which is not installed",
                state.node(node).metadata.where, state.path_of(node),
                environment->remedy.empty() ? "install it" : environment->remedy});
    loop::Module& module = state.function.module.module;
    if (module.libraries.emplace(environment->name, loop::Library{environment->headers, *words, environment->apart}).second) {
        add_once(module.init_code, environment->init_code);
        add_once(module.exit_code, environment->exit_code);
    }
    return environment->name;
}

void lower_extern(StateContext& state, NodeId node, Body& body) {
    const auto& operation = std::get<ir::LibraryNode>(state.node(node).kind);
    check(library::is_extern(operation), "library node ", operation.operation, " is not expanded");
    const library::ExternCall call = library::extern_call(operation);
    const library::NodeContext context{
        .sdfg = state.function.sdfg, .state = state.state, .node = node, .path = state.path_of(node)};
    loop::Extern statement{use_environment(state, node, call.environment), call.function, {}};
    const bool apart = state.function.module.module.libraries.at(statement.library).apart;
    for (const library::ExternCall::Argument& argument : call.arguments) {
        const auto* place = std::get_if<library::ExternCall::Address>(&argument);
        if (apart && place && state.state.edges[library::edge_at(context, place->connector)].dst == node)
            statement.read.push_back(statement.arguments.size());
        statement.arguments.push_back(
            std::visit(code::Overloaded{
                           [&](const library::ExternCall::Address& address) {
                               return address_argument(state, node, context, address.connector);
                           },
                           [&](const library::ExternCall::Constant& constant) { return constant_argument(constant); },
                           [&](const library::ExternCall::Stride& stride) {
                               return value_of(state.function, library::stride_of(context, stride));
                           },
                           [&](const Expr& value) { return value_of(state.function, value); },
                       },
                       argument));
    }
    emit(body, std::move(statement), state.node(node).metadata.where);
}

}  // namespace sluice::lower
