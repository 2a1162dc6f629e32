// Rule `mapentry` (A.2.2): the scope is replicated for each point of the range, and the copies run in any order.
#include <algorithm>

#include "interpret/machine.h"

namespace sluice::interpret {

namespace {

class SavedSymbols {
public:
    SavedSymbols(Frame& frame, const std::vector<std::uint32_t>& slots) : frame_(frame), slots_(slots) {
        for (const std::uint32_t slot : slots) values_.push_back(frame.symbols[slot]);
    }
    ~SavedSymbols() {
        for (std::size_t at = 0; at < slots_.size(); ++at) frame_.symbols[slots_[at]] = values_[at];
    }

private:
    Frame& frame_;
    const std::vector<std::uint32_t>& slots_;
    std::vector<Cell> values_;
};

void read_range_symbols(Machine& machine, Frame& frame, const std::vector<std::pair<std::uint32_t, InputPlan>>& dynamic) {
    for (const auto& [slot, input] : dynamic) {
        Cell value[8];
        machine.read_input(frame, input, value);
        frame.symbols[slot] = value[0];
    }
}

}  // namespace

void Machine::each_point(Frame& frame, const MapPlan& map, std::size_t dimension, std::uint32_t group, Strands::Id strand,
                         std::uint32_t& number, Owned& owned) {
    if (dimension == map.slots.size()) {
        frame.strand = strands_.add(strand, group, number++, nullptr);
        enter(frame, *map.body, owned);
        scope(frame, *map.body);
        return;
    }
    const RangePlan& range = map.ranges[dimension];
    const std::int64_t begin = range.begin.value(*this, frame), end = range.end.value(*this, frame),
                       step = range.step.value(*this, frame);
    if (step == 0) fail_here("I001", "the range of a map has the step 0", "use a step of at least 1, or at most -1");
    Cell& slot = frame.symbols[map.slots[dimension]];
    for (std::int64_t at = begin; step > 0 ? at < end : at > end;) {
        slot.set(at);
        each_point(frame, map, dimension + 1, group, strand, number, owned);
        if (__builtin_add_overflow(at, step, &at)) break;
    }
}

void Machine::map(Frame& frame, const MapPlan& map, Strands::Id strand) {
    const SavedSymbols saved(frame, map.slots);
    const Strands::Id outer = frame.strand;
    frame.strand = strand;
    read_range_symbols(*this, frame, map.dynamic);
    std::uint32_t number = 0;
    Owned owned;
    each_point(frame, map, 0, strands_.new_group(), strand, number, owned);
    frame.strand = outer;
}

void Machine::gather_points(Frame& frame, const MapPlan& map, std::size_t dimension, std::vector<std::int64_t>& values,
                            std::vector<std::vector<std::int64_t>>& points) {
    if (dimension == map.slots.size()) return points.push_back(values);
    const RangePlan& range = map.ranges[dimension];
    const std::int64_t begin = range.begin.value(*this, frame), end = range.end.value(*this, frame),
                       step = range.step.value(*this, frame);
    if (step == 0) fail_here("I001", "the range of a map has the step 0", "use a step of at least 1, or at most -1");
    for (std::int64_t at = begin; step > 0 ? at < end : at > end;) {
        frame.symbols[map.slots[dimension]].set(at);
        values.push_back(at);
        gather_points(frame, map, dimension + 1, values, points);
        values.pop_back();
        if (__builtin_add_overflow(at, step, &at)) break;
    }
}

Task Machine::point(const Frame* outer, const MapPlan* map, std::vector<std::int64_t> values, Strands::Id strand) {
    Frame frame = *outer;
    frame.strand = strand;
    for (std::size_t d = 0; d < values.size(); ++d) frame.symbols[map->slots[d]].set(values[d]);
    Owned owned;
    enter(frame, *map->body, owned);
    co_await scope_interleaved(frame, map->body.get());
}

Task Machine::map_interleaved(Frame& outer, const MapPlan* map, Strands::Id strand) {
    // Copies of the scope under way at a time; more when they all wait for each other.
    constexpr std::size_t kWindow = 48;
    Frame frame = outer;
    frame.strand = strand;
    read_range_symbols(*this, frame, map->dynamic);
    std::vector<std::vector<std::int64_t>> points;
    std::vector<std::int64_t> values;
    gather_points(frame, *map, 0, values, points);
    std::vector<std::uint32_t> order(points.size());
    for (std::uint32_t at = 0; at < order.size(); ++at) order[at] = at;
    if (scheduler_.is_random() && !map->in_order)
        for (std::size_t at = order.size(); at > 1; --at) std::swap(order[at - 1], order[scheduler_.below(at)]);
    const std::uint32_t group = strands_.new_group();
    Join join;
    for (const std::uint32_t number : order) {
        if (map->in_order && join.pending > 0) co_await Scheduler::wait(join);
        if (join.pending >= kWindow) {
            windows_.push_back(&join);
            co_await Scheduler::wait(join, kWindow - 1);
            std::erase(windows_, &join);
        }
        scheduler_.spawn(point(&frame, map, points[number], strands_.add(strand, group, number, nullptr)), join);
    }
    co_await Scheduler::wait(join);
}

}  // namespace sluice::interpret
