// Rule `data` (A.2.2): what is visible at the inputs of an access node becomes the content of its memory. Views and references.
#include <algorithm>

#include "interpret/machine.h"

namespace sluice::interpret {

void Machine::bind_view(Frame& frame, const ScopePlan::View& view) {
    Instance& target = *frame.instances[view.container];
    Instance* of = nullptr;
    Instance& viewed = instance(frame, view.section.container);
    target.allocation = viewed.allocation;
    target.queues = viewed.queues;
    if (viewed.queues) {
        target.first_queue = queue_of(frame, view.section, of);
    } else {
        const bool empty = std::ranges::any_of(viewed.dimensions, [](const auto& dimension) { return dimension.extent == 0; });
        target.base = empty ? viewed.base : memlet(frame, view.section, of);
    }
    lay_out(frame, target);
}

void Machine::set_to_zero(Frame& frame, std::uint32_t container) {
    Instance& of = instance(frame, container);
    if (of.queues) return;
    const SectionPlan whole{.container = container, .ranges = {}, .whole = true, .text = {}};
    for (const std::int64_t flat_index : memlet_elements(frame, whole, of)) {
        std::byte* at = address(of, flat_index);
        std::memset(at, 0, of.plan->element_size);
        note_write(frame, of, at, of.plan->element_size);
    }
}

void Machine::data(Frame& frame, const AccessPlan& access) {
    for (const CopyPlan& one : access.copies) copy(frame, one);
}

namespace {

// The end that the memlet leaves open holds as many elements as the other: the whole if it does, else as large a part from
// its origin, dimensions matched from the last.
std::vector<std::int64_t> implied_elements(Machine& machine, const Instance& of, const std::vector<std::int64_t>& given) {
    const std::size_t rank = of.dimensions.size();
    std::vector<std::int64_t> counts = given;
    if (counts.size() != rank) {
        std::erase(counts, 1);
        const auto wide =
            static_cast<std::size_t>(std::ranges::count_if(of.dimensions, [](const auto& d) { return d.extent != 1; }));
        if (counts.size() == wide && counts.size() < rank) {
            std::vector<std::int64_t> spread;
            for (std::size_t d = 0, next = 0; d < rank; ++d) spread.push_back(of.dimensions[d].extent == 1 ? 1 : counts[next++]);
            counts = spread;
        }
        while (counts.size() > rank) {
            counts[1] *= counts[0];
            counts.erase(counts.begin());
        }
        counts.insert(counts.begin(), rank - counts.size(), 1);
    }
    std::int64_t moved = 1, room = 1;
    bool fits = true;
    for (std::size_t d = 0; d < rank; ++d) {
        moved *= counts[d];
        room *= of.dimensions[d].extent;
        fits = fits && counts[d] <= of.dimensions[d].extent;
    }
    // A reshaping copy of everything.
    if (!fits && moved == room)
        for (std::size_t d = 0; d < rank; ++d) counts[d] = of.dimensions[d].extent;
    std::vector<std::int64_t> result, place(rank), indices(rank);
    if (moved == 0) return result;
    for (;;) {
        for (std::size_t d = 0; d < rank; ++d) indices[d] = place[d] - of.dimensions[d].offset;
        result.push_back(machine.flat(of, indices.data(), true));
        std::size_t d = rank;
        for (; d > 0; --d) {
            if (++place[d - 1] < counts[d - 1]) break;
            place[d - 1] = 0;
        }
        if (d == 0) return result;
    }
}

std::vector<std::int64_t> counts_of(Machine& machine, Frame& frame, const SectionPlan& section, const Instance& of) {
    std::vector<std::int64_t> counts;
    for (std::size_t d = 0; d < of.dimensions.size(); ++d) {
        if (section.whole) {
            counts.push_back(of.dimensions[d].extent);
            continue;
        }
        const RangePlan& range = section.ranges[d];
        const std::int64_t begin = range.begin.value(machine, frame), end = range.end.value(machine, frame),
                           step = range.step.value(machine, frame), tile = range.tile.value(machine, frame);
        const std::int64_t count = step > 0 ? (end - begin + step - 1) / step : step < 0 ? (end - begin + step + 1) / step : 0;
        counts.push_back(std::max<std::int64_t>(count, 0) * tile);
    }
    return counts;
}

}  // namespace

void Machine::copy(Frame& frame, const CopyPlan& copy) {
    if (copy.rebinds) {
        Instance& reference = *frame.instances[copy.destination.container];
        Instance* of = nullptr;
        reference.base = memlet(frame, copy.source, of);
        reference.allocation = of->allocation;
        return lay_out(frame, reference);
    }
    if (copy.from_stream || copy.to_stream) return copy_stream(frame, copy);
    Instance& to = instance(frame, copy.destination.container);
    if (copy.from_wire) {
        Instance* found = nullptr;
        std::byte* at = memlet(frame, copy.destination, found);
        return write(frame, to, at, &frame.wires[*copy.from_wire], to.plan->scalar, copy.resolution.get());
    }
    Instance& from = instance(frame, copy.source.container);
    const auto sources = copy.implied_source ? implied_elements(*this, from, counts_of(*this, frame, copy.destination, to))
                                             : memlet_elements(frame, copy.source, from);
    const auto destinations = copy.implied_destination ? implied_elements(*this, to, counts_of(*this, frame, copy.source, from))
                                                       : memlet_elements(frame, copy.destination, to);
    if (sources.size() != destinations.size())
        fail_here("I001",
                  "a copy of " + std::to_string(sources.size()) + " elements of `" + from.plan->name + "` does not fit the " +
                      std::to_string(destinations.size()) + " elements of `" + to.plan->name + "`",
                  "give the memlet subsets of equal size on both sides");
    const ContainerPlan& plan = *from.plan;
    // All is read before anything is written: a memlet moves a value, and both ends may lie on each other.
    std::vector<Cell> values(sources.size() * plan.lanes);
    std::vector<bool> written(sources.size());
    for (std::size_t at = 0; at < sources.size(); ++at) {
        const std::byte* place = address(from, sources[at]);
        written[at] = is_written(from, place, plan.element_size);
        note_read(frame, from, place, plan.element_size, to.allocation->shadow.watches_writes && !copy.resolution);
        for (std::uint32_t lane = 0; lane < plan.lanes; ++lane)
            values[at * plan.lanes + lane] = load(place + lane * plan.lane_size, plan.scalar, plan.lane_size);
    }
    for (std::size_t at = 0; at < destinations.size(); ++at) {
        std::byte* place = address(to, destinations[at]);
        write(frame, to, place, &values[at * plan.lanes], plan.scalar, copy.resolution.get());
        if (!written[at]) set_unwritten(to, place, to.plan->element_size);
    }
}

}  // namespace sluice::interpret
