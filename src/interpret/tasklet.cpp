// Rule `tasklet` (A.2.2): prologue (inputs become locals), the code, epilogue (locals become visible at the outputs).
#include <algorithm>

#include "interpret/machine.h"

namespace sluice::interpret {

void Machine::read_input(Frame& frame, const InputPlan& input, Cell* registers) {
    const auto take = [&](std::uint32_t lane, const Cell& value) {
        registers[input.to + lane] = input.from_type == input.to_type ? value : convert(value, input.from_type, input.to_type);
    };
    switch (input.kind) {
        case InputPlan::Kind::Wire:
            for (std::uint32_t lane = 0; lane < input.lanes; ++lane) take(lane, frame.wires[input.source + lane]);
            return;
        case InputPlan::Kind::Element: {
            Instance* from = nullptr;
            const std::byte* at = memlet(frame, input.section, from);
            const ContainerPlan& plan = *from->plan;
            note_read(frame, *from, at, plan.element_size);
            for (std::uint32_t lane = 0; lane < input.lanes; ++lane)
                take(lane, load(at + lane * plan.lane_size, plan.scalar, plan.lane_size));
            return;
        }
        case InputPlan::Kind::Lanes: {
            Instance& from = instance(frame, input.section.container);
            const std::vector<std::int64_t> elements = lanes(frame, input.section, from, input.lanes);
            for (std::uint32_t lane = 0; lane < input.lanes; ++lane) {
                const std::byte* at = address(from, elements[lane]);
                note_read(frame, from, at, from.plan->element_size);
                take(lane, load(at, from.plan->scalar, from.plan->lane_size));
            }
            return;
        }
        case InputPlan::Kind::Pop: {
            Instance* from = nullptr;
            const std::size_t queue = queue_of(frame, input.section, from);
            std::vector<Cell> value(input.lanes);
            if (!pop(frame, *from->queues, queue, value.data(), *from->plan))
                fail_here("I005", "nothing is left to pop from `" + from->plan->name + "`", "push as many elements as are popped");
            for (std::uint32_t lane = 0; lane < input.lanes; ++lane) take(lane, value[lane]);
            return;
        }
        case InputPlan::Kind::Port:
            return;
    }
}

std::vector<std::int64_t> Machine::lanes(Frame& frame, const SectionPlan& section, Instance& of, std::uint32_t count) {
    std::vector<std::int64_t> elements = memlet_elements(frame, section, of);
    if (elements.size() != count)
        fail_here("I001",
                  std::to_string(elements.size()) + " elements of `" + of.plan->name + "` meet a vector of " +
                      std::to_string(count) + " lanes",
                  "let the memlet name one element for each lane");
    return elements;
}

void Machine::open_port(Frame& frame, const SectionPlan& section, Port& port) {
    Instance& of = instance(frame, section.container);
    port.instance = &of;
    port.dimensions.clear();
    if (of.queues) {
        Instance* same = nullptr;
        port.queue = queue_of(frame, section, same);
        return;
    }
    std::vector<std::int64_t> first(of.dimensions.size());
    bool empty = false;
    for (std::size_t d = 0; d < of.dimensions.size(); ++d) {
        if (section.whole) {
            first[d] = -of.dimensions[d].offset;
            port.dimensions.push_back({of.dimensions[d].extent, of.dimensions[d].stride});
        } else {
            const RangePlan& range = section.ranges[d];
            first[d] = range.begin.value(*this, frame);
            const std::int64_t end = range.end.value(*this, frame), step = range.step.value(*this, frame),
                               tile = range.tile.value(*this, frame);
            if (step == 0)
                fail_here("I001", "a range of `" + of.plan->name + "` has the step 0", "use a step of at least 1, or at most -1");
            const std::int64_t count = step > 0 ? (end - first[d] + step - 1) / step : (end - first[d] + step + 1) / step;
            const std::int64_t length = std::max<std::int64_t>(count, 0) * tile;
            port.dimensions.push_back({length, of.dimensions[d].stride * (tile == 1 ? step : 1)});
            if (length > 0 && !section.allow_oob) {
                std::vector<std::int64_t> probe(of.dimensions.size());
                for (std::size_t other = 0; other < probe.size(); ++other) probe[other] = -of.dimensions[other].offset;
                const bool all_there =
                    std::ranges::all_of(of.dimensions, [](const auto& dimension) { return dimension.extent > 0; });
                probe[d] = first[d] + (count - 1) * step + tile - 1;
                if (all_there) flat(of, probe.data(), true);
                probe[d] = first[d];
                flat(of, probe.data(), true);
            }
        }
        empty = empty || port.dimensions.back().count == 0;
    }
    port.first = empty ? 0 : flat(of, first.data(), false);
}

namespace {

void run_foreign(const TaskletPlan& tasklet, Frame& frame, std::vector<Port>& ports, Machine& machine) {
    std::vector<void*> addresses;
    for (const TaskletPlan::ForeignName& name : tasklet.foreign_names) {
        if (name.is_symbol)
            addresses.push_back(&frame.symbols[name.at]);
        else if (name.is_port)
            addresses.push_back(machine.address(*ports[name.at].instance, ports[name.at].first));
        else
            addresses.push_back(&tasklet.program->registers[name.at]);
    }
    tasklet.foreign(addresses.data());
    // What the code did with its pointers is unknown: outputs count as written, inputs as read.
    for (const OutputPlan& output : tasklet.outputs) {
        if (output.kind != OutputPlan::Kind::Port) continue;
        Instance& instance = *ports[output.from].instance;
        for (const std::int64_t flat : machine.memlet_elements(frame, output.section, instance))
            machine.note_write(frame, instance, machine.address(instance, flat), instance.plan->element_size);
    }
}

}  // namespace

void Machine::tasklet(Frame& frame, const TaskletPlan& tasklet) {
    Program& program = *tasklet.program;
    Cell* registers = program.registers.data();
    if (tasklet.port_count > 0) ports_.resize(tasklet.port_count);
    for (const InputPlan& input : tasklet.inputs) {
        if (input.kind == InputPlan::Kind::Port)
            open_port(frame, input.section, ports_[input.to]);
        else
            read_input(frame, input, registers);
    }
    for (const OutputPlan& output : tasklet.outputs)
        if (output.kind == OutputPlan::Kind::Port) {
            open_port(frame, output.section, ports_[output.from]);
            ports_[output.from].output = &output;
        }
    if (tasklet.foreign)
        run_foreign(tasklet, frame, ports_, *this);
    else
        program.run(*this, frame, &ports_);
    for (const OutputPlan& output : tasklet.outputs) {
        switch (output.kind) {
            case OutputPlan::Kind::Element: {
                Instance* to = nullptr;
                std::byte* at = memlet(frame, output.section, to);
                write(frame, *to, at, registers + output.from, output.from_type, output.resolution.get());
                break;
            }
            case OutputPlan::Kind::Lanes: {
                Instance& to = instance(frame, output.section.container);
                const std::vector<std::int64_t> elements = lanes(frame, output.section, to, output.lanes);
                for (std::uint32_t lane = 0; lane < output.lanes; ++lane)
                    write(frame, to, address(to, elements[lane]), registers + output.from + lane, output.from_type,
                          output.resolution.get());
                break;
            }
            case OutputPlan::Kind::Wire:
                for (std::uint32_t lane = 0; lane < output.lanes; ++lane)
                    frame.wires[output.target + lane] = registers[output.from + lane];
                break;
            case OutputPlan::Kind::Port:
                break;
        }
    }
}

}  // namespace sluice::interpret
