// Statements that hold others, and those at which threads begin, wait and end. Two accesses are unordered if they lie in different
// iterations of one parallel loop, whichever threads run them; in different threads of a team between the same two barriers; in
// different sections; or in different elements of a consume scope.
#include <algorithm>
#include <limits>

#include "interpret/instructions.h"
#include "interpret/loop/planner.h"
#include "loop/walk.h"

namespace sluice::interpret::loops {

using code::ReductionType;
using loop::DType;

std::pair<std::int64_t, std::int64_t> Split::next(std::int64_t thread, std::int64_t round) {
    if (dynamic) {
        const std::int64_t begin = std::min(taken, total), end = std::min(total, begin + std::max<std::int64_t>(chunk, 1));
        taken = end;
        return {begin, end};
    }
    if (chunk > 0) {
        const std::int64_t begin = std::min((round * threads + thread) * chunk, total);
        return {begin, std::min(begin + chunk, total)};
    }
    if (round > 0) return {total, total};
    const std::int64_t share = total / threads, rest = total % threads;
    const std::int64_t begin = thread * share + std::min(thread, rest);
    return {begin, begin + share + (thread < rest ? 1 : 0)};
}

namespace {

Task run_steps(Machine& machine, Thread& thread, const Steps& steps) {
    return machine.body(thread, steps);
}

struct BlockStep final : Compound {
    Steps inner;
    Task run(Machine& machine, Thread& thread, StatementId) const override { return run_steps(machine, thread, inner); }
};

struct IfStep final : Compound {
    Code condition;
    Steps yes, no;
    Task run(Machine& machine, Thread& thread, StatementId) const override {
        return run_steps(machine, thread, condition.holds(thread) ? yes : no);
    }
};

/// Whether a loop goes on behind its body.
bool goes_on(Thread& thread) {
    if (thread.flow == Flow::Continue) thread.flow = Flow::None;
    if (thread.flow == Flow::None) return true;
    if (thread.flow == Flow::Break) thread.flow = Flow::None;
    return false;
}

struct WhileStep final : Compound {
    Code condition;
    bool test_at_end = false;
    Steps inner;
    Task run(Machine& machine, Thread& thread, StatementId id) const override {
        for (bool first = true;; first = false) {
            machine.count(thread, id);
            if (!(first && test_at_end) && !condition.holds(thread)) co_return;
            co_await machine.body(thread, inner);
            if (!goes_on(thread)) co_return;
        }
    }
};

struct Axis {
    std::uint32_t slot = 0;
    Whole begin, end, step;
};
struct ReductionPlan {
    std::uint32_t slot = 0;
    std::string name;
    DType type;
    Whole elements;
    Cell neutral;
    Combine combine;
};

/// The copies that a thread reduces into.
class PrivateCopies {
public:
    PrivateCopies(Machine& machine, Thread& thread, const std::vector<ReductionPlan>& plans)
        : machine_(machine), thread_(thread), plans_(plans) {
        for (const ReductionPlan& plan : plans) {
            Slot*& visible = thread.frame->slots[plan.slot];
            const std::int64_t elements = plan.elements(thread);
            auto copy = std::make_unique<Slot>();
            // Its iterations of the loop meet in it one after the other.
            machine.allocate(*copy, plan.name, plan.type, elements, true).watches_races = false;
            const std::vector<Cell> neutral(plan.type.lanes, plan.neutral);
            const std::size_t size = code::size_in_bytes(plan.type);
            for (std::int64_t at = 0; at < elements; ++at)
                machine.write(thread, machine.element(thread, copy.get(), plan.name, at, size, size), plan.type, neutral.data());
            originals_.push_back(visible);
            visible = copy.get();
            copies_.push_back(std::move(copy));
        }
    }
    PrivateCopies(const PrivateCopies&) = delete;
    void combine() {
        for (std::size_t k = 0; k < plans_.size(); ++k) {
            const ReductionPlan& plan = plans_[k];
            const std::size_t size = code::size_in_bytes(plan.type);
            std::vector<Cell> a(plan.type.lanes), b(plan.type.lanes), sum(plan.type.lanes);
            const auto elements = static_cast<std::int64_t>(copies_[k]->own->bytes / size);
            thread_.frame->slots[plan.slot] = originals_[k];
            for (std::int64_t at = 0; at < elements; ++at) {
                const Pointer to = machine_.element(thread_, originals_[k], plan.name, at, size, size);
                machine_.read(thread_, to, plan.type, a.data(), How::Atomic);
                machine_.read(thread_, machine_.element(thread_, copies_[k].get(), plan.name, at, size, size), plan.type, b.data());
                plan.combine(thread_, a.data(), b.data(), sum.data());
                machine_.write(thread_, to, plan.type, sum.data(), How::Atomic);
            }
        }
    }

private:
    Machine& machine_;
    Thread& thread_;
    const std::vector<ReductionPlan>& plans_;
    std::vector<Slot*> originals_;
    std::vector<std::unique_ptr<Slot>> copies_;
};

struct LoopStep final : Compound {
    const loop::For* source = nullptr;
    std::vector<Axis> axes;
    std::vector<ReductionPlan> reductions;
    Steps inner;

