#include "lower/writes.h"

#include <algorithm>
#include <limits>

#include "code/reduction.h"
#include "ir/port.h"
#include "ir/query.h"
#include "lower/streams.h"

namespace sluice::lower {

using code::ReductionType;
using code::Scalar;
using loop::Conflict;

namespace {

ValuePtr literal(const DType& type, double value) {
    return std::make_shared<const loop::Value>(loop::Value{type, loop::FloatLiteral{value, 0}});
}

ValuePtr extreme(const DType& type, bool largest) {
    if (is_floating(type.scalar)) {
        const double infinity = std::numeric_limits<double>::infinity();
        return literal(type, largest ? infinity : -infinity);
    }
    if (type.scalar == Scalar::Bool) return loop::integer_value(largest, type);
    if (!is_integer(type.scalar) || type.scalar == Scalar::UInt64)
        return type.scalar == Scalar::UInt64 && !largest ? loop::integer_value(0, type) : nullptr;
    const auto bits = 8 * code::size_in_bytes(type);
    if (!is_signed(type.scalar)) return loop::integer_value(largest ? (std::int64_t{1} << bits) - 1 : 0, type);
    const std::int64_t most = bits == 64 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (bits - 1)) - 1;
    return loop::integer_value(largest ? most : -most - 1, type);
}

bool has_atomic(ReductionType op, const DType& type) {
    if (!type.is_scalar()) return false;
    if (is_complex(type.scalar)) return op == ReductionType::Sum || op == ReductionType::Sub;
    const bool wide_enough = is_integer(type.scalar) || type.scalar == Scalar::Float32 || type.scalar == Scalar::Float64;
    switch (op) {
        case ReductionType::Sum:
        case ReductionType::Product:
        case ReductionType::Sub:
        case ReductionType::Div:
            return wide_enough;
        case ReductionType::BitwiseAnd:
        case ReductionType::BitwiseOr:
        case ReductionType::BitwiseXor:
            return is_integer(type.scalar) || type.scalar == Scalar::Bool;
        case ReductionType::Exchange:
            return wide_enough || type.scalar == Scalar::Bool;
        case ReductionType::Min:
        case ReductionType::Max:
        case ReductionType::LogicalAnd:
        case ReductionType::LogicalOr:
        case ReductionType::LogicalXor:
        case ReductionType::Custom:
            return false;
    }
    return false;
}

}  // namespace

PathEnd path_source(const StateContext& state, ir::EdgeId id) {
    for (;;) {
        const ir::Edge& edge = state.state.edges[id];
        const ir::Node& node = state.node(edge.src);
        const bool through = (ir::is_entry(node) && ir::is_port_out(edge.src_connector)) ||
                             (ir::is_exit(node) && ir::is_port_out(edge.src_connector));
        if (!through || (std::holds_alternative<ir::ConsumeEntry>(node.kind) && edge.src_connector == ir::kStreamOut))
            return {edge.src, id};
        const auto outer = state.adjacency.in_at(edge.src, ir::across(edge.src_connector));
        if (!outer) return {edge.src, id};
        id = *outer;
    }
}

PathEnd path_target(const StateContext& state, ir::EdgeId id) {
    for (;;) {
        const ir::Edge& edge = state.state.edges[id];
        if (!ir::is_exit(state.node(edge.dst)) || !ir::is_port_in(edge.dst_connector)) return {edge.dst, id};
        const auto outer = state.adjacency.out_at(edge.dst, ir::across(edge.dst_connector));
        if (!outer) return {edge.dst, id};
        id = *outer;
    }
}

std::string data_at(const ir::Access& access, const ir::Memlet& memlet) {
    return memlet.data.starts_with(access.data + ".") ? memlet.data : access.data;
}

ValuePtr identity_value(code::ReductionType operation, const DType& type) {
    switch (code::identity_of(operation, type)) {
        case code::Identity::None:
            return nullptr;
        case code::Identity::Zero:
            return convert(loop::integer_value(0), type);
        case code::Identity::One:
            return convert(loop::integer_value(1), type);
        case code::Identity::AllOnes:
            return loop::cast(loop::integer_value(-1), type);
        case code::Identity::Largest:
            return extreme(type, true);
        case code::Identity::Smallest:
            return extreme(type, false);
    }
    return nullptr;
}

namespace {

/// How updates of what lies inside of the outermost `depth` loops are kept apart.
Conflict conflict_below(const FunctionContext& function, std::size_t depth, bool shared, ReductionType op, const DType& type) {
    const bool meet =
        shared || std::any_of(function.loops.begin() + static_cast<std::ptrdiff_t>(std::min(depth, function.loops.size())),
                              function.loops.end(), [](const LoopScope& loop) { return loop.parallel; });
    if (!meet || function.module.options.drop_atomics) return Conflict::None;
    if (has_atomic(op, type)) return Conflict::Atomic;
    return code::size_in_bytes(type) <= 8 && !type.compound ? Conflict::CompareExchange : Conflict::Critical;
}

}  // namespace

Conflict conflict_of(const StateContext& state, const Location& location, ReductionType op, bool nonatomic) {
    if (nonatomic) return Conflict::None;
    return conflict_below(state.function, location.slot->depth, location.slot->shared, op, location.element_type());
}

