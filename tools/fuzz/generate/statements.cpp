// Statements as front ends write them, and chance does not: an update at an index that is data, a branch that keeps a loop within
// its array, an operand that nobody needs after a product.
#include <algorithm>

#include "fuzz/generate/maker.h"

namespace sluice::fuzz {

namespace {

bool is_vector(const Data& data) {
    return (data.use == Data::Use::Free || data.use == Data::Use::Constant) && data.plain && data.shape.size() == 1;
}
bool is_changed_vector(const Data& data) {
    return data.use == Data::Use::Free && data.plain && data.shape.size() == 1;
}

}  // namespace

/// A[k] += 1, where k is data: one tasklet picks the element, another puts it back.
void Maker::subscripted_update(Flow& flow) {
    const std::vector<const Data*> targets = where(is_changed_vector);
    if (targets.empty()) return chain(flow);
    const Data target = *random_.pick(targets);
    const std::string extent = symbolic::to_string(target.shape[0]), array = target.name + "[0:" + extent + "]";
    std::vector<Input> chosen = inputs_for({}, target.name, 1);
    std::erase_if(chosen, [](const Input& input) { return input.pointer || !code::is_integer(input.type); });
    const std::string index = chosen.empty() ? std::to_string(random_.below(3)) : "int64(" + chosen[0].connector + ")";
    const std::string place = "[(" + index + ") % (" + extent + ")]", between = fresh("copy"), out = fresh("o");
    ir::add_scalar(sdfg_, between, target.type, true);
    ir::Connectors in;
    std::set<std::string> reads = {target.name};
    for (const Input& input : chosen) in.emplace(input.connector, ir::DType()), reads.insert(input.data);
    ir::Connectors picking = in, putting = in;
    picking.emplace("x", ir::DType());
    putting.emplace("x", ir::DType());
    ir::StateBuilder state = state_for(flow, reads, {target.name});
    const ir::NodeId middle = state.access(between);
    const ir::NodeId pick = state.tasklet("pick", picking, {{out, ir::DType()}},
                                          out + " = " + Expressions(random_, {{"x" + place, target.type}}).of_type(target.type, 1));
    connect(flow, state, {}, pick, chosen);
    state.edge(source(flow, state, target.name), "", pick, "x", ir::memlet(array, {.dynamic = true}));
    state.edge(pick, out, middle, "", ir::memlet(between));
    const ir::NodeId put = state.tasklet("put", putting, {{out, ir::DType()}}, out + place + " = x");
    connect(flow, state, {}, put, chosen);
    state.edge(middle, "", put, "x", ir::memlet(between));
    state.edge(put, out, sink(flow, state, target.name), "", ir::memlet(array, {.dynamic = true}));
}

/// for v: if v + 1 < extent: result[v] = A[v + 1], or the same at the other end.
void Maker::guarded_loop(Flow& flow) {
    const std::vector<const Data*> sources = where(is_vector);
    if (sources.empty()) return chain(flow);
    const Data from = *random_.pick(sources), to = add_result(some_type(), from.shape);
    const std::string extent = symbolic::to_string(from.shape[0]), variable = fresh("v");
    const bool ahead = random_.chance(50);
    const auto assign = [&](const std::vector<Input>& inputs) {
        Flow body;
        ir::StateBuilder state = new_state(body);
        produce(body, state, to, sink(body, state, to.name), {}, inputs, variable);
        return std::move(body.region);
    };
    ir::ConditionalBlock choice;
    const std::string next = from.name + "[" + variable + (ahead ? " + 1]" : " - 1]");
    choice.branches.push_back({ir::CodeBlock{ahead ? variable + " + 1 < " + extent : "0 < " + variable},
                               assign({{fresh("x"), next, from.name, from.type}})});
    choice.branches.push_back({std::nullopt, assign({})});
    ir::Block block = ir::for_loop(fresh("loop"), variable, "0", extent, "1");
    ir::add_block(std::get<ir::LoopRegion>(block.kind).body, {.label = fresh("guard"), .kind = std::move(choice), .metadata = {}});
    append(flow, std::move(block));
}

/// for v { B[v] = f(A[v]); C[v] = g(A[v]) }, or with g(B[v]) of a transient B.
void Maker::two_in_a_loop(Flow& flow) {
    const std::vector<const Data*> sources = where(is_vector);
    if (sources.empty()) return chain(flow);
    const Data from = *random_.pick(sources);
    // The second reads what the first has made, or both read the same.
    const bool handed_on = random_.chance(50);
    const Data between{fresh("t"), some_type(), from.shape};
    if (handed_on) ir::add_transient(sdfg_, between.name, between.type, between.shape);
    const Data first = handed_on ? between : add_result(some_type(), from.shape), second = add_result(some_type(), from.shape);
    const std::string variable = fresh("v");
    Flow body;
    for (const auto& [of, to] : {std::pair(from, first), std::pair(handed_on ? between : from, second)}) {
        ir::StateBuilder state = state_for(body, {of.name}, {to.name});
        produce(body, state, to, sink(body, state, to.name), {}, {{fresh("x"), of.name + "[" + variable + "]", of.name, of.type}},
                variable);
    }
    ir::Block block = ir::for_loop(fresh("loop"), variable, "0", symbolic::to_string(from.shape[0]), "1");
    std::get<ir::LoopRegion>(block.kind).body = std::move(body.region);
    append(flow, std::move(block));
}

/// A -> t; u = t @ B; u -> C: nobody needs t where u is made.
void Maker::operand_that_dies(Flow& flow) {
    if (!outermost_) return one_after_another(flow);
    const Scalar type = random_.chance(50) ? Scalar::Float64 : Scalar::Float32;
    const Expr extent = some_argument_extent();
    const std::vector<Expr> square = {extent, extent};
    const Data left{fresh("A"), type, square, Data::Use::Constant}, right{fresh("B"), type, square, Data::Use::Constant},
        result{fresh("C"), type, square, Data::Use::Sums}, operand{fresh("t"), type, square}, product{fresh("t"), type, square};
    for (const Data* data : {&left, &right, &result}) {
        ir::add_array(sdfg_, data->name, type, square);
        data_.push_back(*data);
    }
    for (const Data* data : {&operand, &product}) ir::add_transient(sdfg_, data->name, type, square);
    ir::StateBuilder state = state_for(flow, {left.name, right.name}, {result.name});
    const ir::NodeId node = state.library("MatMul", fresh("product"), {"_a", "_b"}, {"_c"});
    const ir::NodeId dies = state.access(operand.name), made = state.access(product.name);
    state.edge(source(flow, state, left.name), "", dies, "", ir::memlet(whole(left)));
    const bool first = random_.chance(50);
    state.edge(dies, "", node, first ? "_a" : "_b", ir::memlet(whole(operand)));
    state.edge(source(flow, state, right.name), "", node, first ? "_b" : "_a", ir::memlet(whole(right)));
    state.edge(node, "_c", made, "", ir::memlet(whole(product)));
    state.edge(made, "", sink(flow, state, result.name), "", ir::memlet(whole(product)));
}

/// y = A @ x; w = z @ A
void Maker::two_products(Flow& flow) {
    if (!outermost_) return one_after_another(flow);
    const Scalar type = random_.chance(50) ? Scalar::Float64 : Scalar::Float32;
    const std::vector<Expr> rows = {some_argument_extent()}, columns = {some_argument_extent()};
    const Data matrix{fresh("A"), type, {rows[0], columns[0]}, Data::Use::Constant},
        x{fresh("x"), type, columns, Data::Use::Constant}, z{fresh("z"), type, rows, Data::Use::Constant},
        y{fresh("y"), type, rows, Data::Use::Sums}, w{fresh("w"), type, columns, Data::Use::Sums};
    for (const Data* data : {&matrix, &x, &z, &y, &w}) {
        ir::add_array(sdfg_, data->name, type, data->shape);
        data_.push_back(*data);
    }
    ir::StateBuilder state = state_for(flow, {matrix.name, x.name, z.name}, {y.name, w.name});
    const auto multiply = [&](const Data& left, const Data& right, const Data& result) {
        const ir::NodeId node = state.library("MatMul", fresh("product"), {"_a", "_b"}, {"_c"});
        state.edge(source(flow, state, left.name), "", node, "_a", ir::memlet(whole(left)));
        state.edge(source(flow, state, right.name), "", node, "_b", ir::memlet(whole(right)));
        state.edge(node, "_c", sink(flow, state, result.name), "", ir::memlet(whole(result)));
    };
    multiply(matrix, x, y);
    multiply(z, matrix, w);
}

}  // namespace sluice::fuzz
