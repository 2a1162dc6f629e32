// Maps that a device runs: which dimensions its blocks and threads share, and how many there are.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "lower/reductions.h"

namespace sluice::lower {

struct LaunchPlan {
    loop::Launch launch;
    loop::AxisLevel level = loop::AxisLevel::Grid;
    struct Axis {
        std::size_t number = 0;  ///< x, y, z.
        bool covered = false;
        loop::AxisLevel level = loop::AxisLevel::Grid;
    };
    std::vector<std::optional<Axis>> axes;  ///< By dimension of the map; the others are loops of each thread.
    /// How many threads of a block combine what each of them has added up, a power of two; 0: each updates by itself.
    std::int64_t combining = 0;
};
/// Scalars that lie in memory of the host are read before the launch and passed to it by value.
void bind_scalars(StateContext& state, NodeId entry, ScopedBindings& bindings, Body& body);
/// The same of one container, if it is such a scalar.
void bind_scalar(StateContext& state, const std::string& name, ScopedBindings& bindings, Body& body);
/// A map with schedule GPU_Device, as far as its accumulators lie inside of what is shared. Its last dimensions are shared, at most
/// three: by the threads of all blocks (of gpu_block_size, or 256), or by blocks, whose threads share GPU_ThreadBlock maps inside.
/// Where rows that lie in memory one element after the other are added up, a block has a row, and its threads the elements.
LaunchPlan plan_launch(StateContext& state, NodeId entry, const std::vector<PlannedAccumulator>& accumulators);
/// A map with schedule GPU_ThreadBlock: axes only.
LaunchPlan plan_threads(const StateContext& state, NodeId entry);

/// What a dimension's loop becomes.
void share(const LaunchPlan& plan, std::size_t dimension, loop::For& loop);
/// The launch with its body, and with the shared memory of what lies in it, closed.
void close_launch(StateContext& state, LaunchPlan plan, Body inner, NodeId at, Body& body);

/// What the threads of a block have added up in the accumulator becomes one update by one of them, by a tree in shared memory.
void combine_in_block(StateContext& state, NodeId exit, const PlannedAccumulator& accumulator, std::int64_t threads, Body& body);

/// Work that the host asks of the device: the loops, outer first, around the body, shared by the threads of a launch.
void launch_loops(StateContext& state, std::vector<loop::For> loops, Body inner, const std::string& name, NodeId at, Body& body);
/// Do the threads of a block come here together, to share what is done?
bool block_shares(const FunctionContext& function);
/// The same work by the threads of the block around, the innermost loops shared, at most three, and a barrier behind it.
void share_in_block(std::vector<loop::For> loops, Body inner, FunctionContext& function, Body& body);

}  // namespace sluice::lower
