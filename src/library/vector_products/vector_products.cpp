#include "library/vector_products/vector_products.h"

#include "library/contraction/contraction.h"

namespace sluice::library {

namespace {

struct Operand {
    std::string connector, index;
    std::size_t rank;
};

/// A map over `params` with one tasklet: inputs `__x`, `__y`, ... in order, output `__o`.
void expand_mapped(NodeContext& context, const std::vector<Operand>& operands, const Operand& result, const std::string& code) {
    ir::Sdfg body{.name = "update"};
    std::vector<Lead> inputs;
    ir::NamedTexts in, params;
    for (const Operand& operand : operands) {
        const ir::EdgeId edge = context.input(operand.connector);
        declare_operand(context, body, operand.connector, edge, operand_dims(context, edge, operand.rank));
        inputs.push_back({edge, operand.connector});
        in.emplace_back("_" + operand.connector, operand.connector + "[" + operand.index + "]");
    }
    const ir::EdgeId out = context.output(result.connector);
    declare_operand(context, body, result.connector, out, operand_dims(context, out, result.rank));
    const std::vector<ir::Expr> shape = body.containers.at(result.connector).shape;
    for (std::size_t k = 0; k <= operands.size(); ++k) {
        const Operand& operand = k < operands.size() ? operands[k] : result;
        if (body.containers.at(operand.connector).shape.size() != operand.rank)
            context.refuse("B003",
                           "the operand " + operand.connector + " of " + context.library().operation + " has not " +
                               std::to_string(operand.rank) + " dimensions",
                           "connect an array of this rank");
    }
    const char* const names[] = {"__i", "__j"};
    for (std::size_t d = 0; d < shape.size(); ++d) params.emplace_back(names[d], "0:" + symbolic::to_string(shape[d]));
    ir::add_state(body.body, "update")
        .mapped_tasklet("update", params, in, code, {{"__o", result.connector + "[" + result.index + "]"}}, {},
                        context.library().schedule);
    replace_by(context, std::move(body), inputs, {{out, result.connector}});
}

}  // namespace

void expand_axpy(NodeContext& context) {
    expand_mapped(context, {{"_x", "__i", 1}, {"_y", "__i", 1}}, {"_res", "__i", 1},
                  "__o = " + context.factor("a", "a") + " * __x + __y");
}

void expand_ger(NodeContext& context) {
    expand_mapped(context, {{"_x", "__i", 1}, {"_y", "__j", 1}, {"_A", "__i, __j", 2}}, {"_res", "__i, __j", 2},
                  "__o = __A + " + context.factor("alpha", "1") + " * __x * __y");
}

void expand_dot(NodeContext& context) {
    expand_contraction(context,
                       {{{context.input("_x"), "i"}, {context.input("_y"), "i"}}, {context.output("_result"), ""}, "1", "0"});
}

}  // namespace sluice::library
