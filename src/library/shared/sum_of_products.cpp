#include "library/shared/sum_of_products.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sluice::library {

namespace {

bool is_name(const std::string& size) {
    return std::isdigit(static_cast<unsigned char>(size[0])) == 0;
}

/// `name[__i, __j]`; the only element where there are no sizes.
std::string element(const std::string& name, const BoundOperand& operand) {
    std::vector<std::string> index;
    for (const std::string& size : operand.sizes) index.push_back(is_name(size) ? "__" + size : "0");
    if (index.empty()) index.assign(operand.dims.size(), "0");
    return index.empty() ? name : fmt::format("{}[{}]", name, fmt::join(index, ", "));
}

bool is_zero(const std::string& factor) {
    return factor == "0" || factor == "0.0";
}
bool is_one(const std::string& factor) {
    return factor == "1" || factor == "1.0";
}

/// Which sizes are looped over where.
struct Loops {
    std::vector<std::string> outer, inner, innermost;
    std::vector<std::string> result;  ///< Of the output.
};
Loops loops_of(const Binding& binding, const LoopOrder& order) {
    Loops loops;
    const auto add = [](std::vector<std::string>& sizes, const std::string& size) {
        if (is_name(size) && std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(size);
    };
    for (const std::string& size : binding.outputs[0].sizes) add(loops.result, size);
    for (const std::string& size : loops.result) add(size == order.innermost ? loops.innermost : loops.outer, size);
    for (const BoundOperand& input : binding.inputs)
        for (const std::string& size : input.sizes)
            if (std::ranges::find(loops.result, size) == loops.result.end()) add(loops.inner, size);
    return loops;
}

ir::NamedTexts ranges(const std::vector<std::string>& sizes, const Binding& binding) {
    ir::NamedTexts result;
    for (const std::string& size : sizes) result.emplace_back("__" + size, "0:" + symbolic::to_string(binding.sizes.at(size)));
    return result;
}

/// out = beta * out, or beta * what `old` holds, before anything is added.
ir::BlockId add_start(ir::Sdfg& body, const ir::NamedTexts& params, const std::string& old, const std::string& target,
                      const std::string& beta) {
    ir::BlockId id;
    ir::StateBuilder start = ir::add_state(body.body, "start", &id);
    const bool zero = is_zero(beta);
    const ir::NamedTexts inputs = zero ? ir::NamedTexts{} : ir::NamedTexts{{"__i", old}};
    const std::string code = zero ? "__o = 0" : "__o = (" + beta + ") * __i";
    if (!params.empty()) {
        start.mapped_tasklet("scale", params, inputs, code, {{"__o", target}});
        return id;
    }
    const ir::NodeId task =
        start.tasklet("scale", zero ? ir::Connectors{} : ir::Connectors{{"__i", {}}}, {{"__o", code::DType()}}, code);
    if (!zero) start.edge(start.access(old.substr(0, old.find('['))), "", task, "__i", ir::memlet(old));
    start.edge(task, "__o", start.access("_out"), "", ir::memlet(target));
    return id;
}

/// The operand that holds the old values: the output itself, or a container of its own where the graph brings them from elsewhere.
std::string old_values(const NodeDraft& draft, const Binding& binding, ir::Sdfg& body, std::vector<Lead>& inputs) {
    const BoundOperand& out = binding.outputs[0];
    const auto at = binding.old_values.find(out.connector);
    if (at == binding.old_values.end()) return "_out";
    const ir::Memlet &before = draft.state.edges[at->second].memlet, &after = draft.state.edges[out.edge].memlet;
    const bool same = before.data == after.data && draft.subset(at->second) == draft.subset(out.edge);
    inputs.push_back({at->second, same ? "_out" : "_old"});
    if (same) return "_out";
    declare_operand(draft, body, "_old", at->second, draft.dims(at->second, std::max<std::size_t>(out.sizes.size(), 1)));
    return "_old";
}

}  // namespace

void expand_sum_of_products(NodeDraft& draft, const LoopOrder& order) {
    const Binding binding = bind(draft);
    const std::string alpha = draft.factor("alpha", "1"), beta = draft.factor("beta", "0");
    const BoundOperand& out = binding.outputs.at(0);
    ir::Sdfg body{.name = "products"};
    std::vector<Lead> inputs;
    std::string code = "__o = " + (is_one(alpha) ? "" : "(" + alpha + ") * ");
    for (std::size_t k = 0; k < binding.inputs.size(); ++k) {
        declare_operand(draft, body, "_in" + std::to_string(k), binding.inputs[k].edge, binding.inputs[k].dims);
        inputs.push_back({binding.inputs[k].edge, "_in" + std::to_string(k)});
        code += (k ? " * __x" : "__x") + std::to_string(k);
    }
    declare_operand(draft, body, "_out", out.edge, out.dims);
    const Loops loops = loops_of(binding, order);
    const std::string target = element("_out", out);
    const bool adds = !loops.inner.empty() || !is_zero(beta);
    ir::BlockId start;
    if (adds) {
        const std::string old = is_zero(beta) ? "_out" : old_values(draft, binding, body, inputs);
        start = add_start(body, ranges(loops.result, binding), element(old, out), target, beta);
    }
    ir::StateBuilder state = adds ? ir::add_state_after(body.body, start, "sum") : ir::add_state(body.body, "product");
    std::vector<std::pair<ir::NodeId, ir::NodeId>> scopes;
    const auto open = [&](const char* label, const std::vector<std::string>& sizes, bool sequential) {
        const ir::Schedule schedule = sequential ? ir::Schedule::Sequential : draft.library().schedule;
        if (!sizes.empty()) scopes.push_back(state.map(label, ranges(sizes, binding), schedule));
    };
    open("outer", loops.outer, false);
    open("inner", loops.inner, !loops.result.empty());
    open("row", loops.innermost, true);
    ir::Connectors in;
    for (std::size_t k = 0; k < binding.inputs.size(); ++k) in.emplace("__x" + std::to_string(k), code::DType());
    const ir::NodeId task = state.tasklet("multiply", in, {{"__o", code::DType()}}, code);
    for (std::size_t k = 0; k < binding.inputs.size(); ++k) {
        const std::string name = "_in" + std::to_string(k);
        std::vector<ir::NodeId> path{state.access(name)};
        for (const auto& scope : scopes) path.push_back(scope.first);
        path.push_back(task);
        state.memlet_path(path, "", "__x" + std::to_string(k), ir::memlet(element(name, binding.inputs[k])));
    }
    std::vector<ir::NodeId> back{task};
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) back.push_back(scope->second);
    back.push_back(state.access("_out"));
    state.memlet_path(back, "__o", "", ir::memlet(target, {.wcr = adds ? "lambda a, b: a + b" : ""}));
    replace_by(draft, std::move(body), inputs, {{out.edge, "_out"}});
}

Expansion native_sum_of_products(const LoopOrder& order) {
    return {.name = "native",
            .summary = "Loops over the output's sizes around sequential sums.",
            .aliases = {"pure", "OpenMP"},
            .expand = [order](NodeDraft& draft) { expand_sum_of_products(draft, order); }};
}

}  // namespace sluice::library
