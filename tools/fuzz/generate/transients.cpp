// What programs do with memory of their own, and chance rarely makes: buffers that a loop fills, sums that begin at zero, copies
// there and back, one buffer after another.
#include <algorithm>

#include "fuzz/generate/maker.h"

namespace sluice::fuzz {

namespace {

std::string all_of_it(const Data& data) {
    return symbolic::to_string(symbolic::Subset::extents(data.shape));
}
bool is_readable_array(const Data& data) {
    return (data.use == Data::Use::Free || data.use == Data::Use::Constant) && !data.shape.empty();
}

std::string indices_of(const std::vector<Expr>& shape, const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t d = 0; d < shape.size(); ++d) text += (d == 0 ? "" : ", ") + (d < names.size() ? names[d] : "0");
    return text;
}

}  // namespace

/// A loop that copies a row into a buffer and computes a row of the result from it.
void Maker::buffered_loop(Flow& flow) {
    const std::vector<const Data*> sources = where(is_readable_array);
    if (sources.empty()) return chain(flow);
    const Data from = *random_.pick(sources);
    const std::vector<Expr> row(from.shape.begin() + 1, from.shape.end());
    const Data buffer{fresh("t"), from.type, row.empty() ? std::vector<Expr>{Expr(1)} : row};
    ir::add_transient(sdfg_, buffer.name, buffer.type, buffer.shape);
    const Data to = add_result(some_type(), from.shape);
    const std::string variable = fresh("v");
    ir::Block block = ir::for_loop(fresh("loop"), variable, "0", symbolic::to_string(from.shape[0]), "1");
    Flow body;
    ir::StateBuilder state = new_state(body);
    const ir::NodeId middle = sink(body, state, buffer.name);
    std::string brought = from.name + "[" + variable;
    for (const Expr& extent : row) brought += ", 0:" + symbolic::to_string(extent);
    const std::string filled = row.empty() ? "0" : all_of_it(buffer);
    state.edge(source(body, state, from.name), "", middle, "", ir::memlet(brought + "]", {.other_subset = filled}));
    const std::vector<Parameter> parameters = all_of(row);
    std::vector<std::string> names;
    for (const Parameter& each : parameters) names.push_back(each.name);
    const Input read{fresh("x"), buffer.name + "[" + indices_of(buffer.shape, names) + "]", buffer.name, buffer.type};
    produce(body, state, to, sink(body, state, to.name), parameters, {read}, variable);
    std::get<ir::LoopRegion>(block.kind).body = std::move(body.region);
    append(flow, std::move(block));
}

/// t = identity; a map that updates t; t -> result.
void Maker::begun_at_identity(Flow& flow) {
    const Data total{fresh("t"), random_.chance(50) ? Scalar::Int64 : Scalar::Int32, {Expr(1)}};
    const std::vector<Parameter> parameters = all_of({some_extent()});
    const std::vector<Input> inputs = inputs_for(parameters, "", 2);
    const Data to = add_result(total.type, {Expr(1)});
    ir::add_transient(sdfg_, total.name, total.type, total.shape);
    std::set<std::string> reads;
    ir::Connectors in;
    for (const Input& input : inputs) reads.insert(input.data), in.emplace(input.connector, ir::DType());
    ir::StateBuilder state = state_for(flow, reads, {to.name});
    const bool sum = random_.chance(70);
    const std::string zero = fresh("o"), out = fresh("o"), element = total.name + "[0]";
    const ir::NodeId start = state.tasklet("start", {}, {{zero, ir::DType()}}, zero + (sum ? " = 0" : " = 1"));
    const ir::NodeId begin = state.access(total.name);
    state.edge(start, zero, begin, "", ir::memlet(element));
    const Nest nest = open_nest(state, parameters);
    state.edge(begin, "", nest.entries[0], "", ir::no_memlet());
    const ir::NodeId tasklet = state.tasklet("update", in, {{out, ir::DType()}}, body_for(total.type, inputs, parameters, out));
    connect(flow, state, nest, tasklet, inputs);
    const ir::NodeId end = state.access(total.name);
    std::vector<ir::NodeId> path = {tasklet};
    path.insert(path.end(), nest.exits.begin(), nest.exits.end());
    path.push_back(end);
    state.memlet_path(path, out, "", ir::memlet(element, {.wcr = sum ? "lambda a, b: a + b" : "lambda a, b: a * b"}));
    state.edge(end, "", sink(flow, state, to.name), "", ir::memlet(element, {.other_subset = "0"}));
}

