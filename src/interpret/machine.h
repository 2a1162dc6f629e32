// The configuration of a run (rho of appendix A.2) and the rules that change it, one function each.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "interpret/interpret.h"
#include "interpret/memory.h"
#include "interpret/plan.h"
#include "interpret/task.h"

namespace sluice::interpret {

/// The state of one invocation, or of one point of a map that runs interleaved with others: sym, loc and vis of the papers.
struct Frame {
    const SdfgPlan* plan = nullptr;
    std::vector<Cell> symbols;         ///< sym
    std::vector<Instance*> instances;  ///< loc, by container
    std::vector<Cell> wires;           ///< vis of connectors that no container lies behind
    Strands::Id strand = 0;
};

/// A connector whose elements the code picks itself.
struct Port {
    Instance* instance = nullptr;
    std::int64_t first = 0;  ///< Flat index of its first element.
    struct Dimension {
        std::int64_t count, stride;
    };
    std::vector<Dimension> dimensions;
    const OutputPlan* output = nullptr;
    std::size_t queue = 0;
};

using Owned = std::vector<std::unique_ptr<Instance>>;

class Machine {
public:
    Machine(const Options& options, Report& report) : options_(options), report_(report), scheduler_(options.seed) {}

    /// Rule `call` (A.2.1).
    void call(const SdfgPlan& plan, const Arguments& arguments);

    // ---- memory (memory.cpp) ----
    Instance& instance(Frame& frame, std::uint32_t container) {
        Instance* found = frame.instances[container];
        if (found && found->laid_out) [[likely]]
            return *found;
        return bind_late(frame, container);
    }
    void lay_out(Frame& frame, Instance& instance);
    /// Bytes of the elements of a container. Fails with I009 where memory does not hold them.
    std::size_t require_memory(const ContainerPlan& plan, std::int64_t elements, std::size_t element);
    void allocate(Frame& frame, Instance& instance);
    void renew(Instance& instance);
    std::int64_t flat(const Instance& instance, const std::int64_t* indices, bool checked);
    std::byte* address(const Instance& instance, std::int64_t flat_index);

    // ---- detectors (watch.cpp) ----
    void note_read(Frame& frame, const Instance& instance, const std::byte* at, std::size_t size, bool only_order = false);
    void note_write(Frame& frame, const Instance& instance, const std::byte* at, std::size_t size, bool resolved = false);
    bool is_written(const Instance& instance, const std::byte* at, std::size_t size) const;
    void set_unwritten(const Instance& instance, const std::byte* at, std::size_t size);
    void found(const char* code, const Instance& instance, const std::string& message, const std::string& remedy);

    // ---- rules ----
    /// Rule `memlet`: the element, or the elements, that a subset selects (memlet.cpp).
    std::byte* memlet(Frame& frame, const SectionPlan& section, Instance*& found);
    std::vector<std::int64_t> memlet_elements(Frame& frame, const SectionPlan& section, Instance& of);
    /// Number of indices in each dimension of a section.
    std::vector<std::int64_t> extents(Frame& frame, const SectionPlan& section, const Instance& of);
    /// The elements that are the lanes of a vector: as many as `count`.
    std::vector<std::int64_t> lanes(Frame& frame, const SectionPlan& section, Instance& of, std::uint32_t count);
    void write(Frame& frame, Instance& instance, std::byte* at, const Cell* value, Scalar type, ResolutionPlan* resolution);
    /// Rule `data` (data.cpp).
    void data(Frame& frame, const AccessPlan& access);
    void set_to_zero(Frame& frame, std::uint32_t container);
    void copy(Frame& frame, const CopyPlan& copy);
    void open_port(Frame& frame, const SectionPlan& section, Port& port);
    /// Rule `tasklet` (tasklet.cpp).
    void tasklet(Frame& frame, const TaskletPlan& tasklet);
    void read_input(Frame& frame, const InputPlan& input, Cell* registers);
    /// Rule `stream` (stream.cpp): push only, pop only; both happen when a node has edges on both sides.
    void push(Frame& frame, QueueArray& queues, std::size_t queue, const Cell* value, const ContainerPlan& plan);
    bool pop(Frame& frame, QueueArray& queues, std::size_t queue, Cell* value, const ContainerPlan& plan);
    std::size_t queue_of(Frame& frame, const SectionPlan& section, Instance*& found);
    Task until_pushed(Frame& frame, const SectionPlan* section);
    Task until_room(Frame& frame, const SectionPlan* section);
    void copy_stream(Frame& frame, const CopyPlan& copy);
    /// Rule `reduce` (reduce.cpp), and what library nodes mean (library.cpp).
    void reduce(Frame& frame, const ReducePlan& reduce);
    void definition(Frame& frame, const DefinitionPlan& definition);
    ir::Operand read_operand(Frame& frame, const DefinitionPlan::Port& port, bool values);
    void write_operand(Frame& frame, const DefinitionPlan::Port& port, const std::vector<ir::Number>& values);
    Task definition_streamed(Frame& frame, const DefinitionPlan* definition);
    void library_call(Frame& frame, const CallPlan& call);
    /// Rule `mapentry` (map.cpp): in order, or with its points interleaved.
    void map(Frame& frame, const MapPlan& map, Strands::Id strand);
    Task map_interleaved(Frame& frame, const MapPlan* map, Strands::Id strand);
    /// Rule `consume-entry` (consume.cpp).
    Task consume(Frame& frame, const ConsumePlan* consume, Strands::Id strand);
    /// Rule `invoke` (invoke.cpp).
    Task invoke(Frame& frame, const InvokePlan* invoke, Strands::Id strand);
    /// Element processing within a state or scope (state.cpp).
    void enter(Frame& frame, const ScopePlan& scope, Owned& owned);
    void scope(Frame& frame, const ScopePlan& scope);
    Task scope_interleaved(Frame& frame, const ScopePlan* scope);
    Task node_interleaved(Frame& frame, const ScopePlan* scope, std::uint32_t node, std::uint32_t group);
    /// Rule `state transition` and structured control flow (transition.cpp).
    Task region(Frame& frame, const RegionPlan* region, Jump* jump);
    Task block(Frame& frame, const BlockPlan* block, Jump* jump);
    Task loop(Frame& frame, const LoopPlan* loop, Jump* jump);
    bool holds(Frame& frame, const CodePlan& condition);
    void assign(Frame& frame, const std::vector<AssignmentPlan>& assignments);