    struct Bounds {
        std::int64_t begin = 0, step = 1, count = 0;
    };
    Bounds bounds(Machine& machine, Thread& thread, const Axis& axis, StatementId id) const {
        const std::int64_t begin = axis.begin(thread), end = axis.end(thread), step = axis.step(thread);
        if (step == 0) machine.fail_at(id, "I006", "a loop has step 0", "give it another");
        if (step > 0 ? begin >= end : begin <= end) return {begin, step, 0};
        const auto distance = static_cast<std::uint64_t>(step > 0 ? end - begin : begin - end);
        const auto stride = static_cast<std::uint64_t>(step > 0 ? step : -step);
        return {begin, step, static_cast<std::int64_t>((distance + stride - 1) / stride)};
    }

    Task run(Machine& machine, Thread& thread, StatementId id) const override {
        if (source->mode != loop::LoopMode::Parallel) return in_order(machine, thread, id);
        return thread.team ? in_team(machine, thread, id) : forked(machine, thread, id);
    }

    Task in_order(Machine& machine, Thread& thread, StatementId id) const {
        const Bounds range = bounds(machine, thread, axes[0], id);
        for (std::int64_t k = 0; k < range.count; ++k) {
            machine.integer(thread, axes[0].slot) = range.begin + k * range.step;
            if (machine.only_leaves(thread, inner))
                machine.leaves(thread, inner);
            else
                co_await machine.body(thread, inner);
            if (!goes_on(thread)) co_return;
        }
    }

    std::vector<Bounds> nest(Machine& machine, Thread& thread, StatementId id, std::int64_t& total) const {
        std::vector<Bounds> ranges;
        total = 1;
        for (const Axis& axis : axes) {
            ranges.push_back(bounds(machine, thread, axis, id));
            total *= ranges.back().count;
        }
        return ranges;
    }
    Split split(std::int64_t total, std::int64_t threads) const {
        using loop::OmpSchedule;
        const bool dynamic = source->schedule == OmpSchedule::Dynamic || source->schedule == OmpSchedule::Guided;
        return {total, threads, source->chunk, dynamic, 0};
    }
    Task share(Machine& machine, Thread& thread, const std::vector<Bounds>& ranges, Split& split, Strands::Id parent,
               std::uint32_t group) const {
        for (std::int64_t round = 0;; ++round) {
            const auto [begin, end] = split.next(thread.number, round);
            if (begin >= end) break;
            for (std::int64_t k = begin; k < end; ++k) {
                thread.strand = machine.strands().add(parent, group, static_cast<std::uint32_t>(k), nullptr);
                std::int64_t rest = k;
                for (std::size_t axis = axes.size(); axis-- > 0; rest /= ranges[axis].count)
                    machine.integer(thread, axes[axis].slot) = ranges[axis].begin + rest % ranges[axis].count * ranges[axis].step;
                if (machine.only_leaves(thread, inner))
                    machine.leaves(thread, inner);
                else
                    co_await machine.body(thread, inner);
                thread.flow = Flow::None;
            }
            // So that others get their part of a dynamic schedule.
            if (split.dynamic && machine.interleaves(thread)) co_await machine.scheduler().yield();
        }
    }

