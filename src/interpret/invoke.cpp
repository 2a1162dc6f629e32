// Rules `call` (A.2.1) and `invoke`: a configuration for an SDFG: symbols, memory for every container, the start state.
#include <algorithm>
#include <cstring>

#include "interpret/machine.h"
#include "ir/query.h"

namespace sluice::interpret {

Frame Machine::new_frame(const SdfgPlan& plan, Owned& owned) {
    Frame frame;
    frame.plan = &plan;
    frame.symbols.resize(plan.symbols.size());
    frame.wires.resize(plan.wires);
    frame.instances.resize(plan.containers.size());
    for (std::size_t at = 0; at < plan.containers.size(); ++at) {
        if (plan.containers[at].is_scoped) continue;
        owned.push_back(std::make_unique<Instance>());
        owned.back()->plan = &plan.containers[at];
        frame.instances[at] = owned.back().get();
    }
    for (std::uint32_t at = 0; at < plan.containers.size(); ++at)
        if (plan.containers[at].constant) allocate(frame, *frame.instances[at]);
    return frame;
}

void Machine::set_symbol(Frame& frame, std::uint32_t slot, const Cell& value, Scalar type) {
    const Scalar kept = frame.plan->symbols[slot].type;
    frame.symbols[slot] = convert(value, type, kept);
    for (const std::uint32_t container : frame.plan->symbols[slot].sizes) {
        Instance* sized = frame.instances[container];
        if (!sized || frame.plan->containers[container].is_scoped) continue;
        *sized = Instance();
        sized->plan = &frame.plan->containers[container];
    }
}

namespace {

void set_given(Frame& frame, std::uint32_t slot, const SymbolValue& value) {
    const Scalar type = frame.plan->symbols[slot].type;
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        frame.symbols[slot] = convert(cell(*whole), Scalar::Int64, type);
    else
        frame.symbols[slot] = convert(cell(std::get<double>(value)), Scalar::Float64, type);
}

}  // namespace

void Machine::call(const SdfgPlan& plan, const Arguments& arguments) {
    Owned owned;
    Frame frame = new_frame(plan, owned);
    for (const auto& [name, value] : arguments.symbols)
        if (const auto slot = plan.symbol_slots.find(name); slot != plan.symbol_slots.end()) set_given(frame, slot->second, value);
    const std::vector<std::string> assigned = ir::assigned_symbols(*plan.sdfg);
    for (const auto& [name, type] : plan.sdfg->symbols)
        if (plan.symbols[plan.symbol_slots.at(name)].used && !arguments.symbols.contains(name) &&
            std::ranges::find(assigned, name) == assigned.end())
            fail({"I002", "the symbol " + name + " has no value", {}, plan.name, "pass it as an argument", {}});
    for (std::uint32_t at = 0; at < plan.containers.size(); ++at) bind_argument(frame, at, arguments);
    frame.strand = strands_.next() - 1;
    outermost_ = &frame;
    Jump jump = Jump::None;
    run(region(frame, &plan.body, &jump));
}

void Machine::connect(Frame& outer, Frame& inner, const InvokePlan::Connection& connection, Owned& owned) {
    Instance& target = *inner.instances[connection.inner];
    if (target.base || target.queues) return;
    if (connection.wire) {
        owned.push_back(std::make_unique<Instance>());
        allocate(inner, target);
        write(inner, target, target.base, &outer.wires[*connection.wire], target.plan->scalar, nullptr);
        return;
    }
    Instance& from = instance(outer, connection.section.container);
    Instance* found = nullptr;
    target.queues = from.queues;
    target.allocation = from.allocation;
    if (from.queues) {
        target.first_queue = queue_of(outer, connection.section, found);
        return;
    }
    bool empty = false;
    for (std::size_t d = 0; d < from.dimensions.size(); ++d) {
        empty = empty || from.dimensions[d].extent == 0;
        if (connection.section.whole || connection.section.single) continue;
        const RangePlan& range = connection.section.ranges[d];
        const std::int64_t begin = range.begin.value(*this, outer), end = range.end.value(*this, outer),
                           step = range.step.value(*this, outer);
        empty = empty || (step > 0 ? begin >= end : begin <= end);
    }
    target.base = empty ? from.base : memlet(outer, connection.section, found);
    const bool alike = from.plan->scalar == target.plan->scalar && from.plan->element_size == target.plan->element_size;
    if (connection.by_value && alike && !empty) take_value(inner, from, target);
}

/// In place of the element that the container stands for: a copy of it.
void Machine::take_value(Frame& inner, const Instance& from, Instance& target) {
    const std::byte* at = target.base;
    const std::size_t size = target.plan->element_size;
    note_read(inner, from, at, size, true);
    target.allocation = nullptr;
    allocate(inner, target);
    std::memcpy(target.base, at, size);
    note_write(inner, target, target.base, size);
    if (!is_written(from, at, size)) set_unwritten(target, target.base, size);
}

Task Machine::invoke(Frame& outer, const InvokePlan* invoke, Strands::Id strand) {
    Owned owned;
    const NodePlan* node = at_;
    Frame frame = new_frame(*invoke->sdfg, owned);
    frame.strand = strand;
    for (const auto& [slot, value] : invoke->symbols)
        frame.symbols[slot] = convert(cell(value.value(*this, outer)), Scalar::Int64, frame.plan->symbols[slot].type);
    for (const InvokePlan::RealSymbol& symbol : invoke->real_symbols) {
        symbol.program->run(*this, outer, nullptr);
        frame.symbols[symbol.slot] = symbol.program->registers[symbol.result];
    }
    for (const InvokePlan::Connection& connection : invoke->connections) connect(outer, frame, connection, owned);
    Jump jump = Jump::None;
    co_await region(frame, &invoke->sdfg->body, &jump);
    at_ = node;
}

}  // namespace sluice::interpret
