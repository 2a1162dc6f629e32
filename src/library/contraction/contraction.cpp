#include "library/contraction/contraction.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace sluice::library {

namespace {

using Letters = std::map<char, ir::Expr>;

/// `name[__i, __j]`; the only element where there are no letters.
std::string element(const ir::Sdfg& body, const std::string& name, const std::string& letters) {
    std::vector<std::string> index;
    for (const char letter : letters) index.push_back(std::string("__") + letter);
    if (index.empty()) index.assign(body.containers.at(name).shape.size(), "0");
    return index.empty() ? name : fmt::format("{}[{}]", name, fmt::join(index, ", "));
}

void declare(const NodeContext& context, ir::Sdfg& body, const std::string& name, const Contraction::Operand& operand) {
    const std::size_t rank = operand.letters.size();
    std::vector<std::size_t> dims = operand_dims(context, operand.edge, std::max<std::size_t>(rank, 1));
    const bool single = rank == 0 && dims.size() == 1 && symbolic::sizes(context.subset(operand.edge))[dims[0]].is_integer(1);
    if (dims.size() != rank && !single)
        context.refuse("B003",
                       fmt::format("an operand of {} has {} dimensions, not {}", context.library().operation, dims.size(), rank),
                       "give every dimension one letter or axis");
    declare_operand(context, body, name, operand.edge, dims);
}

ir::NamedTexts ranges(const std::string& letters, const Letters& extents) {
    ir::NamedTexts result;
    for (const char letter : letters)
        result.emplace_back(std::string("__") + letter, "0:" + symbolic::to_string(extents.at(letter)));
    return result;
}

bool is_zero(const std::string& factor) {
    return factor == "0" || factor == "0.0";
}

/// The edge that brings what the output holds before, if the graph has one: at the output's connector, as DaCe names it, or `_out`.
std::optional<ir::EdgeId> old_output(const NodeContext& context, ir::EdgeId output) {
    const std::string& connector = context.state.edges[output].src_connector;
    for (const auto& [id, edge] : context.state.edges)
        if (edge.dst == context.node && (edge.dst_connector == connector || edge.dst_connector == "_out")) return id;
    return std::nullopt;
}

/// out = beta * out, before anything is added.
ir::BlockId add_start(ir::Sdfg& body, const ir::NamedTexts& outer, const std::string& target, const std::string& beta) {
    ir::BlockId id;
    ir::StateBuilder start = ir::add_state(body.body, "start", &id);
    const bool zero = is_zero(beta);
    const ir::NamedTexts inputs = zero ? ir::NamedTexts{} : ir::NamedTexts{{"__i", target}};
    const std::string code = zero ? "__o = 0" : "__o = (" + beta + ") * __i";
    if (!outer.empty()) {
        start.mapped_tasklet("scale", outer, inputs, code, {{"__o", target}});
        return id;
    }
    const ir::NodeId task =
        start.tasklet("scale", zero ? ir::Connectors{} : ir::Connectors{{"__i", {}}}, {{"__o", code::DType()}}, code);
    if (!zero) start.edge(start.access("_out"), "", task, "__i", ir::memlet(target));
    start.edge(task, "__o", start.access("_out"), "", ir::memlet(target));
    return id;
}

}  // namespace

void expand_contraction(NodeContext& context, const Contraction& contraction) {
    ir::Sdfg body{.name = "contraction"};
    Letters extents;
    std::vector<Lead> inputs;
    std::string summed, code = "__o = " + (contraction.alpha == "1" ? "" : "(" + contraction.alpha + ") * ");
    for (std::size_t k = 0; k < contraction.inputs.size(); ++k) {
        const Contraction::Operand& operand = contraction.inputs[k];
        const std::string name = "_in" + std::to_string(k);
        declare(context, body, name, operand);
        for (std::size_t d = 0; d < operand.letters.size(); ++d) {
            const char letter = operand.letters[d];
            extents.emplace(letter, body.containers.at(name).shape[d]);
            const bool known =
                contraction.output.letters.find(letter) != std::string::npos || summed.find(letter) != std::string::npos;
            if (!known) summed += letter;
        }
        inputs.push_back({operand.edge, name});
        code += (k ? " * __x" : "__x") + std::to_string(k);
    }
    for (const char letter : contraction.output.letters)
        if (!extents.contains(letter))
            context.refuse("B003", fmt::format("no input of {} has the output's letter {}", context.library().operation, letter),
                           "use letters of the inputs in the output");
    declare(context, body, "_out", contraction.output);
    const ir::NamedTexts outer = ranges(contraction.output.letters, extents), inner = ranges(summed, extents);
    const std::string target = element(body, "_out", contraction.output.letters);
    const bool adds = !inner.empty() || !is_zero(contraction.beta);
    ir::BlockId start;
    if (adds) start = add_start(body, outer, target, contraction.beta);
    ir::StateBuilder state = adds ? ir::add_state_after(body.body, start, "sum") : ir::add_state(body.body, "product");
    std::vector<std::pair<ir::NodeId, ir::NodeId>> scopes;
    if (!outer.empty()) scopes.push_back(state.map("outer", outer, context.library().schedule));
    if (!inner.empty()) scopes.push_back(state.map("inner", inner, ir::Schedule::Sequential));
    ir::Connectors in;
    for (std::size_t k = 0; k < contraction.inputs.size(); ++k) in.emplace("__x" + std::to_string(k), code::DType());
    const ir::NodeId task = state.tasklet("multiply", in, {{"__o", code::DType()}}, code);
    for (std::size_t k = 0; k < contraction.inputs.size(); ++k) {
        const std::string name = "_in" + std::to_string(k);
        std::vector<ir::NodeId> path{state.access(name)};
        for (const auto& scope : scopes) path.push_back(scope.first);
        path.push_back(task);
        state.memlet_path(path, "", "__x" + std::to_string(k), ir::memlet(element(body, name, contraction.inputs[k].letters)));
    }
    std::vector<ir::NodeId> back{task};
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) back.push_back(scope->second);
    back.push_back(state.access("_out"));
    state.memlet_path(back, "__o", "", ir::memlet(target, {.wcr = adds ? "lambda a, b: a + b" : ""}));
    if (!is_zero(contraction.beta))
        if (const auto old = old_output(context, contraction.output.edge)) inputs.push_back({*old, "_out"});
    replace_by(context, std::move(body), inputs, {{contraction.output.edge, "_out"}});
}

}  // namespace sluice::library
