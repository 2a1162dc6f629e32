#include "lower/consume.h"

#include "ir/code_block.h"
#include "ir/port.h"
#include "lower/device_streams.h"
#include "lower/state.h"
#include "lower/streams.h"

namespace sluice::lower {

namespace {

bool is_parallel(const StateContext& state, const ir::ConsumeEntry& consume) {
    return consume.schedule == ir::Schedule::CPU_Multicore && state.function.may_share();
}

}  // namespace

void lower_consume(StateContext& state, NodeId entry, Body& body) {
    FunctionContext& function = state.function;
    const auto& consume = std::get<ir::ConsumeEntry>(state.node(entry).kind);
    const auto edge = state.adjacency.in_at(entry, ir::kStreamIn);
    if (!edge)
        refuse({"L015", "consume scope `" + consume.label + "` has no stream", state.node(entry).metadata.where,
                state.path_of(entry), "connect a stream to IN_stream"});
    const ir::Memlet& memlet = state.state.edges[*edge].memlet;
    const Location stream = locate(state, memlet.data, memlet.subset, entry);
    if (is_device_stream(stream)) return consume_on_device(state, entry, stream, body);
    Body whole;
    loop::Consume loop;
    loop.stream = stream.slot->name;
    loop.index = queue_index(stream);
    loop.element_type = stream.element_type();
    loop.pes = index_of(function, consume.num_pes, "workers", whole);
    loop.chunk = consume.chunksize;
    loop.parallel = is_parallel(state, consume);
    if (consume.condition) {
        const code::ExprPtr condition = ir::parsed_expr(consume.condition->text, state.node(entry).metadata.where).or_fail();
        loop.stop = lower_condition(*condition, meaning_of(function, state.path_of(entry)));
    }
    {
        ScopedBindings bindings(function);
        loop.pe_variable = function.names.fresh(consume.pe_index.empty() ? "worker" : consume.pe_index);
        if (!consume.pe_index.empty()) bindings.bind(consume.pe_index, SymbolSlot{loop.pe_variable, code::Scalar::Int64, true});
        loop.element_variable = function.names.fresh("element");
        state.wires.insert_or_assign({entry, ir::kStreamOut}, loop::variable(loop.element_variable, loop.element_type));
        function.loops.push_back({"", {}, loop.parallel});
        lower_children(state, entry, loop.body);
        function.loops.pop_back();
    }
    emit(whole, std::move(loop), state.node(entry).metadata.where);
    emit_timed(body, consume.instrument, state.path_of(entry), std::move(whole));
}

}  // namespace sluice::lower