    struct Fork {
        std::vector<Bounds> ranges;
        Split split;
        std::uint32_t group = 0;
    };
    Task worker(Machine& machine, const Thread& parent, Fork& fork, std::int64_t number) const {
        Frame frame(parent.frame->slots);
        Thread mine;
        mine.frame = &frame;
        mine.number = number;
        mine.concurrent = true;
        mine.at = parent.at;
        mine.strand =
            machine.strands().add(parent.strand, fork.group, static_cast<std::uint32_t>(fork.split.total + number), nullptr);
        const Strands::Id own = mine.strand;
        PrivateCopies copies(machine, mine, reductions);
        co_await share(machine, mine, fork.ranges, fork.split, parent.strand, fork.group);
        mine.strand = own;
        copies.combine();
    }
    Task forked(Machine& machine, Thread& thread, StatementId id) const {
        Fork fork;
        std::int64_t total = 0;
        fork.ranges = nest(machine, thread, id, total);
        fork.split = split(total, std::max<std::int64_t>(std::min(machine.threads(source->num_threads), total), 1));
        fork.group = machine.strands().new_group();
        Join join;
        for (std::int64_t number = 0; number < fork.split.threads; ++number)
            machine.scheduler().spawn(worker(machine, thread, fork, number), join);
        co_await Scheduler::wait(join);
        machine.joined(thread);
    }

