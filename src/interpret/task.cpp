#include "interpret/task.h"

namespace sluice::interpret {

Scheduler::Detached Scheduler::run(Scheduler& scheduler, Task task, Join& join) {
    co_await task;
    --join.pending;
    if (join.waiter && join.pending <= join.until) scheduler.make_ready(std::exchange(join.waiter, nullptr));
}

void Scheduler::spawn(Task task, Join& join) {
    ++join.pending;
    run(*this, std::move(task), join);
}

bool Scheduler::step() {
    if (ready_.empty()) return false;
    if (is_random()) std::swap(ready_.front(), ready_[below(ready_.size())]);
    const std::coroutine_handle<> next = ready_.front();
    ready_.pop_front();
    next.resume();
    return true;
}

void Scheduler::rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Scheduler::destroy_suspended() {
    ready_.clear();
    // Inner tasks die with those that await them; only spawned ones are ours.
    while (!suspended_.empty()) std::coroutine_handle<>::from_address(*suspended_.begin()).destroy();
}

}  // namespace sluice::interpret
