#include "lower/device_streams.h"

#include <algorithm>

#include "analysis/pushes.h"
#include "ir/port.h"
#include "ir/query.h"
#include "loop/identifier.h"
#include "lower/launches.h"
#include "lower/state.h"
#include "lower/writes.h"
#include "support/words.h"

namespace sluice::lower {

namespace {

constexpr std::int64_t kThreadsOfConsume = 256;

ValuePtr zero() {
    return loop::index_value(0);
}

/// A buffer of the host with how many elements are in the stream.
std::string fetch_count(FunctionContext& function, const Slot& stream, Body& body) {
    const std::string held = function.names.fresh(stream.name + "_held");
    emit(body, loop::Allocate{held, code::Scalar::Int64, 1, loop::Place::Stack});
    emit(body, loop::CopyContiguous{loop::address(held, zero(), code::Scalar::Int64),
                                    loop::address(stream.count, zero(), code::Scalar::Int64), 1, code::Scalar::Int64});
    return held;
}

/// The same as a variable.
std::string count_of_stream(FunctionContext& function, const Slot& stream, Body& body) {
    const std::string held = fetch_count(function, stream, body), count = function.names.fresh(stream.name + "_elements");
    emit(body, loop::Declare{count, code::Scalar::Int64, loop::load(held, zero(), code::Scalar::Int64), true});
    return count;
}

/// Does anything in the scope name the worker?
bool uses_worker(const StateContext& state, NodeId entry, const std::string& worker) {
    for (const auto& [id, node] : state.state.nodes) {
        if (!state.scopes.encloses(entry, id)) continue;
        if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind); tasklet && mentions_word(tasklet->code.text, worker))
            return true;
        if (!std::holds_alternative<ir::Tasklet>(node.kind) && !std::holds_alternative<ir::Access>(node.kind) && !ir::is_exit(node))
            return true;  // Who knows what a call or a map does with it?
    }
    return std::ranges::any_of(state.state.edges, [&](const auto& entry_of) {
        const ir::Memlet& memlet = entry_of.second.memlet;
        return memlet.subset && symbolic::free_symbols(*memlet.subset).contains(worker);
    });
}

/// The loop over a generation: each thread an element, or, where the body says which worker it is, each worker its elements in
/// turn.
loop::For elements_of_generation(StateContext& state, const ir::ConsumeEntry& consume, const std::string& count,
                                 const std::string& worker, loop::Launch& launch, Body& body) {
    FunctionContext& function = state.function;
    loop::For loop;
    loop.variable = worker.empty() ? function.names.fresh("generation_element") : worker;
    loop.end = worker.empty() ? symbolic::symbol(count) : index_of(function, consume.num_pes, "workers", body);
    loop.mode = loop::LoopMode::Axis;
    loop.covered = true;
    launch.block = {kThreadsOfConsume, 1, 1};
    launch.grid[0] = symbolic::ceil_divide(loop.end, launch.block[0]);
    return loop;
}

}  // namespace

bool is_device_stream(const Location& location) {
    return location.slot->kind == Slot::Kind::Stream && location.slot->space == loop::Space::Global;
}

void allocate_device_stream(const Slot& slot, const ir::Container& container, Body& body) {
    loop::Allocate elements{slot.name, container.dtype, 1}, count{slot.count, code::Scalar::Int64, 1};
    elements.space = count.space = loop::Space::Global;
    count.zero = true;
    emit(body, std::move(elements), container.metadata.where);
    emit(body, std::move(count), container.metadata.where);
}

void push_on_device(StateContext& state, const Location& location, const ValuePtr& value, NodeId at, Body& body) {
    if (!state.function.on_device)
        refuse({"L026", "the host pushes into `" + location.slot->name + "`, which lies on the device",
                state.node(at).metadata.where, state.path_of(at), "let the device run it, in a map with schedule GPU_Device"});
    const std::string place = state.function.names.fresh("place");
    loop::Update update;
    update.buffer = location.slot->count;
    update.index = zero();
    update.op = code::ReductionType::Sum;
    update.value = loop::integer_value(1);
    update.conflict = state.function.module.options.drop_atomics ? loop::Conflict::None : loop::Conflict::Atomic;
    update.before = place;
    const Span where = state.node(at).metadata.where;
    emit(body, loop::Declare{place, code::Scalar::Int64, nullptr, false}, where);
    emit(body, std::move(update), where);
    emit(body,
         loop::Store{location.slot->name, loop::variable(place, code::Scalar::Int64), convert(value, location.element_type())},
         where);
}

void make_room(StateContext& state, NodeId entry, const Expr& points, Body& body) {
    const NodeId exit = state.scopes.exit_of(entry);
    std::set<std::string> streams;
    for (const ir::EdgeId id : state.adjacency.in(exit)) streams.insert(state.state.edges[id].memlet.data);
    for (const std::string& name : streams) {
        const auto slot = state.function.slots.find(name);
        if (slot == state.function.slots.end() || slot->second.count.empty()) continue;
        const auto each = analysis::most_pushes(state.state, exit, name);
        if (!each)
            refuse(
                {"L025",
                 "how many elements a point of `" + ir::label_of(state.state, entry) + "` pushes into `" + name + "` is not known",
                 state.node(entry).metadata.where, state.path_of(entry),
                 "push in a tasklet in Python, directly in the map and in no loop, or let the stream lie on the host"});
        const std::string count = count_of_stream(state.function, slot->second, body);
        emit(body, loop::Grow{slot->second.name, symbolic::symbol(count) + points * *each}, state.node(entry).metadata.where);
    }
}

