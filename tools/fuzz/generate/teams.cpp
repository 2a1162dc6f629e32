// Loops that one team of threads runs from their first round to their last.
#include "fuzz/generate/maker.h"

namespace sluice::fuzz {

/// for t { map i { B[i] = f(A[i]) }; map i { A[i] = g(B[i]) } }: in half of the loops a neighbour's element now and then, so that
/// threads must meet.
void Maker::team_loop(Flow& flow) {
    if (!outermost_ || loops_ > 0) return chain(flow);
    const Scalar type = random_.chance(50) ? Scalar::Float64 : Scalar::Int32;
    const std::vector<Expr> shape = {some_argument_extent()};
    const std::vector<Data> data = {add_result(type, shape), add_result(type, shape), add_result(type, shape)};
    const std::string last = symbolic::to_string(shape[0] - 1);
    const bool neighbours = random_.chance(50);
    const auto element = [&](const std::string& index) {
        return neighbours && random_.chance(50) ? "min(" + index + " + 1, " + last + ")" : index;
    };
    static const std::vector<std::string> kBodies = {"x + y", "x - y", "min(x, y + 1)", "x"};
    Flow body;
    for (int maps = random_.between(1, 3); maps > 0; --maps) {
        const Data& from = random_.pick(data);
        const Data& to = random_.pick(data);
        if (from.name == to.name) continue;
        ir::StateBuilder state = state_for(body, {from.name}, {to.name});
        const std::vector<Parameter> parameters = all_of(shape);
        const auto [entry, exit] = state.map(fresh("map"), {{parameters[0].name, parameters[0].range}});
        if (random_.chance(80)) std::get<ir::MapEntry>(state.state().nodes[entry].kind).schedule = ir::Schedule::CPU_Multicore;
        const std::string out = fresh("o"), index = parameters[0].index;
        const ir::NodeId tasklet = state.tasklet("step", {{"x", ir::DType()}, {"y", ir::DType()}}, {{out, ir::DType()}},
                                                 out + " = " + random_.pick(kBodies));
        connect(body, state, {{entry}, {exit}}, tasklet,
                {{"x", from.name + "[" + element(index) + "]", from.name, type},
                 {"y", from.name + "[" + index + "]", from.name, type}});
        state.memlet_path({tasklet, exit, sink(body, state, to.name)}, out, "", ir::memlet(to.name + "[" + index + "]"));
    }
    if (!body.last.valid()) new_state(body);
    ir::Block block = ir::for_loop(fresh("loop"), fresh("v"), "0", std::to_string(random_.between(1, 4)), "1");
    auto& loop = std::get<ir::LoopRegion>(block.kind);
    loop.body = std::move(body.region);
    loop.schedule = ir::Schedule::CPU_Persistent;
    append(flow, std::move(block));
}

}  // namespace sluice::fuzz
