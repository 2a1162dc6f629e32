// Element processing (A.2.2): in each step one element whose inputs are visible is taken and processed, until none is left.
#include "interpret/machine.h"

namespace sluice::interpret {

void Machine::fired(const char* rule, const NodePlan& node) {
    if (options_.trace) options_.trace(std::string(rule) + " " + node.path + " " + node.label);
    if (options_.step_limit && report_.steps > options_.step_limit)
        fail_here("I008", "the run takes more than " + std::to_string(options_.step_limit) + " steps",
                  "raise the limit, or run a smaller case");
}

// What belongs to the scope alone is allocated, views are bound, and what access nodes with setzero name is zeroed.
void Machine::enter(Frame& frame, const ScopePlan& scope, Owned& owned) {
    if (!scope.privates.empty() && owned.empty())
        for (std::size_t at = 0; at < scope.privates.size() + scope.views.size(); ++at) {
            owned.push_back(std::make_unique<Instance>());
            const std::uint32_t container =
                at < scope.privates.size() ? scope.privates[at] : scope.views[at - scope.privates.size()].container;
            owned.back()->plan = &frame.plan->containers[container];
        }
    else if (owned.empty())
        for (const ScopePlan::View& view : scope.views) {
            owned.push_back(std::make_unique<Instance>());
            owned.back()->plan = &frame.plan->containers[view.container];
        }
    for (std::size_t at = 0; at < scope.privates.size(); ++at) {
        frame.instances[scope.privates[at]] = owned[at].get();
        if (frame.plan->containers[scope.privates[at]].container->binding == ir::Binding::Own) allocate(frame, *owned[at]);
    }
    for (std::size_t at = 0; at < scope.views.size(); ++at) {
        frame.instances[scope.views[at].container] = owned[scope.privates.size() + at].get();
        bind_view(frame, scope.views[at]);
    }
    for (const std::uint32_t container : scope.zeroed) set_to_zero(frame, container);
}

namespace {

const char* rule_of(const NodePlan& node) {
    static constexpr const char* kNames[] = {"data",   "tasklet", "mapentry",   "consume-entry",
                                             "invoke", "reduce",  "definition", "library call"};
    static_assert(std::size(kNames) == std::variant_size_v<decltype(node.kind)>);
    return kNames[node.kind.index()];
}

}  // namespace

// In canonical order, at once. Nothing below waits for a stream.
void Machine::scope(Frame& frame, const ScopePlan& scope) {
    const Strands::Id outer = frame.strand;
    const std::uint32_t group = scope.is_chain ? 0 : strands_.new_group();
    for (std::uint32_t number = 0; number < scope.nodes.size(); ++number) {
        const NodePlan& node = scope.nodes[number];
        fire(rule_of(node), node);
        if (!scope.is_chain) frame.strand = strands_.add(outer, group, number, &scope);
        if (const auto* one = std::get_if<TaskletPlan>(&node.kind))
            tasklet(frame, *one);
        else if (const auto* access = std::get_if<AccessPlan>(&node.kind))
            data(frame, *access);
        else if (const auto* inner = std::get_if<MapPlan>(&node.kind))
            map(frame, *inner, frame.strand);
        else if (const auto* reduction = std::get_if<ReducePlan>(&node.kind))
            reduce(frame, *reduction);
        else if (const auto* defined = std::get_if<DefinitionPlan>(&node.kind))
            definition(frame, *defined);
        else if (const auto* call = std::get_if<CallPlan>(&node.kind))
            library_call(frame, *call);
        else if (const auto* callee = std::get_if<InvokePlan>(&node.kind))
            check(invoke(frame, callee, frame.strand).run_now(), "a nested SDFG waits where nothing can");
        else
            check(false, "a consume scope runs where nothing can wait");
    }
    frame.strand = outer;
}

Task Machine::node_interleaved(Frame& frame, const ScopePlan* scope, std::uint32_t number, std::uint32_t group) {
    const NodePlan& node = scope->nodes[number];
    const Strands::Id strand = strands_.add(frame.strand, group, number, scope);
    co_await scheduler_.yield();
    at_ = &node;
    if (const auto* one = std::get_if<TaskletPlan>(&node.kind)) {
        for (const InputPlan& input : one->inputs)
            if (input.kind == InputPlan::Kind::Pop) co_await until_pushed(frame, &input.section);
        for (const OutputPlan& output : one->outputs)
            if (frame.plan->containers[output.section.container].kind == ContainerPlan::Kind::Stream &&
                output.kind != OutputPlan::Kind::Wire)
                co_await until_room(frame, &output.section);
    }
    if (const auto* access = std::get_if<AccessPlan>(&node.kind))
        for (const CopyPlan& one : access->copies)
            if (one.from_stream && !one.to_stream && !one.dynamic && one.destination.single)
                co_await until_pushed(frame, &one.source);
    fire(rule_of(node), node);
    const Strands::Id outer = frame.strand;
    if (const auto* inner = std::get_if<MapPlan>(&node.kind)) {
        if (interleaves(*inner->body))
            co_await map_interleaved(frame, inner, strand);
        else
            map(frame, *inner, strand);
        co_return;
    }
    if (const auto* inner = std::get_if<ConsumePlan>(&node.kind)) {
        co_await consume(frame, inner, strand);
        co_return;
    }
    if (const auto* callee = std::get_if<InvokePlan>(&node.kind)) {
        co_await invoke(frame, callee, strand);
        co_return;
    }
    frame.strand = strand;
    if (const auto* defined = std::get_if<DefinitionPlan>(&node.kind); defined && node.blocks) {
        co_await definition_streamed(frame, defined);
        co_return;
    }
    if (const auto* one = std::get_if<TaskletPlan>(&node.kind)) tasklet(frame, *one);
    if (const auto* access = std::get_if<AccessPlan>(&node.kind)) data(frame, *access);
    if (const auto* reduction = std::get_if<ReducePlan>(&node.kind)) reduce(frame, *reduction);
    if (const auto* defined = std::get_if<DefinitionPlan>(&node.kind)) definition(frame, *defined);
    if (const auto* call = std::get_if<CallPlan>(&node.kind)) library_call(frame, *call);
    frame.strand = outer;
}

Task Machine::scope_interleaved(Frame& frame, const ScopePlan* scope) {
    if (!interleaves(*scope)) {
        this->scope(frame, *scope);
        co_return;
    }
    struct Running {
        std::vector<std::uint32_t> waiting_for;
        std::uint32_t group;
        Join join;
    } running;
    running.group = strands_.new_group();
    for (const NodePlan& node : scope->nodes) running.waiting_for.push_back(node.predecessors);
    struct Successors {
        static Task after(Machine& machine, Frame& frame, const ScopePlan* scope, std::uint32_t number, Running& running) {
            co_await machine.node_interleaved(frame, scope, number, running.group);
            for (const std::uint32_t next : scope->nodes[number].successors)
                if (--running.waiting_for[next] == 0)
                    machine.scheduler_.spawn(after(machine, frame, scope, next, running), running.join);
        }
    };
    for (std::uint32_t number = 0; number < scope->nodes.size(); ++number)
        if (scope->nodes[number].predecessors == 0)
            scheduler_.spawn(Successors::after(*this, frame, scope, number, running), running.join);
    co_await Scheduler::wait(running.join);
}

void Machine::run(Task root) {
    Join join;
    scheduler_.spawn(std::move(root), join);
    while (join.pending > 0) {
        if (!scheduler_.step()) stalled();
        scheduler_.rethrow();
    }
}

}  // namespace sluice::interpret
