#include "lower/nested.h"

#include <algorithm>

#include "analysis/symbols.h"
#include "ir/query.h"
#include "ir/views.h"
#include "lower/function.h"
#include "lower/state.h"
#include "lower/tasklets.h"
#include "lower/writes.h"

namespace sluice::lower {

namespace {

/// An argument of the call: the edge that brings it, and where it lies.
struct Argument {
    std::string name;
    ir::EdgeId edge;
    bool written = false;
};

std::vector<Argument> arguments_of(const StateContext& state, NodeId node) {
    std::vector<Argument> result;
    const auto add = [&](ir::EdgeId edge, const std::string& name, bool written) {
        if (name.empty()) return;
        const auto present = std::ranges::find(result, name, &Argument::name);
        if (present == result.end())
            result.push_back({name, edge, written});
        else if (written)
            present->written = true, present->edge = edge;
    };
    for (const ir::EdgeId edge : state.adjacency.in(node)) add(edge, state.state.edges[edge].dst_connector, false);
    for (const ir::EdgeId edge : state.adjacency.out(node)) add(edge, state.state.edges[edge].src_connector, true);
    std::ranges::sort(result, {}, &Argument::name);
    return result;
}

const ir::Container& inner_container(const StateContext& state, const ir::NestedSdfg& nested, const std::string& name,
                                     NodeId node) {
    const ir::Container* container = nested.sdfg->containers.find(name);
    if (!container)
        refuse({"L016", "nested SDFG `" + nested.label + "` has no container `" + name + "` for its connector",
                state.node(node).metadata.where, state.path_of(node), "name connectors after containers that are not transient"});
    return *container;
}

bool is_wire(const StateContext& state, ir::EdgeId edge) {
    const ir::Edge& e = state.state.edges[edge];
    return state.wires.contains({e.src, e.src_connector});
}

// A value that arrives without memory of its own (a wire, a popped element) moves into a variable's place.
ValuePtr spill(StateContext& state, const ValuePtr& value, const std::string& name, const DType& type, Body& body) {
    const std::string buffer = state.function.names.fresh(name);
    emit(body, loop::Allocate{buffer, type, 1, loop::Place::Stack, 0, false});
    emit(body, loop::Store{buffer, loop::index_value(0), convert(value, type)});
    return loop::address(buffer, loop::index_value(0), type);
}

// First element of what the memlet moves, as a pointer to the inner element type.
ValuePtr pointer_argument(StateContext& state, const Location& location, const DType& type, const std::string& name, Body& body) {
    if (location.slot->kind == Slot::Kind::Variable) return spill(state, read(location), name, type, body);
    return location.element_type() == type ? address_of(location) : convert(address_of(location), DType::pointer(type));
}

struct Call {
    CallFacts facts;
    std::vector<ValuePtr> values;
};

void add_argument(StateContext& state, NodeId node, const ir::NestedSdfg& nested, const Argument& argument, Call& call,
                  Body& body) {
    const ir::Container& inner = inner_container(state, nested, argument.name, node);
    call.facts.containers.push_back(argument.name);
    if (argument.written) call.facts.written.insert(argument.name);
    const bool by_value = std::holds_alternative<ir::Scalar>(inner.kind) && !argument.written;
    const ir::Edge& edge = state.state.edges[argument.edge];
    if (is_wire(state, argument.edge) && !argument.written) {
        const ValuePtr value = state.wires.at({edge.src, edge.src_connector});
        call.values.push_back(by_value ? convert(value, inner.dtype) : spill(state, value, argument.name, inner.dtype, body));
        return;
    }
    const Location location = locate(state, edge.memlet.data, edge.memlet.subset, node);
    if (std::holds_alternative<ir::Structure>(inner.kind)) {
        const DType pointer = DType::pointer(memory_type(inner));
        call.values.push_back(convert(location.element_type() == pointer ? read(location) : address_of(location), pointer));
        return;
    }
    if (std::holds_alternative<ir::Stream>(inner.kind)) {
        call.values.push_back(loop::variable(location.slot->name, inner.dtype));
        return;
    }
    if (by_value) {
        call.values.push_back(convert(read_edge(state, argument.edge, argument.name, body), inner.dtype));
        return;
    }
    if (location.slot->kind == Slot::Kind::Buffer) call.facts.spaces[argument.name] = location.slot->space;
    if (location.slot->kind == Slot::Kind::Stream) {
        call.values.push_back(spill(state, read_edge(state, argument.edge, argument.name, body), argument.name, inner.dtype, body));
        return;
    }
    if (argument.written &&
        conflict_of(state, location, code::ReductionType::Sum, edge.memlet.wcr_nonatomic) != loop::Conflict::None)
        call.facts.shared.insert(argument.name);
    call.values.push_back(pointer_argument(state, location, inner.dtype, argument.name, body));
}

// Two arguments out of one container overlap, and those of which the caller does not know more.
void find_overlaps(const StateContext& state, NodeId node, const std::vector<Argument>& arguments, CallFacts& facts) {
    const auto may_alias = [&](const std::string& name) {
        const ir::Container* container = ir::find_container(state.function.sdfg, name);
        const auto* array = container ? std::get_if<ir::Array>(&container->kind) : nullptr;
        return !container || (array && array->may_alias) || state.function.overlapping.contains(name);
    };
    std::vector<std::optional<std::string>> memories;
    for (const Argument& a : arguments)
        memories.push_back(ir::memory_of_argument(state.function.sdfg, state.state, state.adjacency, a.edge, node));
    for (std::size_t a = 0; a < arguments.size(); ++a)
        for (std::size_t b = 0; b < arguments.size(); ++b) {
            const bool data =
                !state.state.edges[arguments[a].edge].memlet.empty() && !state.state.edges[arguments[b].edge].memlet.empty();
            if (a == b || !data) continue;
            const auto &one = memories[a], &other = memories[b];
            if (!one || !other || *one == *other || may_alias(*one) || may_alias(*other))
                facts.overlapping.insert(arguments[a].name);
        }
}

bool is_positive(const FunctionContext& caller, const Expr& value) {
    return symbolic::is_yes(symbolic::decide(symbolic::less(0, value), caller.known(symbolic::free_symbols(value))));
}

void add_symbols(StateContext& state, const ir::NestedSdfg& nested, Call& call) {
    std::set<std::string> symbols = analysis::free_symbols(*nested.sdfg);
    for (const auto& [symbol, value] : nested.symbol_mapping)
        if (!nested.sdfg->containers.contains(symbol)) symbols.insert(symbol);
    for (const std::string& symbol : symbols) {
        if (nested.sdfg->containers.contains(symbol) || nested.sdfg->constants.contains(symbol)) continue;
        const auto mapped = nested.symbol_mapping.find(symbol);
        const Expr outer = mapped == nested.symbol_mapping.end() ? symbolic::symbol(symbol) : mapped->second;
        const auto declared = nested.sdfg->symbols.find(symbol);
        const bool integral = declared == nested.sdfg->symbols.end() || is_integer(declared->second.scalar);
        call.facts.symbols.push_back(symbol);
        if (integral && is_positive(state.function, resolve(state.function, outer))) call.facts.positive.insert(symbol);
        call.values.push_back(convert(value_of(state.function, outer), integral ? DType(code::Scalar::Int64) : declared->second));
    }
}

// A buffer that the callee wants kept between calls: the program keeps it in its handle, a nested caller asks its own caller.
ValuePtr keep_for(StateContext& state, NodeId node, const loop::Function& callee, loop::Allocate buffer, const Call& call) {
    FunctionContext& caller = state.function;
    symbolic::Substitution arguments;
    for (std::size_t at = 0; at < call.facts.containers.size() + call.facts.symbols.size(); ++at)
        if (const auto* index = std::get_if<loop::Index>(&call.values[at]->node))
            arguments.emplace(callee.parameters[at].name, index->expr);
        else if (const auto* variable = std::get_if<loop::Variable>(&call.values[at]->node))
            arguments.emplace(callee.parameters[at].name, symbolic::symbol(variable->name));
    const std::string inner = buffer.name;
    buffer.size = symbolic::substitute(buffer.size, arguments);
    buffer.name = caller.names.fresh_everywhere(callee.name + "_" + inner);
    for (const std::string& name : symbolic::free_symbols(buffer.size))
        if (!caller.sizes.contains(name))
            refuse({"L019",
                    "the size of persistent transient `" + inner + "` is not known before the program runs: it depends on `" +
                        name + "`",
                    state.node(node).metadata.where, state.path_of(node), "size it by symbols that are arguments of the program"});
    const ValuePtr address = loop::address(buffer.name, loop::index_value(0), buffer.type);
    (caller.nested ? caller.kept : caller.module.module.persistent).push_back(std::move(buffer));
    return address;
}

// Only updates ask whether threads share an argument.
bool updates_atomically(const ir::Region& region) {
    return std::ranges::any_of(region.blocks, [](const auto& entry) {
        const ir::Block& block = entry.second;
        if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) return updates_atomically(loop->body);
        if (const auto* named = std::get_if<ir::NamedRegion>(&block.kind)) return updates_atomically(named->body);
        if (const auto* conditional = std::get_if<ir::ConditionalBlock>(&block.kind))
            return std::ranges::any_of(conditional->branches,
                                       [](const ir::Branch& branch) { return updates_atomically(branch.body); });
        const ir::State* state = ir::as_state(block);
        if (!state) return false;
        return std::ranges::any_of(state->edges,
                                   [](const auto& one) { return one.second.memlet.wcr && !one.second.memlet.wcr_nonatomic; }) ||
               std::ranges::any_of(state->nodes, [](const auto& one) {
                   const auto* inner = std::get_if<ir::NestedSdfg>(&one.second.kind);
                   return inner && updates_atomically(inner->sdfg->body);
               });
    });
}

std::string identity_of_call(const StateContext& state, NodeId node, const CallFacts& facts) {
    std::string text = state.path_of(node) + (facts.parallel_caller ? " in a team" : "") + (facts.on_device ? " on a device" : "");
    for (const auto& [name, space] : facts.spaces)
        if (space != loop::Space::Own) text += "; " + name + " in " + std::to_string(static_cast<int>(space));
    for (const std::set<std::string>* names : {&facts.positive, &facts.overlapping, &facts.shared}) {
        text += ";";
        for (const std::string& name : *names) text += " " + name;
    }
    return text;
}

// The callee as a function of the module; what it keeps between calls becomes further arguments.
std::string lower_callee(StateContext& state, NodeId node, const ir::NestedSdfg& nested, Call& call) {
    ModuleContext& module = state.function.module;
    const std::string stem = !nested.unique_name.empty() ? nested.unique_name
                             : !nested.label.empty()     ? nested.label
                                                         : nested.sdfg->name;
    // A variable of the caller must not hide the function.
    std::string name = module.function_names.fresh(stem);
    while (state.function.names.taken(name)) name = module.function_names.fresh(stem);
    LoweredFunction callee = lower_function(module, *nested.sdfg, name, state.path_of(node), call.facts);
    for (const loop::Allocate& buffer : callee.kept) call.values.push_back(keep_for(state, node, callee.function, buffer, call));
    module.module.functions.push_back(std::move(callee.function));
    return name;
}

}  // namespace

