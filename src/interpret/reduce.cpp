// Rule `reduce` (A.2.2): a map over the elements that come in, each written to its place among the elements that go out by the
// write-conflict resolution. With an identity the result starts from it, without one from what is there.
#include <algorithm>

#include "interpret/machine.h"

namespace sluice::interpret {

void Machine::reduce(Frame& frame, const ReducePlan& reduce) {
    Instance& from = instance(frame, reduce.source.container);
    Instance& to = instance(frame, reduce.destination.container);
    const ContainerPlan& source = *from.plan;
    const auto sources = memlet_elements(frame, reduce.source, from);
    const auto destinations = memlet_elements(frame, reduce.destination, to);
    if (reduce.identity)
        for (const std::int64_t at : destinations) {
            std::vector<Cell> value(to.plan->lanes, convert(cell(*reduce.identity), Scalar::Float64, to.plan->scalar));
            write(frame, to, address(to, at), value.data(), to.plan->scalar, nullptr);
        }
    const auto counts = extents(frame, reduce.source, from);
    std::int64_t kept = 1;
    for (std::size_t d = 0; d < counts.size(); ++d)
        if (!reduce.reduced[d]) kept *= counts[d];
    if (!sources.empty() && kept != static_cast<std::int64_t>(destinations.size()))
        fail_here("I001",
                  "a reduction to " + std::to_string(kept) + " elements does not fit the " + std::to_string(destinations.size()) +
                      " elements of `" + to.plan->name + "`",
                  "give the outgoing memlet one element for each index of the axes that stay");
    std::vector<Cell> value(source.lanes);
    for (std::size_t at = 0; at < sources.size(); ++at) {
        std::int64_t place = 0, rest = static_cast<std::int64_t>(at), weight = 1;
        for (std::size_t d = counts.size(); d-- > 0;) {
            const std::int64_t index = rest % counts[d];
            rest /= counts[d];
            if (reduce.reduced[d]) continue;
            place += index * weight;
            weight *= counts[d];
        }
        const std::byte* element = address(from, sources[at]);
        note_read(frame, from, element, source.element_size);
        for (std::uint32_t lane = 0; lane < source.lanes; ++lane)
            value[lane] = load(element + lane * source.lane_size, source.scalar, source.lane_size);
        write(frame, to, address(to, destinations[static_cast<std::size_t>(place)]), value.data(), source.scalar,
              reduce.resolution.get());
    }
}

}  // namespace sluice::interpret
