// Copies between containers, through views too.
#include <algorithm>

#include "fuzz/generate/maker.h"

namespace sluice::fuzz {

namespace {

/// Does every value of one type have a meaning in the other?
bool converts(Scalar from, Scalar to) {
    if (from == to) return true;
    if (from == Scalar::Bool || code::is_integer(from)) return true;
    if (code::is_floating(from)) return code::is_floating(to) || code::is_complex(to) || to == Scalar::Bool;
    return code::is_complex(to);
}

struct Sections {
    std::string from, to;
};

/// One dimension of a copy: as many elements on both sides.
Sections section(Random& random, const Expr& from, const Expr& to) {
    const std::string f = symbolic::to_string(from), t = symbolic::to_string(to);
    if (from == to) {
        switch (random.below(8)) {
            case 0:
                return {"0:" + f + " - 1", "1:" + t};
            case 1:
                return {"0:" + f + ":2", "0:" + t + ":2"};
            case 2:
                return {f + " - 1", "0"};
            default:
                return {"0:" + f, "0:" + t};
        }
    }
    const auto a = from.constant(), b = to.constant();
    if (a && b && random.chance(60)) {
        const std::int64_t least = std::min(*a, *b);
        return {std::to_string(*a - least) + ":" + std::to_string(*a), "0:" + std::to_string(least)};
    }
    return random.chance(50) ? Sections{"0", t + " - 1"} : Sections{"min(1, " + f + " - 1)", "0"};
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text;
}

}  // namespace

void Maker::copy(Flow& flow) {
    std::vector<std::pair<const Data*, const Data*>> pairs;
    for (const Data& from : data_)
        for (const Data& to : data_) {
            if (from.name == to.name || from.shape.size() != to.shape.size()) continue;
            const bool sums = from.use == Data::Use::Sums || to.use == Data::Use::Sums;
            if (sums ? (from.use != Data::Use::Sums || to.use != Data::Use::Sums || from.type != to.type)
                     : (to.use != Data::Use::Free || from.use == Data::Use::Shared || !converts(from.type, to.type)))
                continue;
            pairs.emplace_back(&from, &to);
        }
    if (pairs.empty()) return elementwise(flow);
    const auto [first, second] = random_.pick(pairs);
    const Data from = *first, to = *second;
    ir::StateBuilder state = state_for(flow, {from.name}, {to.name});
    std::vector<std::string> left, right;
    for (std::size_t d = 0; d < from.shape.size(); ++d) {
        const Sections both = section(random_, from.shape[d], to.shape[d]);
        left.push_back(both.from), right.push_back(both.to);
    }
    const bool by_source = random_.chance(50);
    const std::string& data = by_source ? from.name : to.name;
    ir::Memlet memlet = from.shape.empty() ? ir::memlet(data)
                                           : ir::memlet(data + "[" + joined(by_source ? left : right) + "]",
                                                        {.other_subset = joined(by_source ? right : left)});
    if (has(Feature::Conflicts) && to.use == Data::Use::Free && code::is_integer(to.type) && random_.chance(15))
        memlet.wcr = "lambda a, b: a + b";
    const ir::NodeId begin = source(flow, state, from.name);
    state.edge(begin, "", sink(flow, state, to.name), "", memlet);
}

/// A view of a whole array under another shape, or of a part of it, read or written.
void Maker::view_copy(Flow& flow) {
    std::vector<const Data*> arrays;
    for (const Data& data : data_)
        if (data.plain && data.shape.size() >= 1 && data.use == Data::Use::Free) arrays.push_back(&data);
    if (arrays.empty()) return copy(flow);
    const Data array = *random_.pick(arrays);
    Data view{fresh("view"), array.type, {}, Data::Use::Free};
    std::string subset;
    if (array.shape.size() > 1 && random_.chance(50)) {
        subset = index_for(array.shape[0], {});
        for (std::size_t d = 1; d < array.shape.size(); ++d) {
            view.shape.push_back(array.shape[d]);
            subset += ", 0:" + symbolic::to_string(array.shape[d]);
        }
    } else {
        Expr count = 1;
        for (const Expr& extent : array.shape) count = count * extent;
        view.shape = random_.chance(50) ? std::vector{count} : std::vector{Expr(1), count};
        subset = symbolic::to_string(symbolic::Subset::extents(array.shape));
    }
    ir::add_view(sdfg_, view.name, view.type, view.shape);
    const ir::Memlet binding =
        ir::memlet(array.name + "[" + subset + "]", {.other_subset = symbolic::to_string(symbolic::Subset::extents(view.shape))});
    ir::StateBuilder state = new_state(flow);
    flow.open = false;  // nothing else in this state: what is viewed must not be touched beside
    std::vector<Parameter> parameters;
    for (const Expr& extent : view.shape) parameters.push_back(covering(extent, false, nullptr));
    std::string place;
    for (const Parameter& each : parameters) place += (place.empty() ? "" : ", ") + each.index;
    const ir::NodeId node = state.access(view.name);
    if (random_.chance(50)) {
        // array -> view -> map -> other
        const Data other = add_result(some_type(), view.shape);
        const ir::NodeId base = state.access(array.name);
        state.state().nodes[node].in.emplace("views", ir::DType());
        state.edge(base, "", node, "views", binding);
        const Nest nest = open_nest(state, parameters);
        const std::string in = fresh("x"), out = fresh("o");
        const std::vector<Input> inputs = {{in, "", view.name, view.type}};
        const ir::NodeId tasklet =
            state.tasklet("through", {{in, ir::DType()}}, {{out, ir::DType()}}, body_for(other.type, inputs, parameters, out));
        std::vector<ir::NodeId> path = {node};
        path.insert(path.end(), nest.entries.begin(), nest.entries.end());
        path.push_back(tasklet);
        state.memlet_path(path, "", in, ir::memlet(view.name + "[" + place + "]"));
        path = {tasklet};
        path.insert(path.end(), nest.exits.begin(), nest.exits.end());
        path.push_back(state.access(other.name));
        state.memlet_path(path, out, "", ir::memlet(other.name + "[" + place + "]"));
        return;
    }
    // map -> view -> array
    const std::vector<Input> inputs = inputs_for(parameters, array.name, 2);
    const Nest nest = open_nest(state, parameters);
    const std::string out = fresh("o");
    ir::Connectors in;
    for (const Input& input : inputs) in.emplace(input.connector, ir::DType());
    const ir::NodeId tasklet = state.tasklet("through", in, {{out, ir::DType()}}, body_for(view.type, inputs, parameters, out));
    connect(flow, state, nest, tasklet, inputs);
    std::vector<ir::NodeId> path = {tasklet};
    path.insert(path.end(), nest.exits.begin(), nest.exits.end());
    path.push_back(node);
    state.memlet_path(path, out, "", ir::memlet(view.name + "[" + place + "]"));
    state.state().nodes[node].out.emplace("views", ir::DType());
    state.edge(node, "views", state.access(array.name), "", binding);
}

}  // namespace sluice::fuzz
