// What library nodes mean, which the papers leave to libraries. An operation is a step: all operands are read, its definition runs,
// then the outputs are written. A call of a library's function reads and writes the memory that it is given addresses of.
#include "interpret/machine.h"
#include "interpret/reference_numbers.h"

namespace sluice::interpret {

std::vector<std::int64_t> Machine::extents(Frame& frame, const SectionPlan& section, const Instance& of) {
    std::vector<std::int64_t> result;
    for (std::size_t d = 0; d < of.dimensions.size(); ++d) {
        if (section.whole) {
            result.push_back(of.dimensions[d].extent);
            continue;
        }
        const RangePlan& range = section.ranges[d];
        std::int64_t count = 0;
        const std::int64_t end = range.end.value(*this, frame), step = range.step.value(*this, frame);
        for (std::int64_t at = range.begin.value(*this, frame); step > 0 ? at < end : at > end; at += step) ++count;
        result.push_back(count * range.tile.value(*this, frame));
    }
    return result;
}

ir::Operand Machine::read_operand(Frame& frame, const DefinitionPlan::Port& port, bool values) {
    Instance& from = instance(frame, port.section.container);
    const auto elements = memlet_elements(frame, port.section, from);
    ir::Operand operand{extents(frame, port.section, from), std::vector<ir::Number>(elements.size()), from.plan->scalar};
    for (std::size_t at = 0; values && at < elements.size(); ++at) {
        const std::byte* element = address(from, elements[at]);
        note_read(frame, from, element, from.plan->element_size);
        operand.values[at] = number_of(load(element, from.plan->scalar, from.plan->lane_size), from.plan->scalar);
    }
    return operand;
}

void Machine::write_operand(Frame& frame, const DefinitionPlan::Port& port, const std::vector<ir::Number>& values) {
    Instance& to = instance(frame, port.section.container);
    const auto elements = memlet_elements(frame, port.section, to);
    for (std::size_t at = 0; at < elements.size(); ++at) {
        const Cell written = cell_of(values.at(at), to.plan->scalar);
        write(frame, to, address(to, elements[at]), &written, to.plan->scalar, port.resolution.get());
    }
}

void Machine::definition(Frame& frame, const DefinitionPlan& definition) {
    ir::Operands operands;
    for (const DefinitionPlan::Port& port : definition.inputs) operands.emplace(port.operand, read_operand(frame, port, true));
    for (const DefinitionPlan::Port& port : definition.outputs)
        if (!operands.contains(port.operand)) operands.emplace(port.operand, read_operand(frame, port, definition.reads_outputs));
    definition.run(operands);
    for (const DefinitionPlan::Port& port : definition.outputs) write_operand(frame, port, operands.at(port.operand).values);
}

/// The same where an operand is a stream, whose elements the node waits for.
Task Machine::definition_streamed(Frame& frame, const DefinitionPlan* definition) {
    const NodePlan* node = at_;
    ir::Operands operands;
    for (const DefinitionPlan::Port& port : definition->inputs) {
        if (!port.streamed) {
            operands.emplace(port.operand, read_operand(frame, port, true));
            continue;
        }
        ir::Operand operand{{port.streamed->value(*this, frame)}, {}, frame.plan->containers[port.section.container].scalar};
        for (std::int64_t left = operand.shape[0]; left > 0; --left) {
            co_await until_pushed(frame, &port.section);
            Instance* of = nullptr;
            const std::size_t queue = queue_of(frame, port.section, of);
            Cell value;
            pop(frame, *of->queues, queue, &value, *of->plan);
            operand.values.push_back(number_of(value, operand.type));
        }
        operands.emplace(port.operand, std::move(operand));
    }
    for (const DefinitionPlan::Port& port : definition->outputs) {
        if (operands.contains(port.operand)) continue;
        if (!port.streamed) {
            operands.emplace(port.operand, read_operand(frame, port, definition->reads_outputs));
            continue;
        }
        const std::int64_t size = port.streamed->value(*this, frame);
        operands.emplace(port.operand,
                         ir::Operand{{size},
                                     std::vector<ir::Number>(static_cast<std::size_t>(std::max<std::int64_t>(size, 0))),
                                     frame.plan->containers[port.section.container].scalar});
    }
    definition->run(operands);
    for (const DefinitionPlan::Port& port : definition->outputs) {
        if (!port.streamed) {
            write_operand(frame, port, operands.at(port.operand).values);
            continue;
        }
        for (const ir::Number& value : operands.at(port.operand).values) {
            co_await until_room(frame, &port.section);
            Instance* of = nullptr;
            const std::size_t queue = queue_of(frame, port.section, of);
            const Cell written = cell_of(value, of->plan->scalar);
            push(frame, *of->queues, queue, &written, *of->plan);
        }
    }
    at_ = node;
}

namespace {

/// From the first element of a section on. A section without elements has the address of its container.
class SectionMemory : public ir::Memory {
public:
    SectionMemory(Machine& machine, Frame& frame, const SectionPlan& section)
        : machine_(machine), frame_(frame), instance_(&machine.instance(frame, section.container)) {
        for (const std::int64_t extent : machine.extents(frame, section, *instance_))
            if (extent == 0) return;
        const std::byte* first = machine.memlet(frame, section, instance_);
        first_ = (first - instance_->base) / static_cast<std::int64_t>(instance_->plan->element_size);
    }
    ir::Number read(std::int64_t at) override {
        const std::byte* element = machine_.address(*instance_, first_ + at);
        machine_.note_read(frame_, *instance_, element, instance_->plan->element_size);
        return number_of(load(element, instance_->plan->scalar, instance_->plan->lane_size), instance_->plan->scalar);
    }
    void write(std::int64_t at, const ir::Number& value) override {
        const Cell written = cell_of(value, instance_->plan->scalar);
        machine_.write(frame_, *instance_, machine_.address(*instance_, first_ + at), &written, instance_->plan->scalar, nullptr);
    }

private:
    Machine& machine_;
    Frame& frame_;
    Instance* instance_;
    std::int64_t first_ = 0;
};

}  // namespace

void Machine::library_call(Frame& frame, const CallPlan& call) {
    std::vector<std::unique_ptr<SectionMemory>> memory;
    std::vector<ir::CallValue> values;
    for (const auto& argument : call.arguments) {
        if (const auto* section = std::get_if<SectionPlan>(&argument))
            values.emplace_back(memory.emplace_back(std::make_unique<SectionMemory>(*this, frame, *section)).get());
        else if (const auto* size = std::get_if<Index>(&argument))
            values.emplace_back(ir::Number(size->value(*this, frame)));
        else
            values.emplace_back(std::get<ir::Number>(argument));
    }
    call.run(values);
}

}  // namespace sluice::interpret
