// The machine: threads with frames of slots, their turns, and what is checked of every access.
#pragma once

#include <array>
#include <coroutine>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interpret/loop/interpret.h"
#include "interpret/loop/memory.h"
#include "interpret/numbers.h"
#include "interpret/task.h"

namespace sluice::interpret::loops {

/// What a name stands for while it is in scope.
struct Slot {
    Pointer pointer;  ///< Of a variable as of a buffer: its first element.
    Queues* queues = nullptr;
    std::unique_ptr<Allocation> own;
    std::unique_ptr<Queues> own_queues;
};

/// The names of one call. A thread that is forked sees its parent's slots and has its own for what it declares.
struct Frame {
    explicit Frame(std::size_t names) : slots(names), own(names) {}
    explicit Frame(const std::vector<Slot*>& outer) : slots(outer), own(outer.size()) {}
    Slot& declare(std::uint32_t slot) {
        if (!own[slot]) own[slot] = std::make_unique<Slot>();
        slots[slot] = own[slot].get();
        return *own[slot];
    }
    std::vector<Slot*> slots;
    std::vector<std::unique_ptr<Slot>> own;
};

enum class Flow : std::uint8_t { None, Break, Continue, Return, Goto };

/// Iterations 0 to `total` among threads.
struct Split {
    std::int64_t total = 0, threads = 1, chunk = 0;
    bool dynamic = false;
    std::int64_t taken = 0;  ///< Dynamic: by all.
    /// The iterations that a thread runs next, as begin and end, given how often it has asked; empty: none are left.
    std::pair<std::int64_t, std::int64_t> next(std::int64_t thread, std::int64_t round);
};

struct Team {
    std::int64_t count = 1, arrived = 0, generation = 0;
    Strands::Id parent = 0;
    std::uint32_t group = 0;
    std::vector<std::unique_ptr<Split>> loops;  ///< That the threads have come to, in order.
};

/// Memory of a block of a launch, by slot.
using Shared = std::map<std::uint32_t, std::unique_ptr<Slot>>;
/// Where in a launch a thread stands.
struct Position {
    std::array<std::int64_t, 3> block, thread, blocks, threads;  ///< Along x, y, z; of the last two the numbers of them.
    Shared* shared;
};

class World;
struct Thread {
    Frame* frame = nullptr;
    std::int64_t rank = 0;
    Strands::Id strand = 0;
    Team* team = nullptr;
    const Position* position = nullptr;  ///< In a launch.
    Strands::Id phase = 0;               ///< Of a team's thread: its strand between two barriers, above those of iterations.
    std::uint32_t serial = 0;            ///< Of a team's thread: unique.
    std::int64_t number = 0;
    std::size_t loops_met = 0;
    bool concurrent = false;  ///< Others may run between its statements.
    bool unwatched = false;   ///< Looks at memory without an access that counts.
    Flow flow = Flow::None;
    const std::string* label = nullptr;
    const std::string* element = nullptr;  ///< The processing element that it runs.
    StatementId at = 0;
};

struct Compound;
/// A statement, resolved: either carried out at once, or one that others may run beside.
struct Step {
    StatementId id = 0;
    std::function<void(Thread&)> leaf;
    std::unique_ptr<Compound> compound;
};
struct Steps {
    std::vector<Step> steps;
    std::vector<std::pair<std::string, std::size_t>> labels;
    bool only_leaves = true;
};
class Machine;
struct Compound {
    virtual ~Compound() = default;
    virtual Task run(Machine& machine, Thread& thread, StatementId id) const = 0;
};

/// A launch or copy on a queue of its own that nobody has waited for.
struct Flight {
    const loop::Queued* queued = nullptr;
    const loop::Launch* launch = nullptr;  ///< Null: a copy.
    StatementId at = 0;
    const Compound* work = nullptr;
    std::unique_ptr<Frame> frame;  ///< What its names stood for where it began.
    Thread thread;
    Join join;
    bool done = false;
    std::string what() const;
};

struct FunctionPlan {
    const loop::Function* source = nullptr;
    std::size_t slots = 0;
    std::vector<std::pair<std::uint32_t, std::size_t>> globals;  ///< Slot, number of the constant or persistent buffer.
    std::vector<std::uint32_t> parameters;                       ///< Slots.
    Steps body;
};

enum class How : std::uint8_t { Plain, Atomic };

class Machine {
public:
    Machine(const loop::Module& module, const Options& options, Report& report);
    Machine(const Machine&) = delete;
    ~Machine() { end(); }

    // ---- running (run.cpp) ----
    void run(Task root);
    Task body(Thread& thread, const Steps& steps);
    void count(Thread& thread, StatementId id) {
        thread.at = id;
        ++report_.steps;
        if (options_.step_limit && report_.steps > options_.step_limit) [[unlikely]]
            over_limit(id);
    }
    void leaves(Thread& thread, const Steps& steps);
    bool only_leaves(const Thread& thread, const Steps& steps) const { return steps.only_leaves && !interleaves(thread); }
    bool interleaves(const Thread& thread) const { return (thread.concurrent || !flights_.empty()) && scheduler_.is_random(); }
    /// Suspends the thread until the condition, which must outlive the wait, holds.
    template <class Condition> auto until(const Thread& thread, Condition& condition) {
        struct Awaitable {
            Machine& machine;
            StatementId at;
            std::int64_t rank;
            const std::string* element;
            Condition& condition;
            bool await_ready() const { return condition(); }
            void await_suspend(std::coroutine_handle<> handle) {
                machine.waits_.push_back({handle, [this] { return condition(); }, at, rank, element});
            }
            void await_resume() const {}
        };
        return Awaitable{*this, thread.at, thread.rank, thread.element, condition};
    }
    /// Something that others may wait for has happened.
    void announce() { changed_ = true; }
    Scheduler& scheduler() { return scheduler_; }
    Strands& strands() { return strands_; }
    /// After the threads of a region have joined.
    void joined(Thread& thread);
    std::int64_t threads(std::int64_t asked) const { return asked > 0 ? asked : options_.threads; }
    Task barrier(Thread& thread);

