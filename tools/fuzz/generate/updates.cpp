// Conflict resolutions: maps that update, histograms, reductions, products.
#include <algorithm>

#include "fuzz/generate/maker.h"

namespace sluice::fuzz {

namespace {

bool is_updated(const Data& data) {
    return data.use != Data::Use::Constant;
}

/// The longest maps of the fuzzer: long enough for threads to meet.
constexpr const char* kLong = "0:3000";

}  // namespace

/// An operator that gives the same in any order (for floating-point numbers: only where the container is for sums).
std::string Maker::resolution(const Data& data) {
    if (!data.wcr.empty()) return data.wcr;
    if (data.type == Scalar::Bool) {
        static const std::vector<std::string> kBool = {"lambda a, b: a or b", "lambda a, b: a and b", "lambda a, b: a ^ b",
                                                       "lambda a, b: a | b"};
        return random_.pick(kBool);
    }
    if (data.use == Data::Use::Sums) return random_.chance(85) ? "lambda a, b: a + b" : "lambda a, b: a * b";
    if (!code::is_integer(data.type)) return random_.chance(50) ? "lambda a, b: min(a, b)" : "lambda a, b: max(a, b)";
    static const std::vector<std::string> kWhole = {"lambda a, b: a + b",         "lambda a, b: a + b",     "lambda a, b: a * b",
                                                    "lambda a, b: min(a, b)",     "lambda a, b: max(a, b)", "lambda a, b: a & b",
                                                    "lambda a, b: a | b",         "lambda a, b: a ^ b",     "lambda a, b: a - b",
                                                    "lambda a, b: a * b + a + b", "lambda a, b: max(b, a)"};
    return random_.pick(kWhole);
}

void Maker::update(Flow& flow) {
    std::vector<const Data*> targets;
    for (const Data& data : data_)
        if (is_updated(data) && !(data.use == Data::Use::Free && code::is_complex(data.type))) targets.push_back(&data);
    if (targets.empty()) return elementwise(flow);
    const Data target = *random_.pick(targets);
    std::vector<Parameter> parameters;
    for (int k = random_.between(1, 3); k > 0; --k)
        parameters.push_back(covering(some_extent(), false, parameters.empty() ? nullptr : &parameters.back()));
    if (random_.chance(10)) parameters = {{fresh("i"), kLong, "", Expr(3000)}};
    const std::vector<Input> inputs = inputs_for(parameters, target.name, 2);
    const std::string place = memlet_for(target, parameters), wcr = resolution(target);
    std::set<std::string> reads;
    ir::Connectors in;
    for (const Input& input : inputs) reads.insert(input.data), in.emplace(input.connector, ir::DType());
    ir::StateBuilder state = state_for(flow, reads, {target.name});
    const Nest nest = open_nest(state, parameters);
    const std::string out = fresh("o");
    const bool sometimes = random_.chance(15);
    std::string body = body_for(target.type, inputs, parameters, out);
    if (sometimes) {
        Expressions expressions(random_, operands(inputs, parameters));
        body = "if " + expressions.boolean(2) + ":\n    " + out + " = " + expressions.of_type(target.type, 1);
    }
    const ir::NodeId tasklet = state.tasklet("update", in, {{out, ir::DType()}}, body);
    connect(flow, state, nest, tasklet, inputs);
    std::vector<ir::NodeId> path = {tasklet};
    path.insert(path.end(), nest.exits.begin(), nest.exits.end());
    path.push_back(sink(flow, state, target.name));
    state.memlet_path(path, out, "", ir::memlet(place, {.wcr = wcr, .dynamic = sometimes}));
}

/// The code picks the element that it updates.
void Maker::histogram(Flow& flow) {
    std::vector<const Data*> targets;
    for (const Data& data : data_)
        if (is_updated(data) && data.shape.size() == 1 && !(data.use == Data::Use::Free && code::is_complex(data.type)))
            targets.push_back(&data);
    if (targets.empty()) return update(flow);
    const Data target = *random_.pick(targets);
    const std::string extent = symbolic::to_string(target.shape[0]);
    std::vector<Parameter> parameters = {covering(some_extent(), false, nullptr)};
    if (random_.chance(10)) parameters = {{fresh("i"), kLong, "", Expr(3000)}};
    const std::vector<Input> inputs = inputs_for(parameters, target.name, 2);
    std::set<std::string> reads;
    ir::Connectors in;
    for (const Input& input : inputs) reads.insert(input.data), in.emplace(input.connector, ir::DType());
    ir::StateBuilder state = state_for(flow, reads, {target.name});
    const Nest nest = open_nest(state, parameters);
    const std::string out = fresh("o");
    Expressions expressions(random_, operands(inputs, parameters));
    const std::string body =
        out + "[int64(" + expressions.whole(2) + ") % (" + extent + ")] = " + expressions.of_type(target.type, 2);
    const ir::NodeId tasklet = state.tasklet("count", in, {{out, ir::DType()}}, body);
    connect(flow, state, nest, tasklet, inputs);
    std::vector<ir::NodeId> path = {tasklet};
    path.insert(path.end(), nest.exits.begin(), nest.exits.end());
    path.push_back(sink(flow, state, target.name));
    state.memlet_path(path, out, "", ir::memlet(target.name + "[0:" + extent + "]", {.wcr = resolution(target), .dynamic = true}));
}

void Maker::reduce(Flow& flow) {
    std::vector<const Data*> sources;
    for (const Data* data : readable())
        if (!data->shape.empty() && data->plain) sources.push_back(data);
    if (sources.empty()) return elementwise(flow);
    const Data source_data = *random_.pick(sources);
    const bool rounded = code::is_floating(source_data.type) || code::is_complex(source_data.type);
    Data target{fresh("r"), source_data.type, {}, Data::Use::Free};
    std::vector<std::int64_t> axes;
    for (std::size_t d = 0; d < source_data.shape.size(); ++d) {
        if (random_.chance(60))
            axes.push_back(static_cast<std::int64_t>(d));
        else
            target.shape.push_back(source_data.shape[d]);
    }
    if (axes.empty()) {
        axes.push_back(0);
        target.shape.erase(target.shape.begin());
    }
    if (target.shape.empty()) target.shape = {Expr(1)};
    if (rounded && (code::is_complex(source_data.type) || random_.chance(60))) target.use = Data::Use::Sums;
    std::map<std::string, ir::Property> properties = {{"axes", axes}};
    const std::string wcr = resolution(target);
    properties["wcr"] = wcr;
    // A new container: an argument continues from what it holds, a transient needs a beginning.
    const bool sum = wcr == "lambda a, b: a + b", product = wcr == "lambda a, b: a * b";
    const bool possible = sized_by_arguments(target.shape), has_identity = sum || product;
    const bool transient = !possible || (random_.chance(40) && (has_identity || target.use != Data::Use::Sums));
    if (transient && has_identity && target.use == Data::Use::Sums) {
        ir::add_transient(sdfg_, target.name, target.type, target.shape);
        properties["identity"] = std::int64_t{sum ? 0 : 1};
        data_.push_back(target);
    } else if (transient) {
        target = add_transient(flow, target.type, target.shape);
    } else {
        ir::add_array(sdfg_, target.name, target.type, target.shape);
        data_.push_back(target);
    }
    if ((sum || product) && !properties.contains("identity") && random_.chance(50))
        properties["identity"] = std::int64_t{sum ? 0 : 1};
    ir::StateBuilder state = state_for(flow, {source_data.name}, {target.name});
    const ir::NodeId node = state.library("Reduce", fresh("reduce"), {"_in"}, {"_out"}, properties);
    const auto whole = [](const Data& data) {
        return data.name + "[" + symbolic::to_string(symbolic::Subset::extents(data.shape)) + "]";
    };
    state.edge(source(flow, state, source_data.name), "", node, "_in", ir::memlet(whole(source_data)));
    state.edge(node, "_out", sink(flow, state, target.name), "", ir::memlet(whole(target)));
}

void Maker::product(Flow& flow) {
    if (!outermost_) return reduce(flow);
    const Scalar type = random_.chance(50) ? Scalar::Float64 : Scalar::Float32;
    const Expr rows = some_argument_extent(), inner = some_argument_extent(), columns = some_argument_extent();
    const bool vector = random_.chance(25);
    const std::vector<Data> made = {
        {fresh("A"), type, {rows, inner}, Data::Use::Constant},
        {fresh("B"), type, vector ? std::vector{inner} : std::vector{inner, columns}, Data::Use::Constant},
        {fresh("C"), type, vector ? std::vector{rows} : std::vector{rows, columns}, Data::Use::Sums}};
    for (const Data& data : made) {
        ir::add_array(sdfg_, data.name, type, data.shape);
        data_.push_back(data);
    }
    ir::StateBuilder state = state_for(flow, {made[0].name, made[1].name}, {made[2].name});
    const ir::NodeId node = state.library("MatMul", fresh("product"), {"_a", "_b"}, {"_c"});
    state.edge(source(flow, state, made[0].name), "", node, "_a", ir::memlet(made[0].name));
    state.edge(source(flow, state, made[1].name), "", node, "_b", ir::memlet(made[1].name));
    state.edge(node, "_c", sink(flow, state, made[2].name), "", ir::memlet(made[2].name));
}

}  // namespace sluice::fuzz