namespace {

loop::Update update_of(StateContext& state, const ir::Resolution& wcr, const DType& type, const ValuePtr& value, NodeId at) {
    loop::Update update;
    update.op = wcr.type();
    update.value = convert(value, type);
    if (update.op != ReductionType::Custom) return update;
    const code::ExprPtr lambda = ir::parsed_expr(wcr.text(), state.node(at).metadata.where).or_fail();
    const auto* node = std::get_if<code::LambdaExpr>(&lambda->node);
    if (!node || node->parameters.size() != 2)
        refuse({"L013", "a conflict resolution must be a lambda of two arguments", lambda->span, state.path_of(at),
                "write it as `lambda old, new: ...`"});
    state.function.names.open();
    update.old_name = state.function.names.fresh(node->parameters[0]);
    update.new_name = state.function.names.fresh(node->parameters[1]);
    Meaning meaning = meaning_of(state.function, state.path_of(at));
    meaning.name = [&, outer = meaning.name](const std::string& name) -> std::optional<Typed> {
        if (name == node->parameters[0]) return Typed{loop::variable(update.old_name, type), false};
        if (name == node->parameters[1]) return Typed{loop::variable(update.new_name, type), false};
        return outer(name);
    };
    update.combine = convert(lower_expression(*node->body, meaning).value, type);
    state.function.names.close();
    return update;
}

void update_accumulator(StateContext& state, const Accumulator& target, const ir::Resolution& wcr, const ValuePtr& value, NodeId at,
                        Body& body) {
    const bool as_integers = target.op != wcr.type();
    loop::Update update = update_of(state, wcr, as_integers ? DType(code::Scalar::Bool) : target.type, value, at);
    if (as_integers) update.op = target.op, update.value = convert(update.value, target.type);
    update.buffer = target.variable;
    update.conflict = conflict_below(state.function, target.depth, false, update.op, target.type);
    emit(body, std::move(update), state.node(at).metadata.where);
}

}  // namespace

void write(StateContext& state, const Location& location, const ir::Memlet& memlet, ValuePtr index, const ValuePtr& value,
           NodeId at, Body& body) {
    const Span where = state.node(at).metadata.where;
    const bool in_variable = location.slot->kind == Slot::Kind::Variable;
    if (location.slot->kind == Slot::Kind::Stream) return push(state, location, value, at, body);
    if (!index && !in_variable) index = loop::index_value(location.first());
    const bool lanes = value->type.is_vector() && location.element_type() == DType(value->type.scalar);
    const DType type = lanes ? value->type : location.element_type();
    if (!memlet.wcr) {
        if (in_variable)
            emit(body, loop::Assign{location.slot->name, convert(value, type)}, where);
        else
            emit(body, loop::Store{location.slot->name, index, convert(value, type)}, where);
        return;
    }
    loop::Update update = update_of(state, *memlet.wcr, type, value, at);
    update.buffer = location.slot->name;
    if (!in_variable) update.index = index;
    update.conflict = conflict_of(state, location, update.op, memlet.wcr_nonatomic);
    if (lanes && update.conflict != Conflict::None) update.conflict = Conflict::Critical;
    emit(body, std::move(update), where);
}

void write_edge(StateContext& state, ir::EdgeId id, ValuePtr index, const ValuePtr& value, Body& body) {
    const ir::Memlet& memlet = state.state.edges[id].memlet;
    const NodeId from = state.state.edges[id].src;
    if (memlet.empty() && !std::holds_alternative<ir::Tasklet>(state.node(state.state.edges[id].dst).kind)) return;
    for (ir::EdgeId at = id;;) {
        const ir::Edge& edge = state.state.edges[at];
        if (!ir::is_exit(state.node(edge.dst)) || !ir::is_port_in(edge.dst_connector)) break;
        const std::string name = std::string(ir::port_name(edge.dst_connector));
        if (const auto target = state.accumulators.find({edge.dst, name}); target != state.accumulators.end())
            return update_accumulator(state, target->second, *memlet.wcr, value, from, body);
        const auto outer = state.adjacency.out_at(edge.dst, ir::port_out(name));
        if (!outer) break;
        at = *outer;
    }
    write(state, locate(state, memlet.data, memlet.subset, from), memlet, std::move(index), value, from, body);
}

void write_beyond(StateContext& state, NodeId exit, const std::string& name, const ir::Memlet& memlet, const ValuePtr& value,
                  Body& body) {
    auto at = state.adjacency.out_at(exit, ir::port_out(name));
    while (at) {
        const ir::Edge& edge = state.state.edges[*at];
        if (!ir::is_exit(state.node(edge.dst)) || !ir::is_port_in(edge.dst_connector)) break;
        const std::string next = std::string(ir::port_name(edge.dst_connector));
        if (const auto target = state.accumulators.find({edge.dst, next}); target != state.accumulators.end())
            return update_accumulator(state, target->second, *memlet.wcr, value, exit, body);
        at = state.adjacency.out_at(edge.dst, ir::port_out(next));
    }
    write(state, locate(state, memlet.data, memlet.subset, exit), memlet, nullptr, value, exit, body);
}

}  // namespace sluice::lower
