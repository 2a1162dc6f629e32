// Elements of a state that run interleaved: coroutines under a scheduler that picks the next one, in order or by seed.
//
// A Task runs when it is awaited and hands its exception to who awaits it. Spawned tasks belong to the scheduler, which destroys
// those that are suspended when a run fails.
#pragma once

#include <coroutine>
#include <cstdint>
#include <deque>
#include <exception>
#include <random>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sluice::interpret {

class [[nodiscard]] Task {
public:
    struct promise_type {
        std::coroutine_handle<> next = std::noop_coroutine();
        std::exception_ptr error;

        Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        struct Return {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) noexcept { return done.promise().next; }
            void await_resume() noexcept {}
        };
        Return final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { error = std::current_exception(); }
    };

    explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
    Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Task& operator=(Task&&) = delete;
    ~Task() {
        if (handle_) handle_.destroy();
    }

    /// Runs the task as a call: the stack grows with the nesting of tasks, not with their number (a transfer between coroutines is
    /// no tail call without optimisation). Who awaits is suspended only if the task is.
    bool await_ready() {
        handle_.resume();
        return handle_.done();
    }
    void await_suspend(std::coroutine_handle<> caller) { handle_.promise().next = caller; }
    void await_resume() const {
        if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
    }

    /// Runs a task that does not suspend.
    bool run_now() {
        handle_.resume();
        if (!handle_.done()) return false;
        await_resume();
        return true;
    }

private:
    std::coroutine_handle<promise_type> handle_;
};

/// Counts tasks that somebody waits for.
struct Join {
    std::size_t pending = 0;
    std::coroutine_handle<> waiter;  ///< Resumed when at most `until` are pending.
    std::size_t until = 0;
};

class Scheduler {
public:
    explicit Scheduler(std::uint64_t seed) : seed_(seed), random_(seed) {}
    ~Scheduler() { destroy_suspended(); }

    bool is_random() const { return seed_ != 0; }
    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

    void spawn(Task task, Join& join);
    void make_ready(std::coroutine_handle<> handle) { ready_.push_back(handle); }
    /// Resumes one ready task; false if there is none.
    bool step();
    /// Throws what a spawned task failed with.
    void rethrow();
    void destroy_suspended();

    /// Lets others run first, where the order is random.
    auto yield() {
        struct Awaitable {
            Scheduler& scheduler;
            bool await_ready() const { return !scheduler.is_random(); }
            void await_suspend(std::coroutine_handle<> handle) { scheduler.make_ready(handle); }
            void await_resume() const {}
        };
        return Awaitable{*this};
    }
    /// Waits until at most `until` tasks of the join are pending.
    static auto wait(Join& join, std::size_t until = 0) {
        struct Awaitable {
            Join& join;
            std::size_t until;
            bool await_ready() const { return join.pending <= until; }
            void await_suspend(std::coroutine_handle<> handle) {
                join.waiter = handle;
                join.until = until;
            }
            void await_resume() const {}
        };
        return Awaitable{join, until};
    }

private:
    struct Detached {
        struct promise_type {
            Scheduler* owner;
            promise_type(Scheduler& scheduler, Task&, Join&) : owner(&scheduler) {}
            Detached get_return_object() {
                const auto handle = std::coroutine_handle<promise_type>::from_promise(*this);
                owner->suspended_.insert(handle.address());
                owner->make_ready(handle);
                return {};
            }
            std::suspend_always initial_suspend() noexcept { return {}; }
            std::suspend_never final_suspend() noexcept { return {}; }
            void return_void() {}
            void unhandled_exception() { owner->error_ = std::current_exception(); }
            ~promise_type() { owner->suspended_.erase(std::coroutine_handle<promise_type>::from_promise(*this).address()); }
        };
    };
    static Detached run(Scheduler& scheduler, Task task, Join& join);

    std::uint64_t seed_;
    std::mt19937_64 random_;
    std::deque<std::coroutine_handle<>> ready_;
    std::unordered_set<void*> suspended_;
    std::exception_ptr error_;
};

}  // namespace sluice::interpret
