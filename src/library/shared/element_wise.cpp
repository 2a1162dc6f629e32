#include "library/shared/element_wise.h"

namespace sluice::library {

Expansion streaming(std::function<void(NodeDraft&)> expand) {
    return {.name = "streaming",
            .summary = "A loop that pops and pushes an element at a time.",
            .why_not = [](const NodeContext& context) { return has_stream(context) ? "" : "no operand is a stream"; },
            .takes_streams = true,
            .expand = std::move(expand)};
}

void expand_element_wise(NodeDraft& draft, const std::string& code) {
    const Binding binding = bind(draft);
    const BoundOperand& out = binding.outputs.at(0);
    ir::Sdfg body{.name = "elements"};
    std::vector<Lead> inputs;
    ir::MapRanges params;
    ir::NamedMemlets in;
    const auto element = [](const BoundOperand& operand) {
        std::vector<ir::Expr> index;
        for (const std::string& size : operand.sizes)
            index.push_back(operand.operand.is_stream ? ir::Expr(0) : symbolic::symbol("__" + size));
        return ir::memlet(operand.connector, ir::Subset::indices(index));
    };
    for (const BoundOperand& operand : binding.inputs) {
        declare_operand(draft, body, operand.connector, operand.edge, operand.dims);
        inputs.push_back({operand.edge, operand.connector});
        in.emplace_back("_" + operand.connector, element(operand));
    }
    declare_operand(draft, body, out.connector, out.edge, out.dims);
    for (const std::string& size : out.sizes) params.emplace_back("__" + size, symbolic::Range::extent(binding.sizes.at(size)));
    ir::add_state(body.body, "elements")
        .mapped_tasklet("elements", params, in, code, {{"__o", element(out)}}, {},
                        has_stream(draft) ? ir::Schedule::Sequential : draft.library().schedule);
    replace_by(draft, std::move(body), inputs, {{out.edge, out.connector}});
}

}  // namespace sluice::library
