// Calls of graphs, from a state and from every point of a map.
#include <algorithm>

#include "fuzz/generate/maker.h"

namespace sluice::fuzz {

/// `arguments`: the container as the callee sees it, and the memlet of the caller.
void Maker::call(Flow& flow, ir::StateBuilder& state, const Nest& nest, const std::vector<std::pair<Data, std::string>>& arguments,
                 const std::vector<Index>& indices, Callee callee) {
    Maker inner(random_, options_, features_, fresh("callee"), depth_ - 1);
    std::map<std::string, Expr> mapping;
    const auto pass = [&](const std::string& name) {
        if (mapping.emplace(name, symbolic::symbol(name)).second) ir::add_symbol(inner.sdfg_, name);
    };
    for (const auto& [data, memlet] : arguments) {
        inner.declare(data);
        for (const Expr& extent : data.shape)
            for (const std::string& name : symbolic::free_symbols(extent)) pass(name);
    }
    for (const Index& index : indices) {
        inner.add_index(index);
        pass(index.name);
        for (const std::string& name : symbolic::free_symbols(index.extent)) pass(name);
    }
    std::vector<Expr> extents = {Expr(2)};
    for (const Expr& extent : extents_)
        if (std::ranges::all_of(symbolic::free_symbols(extent), [&](const std::string& name) { return mapping.contains(name); }))
            extents.push_back(extent);
    inner.set_extents(extents);
    if (callee == Callee::Loop)
        inner.fill_with_loop();
    else
        inner.fill(random_.between(1, 3));
    std::vector<std::string> in, out;
    for (const auto& [data, memlet] : arguments) {
        if (data.use != Data::Use::Shared) in.push_back(data.name);
        if (data.use != Data::Use::Constant) out.push_back(data.name);
    }
    const ir::NodeId node = state.nested(fresh("call"), inner.take(), in, out, mapping);
    for (const auto& [data, text] : arguments) {
        const std::string outer = text.substr(0, text.find('['));
        if (data.use != Data::Use::Shared) {
            std::vector<ir::NodeId> path = {source(flow, state, outer)};
            path.insert(path.end(), nest.entries.begin(), nest.entries.end());
            path.push_back(node);
            state.memlet_path(path, "", data.name, ir::memlet(text));
        }
    }
    if (in.empty() && !nest.entries.empty()) {
        std::vector<ir::NodeId> path = nest.entries;
        path.push_back(node);
        state.memlet_path(path, "", "", ir::no_memlet());
    }
    for (const auto& [data, text] : arguments) {
        if (data.use == Data::Use::Constant) continue;
        std::vector<ir::NodeId> path = {node};
        path.insert(path.end(), nest.exits.begin(), nest.exits.end());
        path.push_back(sink(flow, state, text.substr(0, text.find('['))));
        ir::MemletOptions options;
        if (data.use == Data::Use::Shared) options.wcr = data.wcr;
        state.memlet_path(path, data.name, "", ir::memlet(text, options));
    }
}

void Maker::nested(Flow& flow) {
    std::vector<std::pair<Data, std::string>> arguments;
    std::set<std::string> reads, writes;
    for (const Data& data : data_) {
        if (!data.plain || data.use == Data::Use::Shared || !random_.chance(45) || arguments.size() == 4) continue;
        Data inner = data;
        inner.name = "p" + std::to_string(arguments.size());
        reads.insert(data.name);
        if (inner.use == Data::Use::Free && random_.chance(40)) inner.use = Data::Use::Constant;
        if (inner.use != Data::Use::Constant) writes.insert(data.name);
        arguments.emplace_back(inner, whole(data));
    }
    if (writes.empty()) return elementwise(flow);
    if (random_.chance(40)) {
        // By value: an element of what the call changes.
        const std::string& changed = *std::next(writes.begin(), static_cast<std::ptrdiff_t>(random_.below(writes.size())));
        const Data& data = *std::ranges::find(data_, changed, &Data::name);
        if (data.use == Data::Use::Free)
            arguments.emplace_back(Data{"p" + std::to_string(arguments.size()), data.type, {}, Data::Use::Constant},
                                   memlet_for(data, {}));
    }
    ir::StateBuilder state = state_for(flow, reads, writes);
    std::vector<Index> indices;
    for (const Index& index : indices_)
        if (random_.chance(50)) indices.push_back(index);
    call(flow, state, {}, arguments, indices, Callee::Any);
}

void Maker::nested_in_map(Flow& flow) {
    call_in_map(flow, Callee::Any);
}

void Maker::loop_in_map(Flow& flow) {
    if (depth_ <= 0) return chain(flow);
    call_in_map(flow, Callee::Loop);
}

void Maker::fill_with_loop(bool updates) {
    const std::string variable = fresh("v");
    const Expr extent = some_extent();
    ir::Block block = ir::for_loop(fresh("loop"), variable, "0", symbolic::to_string(extent), "1");
    indices_.push_back({variable, extent});
    Flow flow, body;
    if (updates)
        update(body);
    else
        elementwise(body);
    indices_.pop_back();
    std::get<ir::LoopRegion>(block.kind).body = std::move(body.region);
    append(flow, std::move(block));
    sdfg_.body = std::move(flow.region);
}

/// map { call(s) { for v { s = s + ... } } }: all points of a map update one element, in what they call.
void Maker::updating_call(Flow& flow) {
    if (!outermost_ || depth_ <= 0) return chain(flow);
    const Data total = add_result(random_.chance(50) ? Scalar::Int64 : Scalar::Int32, {Expr(2)});
    const Parameter parameter = all_of({some_argument_extent()})[0];
    Maker inner(random_, options_, features_, fresh("callee"), 0);
    static const std::vector<std::string> kOperators = {"lambda a, b: a + b", "lambda a, b: a * b", "lambda a, b: min(a, b)"};
    inner.declare({"p0", total.type, {Expr(1)}, Data::Use::Shared, true, random_.pick(kOperators)});
    inner.add_index({parameter.name, parameter.extent});
    inner.set_extents({Expr(2), Expr(3)});
    std::map<std::string, Expr> mapping = {{parameter.name, symbolic::symbol(parameter.name)}};
    for (const std::string& name : symbolic::free_symbols(parameter.extent)) mapping.emplace(name, symbolic::symbol(name));
    for (const auto& [name, value] : mapping) ir::add_symbol(inner.sdfg_, name);
    inner.fill_with_loop(true);
    ir::StateBuilder state = state_for(flow, {total.name}, {total.name});
    const Nest nest = open_nest(state, {parameter});
    const std::string element = total.name + "[" + std::to_string(random_.below(2)) + "]";
    const bool reads = random_.chance(50);
    const ir::NodeId node = state.nested(fresh("call"), inner.take(),
                                         reads ? std::vector<std::string>{"p0"} : std::vector<std::string>{}, {"p0"}, mapping);
    std::vector<ir::NodeId> into = nest.entries, out = {node};
    if (reads) into.insert(into.begin(), source(flow, state, total.name));
    into.push_back(node);
    state.memlet_path(into, "", reads ? "p0" : "", reads ? ir::memlet(element) : ir::no_memlet());
    out.insert(out.end(), nest.exits.begin(), nest.exits.end());
    out.push_back(sink(flow, state, total.name));
    state.memlet_path(out, "p0", "", ir::memlet(element));
}

void Maker::call_in_map(Flow& flow, Callee callee) {
    std::vector<const Data*> rows;
    for (const Data& data : data_)
        if (data.plain && data.use == Data::Use::Free && !data.shape.empty()) rows.push_back(&data);
    if (rows.empty()) return nested(flow);
    const Data written = *random_.pick(rows);
    const Expr extent = written.shape[0];
    const Parameter parameter = covering(extent, false, nullptr);
    std::vector<std::pair<Data, std::string>> arguments;
    std::set<std::string> reads, writes;
    const auto add_row = [&](const Data& data, Data::Use use) {
        Data inner{"p" + std::to_string(arguments.size()), data.type, {data.shape.begin() + 1, data.shape.end()}, use};
        std::string subset = parameter.index;
        for (const Expr& each : inner.shape) subset += ", 0:" + symbolic::to_string(each);
        if (inner.shape.empty() && random_.chance(50)) inner.shape = {Expr(1)};
        reads.insert(data.name);
        if (use == Data::Use::Free) writes.insert(data.name);
        arguments.emplace_back(inner, data.name + "[" + subset + "]");
    };
    add_row(written, Data::Use::Free);
    for (const Data& data : data_) {
        if (data.name == written.name || !data.plain || !random_.chance(35) || arguments.size() == 4) continue;
        if (data.use == Data::Use::Free && !data.shape.empty() && data.shape[0] == extent && random_.chance(70)) {
            add_row(data, random_.chance(50) ? Data::Use::Free : Data::Use::Constant);
            continue;
        }
        Data inner = data;
        inner.name = "p" + std::to_string(arguments.size());
        const bool updated = has(Feature::Conflicts) && !data.shape.empty() &&
                             (data.use == Data::Use::Sums || (data.use == Data::Use::Free && code::is_integer(data.type)));
        if (updated && random_.chance(40)) {
            inner.use = Data::Use::Shared;
            inner.wcr = "lambda a, b: a + b";
            writes.insert(data.name);
        } else if (data.use == Data::Use::Free || data.use == Data::Use::Constant) {
            inner.use = Data::Use::Constant;
            reads.insert(data.name);
        } else {
            continue;
        }
        arguments.emplace_back(inner, whole(data));
    }
    ir::StateBuilder state = state_for(flow, reads, writes);
    const Nest nest = open_nest(state, {parameter});
    call(flow, state, nest, arguments, {{parameter.name, extent}}, callee);
}

}  // namespace sluice::fuzz
