#include "library/cholesky/cholesky.h"

namespace sluice::library {

void expand_cholesky(NodeContext& context) {
    const ir::EdgeId a = context.input("_a"), b = context.output("_b");
    ir::Sdfg body{.name = "cholesky"};
    declare_operand(context, body, "_a", a, operand_dims(context, a, 2));
    declare_operand(context, body, "_b", b, operand_dims(context, b, 2));
    const std::vector<ir::Expr> shape = body.containers.at("_a").shape;
    if (shape.size() != 2 || body.containers.at("_b").shape.size() != 2 || !(shape[0] == shape[1]))
        context.refuse("B003", "Cholesky takes a square matrix to one of the same size", "connect matrices");
    const bool lower = context.flag("lower", true);
    const std::string n = symbolic::to_string(shape[0]);
    // Element (row, column) of the lower factor.
    const auto at = [&](const std::string& row, const std::string& column) {
        return lower ? "_b[" + row + ", " + column + "]" : "_b[" + column + ", " + row + "]";
    };
    const auto schedule = context.library().schedule;
    ir::BlockId start, columns;
    ir::add_state(body.body, "start", &start)
        .mapped_tasklet("copy", {{"__i", "0:" + n}, {"__j", "0:" + n}}, {{"__x", "_a[__i, __j]"}}, "__o = __x if __j <= __i else 0",
                        {{"__o", at("__i", "__j")}}, {}, schedule);
    columns = ir::add_block(body.body, ir::for_loop("columns", "__k", "0", n));
    ir::add_transition(body.body, start, columns);
    ir::Region& loop = std::get<ir::LoopRegion>(body.body.blocks[columns].kind).body;
    ir::BlockId root, scale;
    ir::StateBuilder first = ir::add_state(loop, "root", &root);
    const ir::NodeId task = first.tasklet("root", {{"__x", code::DType()}}, {{"__o", code::DType()}}, "__o = sqrt(__x)");
    first.edge(first.access("_b"), "", task, "__x", ir::memlet(at("__k", "__k")));
    first.edge(task, "__o", first.access("_b"), "", ir::memlet(at("__k", "__k")));
    ir::add_state_after(loop, root, "scale", &scale)
        .mapped_tasklet("scale", {{"__i", "__k + 1:" + n}}, {{"__x", at("__i", "__k")}, {"__d", at("__k", "__k")}},
                        "__o = __x / __d", {{"__o", at("__i", "__k")}}, {}, schedule);
    ir::add_state_after(loop, scale, "update")
        .mapped_tasklet("update", {{"__i", "__k + 1:" + n}, {"__j", "__k + 1:__i + 1"}},
                        {{"__x", at("__i", "__j")}, {"__l", at("__i", "__k")}, {"__m", at("__j", "__k")}}, "__o = __x - __l * __m",
                        {{"__o", at("__i", "__j")}}, {}, schedule);
    replace_by(context, std::move(body), {{a, "_a"}}, {{b, "_b"}});
}

}  // namespace sluice::library
