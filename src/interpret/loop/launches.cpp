// Launches: blocks of threads, each block a team with memory of its own. Two accesses are unordered if they lie in different
// blocks, or in different threads of one between the same two barriers.
#include <algorithm>

#include "interpret/loop/planner.h"

namespace sluice::interpret::loops {

namespace {

using Extents = std::array<Whole, 3>;
using Counts = std::array<std::int64_t, 3>;

Counts counts_of(Thread& thread, const Extents& extents) {
    Counts counts{};
    for (std::size_t axis = 0; axis < counts.size(); ++axis) counts[axis] = extents[axis](thread);
    return counts;
}

std::int64_t product(const Counts& counts) {
    return counts[0] * counts[1] * counts[2];
}

/// Number `at` in the order in which x runs fastest.
Counts place_of(std::int64_t at, const Counts& counts) {
    return {at % counts[0], at / counts[0] % counts[1], at / counts[0] / counts[1]};
}

struct LaunchStep final : Compound {
    Extents grid, block;
    Steps inner;

    struct Group {
        Team team;
        Shared shared;
        Counts number{}, blocks{}, threads{};
        Join join;
    };
    Task thread_of(Machine& machine, const Thread& parent, Group& group, std::int64_t number) const {
        Frame frame(parent.frame->slots);
        const Position position{group.number, place_of(number, group.threads), group.blocks, group.threads, &group.shared};
        Thread mine;
        mine.frame = &frame;
        mine.team = &group.team;
        mine.position = &position;
        mine.number = number;
        mine.concurrent = true;
        mine.at = parent.at;
        mine.strand = mine.phase =
            machine.strands().add(group.team.parent, group.team.group, static_cast<std::uint32_t>(number), nullptr);
        mine.serial = machine.new_serial();
        co_await machine.body(mine, inner);
    }
    Task run(Machine& machine, Thread& thread, StatementId) const override {
        const Counts blocks = counts_of(thread, grid), threads = counts_of(thread, block);
        if (std::ranges::any_of(blocks, [](auto count) { return count <= 0; }) || product(threads) <= 0) co_return;
        const std::uint32_t group = machine.strands().new_group();
        // Races are found whoever runs at the same time: a few blocks are enough for what the order of turns shows.
        const std::int64_t together = machine.interleaves(thread) || machine.scheduler().is_random() ? 3 : 1;
        for (std::int64_t first = 0; first < product(blocks); first += together) {
            std::vector<std::unique_ptr<Group>> running;
            for (std::int64_t number = first; number < std::min(first + together, product(blocks)); ++number) {
                Group& one = *running.emplace_back(std::make_unique<Group>());
                one.team.count = product(threads);
                one.team.parent = machine.strands().add(thread.strand, group, static_cast<std::uint32_t>(number), nullptr);
                one.team.group = machine.strands().new_group();
                one.number = place_of(number, blocks), one.blocks = blocks, one.threads = threads;
                for (std::int64_t at = 0; at < one.team.count; ++at)
                    machine.scheduler().spawn(thread_of(machine, thread, one, at), one.join);
            }
            for (const auto& one : running) co_await Scheduler::wait(one->join);
        }
        machine.joined(thread);
    }
};

struct AxisStep final : Compound {
    const loop::For* source = nullptr;
    std::uint32_t slot = 0;
    Whole begin, end, step;
    Steps inner;

    Task run(Machine& machine, Thread& thread, StatementId id) const override {
        check(thread.position, "an axis loop runs outside of a launch");
        const Position& at = *thread.position;
        const std::size_t axis = source->axis;
        std::int64_t unit = at.block[axis], units = at.blocks[axis];
        if (source->level == loop::AxisLevel::Thread) unit = at.thread[axis], units = at.threads[axis];
        if (source->level == loop::AxisLevel::Grid)
            unit = unit * at.threads[axis] + at.thread[axis], units = units * at.threads[axis];
        const std::int64_t first = begin(thread), last = end(thread), stride = step(thread);
        if (stride == 0) machine.fail_at(id, "I006", "a loop has step 0", "give it another");
        for (std::int64_t value = first + unit * stride; stride > 0 ? value < last : value > last; value += units * stride) {
            if (source->covered && value != first + unit * stride)
                machine.fail_at(id, "I001", "a launch has fewer units than the iterations that it covers", "enlarge its grid");
            machine.integer(thread, slot) = value;
            if (machine.only_leaves(thread, inner))
                machine.leaves(thread, inner);
            else
                co_await machine.body(thread, inner);
            if (thread.flow != Flow::None) co_return;
        }
    }
};

}  // namespace

std::unique_ptr<Compound> Planner::launch(const loop::Launch& n) {
    auto plan = std::make_unique<LaunchStep>();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        plan->grid[axis] = whole(n.grid[axis]);
        plan->block[axis] = whole(n.block[axis]);
    }
    plan->inner = body(n.body);
    return plan;
}

std::unique_ptr<Compound> Planner::axis_loop(const loop::For& n) {
    auto plan = std::make_unique<AxisStep>();
    plan->source = &n;
    plan->begin = whole(n.begin), plan->end = whole(n.end), plan->step = whole(n.step);
    const auto outer = names_;
    plan->slot = define(n.variable, Scalar::Int64, NameKind::Variable).slot;
    plan->inner = body(n.body);
    names_ = outer;
    return plan;
}

}  // namespace sluice::interpret::loops
