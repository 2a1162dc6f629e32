#include "interpret/access.h"

#include "interpret/machine.h"

namespace sluice::interpret {

namespace {

std::int64_t element_of(Machine& machine, const Port& port, const Cell* indices, std::size_t count) {
    std::int64_t flat = port.first;
    if (count == 0) return flat;
    const auto checked = [&](std::int64_t index, const Port::Dimension& dimension) {
        if (index < 0 || index >= dimension.count)
            machine.fail_here("I001",
                              "index " + std::to_string(index) + " lies outside the " + std::to_string(dimension.count) +
                                  " elements of `" + port.instance->plan->name + "` that the connector sees",
                              "correct the index, or widen the memlet");
        return index * dimension.stride;
    };
    if (count == port.dimensions.size()) {
        for (std::size_t d = 0; d < count; ++d) flat += checked(indices[d].as<std::int64_t>(), port.dimensions[d]);
        return flat;
    }
    std::vector<Port::Dimension> wide;
    for (const Port::Dimension& dimension : port.dimensions)
        if (dimension.count != 1) wide.push_back(dimension);
    // A connector of one element may still be indexed, with zeros.
    while (wide.size() < count && wide.size() < port.dimensions.size()) wide.insert(wide.begin(), {1, 0});
    if (wide.size() == count) {
        for (std::size_t d = 0; d < count; ++d) flat += checked(indices[d].as<std::int64_t>(), wide[d]);
        return flat;
    }
    if (count == 1) return flat + indices[0].as<std::int64_t>();
    machine.fail_here("I001", "`" + port.instance->plan->name + "` is indexed with " + std::to_string(count) + " indices",
                      "use one index for each dimension of the memlet that has more than one element");
}

const Instruction* fail_assertion(const Instruction*, Execution& run) {
    run.machine->fail_here("I010", "an assertion does not hold", "pass values for which it holds");
}

const Instruction* read_port(const Instruction* at, Execution& run) {
    const Port& port = (*run.ports)[at->a];
    Instance& instance = *port.instance;
    const ContainerPlan& plan = *instance.plan;
    const std::byte* place = run.machine->address(instance, element_of(*run.machine, port, run.registers + at->b, at->c));
    run.machine->note_read(*run.frame, instance, place, plan.element_size);
    for (std::uint32_t lane = 0; lane < plan.lanes; ++lane)
        run.registers[at->to + lane] = load(place + lane * plan.lane_size, plan.scalar, plan.lane_size);
    return at + 1;
}

const Instruction* write_port(const Instruction* at, Execution& run) {
    const Port& port = (*run.ports)[at->a];
    Instance& instance = *port.instance;
    if (instance.queues) {
        run.machine->push(*run.frame, *instance.queues, port.queue, run.registers + at->to, *instance.plan);
        return at + 1;
    }
    std::byte* place = run.machine->address(instance, element_of(*run.machine, port, run.registers + at->b, at->c));
    run.machine->write(*run.frame, instance, place, run.registers + at->to, instance.plan->scalar,
                       port.output ? port.output->resolution.get() : nullptr);
    return at + 1;
}

const Instruction* read_container(const Instruction* at, Execution& run) {
    Instance& instance = run.machine->instance(*run.frame, at->a);
    const ContainerPlan& plan = *instance.plan;
    std::int64_t indices[16] = {};
    for (std::size_t d = 0; d < instance.dimensions.size(); ++d) {
        indices[d] = d < at->c ? run.registers[at->b + d].as<std::int64_t>() : 0;
        if (indices[d] < 0 && instance.dimensions[d].offset == 0) indices[d] += instance.dimensions[d].extent;
    }
    const std::byte* place = run.machine->address(instance, run.machine->flat(instance, indices, true));
    run.machine->note_read(*run.frame, instance, place, plan.element_size);
    for (std::uint32_t lane = 0; lane < plan.lanes; ++lane)
        run.registers[at->to + lane] = load(place + lane * plan.lane_size, plan.scalar, plan.lane_size);
    return at + 1;
}

const Instruction* read_symbol(const Instruction* at, Execution& run) {
    run.registers[at->to] = run.frame->symbols[at->a];
    return at + 1;
}

const Instruction* read_length(const Instruction* at, Execution& run) {
    const Instance& instance = run.machine->instance(*run.frame, at->a);
    run.registers[at->to].set(static_cast<std::int64_t>(instance.queues->queues[instance.first_queue].elements.size()));
    return at + 1;
}

}  // namespace

Operation failed_assertion() {
    return fail_assertion;
}
Operation load_symbol() {
    return &read_symbol;
}
Operation load_port() {
    return &read_port;
}
Operation store_port() {
    return &write_port;
}
Operation load_container() {
    return &read_container;
}
Operation stream_length() {
    return &read_length;
}

}  // namespace sluice::interpret
