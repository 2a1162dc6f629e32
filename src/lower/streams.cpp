#include "lower/streams.h"

#include "lower/copies.h"
#include "lower/device_streams.h"
#include "lower/writes.h"

namespace sluice::lower {

ValuePtr queue_index(const Location& location) {
    return loop::index_value(location.first());
}

void push(StateContext& state, const Location& location, const ValuePtr& value, NodeId at, Body& body) {
    if (is_device_stream(location)) return push_on_device(state, location, value, at, body);
    emit(body, loop::Push{location.slot->name, queue_index(location), convert(value, location.element_type())},
         state.node(at).metadata.where);
}

ValuePtr pop(StateContext& state, const Location& location, const std::string& name_hint, Body& body) {
    const std::string name = state.function.names.fresh(name_hint);
    emit(body, loop::Declare{name, location.element_type(), nullptr, false});
    emit(body, loop::Pop{location.slot->name, queue_index(location), name});
    return loop::variable(name, location.element_type());
}

namespace {

ValuePtr waiting(const Location& stream) {
    return std::make_shared<const loop::Value>(
        loop::Value{code::Scalar::Int64, loop::StreamSize{stream.slot->name, queue_index(stream)}});
}

// Everything that waits moves on.
void forward(StateContext& state, const Location& source, const Location& destination, NodeId at, Body& body) {
    ScopedBindings scope(state.function);
    loop::While loop{loop::binary(loop::BinaryOp::Greater, waiting(source), loop::integer_value(0)), false, {}};
    const ValuePtr value = pop(state, source, "element", loop.body);
    push(state, destination, value, at, loop.body);
    emit(body, std::move(loop));
}

bool fills_in_order(const Location& location) {
    Expr run = 1;
    for (std::size_t d = location.subset.rank(); d-- > 0;) {
        const Expr count = symbolic::num_elements(location.subset.dims[d]);
        if (count.is_integer(1)) continue;
        if (!(location.layout.strides[d] * location.subset.dims[d].step == run)) return false;
        run = run * count;
    }
    return true;
}

}  // namespace

void copy_stream(StateContext& state, const Location& source, const Location& destination, const ir::Memlet& memlet, NodeId at,
                 Body& body) {
    const bool from_stream = source.slot->kind == Slot::Kind::Stream, to_stream = destination.slot->kind == Slot::Kind::Stream;
    if (is_device_stream(source) && !to_stream && fills_in_order(destination) && !memlet.wcr)
        return drain_on_device(state, source, destination, at, body);
    if (is_device_stream(source) || is_device_stream(destination))
        refuse({"L025", "a copy of a stream of the device that is no move to an array", state.node(at).metadata.where,
                state.path_of(at), "copy it to a contiguous array, or let the stream lie on the host"});
    if (from_stream && to_stream) return forward(state, source, destination, at, body);
    if (!from_stream) {
        ElementLoops loops = over_elements(state, source);
        push(state, destination, read_at(source, loops.index), at, loops.innermost());
        return loops.close(body);
    }
    const bool one = destination.single() && !memlet.dynamic;
    if (one || destination.slot->kind == Slot::Kind::Variable || memlet.wcr) {
        Body inside;
        state.function.names.open();
        const ValuePtr value = pop(state, source, "element", inside);
        write(state, destination, memlet, nullptr, value, at, inside);
        state.function.names.close();
        if (one) return emit(body, loop::Block{"", std::move(inside)});
        return emit(body, loop::While{loop::binary(loop::BinaryOp::Greater, waiting(source), loop::integer_value(0)), false,
                                      std::move(inside)});
    }
    // Who takes what waits and who waits for as many as there will be: what runs beside the other side waits.
    if (state.function.on_device || !fills_in_order(destination)) {
        ElementLoops loops = over_elements(state, destination);
        const ValuePtr value = pop(state, source, "element", loops.innermost());
        emit(loops.innermost(), loop::Store{destination.slot->name, loops.index, convert(value, destination.element_type())});
        return loops.close(body);
    }
    Expr limit = 1;
    for (const symbolic::Range& range : destination.subset.dims) limit = limit * count_of(state.function, range) * range.tile;
    emit(body, loop::Drain{source.slot->name, queue_index(source), address_of(destination), loop::index_value(limit)},
         state.node(at).metadata.where);
}

}  // namespace sluice::lower
