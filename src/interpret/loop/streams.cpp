// Statements at which threads wait for each other's elements.
#include <algorithm>
#include <cstring>

#include "interpret/loop/planner.h"

namespace sluice::interpret::loops {

namespace {

struct PushStep final : Compound {
    std::uint32_t slot = 0;
    Whole index;
    Code value;
    Task run(Machine& machine, Thread& thread, StatementId id) const override {
        const Queues& streams = *thread.frame->slots[slot]->queues;
        auto& queue = machine.queue(thread, slot, index(thread));
        std::vector<Cell> cells(value.registers());
        value.run(thread, cells.data());
        const auto has_room = [&] { return streams.capacity == 0 || queue.size() < static_cast<std::size_t>(streams.capacity); };
        while (!has_room()) co_await machine.until(thread, has_room);
        thread.at = id;
        // Through memory of one element, so that it is laid out as memory is.
        Slot element;
        machine.allocate(element, {}, value.type, 1, true, false);
        machine.write(thread, element.pointer, value.type, cells.data());
        queue.emplace_back(element.pointer.at, element.pointer.at + streams.element);
        machine.announce();
    }
};

struct PopStep final : Compound {
    std::uint32_t slot = 0, variable = 0;
    Whole index;
    Task run(Machine& machine, Thread& thread, StatementId id) const override {
        auto& queue = machine.queue(thread, slot, index(thread));
        const auto holds_one = [&] { return !queue.empty(); };
        while (!holds_one()) co_await machine.until(thread, holds_one);
        thread.at = id;
        const Pointer to = thread.frame->slots[variable]->pointer;
        machine.note_write(thread, to, queue.front().size(), How::Plain);
        std::memcpy(to.at, queue.front().data(), queue.front().size());
        queue.pop_front();
        machine.announce();
    }
};

struct ConsumeStep final : Compound {
    const loop::Consume* source = nullptr;
    std::uint32_t slot = 0, element = 0;
    std::optional<std::uint32_t> pe;
    Whole index, pes;
    Code stop;
    Steps inner;

    struct Shared {
        Machine::Queue* queue = nullptr;
        std::int64_t busy = 0;
        std::uint32_t group = 0, elements = 0;
    };
    bool stops(Thread& thread) const {
        if (!stop.run) return false;
        thread.unwatched = true;
        const bool holds = stop.holds(thread);
        thread.unwatched = false;
        return holds;
    }
    void take(Machine& machine, Thread& thread, Shared& shared) const {
        Slot& own = thread.frame->declare(element);
        machine.allocate(own, source->element_variable, source->element_type, 1, true, false);
        std::memcpy(own.pointer.at, shared.queue->front().data(), shared.queue->front().size());
        shared.queue->pop_front();
        machine.announce();
    }
    Task worker(Machine& machine, const Thread& parent, Shared& shared, std::int64_t number) const {
        Frame frame(parent.frame->slots);
        Thread mine;
        mine.frame = &frame;
        mine.concurrent = true;
        mine.at = parent.at;
        if (pe) machine.integer(mine, *pe) = number;
        const auto knows = [&] { return !shared.queue->empty() || shared.busy == 0; };
        while (!stops(mine)) {
            while (!knows()) co_await machine.until(mine, knows);
            if (shared.queue->empty()) break;
            if (stops(mine)) break;
            mine.strand = machine.strands().add(parent.strand, shared.group, shared.elements++, nullptr);
            take(machine, mine, shared);
            ++shared.busy;
            co_await machine.body(mine, inner);
            --shared.busy;
            machine.announce();
            mine.flow = Flow::None;
            if (machine.interleaves(mine)) co_await machine.scheduler().yield();
        }
    }
    Task run(Machine& machine, Thread& thread, StatementId) const override {
        Shared shared;
        shared.queue = &machine.queue(thread, slot, index(thread));
        shared.group = machine.strands().new_group();
        Team* const team = std::exchange(thread.team, nullptr);
        if (source->parallel) {
            Join join;
            for (std::int64_t number = 0; number < std::max<std::int64_t>(pes(thread), 1); ++number)
                machine.scheduler().spawn(worker(machine, thread, shared, number), join);
            co_await Scheduler::wait(join);
            machine.joined(thread);
        } else {
            if (pe) machine.integer(thread, *pe) = 0;
            while (!stops(thread) && !shared.queue->empty()) {
                take(machine, thread, shared);
                co_await machine.body(thread, inner);
                thread.flow = Flow::None;
            }
        }
        thread.team = team;
    }
};

}  // namespace

std::unique_ptr<Compound> Planner::push(const loop::Push& n) {
    auto plan = std::make_unique<PushStep>();
    plan->slot = find(n.stream).slot;
    plan->index = index(n.index);
    plan->value = value(n.value);
    return plan;
}

std::unique_ptr<Compound> Planner::pop(const loop::Pop& n) {
    auto plan = std::make_unique<PopStep>();
    plan->slot = find(n.stream).slot;
    plan->index = index(n.index);
    plan->variable = find(n.variable).slot;
    return plan;
}

std::unique_ptr<Compound> Planner::consume(const loop::Consume& n) {
    auto plan = std::make_unique<ConsumeStep>();
    plan->source = &n;
    plan->slot = find(n.stream).slot;
    plan->index = index(n.index);
    plan->pes = whole(n.pes);
    if (n.stop) plan->stop = value(n.stop);
    const auto outer = names_;
    if (!n.pe_variable.empty()) plan->pe = define(n.pe_variable, Scalar::Int64, NameKind::Variable).slot;
    plan->element = define(n.element_variable, n.element_type, NameKind::Variable).slot;
    plan->inner = body(n.body);
    names_ = outer;
    return plan;
}

}  // namespace sluice::interpret::loops
