#include "lower/function.h"

#include <algorithm>

#include "analysis/counted_loops.h"
#include "analysis/signed_symbols.h"
#include "analysis/symbols.h"
#include "code/walk.h"
#include "ir/query.h"
#include "lower/allocation.h"
#include "lower/constants.h"
#include "lower/control_flow.h"
#include "lower/element_types.h"
#include "lower/state.h"
#include "lower/structures.h"

namespace sluice::lower {

using code::Scalar;

namespace {

// Symbols are 64-bit integers unless they are declared as floating-point.
SymbolSlot symbol_slot(const ir::Sdfg& sdfg, const std::string& symbol, std::string name) {
    const auto declared = sdfg.symbols.find(symbol);
    const bool integral = declared == sdfg.symbols.end() || is_integer(declared->second.scalar);
    return {std::move(name), integral ? DType(Scalar::Int64) : declared->second, integral};
}

void add_container(FunctionContext& function, const std::string& name, const CallFacts& facts, loop::Function& result) {
    const ir::Container* container = function.sdfg.containers.find(name);
    if (!container) return;
    Slot slot;
    slot.container = container;
    slot.name = function.names.fresh(name);
    slot.shared = facts.shared.contains(name);
    if (const auto space = facts.spaces.find(name); space != facts.spaces.end()) slot.space = space->second;
    loop::Parameter parameter;
    parameter.name = slot.name;
    parameter.type = memory_type(*container);
    parameter.written = facts.written.contains(name);
    const auto* array = std::get_if<ir::Array>(&container->kind);
    parameter.restricted = !facts.overlapping.contains(name) && !(array && array->may_alias);
    if (std::holds_alternative<ir::Structure>(container->kind)) {
        parameter.written = true;
    } else if (std::holds_alternative<ir::Stream>(container->kind)) {
        slot.kind = Slot::Kind::Stream;
        parameter.kind = loop::Parameter::Kind::Stream;
    } else if (std::holds_alternative<ir::Scalar>(container->kind) && !parameter.written) {
        slot.kind = Slot::Kind::Variable;
        parameter.kind = loop::Parameter::Kind::Value;
    } else if (std::holds_alternative<ir::ForeignContainer>(container->kind)) {
        refuse({"L004", "argument `" + name + "` is of a kind that cannot be compiled", container->metadata.where,
                function.path + "/" + name, "pass arrays, scalars or structures"});
    }
    result.parameters.push_back(parameter);
    if (parameter.kind == loop::Parameter::Kind::Buffer) result.parameters.back().space = slot.space;
    function.slots.insert_or_assign(name, std::move(slot));
}

// Symbols arrive by value; those that the SDFG assigns move into a variable of their own, and so do those of a program that may be
// negative: printers take its parameters for sizes.
void add_symbols(FunctionContext& function, const CallFacts& facts, loop::Function& result) {
    const std::vector<std::string> assigned = ir::assigned_symbols(function.sdfg);
    for (const std::string& symbol : facts.symbols) {
        SymbolSlot slot = symbol_slot(function.sdfg, symbol, function.names.fresh(symbol));
        loop::Parameter parameter;
        parameter.name = slot.name;
        parameter.type = slot.type;
        parameter.kind = loop::Parameter::Kind::Value;
        parameter.written = false;
        result.parameters.push_back(parameter);
        if (slot.type == DType(Scalar::Int64)) function.sizes.insert(slot.name);
        if (facts.positive.contains(symbol)) function.positive.insert(slot.name);
        const bool any = !facts.nested && !facts.positive.contains(symbol);
        if (any || (std::ranges::binary_search(assigned, symbol) && !function.for_variables.contains(symbol))) {
            const std::string own = function.names.fresh(symbol);
            emit(result.body, loop::Declare{own, slot.type, loop::variable(slot.name, slot.type), false});
            slot.name = own;
        }
        function.symbols.insert_or_assign(symbol, std::move(slot));
    }
    for (const std::string& symbol : assigned) {
        if (function.symbols.contains(symbol) || function.for_variables.contains(symbol)) continue;
        SymbolSlot slot = symbol_slot(function.sdfg, symbol, function.names.fresh(symbol));
        emit(result.body, loop::Declare{slot.name, slot.type, loop::integer_value(0, slot.type), false});
        if (!is_integer(slot.type.scalar)) std::get<loop::Declare>(result.body.back().node).value = loop::float_value(0, slot.type);
        function.symbols.insert_or_assign(symbol, std::move(slot));
    }
}

}  // namespace

CallFacts program_facts(const ir::Sdfg& sdfg) {
    CallFacts facts;
    for (const std::string& name : analysis::argument_order(sdfg))
        (sdfg.containers.contains(name) ? facts.containers : facts.symbols).push_back(name);
    facts.positive.insert(facts.symbols.begin(), facts.symbols.end());
    for (const std::string& symbol : analysis::signed_symbols(sdfg)) facts.positive.erase(symbol);
    facts.written = analysis::written_containers(sdfg);
    for (const auto& [name, container] : sdfg.containers)
        if (!container.transient && container.storage == ir::Storage::GPU_Global) facts.spaces[name] = loop::Space::Global;
    return facts;
}

LoweredFunction lower_function(ModuleContext& module, const ir::Sdfg& sdfg, const std::string& name, const std::string& path,
                               const CallFacts& facts) {
    FunctionContext function(module, sdfg, path);
    function.nested = facts.nested;
    function.parallel_caller = facts.parallel_caller;
    function.on_device = facts.on_device;
    function.overlapping = facts.overlapping;
    loop::Function result;
    result.name = name;
    result.where = sdfg.metadata.where;
    result.on_device = facts.on_device;
    function.for_variables = analysis::counted_variables(sdfg);
    for (const auto& [container, descriptor] : sdfg.containers)
        require_computable(descriptor.dtype, "container `" + container + "`", descriptor.metadata.where, path + "/" + container);
    for (const std::string& container : facts.containers) add_container(function, container, facts, result);
    add_symbols(function, facts, result);
    add_constants(function);
    add_structure_members(function, facts.written, result.body);
    plan_allocation(function);
    for (const std::string& transient : allocated_at_start(function)) allocate(function, transient, nullptr, result.body);
    Body body;
    lower_control_flow(function, body);
    emit_timed(result.body, sdfg.instrument, path, std::move(body));
    for (const loop::Allocate& buffer : function.kept)
        result.parameters.push_back({buffer.name, buffer.type, loop::Parameter::Kind::Buffer, true, true});
    module.origins.give(path, result.body);
    return {std::move(result), std::move(function.kept)};
}

}  // namespace sluice::lower