/// container -> transient -> the same container.
void Maker::there_and_back(Flow& flow) {
    const std::vector<const Data*> targets =
        where([](const Data& data) { return data.use == Data::Use::Free && !data.shape.empty(); });
    if (targets.empty()) return chain(flow);
    const Data data = *random_.pick(targets), between{fresh("t"), data.type, data.shape};
    ir::add_transient(sdfg_, between.name, between.type, between.shape);
    ir::StateBuilder state = state_for(flow, {data.name}, {data.name});
    const ir::NodeId from = source(flow, state, data.name), middle = sink(flow, state, between.name);
    state.edge(from, "", middle, "", ir::memlet(whole(data), {.other_subset = all_of_it(between)}));
    state.edge(middle, "", sink(flow, state, data.name), "", ir::memlet(whole(between), {.other_subset = all_of_it(data)}));
    if (random_.chance(50)) return;
    const Data to = add_result(data.type, data.shape);
    state.edge(source(flow, state, data.name), "", sink(flow, state, to.name), "",
               ir::memlet(whole(data), {.other_subset = all_of_it(to)}));
}

/// Two transients of one shape, the second made when nobody needs the first any more.
void Maker::one_after_another(Flow& flow) {
    const std::vector<const Data*> sources = where(is_readable_array);
    if (sources.empty()) return chain(flow);
    const Data from = *random_.pick(sources);
    for (int k = 0; k < 2; ++k) {
        const Data between{fresh("t"), from.type, from.shape}, to = add_result(from.type, from.shape);
        ir::add_transient(sdfg_, between.name, between.type, between.shape);
        ir::StateBuilder state = new_state(flow);
        const ir::NodeId middle = sink(flow, state, between.name);
        state.edge(source(flow, state, from.name), "", middle, "", ir::memlet(whole(from), {.other_subset = all_of_it(between)}));
        const std::vector<Parameter> parameters = all_of(from.shape);
        std::vector<std::string> names;
        for (const Parameter& each : parameters) names.push_back(each.name);
        const Input read{fresh("x"), between.name + "[" + indices_of(between.shape, names) + "]", between.name, between.type};
        produce(flow, state, to, sink(flow, state, to.name), parameters, {read});
    }
}

/// map -> transient -> copy -> container.
void Maker::produced_and_copied(Flow& flow) {
    const Data between{fresh("t"), some_type(), {some_extent(), some_extent()}};
    const std::vector<Parameter> parameters = all_of(between.shape);
    const std::vector<Input> inputs = inputs_for(parameters, "", 2);
    std::set<std::string> reads;
    for (const Input& input : inputs) reads.insert(input.data);
    const Data to = add_result(between.type, between.shape);
    ir::add_transient(sdfg_, between.name, between.type, between.shape);
    ir::StateBuilder state = state_for(flow, reads, {to.name});
    const ir::NodeId middle = sink(flow, state, between.name);
    produce(flow, state, between, middle, parameters, inputs);
    state.edge(middle, "", sink(flow, state, to.name), "", ir::memlet(whole(between), {.other_subset = all_of_it(to)}));
}

/// Two maps of one size in one state, neither of which needs the other.
void Maker::side_by_side(Flow& flow) {
    std::vector<Expr> shape = {some_extent()};
    if (random_.chance(30)) shape.push_back(some_extent());
    struct Side {
        std::vector<Parameter> parameters;
        std::vector<Input> inputs;
        Data to;
    };
    std::vector<Side> sides(2);
    std::set<std::string> reads, writes;
    for (Side& side : sides) {
        side.parameters = all_of(shape);
        side.inputs = inputs_for(side.parameters, "", 2);
        for (const Input& input : side.inputs) reads.insert(input.data);
    }
    for (Side& side : sides) {
        side.to = add_result(some_type(), shape);
        writes.insert(side.to.name);
    }
    ir::StateBuilder state = state_for(flow, reads, writes);
    for (const Side& side : sides) produce(flow, state, side.to, sink(flow, state, side.to.name), side.parameters, side.inputs);
}

/// map -> transient -> map, alone in a state, of types that every device has; each element is written once, and read once in the
/// same order: what a stream can carry.
void Maker::handed_on(Flow& flow) {
    static const std::vector<Scalar> kTypes = {Scalar::Int32, Scalar::Int64, Scalar::Float32, Scalar::Float64};
    std::vector<Expr> shape = {some_extent()};
    if (random_.chance(40)) shape.push_back(some_extent());
    const Data between{fresh("t"), pick_type(kTypes), shape};
    const std::vector<Parameter> first = all_of(shape), second = all_of(shape);
    const std::vector<Input> inputs = inputs_for(first, "", 1);
    const Data to = add_result(pick_type(kTypes), shape);
    ir::add_transient(sdfg_, between.name, between.type, between.shape);
    ir::StateBuilder state = new_state(flow);
    const ir::NodeId middle = sink(flow, state, between.name);
    produce(flow, state, between, middle, first, inputs);
    std::vector<std::string> names;
    for (const Parameter& each : second) names.push_back(each.name);
    const std::string place = between.name + "[" + indices_of(shape, names) + "]";
    produce(flow, state, to, sink(flow, state, to.name), second, {{fresh("x"), place, between.name, between.type}});
    flow.open = false;
}

