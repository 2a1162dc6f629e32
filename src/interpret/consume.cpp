// Rule `consume-entry` (A.2.2): a map over the processing elements, each of which invokes the scope again and again with an element
// popped from the stream, until the stream is quiescent (empty, and nobody can push) or the condition holds.
#include "interpret/machine.h"

namespace sluice::interpret {

Task Machine::worker(const Frame* outer, const ConsumePlan* consume, std::vector<Cell> element, std::int64_t pe, Strands::Id strand,
                     std::vector<std::int64_t>* idle) {
    Frame frame = *outer;
    frame.strand = strand;
    frame.symbols[consume->pe_slot].set(pe);
    for (std::size_t lane = 0; lane < element.size(); ++lane) frame.wires[consume->element + lane] = element[lane];
    Owned owned;
    enter(frame, *consume->body, owned);
    co_await scope_interleaved(frame, consume->body.get());
    idle->push_back(pe);
}

Task Machine::consume(Frame& outer, const ConsumePlan* consume, Strands::Id strand) {
    Frame frame = outer;
    frame.strand = strand;
    for (const auto& [slot, input] : consume->dynamic) {
        Cell value[8];
        read_input(frame, input, value);
        frame.symbols[slot] = value[0];
    }
    Instance* stream = nullptr;
    const std::size_t queue = queue_of(frame, consume->stream, stream);
    std::vector<std::int64_t> idle;
    for (std::int64_t pe = consume->num_pes.value(*this, frame); pe-- > 0;) idle.push_back(pe);
    const std::uint32_t group = strands_.new_group();
    const NodePlan* node = at_;
    Join join;
    std::uint32_t number = 0;
    struct Idle {
        Machine& machine;
        QueueArray* queues;
        std::size_t queue;
        bool* finish;
        bool await_ready() const { return false; }
        void await_suspend(std::coroutine_handle<> handle) { machine.idle_consumes_.push_back({handle, queues, queue, finish}); }
        void await_resume() const {}
    };
    const auto stops = [&] {
        if (!consume->condition) return false;
        consume->condition->run(*this, frame, nullptr);
        return consume->condition->registers[consume->condition_register].as<bool>();
    };
    for (;;) {
        if (idle.empty()) {
            co_await Scheduler::wait(join, join.pending - 1);
            continue;
        }
        at_ = node;
        if (stops()) break;
        std::vector<Cell> element(stream->plan->lanes);
        if (pop(frame, *stream->queues, queue, element.data(), *stream->plan)) {
            std::size_t which = idle.size() - 1;
            if (scheduler_.is_random()) which = scheduler_.below(idle.size());
            std::swap(idle[which], idle.back());
            const std::int64_t pe = idle.back();
            idle.pop_back();
            scheduler_.spawn(worker(&frame, consume, std::move(element), pe, strands_.add(strand, group, number++, nullptr), &idle),
                             join);
            continue;
        }
        if (join.pending > 0) {
            co_await Scheduler::wait(join, join.pending - 1);
            continue;
        }
        bool finish = false;
        Idle wait{*this, stream->queues.get(), queue, &finish};
        co_await wait;
        if (finish) break;
    }
    co_await Scheduler::wait(join);
}

}  // namespace sluice::interpret
