// What programs are full of and chance rarely makes, for transformations to find: maps in a chain, copies of copies, counters,
// loops out of transitions, reductions of what a map made.
#include <fmt/format.h>

#include <algorithm>

#include "fuzz/generate/maker.h"

namespace sluice::fuzz {

namespace {

bool is_counter(const Data& data) {
    return data.use == Data::Use::Free && code::is_integer(data.type);
}

}  // namespace

/// The weights are such that every transformation is applied in at least one try of a hundred.
const std::vector<Maker::Idiom>& Maker::idioms() {
    static const std::vector<Idiom> kIdioms = {
        {{}, &Maker::chain, 2},
        {{}, &Maker::handed_on, 3},
        {{}, &Maker::moved, 3},
        {{}, &Maker::side_by_side, 1},
        {{}, &Maker::updated_once, 6},
        {{Feature::Branches, Feature::Loops}, &Maker::guarded_loop, 2},
        {{Feature::Conflicts}, &Maker::begun_at_identity, 7},
        {{Feature::Conflicts}, &Maker::update, 1},
        {{Feature::Conflicts, Feature::Nested}, &Maker::updating_call, 6},
        {{Feature::Copies}, &Maker::copy_of_copy, 1},
        {{Feature::Copies}, &Maker::one_after_another, 3},
        {{Feature::Copies}, &Maker::produced_and_copied, 1},
        {{Feature::Copies}, &Maker::there_and_back, 3},
        {{Feature::Indirection}, &Maker::subscripted_update, 2},
        {{Feature::Loops}, &Maker::buffered_loop, 4},
        {{Feature::Loops}, &Maker::count_up, 2},
        {{Feature::Branches, Feature::Loops}, &Maker::summed_in_loop, 8},
        {{Feature::Loops, Feature::Parallel}, &Maker::team_loop, 20},
        {{Feature::Loops}, &Maker::two_in_a_loop, 3},
        {{Feature::Loops, Feature::Nested}, &Maker::loop_in_map, 5},
        {{Feature::Machines}, &Maker::lifted_loop, 4},
        {{Feature::Products}, &Maker::operand_that_dies, 3},
        {{Feature::Products}, &Maker::two_products, 5},
        {{Feature::Reductions}, &Maker::reduced_map, 6},
        {{Feature::Conflicts, Feature::Reductions}, &Maker::reduced_by_maps, 12},
        {{Feature::Streams}, &Maker::consume, 4},
        {{Feature::Conflicts, Feature::Streams}, &Maker::piped, 8},
    };
    return kIdioms;
}

void Maker::idiom(Flow& flow) {
    std::vector<const Idiom*> possible;
    for (const Idiom& idiom : idioms())
        if (std::ranges::all_of(idiom.needs, [&](Feature feature) { return has(feature); }))
            possible.insert(possible.end(), idiom.weight, &idiom);
    (this->*random_.pick(possible)->make)(flow);
}

std::vector<Maker::Parameter> Maker::all_of(const std::vector<Expr>& shape) {
    std::vector<Parameter> parameters;
    for (const Expr& extent : shape) {
        const std::string name = fresh("i");
        parameters.push_back({name, "0:" + symbolic::to_string(extent), name, extent});
    }
    return parameters;
}

/// A map that writes all of the node's container, computed from the inputs.
void Maker::produce(Flow& flow, ir::StateBuilder& state, const Data& data, ir::NodeId node,
                    const std::vector<Parameter>& parameters, const std::vector<Input>& inputs, const std::string& row) {
    ir::Connectors in;
    for (const Input& input : inputs) in.emplace(input.connector, ir::DType());
    const std::string out = fresh("o");
    const Nest nest = open_nest(state, parameters);
    const ir::NodeId tasklet = state.tasklet("produce", in, {{out, ir::DType()}}, body_for(data.type, inputs, parameters, out));
    connect(flow, state, nest, tasklet, inputs);
    std::string place = row;
    for (const Parameter& each : parameters) place += (place.empty() ? "" : ", ") + each.index;
    std::vector<ir::NodeId> path = {tasklet};
    path.insert(path.end(), nest.exits.begin(), nest.exits.end());
    path.push_back(node);
    state.memlet_path(path, out, "", ir::memlet(data.name + "[" + place + "]"));
}

/// map -> transient -> map: the second reads where the first wrote, or beside it.
void Maker::chain(Flow& flow) {
    const std::vector<const Data*> targets =
        where([](const Data& data) { return data.use == Data::Use::Free && !data.shape.empty(); });
    if (targets.empty()) return elementwise(flow);
    const Data target = *random_.pick(targets), between{fresh("t"), some_type(), target.shape};
    ir::add_transient(sdfg_, between.name, between.type, between.shape);
    const std::vector<Parameter> first = all_of(target.shape), second = all_of(target.shape);
    const std::vector<Input> inputs = inputs_for(first, target.name, 2);
    std::set<std::string> reads;
    for (const Input& input : inputs) reads.insert(input.data);
    ir::StateBuilder state = state_for(flow, reads, {target.name});
    const ir::NodeId middle = sink(flow, state, between.name);
    produce(flow, state, between, middle, first, inputs);
    std::vector<Input> handed;
    for (int k = random_.between(1, 2); k > 0; --k) {
        std::string place;
        for (const Parameter& each : second) {
            const std::string last = symbolic::to_string(each.extent - 1);
            place += (place.empty() ? "" : ", ") + (random_.chance(20) ? "min(" + each.name + " + 1, " + last + ")" : each.name);
        }
        handed.push_back({fresh("x"), between.name + "[" + place + "]", between.name, between.type});
    }
    produce(flow, state, target, sink(flow, state, target.name), second, handed);
}

/// container -> transient -> container, all of it or a row.
void Maker::copy_of_copy(Flow& flow) {
    const std::vector<const Data*> sources = where(
        [](const Data& data) { return (data.use == Data::Use::Free || data.use == Data::Use::Constant) && !data.shape.empty(); });
    if (sources.empty()) return chain(flow);
    const Data from = *random_.pick(sources);
    const bool row = from.shape.size() > 1 && random_.chance(50);
    const Data between{fresh("t"), from.type, row ? std::vector(from.shape.begin() + 1, from.shape.end()) : from.shape};
    ir::add_transient(sdfg_, between.name, between.type, between.shape);
    const Data to = add_result(from.type, between.shape);
    std::string subset = whole(from);
    if (row) {
        subset = from.name + "[" + index_for(from.shape[0], {});
        for (const Expr& extent : between.shape) subset += ", 0:" + symbolic::to_string(extent);
        subset += "]";
    }
    ir::StateBuilder state = state_for(flow, {from.name}, {to.name});
    const ir::NodeId middle = sink(flow, state, between.name);
    const std::string all = symbolic::to_string(symbolic::Subset::extents(between.shape));
    state.edge(source(flow, state, from.name), "", middle, "", ir::memlet(subset, {.other_subset = all}));
    if (random_.chance(50)) {
        state.edge(middle, "", sink(flow, state, to.name), "", ir::memlet(whole(between), {.other_subset = all}));
        return;
    }
    const std::vector<Parameter> parameters = all_of(between.shape);
    std::string place;
    for (const Parameter& each : parameters) place += (place.empty() ? "" : ", ") + each.name;
    produce(flow, state, to, sink(flow, state, to.name), parameters,
            {{fresh("x"), between.name + "[" + place + "]", between.name, between.type}});
}

/// A loop whose rounds add to one element.
void Maker::count_up(Flow& flow) {
    const std::vector<const Data*> targets = where(is_counter);
    if (targets.empty()) return chain(flow);
    const Data target = *random_.pick(targets);
    const std::string variable = fresh("v"), place = memlet_for(target, {});
    const Expr extent = some_extent();
    ir::Block block = ir::for_loop(fresh("loop"), variable, "0", symbolic::to_string(extent), "1");
    indices_.push_back({variable, extent});
    Flow body;
    ir::StateBuilder state = new_state(body);
    std::vector<Input> inputs = {{fresh("x"), place, target.name, target.type}};
    std::string added = "3";
    for (const Input& input : inputs_for({}, target.name, 1))
        if (!input.pointer && input.type == target.type) {
            inputs.push_back(input);
            added = input.connector;
        }
    ir::Connectors in;
    for (const Input& input : inputs) in.emplace(input.connector, ir::DType());
    const std::string out = fresh("o");
    const ir::NodeId tasklet = state.tasklet("count", in, {{out, ir::DType()}}, out + " = " + inputs[0].connector + " + " + added);
    connect(body, state, {}, tasklet, inputs);
    state.edge(tasklet, out, sink(body, state, target.name), "", ir::memlet(place));
    indices_.pop_back();
    std::get<ir::LoopRegion>(block.kind).body = std::move(body.region);
    append(flow, std::move(block));
}

/// An integer that a loop only updates, where a condition says so or always: a scalar, or a symbol to which it adds.
void Maker::summed_in_loop(Flow& flow) {
    const std::vector<const Data*> targets = where(is_counter);
    if (targets.empty()) return chain(flow);
    const Data target = *random_.pick(targets);
    const bool symbol = random_.chance(40);
    const std::size_t known = data_.size();
    const std::string total = symbol ? fresh("n") : add_transient(flow, target.type, {}).name;
    data_.resize(known);
    if (symbol) ir::add_symbol(sdfg_, total);
    const std::string variable = fresh("v");
    const Expr extent = some_extent();
    ir::Block block = ir::for_loop(fresh("loop"), variable, "0", symbolic::to_string(extent), "1");
    indices_.push_back({variable, extent});
    Flow body;
    ir::StateBuilder state = new_state(body);
    if (symbol) {
        append(body, {.label = fresh("state"), .kind = Cow<ir::State>(), .metadata = {}}, {{total, total + " + 2"}});
    } else {
        static const std::vector<std::string> kUpdates = {"{} + {}", "{} * {}", "{} | {}", "{} ^ {}", "min({}, {})", "max({}, {})"};
        std::vector<Input> inputs = {{fresh("x"), total + "[]", total, target.type}};
        std::string by = variable;
        for (const Input& input : inputs_for({}, total, 1))
            if (!input.pointer && input.type == target.type) {
                inputs.push_back(input);
                by = input.connector;
            }
        ir::Connectors in;
        for (const Input& input : inputs) in.emplace(input.connector, ir::DType());
        const std::string out = fresh("o");
        const ir::NodeId tasklet =
            state.tasklet("sum", in, {{out, ir::DType()}},
                          out + " = " + fmt::format(fmt::runtime(random_.pick(kUpdates)), inputs[0].connector, by));
        connect(body, state, {}, tasklet, inputs);
        state.edge(tasklet, out, sink(body, state, total), "", ir::memlet(total + "[]"));
    }
    if (random_.chance(60)) {
        ir::ConditionalBlock choice;
        choice.branches.push_back({ir::CodeBlock{condition()}, std::move(body.region)});
        body = {};
        append(body, {.label = fresh("choice"), .kind = std::move(choice), .metadata = {}});
    }
    indices_.pop_back();
    std::get<ir::LoopRegion>(block.kind).body = std::move(body.region);
    if (!flow.last.valid()) new_state(flow);
    append(flow, std::move(block),
           symbol ? std::vector<std::pair<std::string, std::string>>{{total, "1"}}
                  : std::vector<std::pair<std::string, std::string>>{});
    ir::StateBuilder after = new_state(flow);
    const std::string out = fresh("o"), in = fresh("x");
    const ir::NodeId tasklet = after.tasklet("total", symbol ? ir::Connectors{} : ir::Connectors{{in, ir::DType()}},
                                             {{out, ir::DType()}}, out + " = " + (symbol ? total : in));
    if (!symbol) after.edge(source(flow, after, total), "", tasklet, in, ir::memlet(total + "[]"));
    after.edge(tasklet, out, sink(flow, after, target.name), "", ir::memlet(memlet_for(target, {})));
}

/// Transitions that are a counted loop.
void Maker::lifted_loop(Flow& flow) {
    const std::string counter = fresh("k");
    ir::add_symbol(sdfg_, counter);
    const std::string rounds = std::to_string(random_.between(0, 3));
    ir::NamedRegion named;
    ir::BlockId start, guard, end;
    ir::add_state(named.body, fresh("state"), &start);
    ir::add_state(named.body, fresh("guard"), &guard);
    indices_.push_back({counter, Expr(4)});
    const std::size_t known = data_.size();
    Flow round;
    new_state(round);
    scalar_tasklet(round);
    data_.resize(known);
    indices_.pop_back();
    // The blocks of the round, in a row.
    std::map<ir::BlockId, ir::BlockId> placed;
    for (auto [id, block] : round.region.blocks) placed[id] = ir::add_block(named.body, std::move(block));
    for (auto [id, transition] : round.region.transitions)
        ir::add_transition(named.body, placed.at(transition.src), placed.at(transition.dst));
    ir::add_state(named.body, fresh("state"), &end);
    ir::add_transition(named.body, start, guard, "", {{counter, "0"}});
    ir::add_transition(named.body, guard, placed.at(round.region.start), counter + " < " + rounds);
    ir::add_transition(named.body, guard, end, counter + " >= " + rounds);
    ir::add_transition(named.body, placed.at(round.last), guard, "", {{counter, counter + " + 1"}});
    append(flow, {.label = fresh("counted"), .kind = std::move(named), .metadata = {}});
}

/// map -> transient, to be reduced; how it is reduced stands in the state that is given back.
Maker::Reducible Maker::reducible(Flow& flow, const std::vector<Expr>& shape) {
    const Data between{fresh("t"), Scalar::Int64, shape};
    ir::add_transient(sdfg_, between.name, between.type, between.shape);
    const bool rows = random_.chance(50);
    const Data to = add_result(between.type, {between.shape[rows ? 0 : 1]});
    const std::vector<Parameter> parameters = all_of(between.shape);
    const std::vector<Input> inputs = inputs_for(parameters, to.name, 2);
    std::set<std::string> reads;
    for (const Input& input : inputs) reads.insert(input.data);
    ir::StateBuilder state = state_for(flow, reads, {to.name});
    const ir::NodeId middle = sink(flow, state, between.name);
    produce(flow, state, between, middle, parameters, inputs);
    return {between, to, rows, state, middle};
}

/// map -> transient -> reduction.
void Maker::reduced_map(Flow& flow) {
    auto [between, to, rows, state, middle] = reducible(flow, {some_extent(), some_extent()});
    const bool sum = random_.chance(60);
    const ir::NodeId node = state.library("Reduce", fresh("reduce"), {"_in"}, {"_out"},
                                          {{"axes", std::vector<std::int64_t>{rows ? 1 : 0}},
                                           {"wcr", std::string(sum ? "lambda a, b: a + b" : "lambda a, b: a * b")},
                                           {"identity", std::int64_t{sum ? 0 : 1}}});
    state.edge(middle, "", node, "_in", ir::memlet(whole(between)));
    state.edge(node, "_out", sink(flow, state, to.name), "", ir::memlet(whole(to)));
}

/// map -> transient -> map { map }: a reduction that is written out as two maps that update.
void Maker::reduced_by_maps(Flow& flow) {
    if (!outermost_) return reduced_map(flow);
    auto [between, to, rows, state, middle] = reducible(flow, {some_argument_extent(), some_argument_extent()});
    const std::vector<Parameter> places = all_of(between.shape);
    const auto [outer, outer_exit] = state.map(fresh("map"), {{places[0].name, places[0].range}});
    const auto [inner, inner_exit] = state.map(fresh("map"), {{places[1].name, places[1].range}});
    const ir::NodeId add = state.tasklet("add", {{"x", ir::DType()}}, {{"y", ir::DType()}}, "y = x");
    state.memlet_path({middle, outer, inner, add}, "", "x",
                      ir::memlet(between.name + "[" + places[0].name + ", " + places[1].name + "]"));
    state.memlet_path({add, inner_exit, outer_exit, sink(flow, state, to.name)}, "y", "",
                      ir::memlet(to.name + "[" + places[rows ? 0 : 1].name + "]", {.wcr = "lambda a, b: a + b"}));
}

}  // namespace sluice::fuzz