    Cell evaluate(Frame& frame, const CodePlan& code);
    Cell combine(Frame& frame, ResolutionPlan& resolution, const Cell& old_value, const Cell& new_value);
    void set_symbol(Frame& frame, std::uint32_t slot, const Cell& value, Scalar type);

    void fire(const char* rule, const NodePlan& node) {
        at_ = &node;
        ++report_.steps;
        if (options_.trace || options_.step_limit) [[unlikely]]
            fired(rule, node);
    }
    [[noreturn]] void fail_here(const char* code, std::string message, std::string remedy);
    bool interleaves(const ScopePlan& scope) const { return scope.blocks || scheduler_.is_random(); }
    Scheduler& scheduler() { return scheduler_; }
    std::vector<Port>& ports() { return ports_; }

private:
    Instance& bind_late(Frame& frame, std::uint32_t container);
    Frame new_frame(const SdfgPlan& plan, Owned& owned);
    void bind_argument(Frame& frame, std::uint32_t container, const Arguments& arguments);
    void bind_structure(Frame& frame, const std::string& root, const Arguments& arguments);
    void watch(Instance& instance, bool transient);
    void fired(const char* rule, const NodePlan& node);
    void run(Task root);
    void stalled();
    void bind_view(Frame& frame, const ScopePlan::View& view);
    void each_point(Frame& frame, const MapPlan& map, std::size_t dimension, std::uint32_t group, Strands::Id strand,
                    std::uint32_t& number, Owned& owned);
    void gather_points(Frame& frame, const MapPlan& map, std::size_t dimension, std::vector<std::int64_t>& values,
                       std::vector<std::vector<std::int64_t>>& points);
    Task point(const Frame* outer, const MapPlan* map, std::vector<std::int64_t> values, Strands::Id strand);
    Task worker(const Frame* outer, const ConsumePlan* consume, std::vector<Cell> element, std::int64_t pe, Strands::Id strand,
                std::vector<std::int64_t>* idle);
    void connect(Frame& outer, Frame& inner, const InvokePlan::Connection& connection, Owned& owned);
    void take_value(Frame& inner, const Instance& from, Instance& target);

    friend struct Waiting;
    struct StreamWait {
        std::coroutine_handle<> handle;
        QueueArray* queues;
        std::size_t queue;
        bool for_room;
        const NodePlan* node;
        std::string stream;
    };
    struct IdleConsume {
        std::coroutine_handle<> handle;
        QueueArray* queues;
        std::size_t queue;
        bool* finish;
    };
    void wake(QueueArray& queues, std::size_t queue, bool pushed);

    const Options& options_;
    Report& report_;
    Scheduler scheduler_;
    Strands strands_;
    const Frame* outermost_ = nullptr;  ///< Of the SDFG that was called.
    std::vector<Port> ports_;
    std::vector<StreamWait> stream_waits_;
    std::vector<IdleConsume> idle_consumes_;
    std::vector<Join*> windows_;
    std::set<std::string> reported_;
    const NodePlan* at_ = nullptr;
};

}  // namespace sluice::interpret