    // ---- memory (access.cpp) ----
    Allocation& allocate(Slot& slot, const std::string& name, const loop::DType& type, std::int64_t elements, bool zero,
                         bool watched = true);
    /// What a team's thread declares for itself is shared by its iterations of loops, one after the other.
    static void keep_for(const Thread& thread, Allocation& memory) { memory.owner = thread.team ? thread.serial : 0; }
    std::uint32_t new_serial() { return ++serials_; }
    void adopt(Slot& slot, const std::string& name, const loop::DType& type, const Region& region);
    std::int64_t& integer(Thread& thread, std::uint32_t slot);
    /// An element of a buffer, whose access covers `bytes`.
    Pointer element(const Thread& thread, const Slot* slot, const std::string& name, std::int64_t index, std::size_t step,
                    std::size_t bytes);
    void check_bounds(const Thread& thread, const Pointer& at, std::size_t bytes, const std::string& name);
    void read(const Thread& thread, const Pointer& from, const loop::DType& type, Cell* into, How how = How::Plain,
              bool checks_written = true);
    void write(const Thread& thread, const Pointer& to, const loop::DType& type, const Cell* value, How how = How::Plain);
    void note_read(const Thread& thread, const Pointer& at, std::size_t bytes, How how, bool checks_written);
    void note_write(const Thread& thread, const Pointer& at, std::size_t bytes, How how, bool makes_written = true);
    void copy(const Thread& thread, const Pointer& to, const Pointer& from, std::size_t bytes);
    using Queue = std::deque<std::vector<std::byte>>;
    Queue& queue(const Thread& thread, std::uint32_t slot, std::int64_t index);

    // ---- queues of a device (queues.cpp) ----
    /// The work outlives the flight.
    Flight& begin_flight(Thread& thread, const loop::Queued& queued, std::unique_ptr<Frame> frame, const Compound& work);
    Task await(Thread& thread, const std::string& event);
    /// At the end of a function: for all that began in it, of which `known` were under way before.
    Task await_rest(Thread& thread, std::size_t known);
    /// How many of the thread's rank are under way.
    std::size_t flights(const Thread& thread) const;

    // ---- messages ----
    StatementId add_statement(const loop::Statement& statement, const loop::Function& function);
    [[noreturn]] void fail_at(StatementId id, const char* code, const std::string& message, const std::string& remedy) const;
    Diagnostic diagnostic(StatementId id, const char* code, const std::string& message, const std::string& remedy) const;
    std::string text_of(StatementId id) const;

    const Options& options() const { return options_; }
    const loop::Module& module() const { return module_; }
    std::vector<std::unique_ptr<FunctionPlan>> functions;
    std::vector<std::unique_ptr<Slot>> globals;  ///< Constants; persistent buffers are a rank's own.
    World* world = nullptr;                      ///< What ranks have under way.
    void finding(Diagnostic found) { report_.findings.push_back(std::move(found)); }
    void end();

private:
    struct Wait {
        std::coroutine_handle<> handle;
        std::function<bool()> ready;
        StatementId at;
        std::int64_t rank;
        const std::string* element;
    };
    struct Place {
        const loop::Statement* statement;
        const loop::Function* function;
    };
    bool wake();
    [[noreturn]] void deadlock();
    Diagnostic deadlock_of_elements() const;
    [[noreturn]] void over_limit(StatementId id) const;
    void race(const Thread& thread, const Access& other, const Allocation& memory, std::size_t unit, bool other_writes,
              bool writes);
    void remember(const Access& access, std::array<Access, 2>& of_kind, const Allocation& memory, std::size_t unit, bool writes);
    void meet_further(const Thread& thread, Strands::Id strand, const Allocation& memory, std::size_t unit, How how, bool writes);
    bool race_of_flight(const Thread& thread, const Access& other, const Allocation& memory, bool other_writes, bool writes);
    void unwritten(const Thread& thread, const Allocation& memory, std::size_t unit);

    const loop::Module& module_;
    const Options& options_;
    Report& report_;
    AddressMap addresses_;
    Scheduler scheduler_;
    Strands strands_;
    std::vector<Wait> waits_;
    std::vector<std::unique_ptr<Flight>> flights_, over_;
    std::vector<std::unique_ptr<Allocation>> given_back_;  ///< While something was under way that may use it.
    /// By memory and element: accesses that a history has no place for while several queues run beside each other, and whether each
    /// writes.
    std::map<std::pair<const Allocation*, std::size_t>, std::vector<std::pair<Access, bool>>> further_;
    std::map<std::int64_t, Strands::Id> before_flights_;  ///< By rank: the host's strand when the first began.
    bool changed_ = false;
    std::uint32_t serials_ = 0;
    std::vector<Place> places_;
    std::set<std::pair<StatementId, StatementId>> reported_;
};

}  // namespace sluice::interpret::loops