void drain_on_device(StateContext& state, const Location& source, const Location& destination, NodeId at, Body& body) {
    FunctionContext& function = state.function;
    const Slot& stream = *source.slot;
    const DType type = source.element_type();
    const Span where = state.node(at).metadata.where;
    if (function.on_device || destination.slot->kind != Slot::Kind::Buffer || destination.element_type() != type)
        refuse({"L025", "`" + stream.name + "` is copied to `" + destination.slot->name + "`, which is no array of its type", where,
                state.path_of(at), "copy it to an array of equal type, outside of maps"});
    Body inner;
    const std::string held = fetch_count(function, stream, inner);
    const std::string count = function.names.fresh(stream.name + "_elements");
    emit(inner, loop::Declare{count, code::Scalar::Int64, loop::load(held, zero(), code::Scalar::Int64), true});
    Expr limit = 1;
    for (const symbolic::Range& range : destination.subset.dims) limit = limit * count_of(function, range) * range.tile;
    const Expr all = symbolic::symbol(count), moved = symbolic::minimum(all, limit), left = all - moved;
    const auto from = [&](const Expr& index) { return loop::address(stream.name, loop::index_value(index), type); };
    emit(inner, loop::CopyContiguous{address_of(destination), from(0), moved, type}, where);
    loop::If rest{loop::binary(loop::BinaryOp::Greater, loop::index_value(left), loop::integer_value(0)), {}, {}};
    const std::string kept = function.names.fresh(stream.name + "_left");
    loop::Allocate aside{kept, type, left};
    aside.space = loop::Space::Global;
    emit(rest.then_body, std::move(aside));
    emit(rest.then_body, loop::CopyContiguous{loop::address(kept, zero(), type), from(moved), left, type});
    emit(rest.then_body, loop::CopyContiguous{from(0), loop::address(kept, zero(), type), left, type});
    emit(inner, std::move(rest), where);
    emit(inner, loop::Store{held, zero(), loop::index_value(left)});
    emit(inner, loop::CopyContiguous{loop::address(stream.count, zero(), code::Scalar::Int64),
                                     loop::address(held, zero(), code::Scalar::Int64), 1, code::Scalar::Int64});
    emit(body, loop::Block{"", std::move(inner)}, where);
}

void consume_on_device(StateContext& state, NodeId entry, const Location& stream, Body& body) {
    FunctionContext& function = state.function;
    const auto& consume = std::get<ir::ConsumeEntry>(state.node(entry).kind);
    const DType type = stream.element_type();
    const Span where = state.node(entry).metadata.where;
    if (consume.condition)
        refuse({"L025", "consume scope `" + consume.label + "` of the device stops by a condition", where, state.path_of(entry),
                "leave the condition out, or let the host run it"});
    ScopedBindings bindings(function);
    Body whole;
    bind_scalars(state, entry, bindings, whole);
    const std::string waiting = function.names.fresh(stream.slot->name + "_waiting");
    emit(whole, loop::Declare{waiting, code::Scalar::Int64, loop::integer_value(1), false});
    loop::While generations{
        loop::binary(loop::BinaryOp::Greater, loop::variable(waiting, code::Scalar::Int64), loop::integer_value(0)), false, {}};
    Body& round = generations.body;
    const std::string count = count_of_stream(function, *stream.slot, round);
    emit(round, loop::Assign{waiting, loop::variable(count, code::Scalar::Int64)});
    // What waits is a generation of its own: what its elements push is the next one.
    const std::string taken = function.names.fresh("generation");
    loop::Allocate generation{taken, type, symbolic::symbol(count)};
    generation.space = loop::Space::Global;
    emit(round, std::move(generation), where);
    emit(round, loop::CopyContiguous{loop::address(taken, zero(), type), loop::address(stream.slot->name, zero(), type),
                                     symbolic::symbol(count), type});
    emit(round, loop::ZeroFill{loop::address(stream.slot->count, zero(), code::Scalar::Int64), 1, code::Scalar::Int64});
    make_room(state, entry, symbolic::symbol(count), round);
    loop::Launch launch;
    launch.kernel = function.module.function_names.fresh(loop::identifier(function.sdfg.name + "_" + consume.label));
    const bool by_worker = !consume.pe_index.empty() && uses_worker(state, entry, consume.pe_index);
    const std::string worker = by_worker ? function.names.fresh(consume.pe_index) : std::string();
    loop::For threads = elements_of_generation(state, consume, count, worker, launch, round);
    function.on_device = true;
    function.launch = OpenLaunch{};
    function.loops.push_back({"", {}, true});
    {
        ScopedBindings own(function);
        if (by_worker) own.bind(consume.pe_index, SymbolSlot{worker, code::Scalar::Int64, true});
        const std::string number = by_worker ? function.names.fresh("generation_element") : threads.variable;
        const std::string element = function.names.fresh("element");
        Body inner;
        emit(inner, loop::Declare{element, type, loop::load(taken, loop::index_value(symbolic::symbol(number)), type), true});
        state.wires.insert_or_assign({entry, ir::kStreamOut}, loop::variable(element, type));
        lower_children(state, entry, inner);
        if (by_worker) {
            loop::For turns;
            turns.variable = number;
            turns.begin = symbolic::symbol(worker);
            turns.end = symbolic::symbol(count);
            turns.step = threads.end;
            turns.body = std::move(inner);
            emit(threads.body, std::move(turns), where);
        } else {
            threads.body = std::move(inner);
        }
    }
    function.loops.pop_back();
    function.on_device = false;
    launch.body = std::move(function.launch->shared);
    function.launch.reset();
    emit(launch.body, std::move(threads), where);
    emit(round, std::move(launch), where);
    emit(whole, std::move(generations), where);
    emit_timed(body, consume.instrument, state.path_of(entry), std::move(whole));
}

}  // namespace sluice::lower
