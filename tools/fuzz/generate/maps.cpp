// Maps over tasklets: each point writes an element of its own.
#include <algorithm>

#include "fuzz/generate/maker.h"

namespace sluice::fuzz {

namespace {

std::string text_of(const Expr& e) {
    return symbolic::to_string(e);
}
std::string in_parentheses(const Expr& e) {
    return e.is_symbol() || e.is_integer() ? text_of(e) : "(" + text_of(e) + ")";
}

}  // namespace

/// A parameter within [0, extent) and an index that no two of its values share.
Maker::Parameter Maker::covering(const Expr& extent, bool whole, const Parameter* before) {
    Parameter made{fresh("i"), "0:" + text_of(extent), "", extent};
    const std::string e = in_parentheses(extent);
    made.index = made.name;
    if (random_.chance(20)) made.index = e + " - 1 - " + made.name;
    if (random_.chance(12)) made.index = "(" + made.name + " + 1) % " + e;
    switch (whole ? random_.below(3) + 20 : random_.below(14)) {
        case 0:
            made.range = "0:" + text_of(extent) + ":2";
            break;
        case 1:
            made.range = "1:" + text_of(extent);
            break;
        case 2:
            made.range = "0:" + text_of(extent) + " - 1";
            break;
        case 3:
            made.range = text_of(extent) + " - 1:-1:-" + std::to_string(random_.between(1, 2));
            break;
        case 4:
            if (before) made.range = "0:min(" + before->name + " + 1, " + text_of(extent) + ")";
            break;
        case 5:
            // Where the outer range is empty, its first value may lie outside of it.
            if (before && before->range == "0:" + text_of(before->extent))
                made.range = "min(" + before->name + ", " + text_of(extent) + "):" + text_of(extent);
            break;
        case 6:
            made.range = "0:" + text_of(extent) + "//2";
            break;
        case 20:
            made.range = text_of(extent) + " - 1:-1:-1";
            break;
        default:
            break;
    }
    return made;
}

std::string Maker::index_for(const Expr& extent, const std::vector<Parameter>& parameters) {
    const std::string e = in_parentheses(extent);
    std::vector<std::string> fitting, any;
    for (const Parameter& each : parameters) {
        any.push_back(each.name);
        if (each.extent == extent) fitting.push_back(each.name);
    }
    for (const Index& each : indices_) {
        any.push_back(each.name);
        if (each.extent == extent) fitting.push_back(each.name);
    }
    if (!fitting.empty() && random_.chance(65)) {
        const std::string& name = random_.pick(fitting);
        return random_.chance(75) ? name : e + " - 1 - " + name;
    }
    if (any.empty() || random_.chance(25)) {
        if (const auto constant = extent.constant()) return std::to_string(random_.below(static_cast<std::size_t>(*constant)));
        return random_.chance(50) ? "0" : e + " - 1";
    }
    const std::string& name = random_.pick(any);
    if (random_.chance(30)) return "min(" + name + ", " + e + " - 1)";
    if (random_.chance(40)) return "(" + name + " + " + random_.pick(any) + ") % " + e;
    return "(" + name + ") % " + e;
}

std::string Maker::memlet_for(const Data& data, const std::vector<Parameter>& parameters) {
    if (data.shape.empty()) return data.name;
    std::string text;
    for (const Expr& extent : data.shape) text += (text.empty() ? "" : ", ") + index_for(extent, parameters);
    return data.name + "[" + text + "]";
}

std::vector<Maker::Input> Maker::inputs_for(const std::vector<Parameter>& parameters, const std::string& but, int most) {
    std::vector<Input> inputs;
    const std::vector<const Data*> candidates = readable(but);
    if (candidates.empty()) return inputs;
    for (int k = random_.between(0, most); k > 0; --k) {
        const Data& data = *random_.pick(candidates);
        Input input{fresh("x"), memlet_for(data, parameters), data.name, data.type};
        if (has(Feature::Indirection) && !data.shape.empty() && random_.chance(20)) {
            // The last dimension as a whole, subscripted by the code.
            std::string text;
            for (std::size_t d = 0; d + 1 < data.shape.size(); ++d) text += index_for(data.shape[d], parameters) + ", ";
            input.extent = data.shape.back();
            input.memlet = data.name + "[" + text + "0:" + text_of(input.extent) + "]";
            input.pointer = true;
        }
        inputs.push_back(std::move(input));
    }
    return inputs;
}

void Maker::tune(ir::MapEntry& map) {
    if (random_.chance(12)) map.schedule = ir::Schedule::Sequential;
    if (random_.chance(4)) map.unroll = true;
    if (!has(Feature::Parallel) || !random_.chance(60)) return;
    map.schedule = ir::Schedule::CPU_Multicore;
    map.unroll = false;
    map.omp_num_threads = random_.between(2, 4);
    if (random_.chance(30)) map.collapse = random_.between(1, 3);
    if (random_.chance(20)) map.omp_schedule = ir::OmpSchedule::Dynamic;
    if (random_.chance(10)) map.omp_chunk_size = 2;
}

Maker::Nest Maker::open_nest(ir::StateBuilder& state, const std::vector<Parameter>& parameters, bool apart) {
    Nest nest;
    for (std::size_t at = 0; at < parameters.size();) {
        ir::MapRanges group;
        do {
            group.emplace_back(parameters[at].name, parameters[at].range);
            ++at;
        } while (at < parameters.size() && !apart && random_.chance(65));
        const auto [entry, exit] = state.map(fresh("map"), group);
        auto& map = std::get<ir::MapEntry>(state.state().nodes[entry].kind);
        if (nest.entries.empty() || random_.chance(20)) tune(map);
        nest.entries.push_back(entry);
        nest.exits.insert(nest.exits.begin(), exit);
    }
    return nest;
}

std::vector<Operand> Maker::operands(const std::vector<Input>& inputs, const std::vector<Parameter>& parameters) {
    std::vector<Operand> result;
    for (const Parameter& each : parameters) result.push_back({each.name, Scalar::Int64});
    for (const Index& each : indices_) result.push_back({each.name, Scalar::Int64});
    for (const Input& input : inputs) {
        if (!input.pointer) {
            result.push_back({input.connector, input.type});
            continue;
        }
        Expressions plain(random_, result);
        const std::string at = random_.chance(50) ? std::to_string(random_.below(6)) : "int64(" + plain.whole(1) + ")";
        result.push_back({input.connector + "[(" + at + ") % " + in_parentheses(input.extent) + "]", input.type});
    }
    return result;
}

std::string Maker::body_for(Scalar type, const std::vector<Input>& inputs, const std::vector<Parameter>& parameters,
                            const std::string& out) {
    std::vector<Operand> known = operands(inputs, parameters);
    std::string text;
    if (random_.chance(20)) {
        const std::string local = fresh("u");
        text = local + " = " + Expressions(random_, known).whole(2) + "\n";
        known.push_back({local, Scalar::Int64});
        known.back().text = "int64(" + local + ")";
    }
    Expressions expressions(random_, known);
    if (random_.chance(15))
        return text + "if " + expressions.boolean(2) + ":\n    " + out + " = " + expressions.of_type(type, 2) + "\nelse:\n    " +
               out + " = " + expressions.of_type(type, 2);
    return text + out + " = " + expressions.of_type(type, random_.between(0, 3));
}

void Maker::connect(Flow& flow, ir::StateBuilder& state, const Nest& nest, ir::NodeId tasklet, const std::vector<Input>& inputs) {
    for (const Input& input : inputs) {
        std::vector<ir::NodeId> path = {source(flow, state, input.data)};
        path.insert(path.end(), nest.entries.begin(), nest.entries.end());
        path.push_back(tasklet);
        state.memlet_path(path, "", input.connector, ir::memlet(input.memlet));
    }
    if (inputs.empty() && !nest.entries.empty()) {
        std::vector<ir::NodeId> path = nest.entries;
        path.push_back(tasklet);
        state.memlet_path(path, "", "", ir::no_memlet());
    }
}

void Maker::elementwise(Flow& flow, const Data* define) {
    const std::vector<const Data*> targets =
        where([](const Data& data) { return data.use == Data::Use::Free && !data.shape.empty(); });
    if (!define && targets.empty()) return scalar_tasklet(flow);
    const Data target = define ? *define : *random_.pick(targets);
    std::vector<Parameter> by_dimension;
    for (const Expr& extent : target.shape)
        by_dimension.push_back(covering(extent, define != nullptr, by_dimension.empty() ? nullptr : &by_dimension.back()));
    std::string place;
    for (const Parameter& each : by_dimension) place += (place.empty() ? "" : ", ") + each.index;
    const std::string written = target.name + "[" + place + "]";
    std::vector<Input> inputs = inputs_for(by_dimension, target.name, 3);
    const bool in_place = !define && random_.chance(30);
    if (in_place) inputs.push_back({fresh("x"), written, target.name, target.type});
    // A range that is read from data.
    std::string count, counted;
    if (has(Feature::DynamicRanges) && !define && random_.chance(25)) {
        for (const Data* each : readable(target.name))
            if ((each->type == Scalar::Int64 || each->type == Scalar::Int32) && count.empty() && random_.chance(60)) {
                counted = memlet_for(*each, {});
                count = each->name;
            }
    }
    std::set<std::string> reads;
    for (const Input& input : inputs) reads.insert(input.data);
    if (!count.empty()) reads.insert(count);
    ir::StateBuilder state = state_for(flow, reads, {target.name});
    std::string connector;
    if (!count.empty()) {
        connector = fresh("n");
        by_dimension[0].range = "0:min(" + connector + ", " + text_of(by_dimension[0].extent) + ")";
    }
    const Nest nest = open_nest(state, by_dimension);
    if (!count.empty()) {
        state.state().nodes[nest.entries[0]].in.emplace(connector, ir::DType());
        state.edge(source(flow, state, count), "", nest.entries[0], connector, ir::memlet(counted));
    }
    ir::Connectors in;
    for (const Input& input : inputs) in.emplace(input.connector, ir::DType());
    ir::NodeId last;
    const std::string out = fresh("o");
    if (random_.chance(25)) {
        // Two tasklets, joined by a wire or by a scalar of the scope.
        const Scalar between = some_type();
        const std::string wire = fresh("w");
        const ir::NodeId first = state.tasklet("first", in, {{wire, between}}, body_for(between, inputs, by_dimension, wire));
        connect(flow, state, nest, first, inputs);
        const std::vector<Input> handed = {{wire, "", "", between}};
        last = state.tasklet("second", {{wire, between}}, {{out, ir::DType()}}, body_for(target.type, handed, by_dimension, out));
        if (random_.chance(50)) {
            state.edge(first, wire, last, wire, ir::memlet(written));
        } else {
            const std::string local = fresh("local");
            ir::add_scalar(sdfg_, local, between, true);
            const ir::NodeId node = state.access(local);
            state.edge(first, wire, node, "", ir::memlet(local));
            state.edge(node, "", last, wire, ir::memlet(local));
        }
    } else {
        const bool sometimes = !define && random_.chance(12);
        std::string body = body_for(target.type, inputs, by_dimension, out);
        if (sometimes)
            body = "if " + Expressions(random_, operands(inputs, by_dimension)).boolean(1) + ":\n    " + out + " = " +
                   Expressions(random_, operands(inputs, by_dimension)).of_type(target.type, 1);
        last = state.tasklet("compute", in, {{out, ir::DType()}}, body);
        connect(flow, state, nest, last, inputs);
        std::vector<ir::NodeId> path = {last};
        path.insert(path.end(), nest.exits.begin(), nest.exits.end());
        path.push_back(sink(flow, state, target.name));
        state.memlet_path(path, out, "", ir::memlet(written, {.dynamic = sometimes}));
        return;
    }
    std::vector<ir::NodeId> path = {last};
    path.insert(path.end(), nest.exits.begin(), nest.exits.end());
    path.push_back(sink(flow, state, target.name));
    state.memlet_path(path, out, "", ir::memlet(written));
}

void Maker::scalar_tasklet(Flow& flow, const Data* define) {
    const std::vector<const Data*> targets = where([](const Data& data) { return data.use == Data::Use::Free; });
    if (!define && targets.empty()) {
        new_state(flow);
        return;
    }
    const Data target = define ? *define : *random_.pick(targets);
    const std::vector<Input> inputs = inputs_for({}, target.name, 2);
    std::set<std::string> reads;
    ir::Connectors in;
    for (const Input& input : inputs) reads.insert(input.data), in.emplace(input.connector, ir::DType());
    ir::StateBuilder state = state_for(flow, reads, {target.name});
    const std::string out = fresh("o");
    const ir::NodeId tasklet = state.tasklet("single", in, {{out, ir::DType()}}, body_for(target.type, inputs, {}, out));
    connect(flow, state, {}, tasklet, inputs);
    state.edge(tasklet, out, sink(flow, state, target.name), "", ir::memlet(memlet_for(target, {})));
}

}  // namespace sluice::fuzz