/// A map that moves elements, each to its own place.
void Maker::moved(Flow& flow) {
    const std::vector<const Data*> sources = where(is_readable_array);
    if (sources.empty()) return chain(flow);
    const Data from = *random_.pick(sources), to = add_result(from.type, from.shape);
    ir::StateBuilder state = state_for(flow, {from.name}, {to.name});
    ir::MapRanges ranges;
    std::vector<std::string> names;
    for (const Parameter& each : all_of(from.shape)) ranges.emplace_back(each.name, each.range), names.push_back(each.name);
    const auto [entry, exit] = state.map(fresh("map"), ranges);
    const ir::NodeId tasklet = state.tasklet("move", {{"x", ir::DType()}}, {{"y", ir::DType()}}, "y = x");
    const std::string place = "[" + indices_of(from.shape, names) + "]";
    state.memlet_path({source(flow, state, from.name), entry, tasklet}, "", "x", ir::memlet(from.name + place));
    state.memlet_path({tasklet, exit, sink(flow, state, to.name)}, "y", "", ir::memlet(to.name + place));
}

/// A result that is the copy of a transient, which some statements change before that and others read behind it.
void Maker::kept_result(Flow& flow) {
    const Data kept = add_transient(flow, some_type(), {some_argument_extent()}), result{"__return", kept.type, kept.shape};
    for (int k = random_.between(0, 2); k > 0; --k) statement(flow, depth_);
    ir::add_array(sdfg_, result.name, result.type, result.shape);
    ir::StateBuilder state = state_for(flow, {kept.name}, {result.name});
    state.edge(source(flow, state, kept.name), "", sink(flow, state, result.name), "",
               ir::memlet(whole(kept), {.other_subset = all_of_it(result)}));
    std::ranges::find(data_, kept.name, &Data::name)->use = Data::Use::Constant;
}

/// Each element is updated once: by a resolution, or by code that reads it.
void Maker::updated_once(Flow& flow) {
    const std::vector<const Data*> targets =
        where([](const Data& data) { return data.use == Data::Use::Free && code::is_integer(data.type) && !data.shape.empty(); });
    if (targets.empty()) return chain(flow);
    const Data target = *random_.pick(targets);
    const std::vector<Parameter> parameters = all_of(target.shape);
    std::vector<Input> inputs = inputs_for(parameters, target.name, 1);
    std::vector<std::string> names;
    for (const Parameter& each : parameters) names.push_back(each.name);
    const std::string place = target.name + "[" + indices_of(target.shape, names) + "]", out = fresh("o");
    const bool resolved = has(Feature::Conflicts) && random_.chance(50);
    std::string body;
    if (resolved) {
        body = body_for(target.type, inputs, parameters, out);
    } else {
        std::erase_if(inputs, [&](const Input& input) { return input.pointer || input.type != target.type; });
        const std::string by = inputs.empty() ? std::to_string(random_.between(1, 5)) : inputs[0].connector;
        inputs.push_back({fresh("x"), place, target.name, target.type});
        static const std::vector<std::string> kOperators = {" + ", " * ", " | ", " & ", " ^ "};
        body = out + " = " + inputs.back().connector + random_.pick(kOperators) + by;
    }
    std::set<std::string> reads;
    ir::Connectors in;
    for (const Input& input : inputs) reads.insert(input.data), in.emplace(input.connector, ir::DType());
    ir::StateBuilder state = state_for(flow, reads, {target.name});
    const Nest nest = open_nest(state, parameters);
    const ir::NodeId tasklet = state.tasklet("change", in, {{out, ir::DType()}}, body);
    connect(flow, state, nest, tasklet, inputs);
    std::vector<ir::NodeId> path = {tasklet};
    path.insert(path.end(), nest.exits.begin(), nest.exits.end());
    path.push_back(sink(flow, state, target.name));
    ir::MemletOptions options;
    if (resolved) options.wcr = resolution(target);
    state.memlet_path(path, out, "", ir::memlet(place, options));
}

}  // namespace sluice::fuzz