    Task in_team(Machine& machine, Thread& thread, StatementId id) const {
        Team& team = *thread.team;
        std::int64_t total = 0;
        const std::vector<Bounds> ranges = nest(machine, thread, id, total);
        const std::size_t met = thread.loops_met++;
        if (met == team.loops.size()) team.loops.push_back(std::make_unique<Split>(split(total, team.count)));
        Split& split = *team.loops[met];
        if (split.total != total)
            machine.fail_at(id, "I005", "threads of one team come to this loop with different numbers of iterations",
                            "let all threads of a team run the same loops");
        const Strands::Id own = thread.strand;
        thread.team = nullptr;
        {
            PrivateCopies copies(machine, thread, reductions);
            co_await share(machine, thread, ranges, split, own, machine.strands().new_group());
            thread.strand = own;
            thread.at = id;
            copies.combine();
        }
        thread.team = &team;
        if (!source->nowait) co_await machine.barrier(thread);
    }
};

struct RegionStep final : Compound {
    const loop::ParallelRegion* source = nullptr;
    std::optional<std::uint32_t> thread_slot, count_slot;
    Steps inner;
    Task member(Machine& machine, const Thread& parent, Team& team, std::int64_t number) const {
        Frame frame(parent.frame->slots);
        Thread mine;
        mine.frame = &frame;
        mine.team = &team;
        mine.number = number;
        mine.concurrent = true;
        mine.at = parent.at;
        mine.strand = mine.phase = machine.strands().add(team.parent, team.group, static_cast<std::uint32_t>(number), nullptr);
        mine.serial = machine.new_serial();
        if (thread_slot) machine.integer(mine, *thread_slot) = number;
        if (count_slot) machine.integer(mine, *count_slot) = team.count;
        co_await machine.body(mine, inner);
    }
    Task run(Machine& machine, Thread& thread, StatementId) const override {
        Team team;
        team.count = machine.threads(source->num_threads);
        team.parent = thread.strand;
        team.group = machine.strands().new_group();
        Join join;
        for (std::int64_t number = 0; number < team.count; ++number)
            machine.scheduler().spawn(member(machine, thread, team, number), join);
        co_await Scheduler::wait(join);
        machine.joined(thread);
    }
};

struct SectionsStep final : Compound {
    std::vector<Steps> sections;
    const std::vector<std::string>* names = nullptr;
    Task section(Machine& machine, const Thread& parent, std::uint32_t group, std::size_t number) const {
        Frame frame(parent.frame->slots);
        Thread mine;
        mine.frame = &frame;
        mine.concurrent = true;
        mine.at = parent.at;
        if (!names->empty()) mine.element = &names->at(number);
        mine.strand = machine.strands().add(parent.strand, group, static_cast<std::uint32_t>(number), nullptr);
        co_await machine.body(mine, sections[number]);
    }
    Task run(Machine& machine, Thread& thread, StatementId) const override {
        const std::uint32_t group = machine.strands().new_group();
        Join join;
        for (std::size_t number = 0; number < sections.size(); ++number)
            machine.scheduler().spawn(section(machine, thread, group, number), join);
        co_await Scheduler::wait(join);
        machine.joined(thread);
    }
};

struct BarrierStep final : Compound {
    Task run(Machine& machine, Thread& thread, StatementId) const override {
        if (thread.team) co_await machine.barrier(thread);
    }
};

struct InvokeStep final : Compound {
    const FunctionPlan* callee = nullptr;
    std::vector<Code> arguments;         ///< Without streams.
    std::vector<std::uint32_t> streams;  ///< By parameter: the stream's slot.
    Task run(Machine& machine, Thread& thread, StatementId) const override {
        Frame frame(callee->slots);
        for (const auto& [slot, global] : callee->globals) frame.slots[slot] = machine.globals.at(global).get();
        for (std::size_t at = 0; at < arguments.size(); ++at) {
            const loop::Parameter& parameter = callee->source->parameters[at];
            Slot& slot = frame.declare(callee->parameters[at]);
            if (parameter.kind == loop::Parameter::Kind::Stream) {
                slot.queues = thread.frame->slots[streams[at]]->queues;
            } else if (parameter.kind == loop::Parameter::Kind::Buffer) {
                slot.pointer = arguments[at].one(thread).as<Pointer>();
            } else {
                std::vector<Cell> cells(arguments[at].registers());
                arguments[at].run(thread, cells.data());
                machine.allocate(slot, parameter.name, parameter.type, 1, true);
                machine.write(thread, slot.pointer, parameter.type, cells.data());
            }
        }
        Frame* const outer = std::exchange(thread.frame, &frame);
        Team* const team = std::exchange(thread.team, nullptr);
        const std::size_t flights = machine.flights(thread);
        co_await machine.body(thread, callee->body);
        if (!team && !thread.position) co_await machine.await_rest(thread, flights);
        thread.frame = outer;
        thread.team = team;
        if (thread.flow == Flow::Return) thread.flow = Flow::None;
    }
};

Cell neutral_of(ReductionType op, Scalar scalar) {
    Cell result;
    visit_scalar(scalar, [&]<class T>() {
        const auto set = [&](double value) { result.set(number<T>(value)); };
        switch (op) {
            case ReductionType::Product:
            case ReductionType::Div:
            case ReductionType::LogicalAnd:
                return set(1);
            case ReductionType::BitwiseAnd:
                if constexpr (is_whole<T>) return result.set(static_cast<T>(~T(0)));
                return set(1);
            case ReductionType::Min:
            case ReductionType::Max: {
                const bool least = op == ReductionType::Max;
                if constexpr (is_bool<T> || is_whole<T>)
                    return result.set(least ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max());
                else if constexpr (is_complex_number<T>)
                    return result.set(T(static_cast<typename T::value_type>(least ? -INFINITY : INFINITY),
                                        static_cast<typename T::value_type>(least ? -INFINITY : INFINITY)));
                else
                    return set(least ? -INFINITY : INFINITY);
            }
            default:
                return set(0);
        }
    });
    return result;
}

}  // namespace

std::unique_ptr<Compound> Planner::loop_of(const loop::For& n) {
    auto plan = std::make_unique<LoopStep>();
    plan->source = &n;
    for (const loop::Reduction& r : n.reductions) {
        const Binding target = find(r.name);
        if (target.type.compound) refuse("a loop reduces structures", "compile the program instead");
        const ReductionType combined = r.op == ReductionType::Sub   ? ReductionType::Sum
                                       : r.op == ReductionType::Div ? ReductionType::Product
                                                                    : r.op;
        plan->reductions.push_back({target.slot, r.name, target.type, r.elements.is_integer(0) ? whole(1) : whole(r.elements),
                                    neutral_of(r.op, target.type.scalar), combination(combined, target.type)});
    }
    const auto outer = names_;
    const loop::For* nest = &n;
    for (std::int64_t depth = 1;; ++depth) {
        Axis axis{0, whole(nest->begin), whole(nest->end), whole(nest->step)};
        axis.slot = define(nest->variable, Scalar::Int64, NameKind::Variable).slot;
        plan->axes.push_back(std::move(axis));
        if (n.mode != loop::LoopMode::Parallel || depth >= n.collapse) break;
        check(nest->body.size() == 1 && std::holds_alternative<loop::For>(nest->body[0].node), "a collapsed nest is not perfect");
        nest = &std::get<loop::For>(nest->body[0].node);
    }
    plan->inner = body(nest->body);
    names_ = outer;
    return plan;
}

std::unique_ptr<Compound> Planner::invoke(const loop::Invoke& n) {
    auto plan = std::make_unique<InvokeStep>();
    plan->callee = callable_.at(n.function);
    for (std::size_t at = 0; at < n.arguments.size(); ++at) {
        const bool stream = plan->callee->source->parameters.at(at).kind == loop::Parameter::Kind::Stream;
        const auto* name = stream ? std::get_if<loop::Variable>(&n.arguments[at]->node) : nullptr;
        plan->streams.push_back(name ? find(name->name).slot : 0);
        plan->arguments.push_back(stream ? Code{} : value(n.arguments[at]));
    }
    return plan;
}

std::unique_ptr<Compound> Planner::compound(const loop::Statement& statement) {
    using Made = std::unique_ptr<Compound>;
    const auto block = [&](const loop::Body& statements) -> Made {
        auto plan = std::make_unique<BlockStep>();
        plan->inner = body(statements);
        return plan;
    };
    if (Made message = message_step(statement)) return message;
    return std::visit(loop::Overloaded{
                          [&](const loop::Block& n) { return block(n.body); },
                          [&](const loop::Timed& n) { return block(n.body); },
                          [&](const loop::For& n) { return n.mode == loop::LoopMode::Axis ? axis_loop(n) : loop_of(n); },
                          [&](const loop::Launch& n) { return n.queued ? on_queue(n.queued, &n, launch(n)) : launch(n); },
                          [&](const loop::CopyContiguous& n) { return copy_on_queue(n); },
                          [&](const loop::Await& n) { return await(n); },
                          [&](const loop::Consume& n) { return consume(n); },
                          [&](const loop::Invoke& n) { return invoke(n); },
                          [&](const loop::If& n) -> Made {
                              auto plan = std::make_unique<IfStep>();
                              plan->condition = value(n.condition);
                              plan->yes = body(n.then_body);
                              plan->no = body(n.else_body);
                              return plan;
                          },
                          [&](const loop::While& n) -> Made {
                              auto plan = std::make_unique<WhileStep>();
                              plan->condition = value(n.condition);
                              plan->test_at_end = n.test_at_end;
                              plan->inner = body(n.body);
                              return plan;
                          },
                          [&](const loop::ParallelSections& n) -> Made {
                              auto plan = std::make_unique<SectionsStep>();
                              plan->names = &n.names;
                              for (const loop::Body& section : n.sections) plan->sections.push_back(body(section));
                              return plan;
                          },
                          [&](const loop::ParallelRegion& n) -> Made {
                              auto plan = std::make_unique<RegionStep>();
                              plan->source = &n;
                              const auto outer = names_;
                              const auto variable = [&](const std::string& name) -> std::optional<std::uint32_t> {
                                  if (name.empty()) return std::nullopt;
                                  return define(name, Scalar::Int64, NameKind::Variable).slot;
                              };
                              plan->thread_slot = variable(n.thread_variable);
                              plan->count_slot = variable(n.count_variable);
                              plan->inner = body(n.body);
                              names_ = outer;
                              return plan;
                          },
                          [&](const loop::Barrier&) -> Made { return std::make_unique<BarrierStep>(); },
                          [&](const loop::Push& n) { return push(n); },
                          [&](const loop::Pop& n) { return pop(n); },
                          [&](const auto&) -> Made {
                              check(false, "a statement that is neither a leaf nor holds others");
                              return nullptr;
                          },
                      },
                      statement.node);
}

}  // namespace sluice::interpret::loops
