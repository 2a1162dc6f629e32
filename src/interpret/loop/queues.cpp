// Launches and copies on queues of their own: each is a task that runs beside the host from where it begins to where the host waits
// for its event, behind those before it on its queue. It takes variables of the host as they are where it begins.
#include <algorithm>
#include <cstring>

#include "interpret/loop/planner.h"

namespace sluice::interpret::loops {

// ---- the machine ----
namespace {

/// Waits for its turn, and does the work.
Task fly(Machine& machine, Flight& flight, Flight* before) {
    if (before) {
        const auto turn = [&] { return before->done; };
        while (!turn()) co_await machine.until(flight.thread, turn);
    }
    co_await flight.work->run(machine, flight.thread, flight.at);
    flight.done = true;
    machine.announce();
}

}  // namespace

Flight& Machine::begin_flight(Thread& thread, const loop::Queued& queued, std::unique_ptr<Frame> frame, const Compound& work) {
    Flight* before = nullptr;
    for (const auto& other : flights_) {
        if (other->thread.rank != thread.rank) continue;
        if (other->queued->event == queued.event)
            fail_at(thread.at, "I004", "two statements under way have the event `" + queued.event + "`",
                    "give each an event of its own");
        if (other->queued->queue == queued.queue) before = other.get();
    }
    Strands::Id& base = before_flights_[thread.rank];
    if (flights(thread) == 0) base = thread.strand;
    Flight& flight = *flights_.emplace_back(std::make_unique<Flight>());
    flight.queued = &queued;
    flight.at = thread.at;
    flight.work = &work;
    flight.frame = std::move(frame);
    flight.thread.frame = flight.frame.get();
    flight.thread.rank = thread.rank;
    flight.thread.at = thread.at;
    flight.thread.concurrent = true;
    flight.thread.strand = strands_.begin_concurrent(base, thread.rank * loop::kQueues + queued.queue);
    thread.strand = strands_.add(base, strands_.new_group(), 0, nullptr);
    scheduler_.spawn(fly(*this, flight, before), flight.join);
    return flight;
}

std::size_t Machine::flights(const Thread& thread) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(flights_, [&](const auto& one) { return one->thread.rank == thread.rank; }));
}

// What stands before it on its queue has ended with it.
Task Machine::await(Thread& thread, const std::string& event) {
    const auto mine = [&](const Flight& one) { return one.thread.rank == thread.rank; };
    const auto found = std::ranges::find_if(flights_, [&](const auto& one) { return mine(*one) && one->queued->event == event; });
    if (found == flights_.end()) co_return;
    const Flight& flight = **found;
    const auto ended = [&] { return flight.done; };
    while (!ended()) co_await until(thread, ended);
    const std::int64_t queue = flight.queued->queue;
    const std::size_t last = static_cast<std::size_t>(
        std::ranges::find_if(flights_, [&](const auto& one) { return one.get() == &flight; }) - flights_.begin());
    for (std::size_t at = last + 1; at-- > 0;) {
        if (!mine(*flights_[at]) || flights_[at]->queued->queue != queue) continue;
        strands_.end_concurrent(flights_[at]->thread.strand);
        over_.push_back(std::move(flights_[at]));
        flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    const Strands::Id base = before_flights_.at(thread.rank);
    thread.strand = flights(thread) > 0 ? strands_.add(base, strands_.new_group(), 0, nullptr) : base;
    if (!flights_.empty()) co_return;
    over_.clear();
    further_.clear();
    given_back_.clear();
    joined(thread);
}

Task Machine::await_rest(Thread& thread, std::size_t known) {
    while (flights(thread) > known) {
        const auto last =
            std::find_if(flights_.rbegin(), flights_.rend(), [&](const auto& one) { return one->thread.rank == thread.rank; });
        const Flight& flight = **last;
        const std::string event = flight.queued->event;
        finding(diagnostic(flight.at, "I004", "nobody waits for " + flight.what() + " with the event `" + event + "`",
                           "wait for it before what it touches is used or given back"));
        co_await await(thread, event);
    }
}

std::string Flight::what() const {
    return launch ? "the launch of `" + launch->kernel + "`" : "the copy";
}

// ---- the statements ----
namespace {

struct QueuedStep final : Compound {
    const loop::Queued* queued = nullptr;
    const loop::Launch* launch = nullptr;
    std::unique_ptr<Compound> work;
    struct Taken {
        std::uint32_t slot;
        loop::DType type;
        bool variable;
    };
    std::vector<Taken> names;

    Task run(Machine& machine, Thread& thread, StatementId) const override {
        auto frame = std::make_unique<Frame>(thread.frame->slots);
        for (const Taken& one : names) {
            const Slot* const outer = thread.frame->slots[one.slot];
            if (!outer) continue;
            Slot& own = frame->declare(one.slot);
            own.pointer = outer->pointer;
            if (!one.variable || !outer->pointer.at) continue;
            const Allocation& copy = machine.allocate(own, {}, one.type, 1, true, false);
            std::memcpy(copy.data, outer->pointer.at, copy.bytes);
        }
        machine.begin_flight(thread, *queued, std::move(frame), *work).launch = launch;
        co_return;
    }
};

/// A copy when its turn has come.
struct CopyStep final : Compound {
    Code to, from;
    Whole count;
    std::size_t size = 1;
    Task run(Machine& machine, Thread& thread, StatementId) const override {
        const std::int64_t elements = count(thread);
        const Pointer target = to.one(thread).as<Pointer>(), source = from.one(thread).as<Pointer>();
        machine.copy(thread, target, source, static_cast<std::size_t>(std::max<std::int64_t>(elements, 0)) * size);
        co_return;
    }
};

struct AwaitStep final : Compound {
    const std::string* event = nullptr;
    Task run(Machine& machine, Thread& thread, StatementId) const override { co_await machine.await(thread, *event); }
};

}  // namespace

std::unique_ptr<Compound> Planner::on_queue(const loop::Queued& queued, const loop::Launch* launch,
                                            std::unique_ptr<Compound> work) {
    auto plan = std::make_unique<QueuedStep>();
    plan->queued = &queued;
    plan->launch = launch;
    plan->work = std::move(work);
    for (const auto& [name, binding] : names_)
        if (binding.kind != NameKind::Stream)
            plan->names.push_back({binding.slot, binding.type, binding.kind == NameKind::Variable});
    return plan;
}

std::unique_ptr<Compound> Planner::copy_on_queue(const loop::CopyContiguous& n) {
    auto work = std::make_unique<CopyStep>();
    work->to = value(n.destination), work->from = value(n.source), work->count = whole(n.count);
    work->size = code::size_in_bytes(n.type);
    return on_queue(n.queued, nullptr, std::move(work));
}

std::unique_ptr<Compound> Planner::await(const loop::Await& n) {
    auto plan = std::make_unique<AwaitStep>();
    plan->event = &n.event;
    return plan;
}

}  // namespace sluice::interpret::loops
