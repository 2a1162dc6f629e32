// Streams: elements that come out in the order in which one tasklet pushed them, or in any order into what commutes.
#include "fuzz/generate/maker.h"

namespace sluice::fuzz {

namespace {

bool is_counted(const Data& data) {
    return data.use == Data::Use::Free && code::is_integer(data.type);
}

}  // namespace

/// A tasklet pushes a few elements; the stream drains into an array.
void Maker::drain(Flow& flow) {
    std::vector<const Data*> targets;
    for (const Data& data : data_)
        if (data.use == Data::Use::Free && data.plain && data.shape.size() == 1) targets.push_back(&data);
    if (targets.empty()) return elementwise(flow);
    const Data target = *random_.pick(targets);
    const std::string stream = fresh("S"), extent = symbolic::to_string(target.shape[0]);
    ir::add_stream(sdfg_, stream, target.type).transient = true;
    const std::vector<Input> inputs = inputs_for({}, target.name, 2);
    ir::StateBuilder state = new_state(flow);
    ir::Connectors in;
    for (const Input& input : inputs) in.emplace(input.connector, ir::DType());
    const std::string out = fresh("o"), k = fresh("k");
    std::vector<Operand> known = operands(inputs, {});
    known.push_back({"int64(" + k + ")", Scalar::Int64});
    Expressions expressions(random_, known);
    std::string push = out + " = " + expressions.of_type(target.type, 2);
    if (random_.chance(50)) push = "if " + expressions.boolean(1) + ":\n        " + push;
    const ir::NodeId tasklet =
        state.tasklet("push", in, {{out, ir::DType()}}, "for " + k + " in range(" + extent + "):\n    " + push);
    connect(flow, state, {}, tasklet, inputs);
    const ir::NodeId node = state.access(stream);
    state.edge(tasklet, out, node, "", ir::memlet(stream + "[0]", {.dynamic = true}));
    state.edge(node, "", sink(flow, state, target.name), "",
               ir::memlet(stream + "[0]", {.dynamic = true, .other_subset = "0:" + extent}));
    flow.open = false;
}

/// One map pushes into a stream of bounded size, another pops as many and adds them up.
void Maker::piped(Flow& flow) {
    if (!outermost_) return consume(flow);
    const Data through{fresh("S"), Scalar::Int32, {some_extent()}}, to = add_result(Scalar::Int64, {Expr(1)});
    ir::add_stream(sdfg_, through.name, through.type, 8).transient = true;  // no extent is larger
    const std::vector<Parameter> pushing = all_of(through.shape), popping = all_of(through.shape);
    const std::vector<Input> inputs = inputs_for(pushing, to.name, 2);
    ir::StateBuilder state = new_state(flow);
    const auto map = [&](const Parameter& over, const std::vector<Input>& in, const std::string& value, const std::string& data,
                         const ir::MemletOptions& how) {
        const auto [entry, exit] = state.map(fresh("map"), {{over.name, over.range}});
        ir::Connectors connectors;
        for (const Input& input : in) connectors.emplace(input.connector, ir::DType());
        const ir::NodeId tasklet = state.tasklet("pass", connectors, {{"o", ir::DType()}}, "o = " + value);
        connect(flow, state, {{entry}, {exit}}, tasklet, in);
        state.memlet_path({tasklet, exit, sink(flow, state, data)}, "o", "", ir::memlet(data + "[0]", how));
    };
    map(pushing[0], inputs, Expressions(random_, operands(inputs, pushing)).of_type(through.type, 2), through.name, {});
    map(popping[0], {{"x", through.name + "[0]", through.name, through.type}}, "x", to.name, {.wcr = "lambda a, b: a + b"});
    flow.open = false;
}

/// A map pushes; workers pop, push less, and add up.
void Maker::consume(Flow& flow) {
    const std::vector<const Data*> targets = where(is_counted);
    if (targets.empty()) return drain(flow);
    const Data target = *random_.pick(targets);
    const std::string stream = fresh("S");
    ir::add_stream(sdfg_, stream, Scalar::Int32).transient = true;
    std::vector<Parameter> parameters = {covering(some_extent(), false, nullptr)};
    if (random_.chance(50)) parameters.push_back(covering(some_extent(), false, nullptr));
    const std::vector<Input> inputs = inputs_for(parameters, target.name, 2);
    ir::StateBuilder state = new_state(flow);
    const Nest nest = open_nest(state, parameters, random_.chance(70));
    ir::Connectors in;
    for (const Input& input : inputs) in.emplace(input.connector, ir::DType());
    const std::string out = fresh("o");
    Expressions expressions(random_, operands(inputs, parameters));
    std::string push = out + " = int64(" + expressions.whole(2) + ") % 6";
    if (random_.chance(40)) push = "if " + expressions.boolean(1) + ":\n    " + push;
    const ir::NodeId pusher = state.tasklet("push", in, {{out, ir::DType()}}, push);
    connect(flow, state, nest, pusher, inputs);
    const ir::NodeId before = state.access(stream);
    std::vector<ir::NodeId> path = {pusher};
    path.insert(path.end(), nest.exits.begin(), nest.exits.end());
    path.push_back(before);
    state.memlet_path(path, out, "", ir::memlet(stream + "[0]", {.dynamic = true}));
    // The scope has a state of its own half of the time.
    ir::NodeId popped = before;
    if (random_.chance(40)) {
        state = new_state(flow);
        popped = state.access(stream);
    }
    const auto [entry, exit] = state.consume(fresh("consume"), fresh("pe"), Expr(random_.between(1, 3)));
    const bool again = random_.chance(60);
    ir::Connectors results = {{"total", ir::DType()}};
    if (again) results.emplace("next", ir::DType());
    const ir::NodeId worker = state.tasklet("work", {{"n", ir::DType()}}, results,
                                            again ? "total = n + 1\nif n > 0:\n    next = n - 1" : "total = n * 3");
    state.memlet_path({popped, entry, worker}, "", "n", ir::memlet(stream + "[0]"));
    state.memlet_path({worker, exit, sink(flow, state, target.name)}, "total", "",
                      ir::memlet(memlet_for(target, {}), {.wcr = "lambda a, b: a + b"}));
    if (again) state.memlet_path({worker, exit, state.access(stream)}, "next", "", ir::memlet(stream + "[0]", {.dynamic = true}));
    flow.open = false;
}

}  // namespace sluice::fuzz