void lower_nested(StateContext& state, NodeId node, Body& body) {
    const auto& nested = std::get<ir::NestedSdfg>(state.node(node).kind);
    ModuleContext& module = state.function.module;
    ScopedBindings bindings(state.function);
    Call call;
    Body whole;
    call.facts.nested = true;
    call.facts.on_device = state.function.on_device;
    call.facts.parallel_caller = state.function.in_parallel() || state.function.by_one;
    const std::vector<Argument> arguments = arguments_of(state, node);
    for (const Argument& argument : arguments) add_argument(state, node, nested, argument, call, whole);
    find_overlaps(state, node, arguments, call.facts);
    if (!updates_atomically(nested.sdfg->body)) call.facts.shared.clear();
    add_symbols(state, nested, call);
    std::string name;
    if (call.facts.parallel_caller) {
        std::string& known = module.functions[identity_of_call(state, node, call.facts)];
        if (known.empty()) known = lower_callee(state, node, nested, call);
        name = known;
    } else {
        name = lower_callee(state, node, nested, call);
    }
    emit(whole, loop::Invoke{name, std::move(call.values)}, state.node(node).metadata.where);
    if (whole.size() > 1) {
        loop::Block block{nested.label, std::move(whole)};
        whole = {};
        emit(whole, std::move(block));
    }
    emit_timed(body, nested.instrument, state.path_of(node), std::move(whole));
}

}  // namespace sluice::lower
