// The detectors: elements that nobody wrote, and accesses whose order the graph leaves open.
#include <algorithm>

#include "interpret/machine.h"

namespace sluice::interpret {

void Machine::watch(Instance& instance, bool transient) {
    Allocation& memory = *instance.allocation;
    Shadow& shadow = memory.shadow;
    const ContainerPlan& plan = *instance.plan;
    const auto* array = std::get_if<ir::Array>(&plan.container->kind);
    const auto* scalar = std::get_if<ir::Scalar>(&plan.container->kind);
    const bool allows = (array && array->allow_conflicts) || (scalar && scalar->allow_conflicts);
    shadow.unit = std::max<std::size_t>(plan.element_size, 1);
    shadow.watches_writes = transient && options_.detect_uninitialised;
    shadow.watches_conflicts = options_.detect_conflicts && !allows;
    if (shadow.watches_writes) shadow.written.assign(memory.bytes, 0);
    if (shadow.watches_conflicts) shadow.last.assign(memory.bytes / shadow.unit + 1, {});
    shadow.born = 0;
}

void Machine::renew(Instance& instance) {
    Shadow& shadow = instance.allocation->shadow;
    std::fill(shadow.written.begin(), shadow.written.end(), std::uint8_t{0});
    shadow.born = strands_.next();
}

bool Machine::is_written(const Instance& instance, const std::byte* at, std::size_t size) const {
    const Shadow& shadow = instance.allocation->shadow;
    if (!shadow.watches_writes) return true;
    const auto first = static_cast<std::size_t>(at - instance.allocation->data);
    for (std::size_t byte = first; byte < first + size; ++byte)
        if (!shadow.written[byte]) return false;
    return true;
}

void Machine::set_unwritten(const Instance& instance, const std::byte* at, std::size_t size) {
    Shadow& shadow = instance.allocation->shadow;
    if (!shadow.watches_writes) return;
    const auto first = static_cast<std::size_t>(at - instance.allocation->data);
    std::fill_n(shadow.written.begin() + static_cast<std::ptrdiff_t>(first), size, std::uint8_t{0});
}

void Machine::found(const char* code, const Instance& instance, const std::string& message, const std::string& remedy) {
    const std::string path = at_ ? at_->path : std::string();
    if (!reported_.insert(code + path + "/" + instance.plan->name).second) return;
    Diagnostic diagnostic{code, message, {}, path, remedy, {}};
    if (options_.strict) fail(std::move(diagnostic));
    report_.findings.push_back(std::move(diagnostic));
}

void Machine::note_read(Frame& frame, const Instance& instance, const std::byte* at, std::size_t size, bool only_order) {
    Shadow& shadow = instance.allocation->shadow;
    if (shadow.watches_writes && !only_order && !is_written(instance, at, size))
        found("I003", instance, "an element of `" + instance.plan->name + "` is read that nobody wrote",
              "write it first, or let its access node set it to zero");
    if (!shadow.watches_conflicts) return;
    Shadow::Last& last = shadow.last[static_cast<std::size_t>(at - instance.allocation->data) / shadow.unit];
    const auto counts = [&](Strands::Id id) { return id >= shadow.born && id != frame.strand && strands_.remembers(id); };
    if (counts(last.writer) && strands_.unordered(last.writer, frame.strand))
        found("I004", instance, "an element of `" + instance.plan->name + "` is read and written in no order",
              "order the accesses by a memlet path, or read before the scope");
    if (!counts(last.reader) || !strands_.unordered(last.reader, frame.strand)) last.reader = frame.strand;
}

void Machine::note_write(Frame& frame, const Instance& instance, const std::byte* at, std::size_t size, bool resolved) {
    Shadow& shadow = instance.allocation->shadow;
    if (shadow.watches_writes) {
        const auto first = static_cast<std::size_t>(at - instance.allocation->data);
        std::fill_n(shadow.written.begin() + static_cast<std::ptrdiff_t>(first), size, std::uint8_t{1});
    }
    if (!shadow.watches_conflicts) return;
    Shadow::Last& last = shadow.last[static_cast<std::size_t>(at - instance.allocation->data) / shadow.unit];
    const auto unordered = [&](Strands::Id id) {
        return id >= shadow.born && id != frame.strand && strands_.remembers(id) && strands_.unordered(id, frame.strand);
    };
    if (!(resolved && last.resolved) && unordered(last.writer))
        found("I004", instance, "an element of `" + instance.plan->name + "` is written twice in no order",
              "resolve the conflict with a `wcr`, or order the writes");
    if (unordered(last.reader))
        found("I004", instance, "an element of `" + instance.plan->name + "` is read and written in no order",
              "order the accesses by a memlet path, or read before the scope");
    last.writer = frame.strand;
    last.resolved = resolved;
}

}  // namespace sluice::interpret
