// Rule `stream` (A.2.2): (1) pushed and popped, (2) only pushed, (3) only popped. A pop waits until something was pushed, a push
// into a stream of bounded size until there is room; when nothing else can run, that is a deadlock.
#include <algorithm>

#include "interpret/machine.h"

namespace sluice::interpret {

std::size_t Machine::queue_of(Frame& frame, const SectionPlan& section, Instance*& found) {
    Instance& of = instance(frame, section.container);
    found = &of;
    std::int64_t index = 0;
    if (!section.whole) {
        std::int64_t indices[16] = {};
        for (std::size_t d = 0; d < of.dimensions.size(); ++d) indices[d] = section.ranges[d].begin.value(*this, frame);
        index = flat(of, indices, true);
    }
    const auto queue = of.first_queue + static_cast<std::size_t>(index);
    if (queue >= of.queues->queues.size())
        fail_here("I001", "stream " + std::to_string(index) + " of `" + of.plan->name + "` does not exist", "correct the index");
    return queue;
}

// Rule 2.
void Machine::push(Frame&, QueueArray& queues, std::size_t queue, const Cell* value, const ContainerPlan& plan) {
    std::vector<std::byte> element(plan.element_size);
    for (std::uint32_t lane = 0; lane < plan.lanes; ++lane)
        std::memcpy(element.data() + lane * plan.lane_size, value[lane].bytes.data(), plan.lane_size);
    queues.queues[queue].elements.push_back(std::move(element));
    wake(queues, queue, true);
}

// Rule 3.
bool Machine::pop(Frame&, QueueArray& queues, std::size_t queue, Cell* value, const ContainerPlan& plan) {
    auto& elements = queues.queues[queue].elements;
    if (elements.empty()) return false;
    for (std::uint32_t lane = 0; lane < plan.lanes; ++lane)
        value[lane] = load(elements.front().data() + lane * plan.lane_size, plan.scalar, plan.lane_size);
    elements.pop_front();
    wake(queues, queue, false);
    return true;
}

void Machine::wake(QueueArray& queues, std::size_t queue, bool pushed) {
    for (std::size_t at = 0; at < stream_waits_.size();) {
        StreamWait& wait = stream_waits_[at];
        if (wait.queues == &queues && wait.queue == queue && wait.for_room != pushed) {
            scheduler_.make_ready(wait.handle);
            stream_waits_.erase(stream_waits_.begin() + static_cast<std::ptrdiff_t>(at));
        } else {
            ++at;
        }
    }
    if (!pushed) return;
    for (std::size_t at = 0; at < idle_consumes_.size();) {
        IdleConsume& idle = idle_consumes_[at];
        if (idle.queues == &queues && idle.queue == queue) {
            scheduler_.make_ready(idle.handle);
            idle_consumes_.erase(idle_consumes_.begin() + static_cast<std::ptrdiff_t>(at));
        } else {
            ++at;
        }
    }
}

struct Waiting {
    std::vector<Machine::StreamWait>* waits;
    Machine::StreamWait wait;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> handle) {
        wait.handle = handle;
        waits->push_back(wait);
    }
    void await_resume() const {}
};

Task Machine::until_pushed(Frame& frame, const SectionPlan* section) {
    const NodePlan* node = at_;
    Instance* of = nullptr;
    const std::size_t queue = queue_of(frame, *section, of);
    while (of->queues->queues[queue].elements.empty()) {
        Waiting waiting{&stream_waits_, {{}, of->queues.get(), queue, false, node, of->plan->name}};
        co_await waiting;
    }
    at_ = node;
}

Task Machine::until_room(Frame& frame, const SectionPlan* section) {
    const NodePlan* node = at_;
    Instance* of = nullptr;
    const std::size_t queue = queue_of(frame, *section, of);
    const auto capacity = static_cast<std::size_t>(std::max<std::int64_t>(of->queues->capacity, 0));
    while (capacity > 0 && of->queues->queues[queue].elements.size() >= capacity) {
        Waiting waiting{&stream_waits_, {{}, of->queues.get(), queue, true, node, of->plan->name}};
        co_await waiting;
    }
    at_ = node;
}

// The `data` connectors: a stream fills an array, an array a stream, and a stream another one with all that waits in it (rule 1).
void Machine::copy_stream(Frame& frame, const CopyPlan& copy) {
    Instance* to_found = nullptr;
    if (copy.to_stream) {
        const std::size_t queue = queue_of(frame, copy.destination, to_found);
        if (copy.from_wire) return push(frame, *to_found->queues, queue, &frame.wires[*copy.from_wire], *to_found->plan);
        Instance& from = instance(frame, copy.source.container);
        std::vector<Cell> value(from.plan->lanes);
        if (copy.from_stream) {
            Instance* source = nullptr;
            const std::size_t from_queue = queue_of(frame, copy.source, source);
            while (pop(frame, *source->queues, from_queue, value.data(), *source->plan))
                push(frame, *to_found->queues, queue, value.data(), *to_found->plan);
            return;
        }
        for (const std::int64_t element : memlet_elements(frame, copy.source, from)) {
            const std::byte* place = address(from, element);
            note_read(frame, from, place, from.plan->element_size);
            for (std::uint32_t lane = 0; lane < from.plan->lanes; ++lane)
                value[lane] = convert(load(place + lane * from.plan->lane_size, from.plan->scalar, from.plan->lane_size),
                                      from.plan->scalar, to_found->plan->scalar);
            push(frame, *to_found->queues, queue, value.data(), *to_found->plan);
        }
        return;
    }
    Instance* source = nullptr;
    const std::size_t queue = queue_of(frame, copy.source, source);
    Instance& to = instance(frame, copy.destination.container);
    const auto places = memlet_elements(frame, copy.destination, to);
    std::vector<Cell> value(source->plan->lanes);
    const bool repeats = copy.resolution != nullptr || (places.size() == 1 && copy.dynamic);
    for (std::size_t at = 0; repeats || at < places.size(); ++at) {
        if (!pop(frame, *source->queues, queue, value.data(), *source->plan)) return;
        std::byte* place = address(to, places[repeats ? 0 : at]);
        write(frame, to, place, value.data(), source->plan->scalar, copy.resolution.get());
    }
}

void Machine::stalled() {
    // More copies of a map may be what the others wait for.
    for (Join* window : windows_)
        if (window->waiter) {
            scheduler_.make_ready(std::exchange(window->waiter, nullptr));
            return;
        }
    // Nobody can push any more: a consume scope whose stream is empty is done.
    if (!idle_consumes_.empty()) {
        const IdleConsume idle = idle_consumes_.front();
        idle_consumes_.erase(idle_consumes_.begin());
        *idle.finish = true;
        scheduler_.make_ready(idle.handle);
        return;
    }
    if (!stream_waits_.empty()) {
        const StreamWait& wait = stream_waits_.front();
        at_ = wait.node;
        if (wait.for_room)
            fail_here("I005", "stream `" + wait.stream + "` is full and nobody is left to pop from it",
                      "enlarge its buffer, or pop as many elements as are pushed");
        fail_here("I005", "nothing is left to pop from `" + wait.stream + "` and nobody is left to push",
                  "push as many elements as are popped");
    }
    check(false, "tasks wait but nothing says for what");
}

}  // namespace sluice::interpret
