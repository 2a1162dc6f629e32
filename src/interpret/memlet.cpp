// Rule `memlet` (A.2.2): subset(vis[src]), and wcr on the way to memory.
#include "interpret/machine.h"

namespace sluice::interpret {

std::byte* Machine::memlet(Frame& frame, const SectionPlan& section, Instance*& found) {
    Instance& of = instance(frame, section.container);
    found = &of;
    if (of.dimensions.empty()) return address(of, of.start);
    std::int64_t indices[16] = {};
    const std::size_t rank = of.dimensions.size();
    check(rank <= 16, "a container of more than 16 dimensions");
    if (section.whole)
        for (std::size_t d = 0; d < rank; ++d) indices[d] = -of.dimensions[d].offset;
    else
        for (std::size_t d = 0; d < rank; ++d) indices[d] = section.ranges[d].begin.value(*this, frame);
    return address(of, flat(of, indices, !section.allow_oob));
}

namespace {

struct Dimension {
    std::vector<std::int64_t> indices;
};

}  // namespace

// Flat indices of all elements in row-major order.
std::vector<std::int64_t> Machine::memlet_elements(Frame& frame, const SectionPlan& section, Instance& of) {
    const std::size_t rank = of.dimensions.size();
    std::vector<Dimension> dimensions(rank);
    for (std::size_t d = 0; d < rank; ++d) {
        std::vector<std::int64_t>& indices = dimensions[d].indices;
        if (section.whole) {
            for (std::int64_t at = 0; at < of.dimensions[d].extent; ++at) indices.push_back(at - of.dimensions[d].offset);
            continue;
        }
        const RangePlan& range = section.ranges[d];
        const std::int64_t begin = range.begin.value(*this, frame), end = range.end.value(*this, frame),
                           step = range.step.value(*this, frame), tile = range.tile.value(*this, frame);
        if (step == 0)
            fail_here("I001", "a range of `" + of.plan->name + "` has the step 0", "use a step of at least 1, or at most -1");
        for (std::int64_t at = begin; step > 0 ? at < end : at > end; at += step)
            for (std::int64_t within = 0; within < tile; ++within) indices.push_back(at + within);
    }
    std::vector<std::int64_t> result;
    std::vector<std::int64_t> place(rank), indices(rank);
    for (const Dimension& dimension : dimensions)
        if (dimension.indices.empty()) return result;
    for (;;) {
        for (std::size_t d = 0; d < rank; ++d) indices[d] = dimensions[d].indices[static_cast<std::size_t>(place[d])];
        result.push_back(flat(of, indices.data(), !section.allow_oob));
        std::size_t d = rank;
        for (; d > 0; --d) {
            if (++place[d - 1] < static_cast<std::int64_t>(dimensions[d - 1].indices.size())) break;
            place[d - 1] = 0;
        }
        if (d == 0) return result;
    }
}

Cell Machine::combine(Frame& frame, ResolutionPlan& resolution, const Cell& old_value, const Cell& new_value) {
    resolution.program.registers[resolution.old_value] = old_value;
    resolution.program.registers[resolution.new_value] = new_value;
    resolution.program.run(*this, frame, nullptr);
    return resolution.program.registers[resolution.result];
}

/// `value` holds the element's lanes, of type `type`.
void Machine::write(Frame& frame, Instance& instance, std::byte* at, const Cell* value, Scalar type, ResolutionPlan* resolution) {
    const ContainerPlan& plan = *instance.plan;
    if (resolution && !is_written(instance, at, plan.element_size))
        found("I003", instance, "an element of `" + plan.name + "` is resolved with a new value before anybody wrote it",
              "write it first, or let its access node set it to zero");
    for (std::uint32_t lane = 0; lane < plan.lanes; ++lane) {
        Cell next = type == plan.scalar ? value[lane] : convert(value[lane], type, plan.scalar);
        std::byte* place = at + lane * plan.lane_size;
        if (resolution) next = combine(frame, *resolution, load(place, plan.scalar, plan.lane_size), next);
        std::memcpy(place, next.bytes.data(), plan.lane_size);
    }
    note_write(frame, instance, at, plan.element_size, resolution != nullptr);
}

}  // namespace sluice::interpret
