#include "lower/launches.h"

#include <algorithm>

#include "ir/query.h"
#include "loop/identifier.h"
#include "lower/maps.h"

namespace sluice::lower {

namespace {

/// Threads of a block along x, y and z. A multiprocessor runs 32 blocks and 2,048 threads at most: blocks of one warp leave half of
/// it idle (32 x 1 x 1, DaCe's default_block_size, took twice the time of 256 threads on an H100).
constexpr std::int64_t kThreads = 256, kRow = 32;
std::array<Expr, 3> usual_block(std::ptrdiff_t axes) {
    return axes > 1 ? std::array<Expr, 3>{kRow, kThreads / kRow, 1} : std::array<Expr, 3>{kThreads, 1, 1};
}
/// Where all threads update one element, each adds up what it has first: blocks along x and the other axes.
constexpr std::int64_t kReducingBlocks = 64, kReducingRows = 4;
/// Threads of a block that combine what they have added up.
constexpr std::int64_t kCombining = 128;

const ir::MapEntry& map_at(const StateContext& state, NodeId entry) {
    return std::get<ir::MapEntry>(state.node(entry).kind);
}

bool is_thread_block(const ir::Node& node) {
    const auto* map = std::get_if<ir::MapEntry>(&node.kind);
    return map && map->schedule == ir::Schedule::GPU_ThreadBlock;
}

/// The GPU_ThreadBlock maps of a block, however deep.
void collect_thread_blocks(const StateContext& state, NodeId entry, std::vector<NodeId>& found) {
    for (const NodeId child : state.scopes.children(entry)) {
        if (is_thread_block(state.node(child)))
            found.push_back(child);
        else if (ir::is_entry(state.node(child)))
            collect_thread_blocks(state, child, found);
    }
}

/// Has the range a value before the map, and a direction?
bool is_known_before(const StateContext& state, const ir::MapEntry& map, std::size_t dimension) {
    const symbolic::Range& range = map.range.dims[dimension];
    for (const Expr* bound : {&range.begin, &range.end, &range.step}) {
        const auto symbols = symbolic::free_symbols(*bound);
        if (std::ranges::any_of(map.params, [&](const std::string& param) { return symbols.contains(param); })) return false;
        if (!is_index(state, *bound)) return false;
    }
    return has_direction(state.function, resolve(state.function, range.step));
}

/// The last three of the dimensions that can be shared, the last one along x.
std::vector<std::optional<LaunchPlan::Axis>> last_three(const std::vector<bool>& shared, loop::AxisLevel level) {
    std::vector<std::optional<LaunchPlan::Axis>> axes(shared.size());
    std::size_t number = 0;
    for (std::size_t d = shared.size(); d-- > 0 && number < 3;)
        if (shared[d]) axes[d] = LaunchPlan::Axis{number++, false, level};
    return axes;
}

/// How many threads a dimension of a GPU_ThreadBlock map asks for: its size, or of `b:min(b + 32, N)` the constant one of the two.
std::optional<Expr> threads_for(const StateContext& state, const ir::MapEntry& device, const symbolic::Range& range) {
    const auto known = [&](const Expr& size) {
        const auto symbols = symbolic::free_symbols(size);
        return is_index(state, size) &&
               std::ranges::none_of(device.params, [&](const std::string& param) { return symbols.contains(param); });
    };
    const Expr size = symbolic::ceil_divide(range.end - range.begin, range.step);
    if (known(size)) return resolve(state.function, size);
    if (range.end.kind() == symbolic::Kind::Minimum)
        for (const Expr& end : range.end.operands())
            if (const Expr one = symbolic::ceil_divide(end - range.begin, range.step); known(one))
                return resolve(state.function, one);
    return std::nullopt;
}

/// The largest of what the maps of a block ask for.
std::array<Expr, 3> threads_of(const StateContext& state, NodeId entry, const std::vector<NodeId>& maps) {
    const ir::MapEntry& device = map_at(state, entry);
    std::array<Expr, 3> block{1, 1, 1};
    for (const NodeId node : maps) {
        const ir::MapEntry& map = map_at(state, node);
        for (std::size_t axis = 0; axis < std::min<std::size_t>(map.params.size(), 3); ++axis) {
            const auto size = threads_for(state, device, map.range.dims[map.params.size() - 1 - axis]);
            if (!size)
                refuse({"L025", "how many threads map `" + map.label + "` asks for is not known before its launch",
                        state.node(node).metadata.where, state.path_of(node),
                        "give the map around it, `" + device.label + "`, a gpu_block_size"});
            block[axis] = symbolic::maximum(block[axis], *size);
        }
    }
    return block;
}

/// How many of the elements that tasklets in the map read lie one behind the other along the dimension.
std::size_t rows_along(const StateContext& state, NodeId entry, const std::string& parameter) {
    std::size_t count = 0;
    for (const ir::EdgeId id : state.adjacency.out(entry)) {
        const ir::Memlet& memlet = state.state.edges[id].memlet;
        const ir::Container* container = memlet.subset ? ir::find_container(state.function.sdfg, memlet.data) : nullptr;
        if (!container || !std::holds_alternative<ir::Array>(container->kind) || !memlet.subset->is_index()) continue;
        const Layout layout = layout_of(*container);
        for (std::size_t d = 0; d < memlet.subset->rank(); ++d) {
            const Expr& at = memlet.subset->dims[d].begin;
            const Expr moved = symbolic::substitute(at, {{parameter, symbolic::symbol(parameter) + 1}}) - at;
            if (moved.is_integer(1) && layout.strides[d].is_integer(1)) ++count;
        }
    }
    return count;
}

/// Does a block do best with a row of its own? The map adds up along its last dimension from `level` on.
bool adds_up_rows(const StateContext& state, NodeId entry, std::size_t level) {
    const ir::MapEntry& map = map_at(state, entry);
    const std::size_t last = map.params.size() - 1;
    const symbolic::Range& range = map.range.dims[last];
    for (const Expr* bound : {&range.begin, &range.end, &range.step})
        if (!is_index(state, *bound)) return false;
    const auto length = symbolic::ceil_divide(range.end - range.begin, range.step).constant();
    if (!has_direction(state.function, resolve(state.function, range.step)) || (length && *length < kRow)) return false;
    return rows_along(state, entry, map.params[last]) > rows_along(state, entry, map.params[level - 1]);
}

/// Threads of blocks that combine what they have added up, where a map does nothing else: its last dimension is then shared too.
void let_blocks_combine(const StateContext& state, NodeId entry, const std::vector<PlannedAccumulator>& accumulators,
                        LaunchPlan& plan) {
    const ir::MapEntry& map = map_at(state, entry);
    if (accumulators.empty() || !map.gpu_block_size.empty()) return;
    const std::size_t level = accumulators[0].level;
    if (std::ranges::any_of(accumulators, [&](const PlannedAccumulator& one) { return one.level != level; })) return;
    if (std::ranges::none_of(plan.axes, [](const auto& axis) { return axis.has_value(); })) return;
    if (level > 0) {
        if (level == map.params.size() || !adds_up_rows(state, entry, level)) return;
        for (auto& axis : plan.axes)
            if (axis) axis->level = loop::AxisLevel::Block;
        plan.axes.back() = LaunchPlan::Axis{0, false, loop::AxisLevel::Thread};
    }
    plan.combining = kCombining;
    plan.launch.block = {kCombining, 1, 1};
}

}  // namespace

void bind_scalars(StateContext& state, NodeId entry, ScopedBindings& bindings, Body& body) {
    for (const ir::EdgeId edge : state.adjacency.in(entry)) bind_scalar(state, state.state.edges[edge].memlet.data, bindings, body);
}

void bind_scalar(StateContext& state, const std::string& name, ScopedBindings& bindings, Body& body) {
    const auto found = state.function.slots.find(name);
    if (found == state.function.slots.end() || found->second.kind != Slot::Kind::Buffer) return;
    Slot slot = found->second;
    if (slot.space != loop::Space::Own || !std::holds_alternative<ir::Scalar>(slot.container->kind)) return;
    const DType& type = slot.container->dtype;
    const ValuePtr value = loop::load(slot.name, loop::index_value(0), type);
    slot.kind = Slot::Kind::Variable;
    slot.name = state.function.names.fresh(name + "_value");
    emit(body, loop::Declare{slot.name, type, value, true});
    bindings.bind(name, slot);
}

LaunchPlan plan_launch(StateContext& state, NodeId entry, const std::vector<PlannedAccumulator>& accumulators) {
    const ir::MapEntry& map = map_at(state, entry);
    ModuleContext& module = state.function.module;
    LaunchPlan plan;
    plan.launch.kernel = module.function_names.fresh(loop::identifier(state.function.sdfg.name + "_" + map.label));
    std::vector<NodeId> thread_maps;
    collect_thread_blocks(state, entry, thread_maps);
    if (!thread_maps.empty()) plan.level = loop::AxisLevel::Block;
    // What threads add up by themselves needs no atomic update: these dimensions are theirs.
    std::size_t shared_dimensions = map.params.size();
    bool reduces_all = false;
    for (const PlannedAccumulator& accumulator : accumulators) {
        if (accumulator.level > 0) shared_dimensions = std::min(shared_dimensions, accumulator.level);
        reduces_all = reduces_all || accumulator.level == 0;
    }
    std::vector<bool> shared(map.params.size());
    for (std::size_t d = 0; d < shared_dimensions; ++d) shared[d] = is_known_before(state, map, d);
    plan.axes = last_three(shared, plan.level);
    if (!thread_maps.empty() && map.gpu_block_size.empty())
        plan.launch.block = threads_of(state, entry, thread_maps);
    else if (map.gpu_block_size.empty())
        plan.launch.block = usual_block(std::ranges::count_if(plan.axes, [](const auto& axis) { return axis.has_value(); }));
    if (thread_maps.empty()) let_blocks_combine(state, entry, accumulators, plan);
    for (std::size_t axis = 0; axis < std::min<std::size_t>(map.gpu_block_size.size(), 3); ++axis)
        plan.launch.block[axis] = map.gpu_block_size[axis];
    const bool any = std::ranges::any_of(plan.axes, [](const auto& axis) { return axis.has_value(); });
    if (thread_maps.empty() && !any) plan.launch.block = {1, 1, 1};
    for (std::size_t d = 0; d < plan.axes.size(); ++d) {
        if (!plan.axes[d] || plan.axes[d]->level == loop::AxisLevel::Thread) continue;
        LaunchPlan::Axis& axis = *plan.axes[d];
        const Expr count = count_of(state.function, resolve(state.function, map.range.dims[d]));
        Expr& blocks = plan.launch.grid[axis.number];
        blocks = axis.level == loop::AxisLevel::Grid ? symbolic::ceil_divide(count, plan.launch.block[axis.number]) : count;
        axis.covered = !reduces_all;
        if (reduces_all) blocks = symbolic::minimum(blocks, axis.number == 0 ? kReducingBlocks : kReducingRows);
    }
    return plan;
}

LaunchPlan plan_threads(const StateContext& state, NodeId entry) {
    const ir::MapEntry& map = map_at(state, entry);
    LaunchPlan plan;
    plan.level = loop::AxisLevel::Thread;
    std::vector<bool> shared(map.params.size());
    for (std::size_t d = 0; d < shared.size(); ++d) {
        shared[d] = has_direction(state.function, resolve(state.function, map.range.dims[d].step));
        // The threads of a block come to the inner loop with different bounds where an outer one is shared.
        for (std::size_t outer = 0; outer < d; ++outer)
            if (symbolic::free_symbols(map.range.dims[d]).contains(map.params[outer])) shared[d] = false;
    }
    plan.axes = last_three(shared, plan.level);
    return plan;
}

void share(const LaunchPlan& plan, std::size_t dimension, loop::For& loop) {
    if (!plan.axes[dimension]) return;
    loop.mode = loop::LoopMode::Axis;
    loop.level = plan.axes[dimension]->level;
    loop.axis = plan.axes[dimension]->number;
    loop.covered = plan.axes[dimension]->covered;
}

void close_launch(StateContext& state, LaunchPlan plan, Body inner, NodeId at, Body& body) {
    plan.launch.body = std::move(state.function.launch->shared);
    for (loop::Statement& statement : inner) plan.launch.body.push_back(std::move(statement));
    state.function.launch.reset();
    emit(body, std::move(plan.launch), state.node(at).metadata.where);
}

void combine_in_block(StateContext& state, NodeId exit, const PlannedAccumulator& accumulator, std::int64_t threads, Body& body) {
    FunctionContext& function = state.function;
    const DType& type = accumulator.type;
    const std::string shared = function.names.fresh(accumulator.variable + "s");
    loop::Allocate buffer{shared, type, threads, loop::Place::Stack};
    buffer.space = loop::Space::Shared;
    emit(function.launch->shared, std::move(buffer));
    const auto with_threads = [&](std::int64_t count, const auto& statements) {
        loop::For loop;
        loop.variable = function.names.fresh("thread");
        loop.end = count;
        loop.mode = loop::LoopMode::Axis;
        loop.level = loop::AxisLevel::Thread;
        statements(symbolic::symbol(loop.variable), loop.body);
        emit(body, std::move(loop));
    };
    with_threads(threads, [&](const Expr& thread, Body& own) {
        emit(own, loop::Store{shared, loop::index_value(thread), loop::variable(accumulator.variable, type)});
    });
    for (std::int64_t half = threads / 2; half > 0; half /= 2) {
        emit(body, loop::Barrier{});
        with_threads(half, [&](const Expr& thread, Body& own) {
            loop::Update update;
            update.buffer = shared;
            update.index = loop::index_value(thread);
            update.op = accumulator.op;
            update.value = loop::load(shared, loop::index_value(thread + half), type);
            emit(own, std::move(update));
        });
    }
    with_threads(1, [&](const Expr& thread, Body& own) {
        emit(own, loop::Assign{accumulator.variable, loop::load(shared, loop::index_value(thread), type)});
        close_accumulator(state, exit, accumulator, own);
    });
}

void launch_loops(StateContext& state, std::vector<loop::For> loops, Body inner, const std::string& name, NodeId at, Body& body) {
    FunctionContext& function = state.function;
    loop::Launch launch;
    launch.kernel = function.module.function_names.fresh(loop::identifier(function.sdfg.name + "_" + name));
    if (!loops.empty()) launch.block = usual_block(std::ssize(loops));
    std::size_t number = 0;
    for (; !loops.empty(); loops.pop_back()) {
        loop::For& loop = loops.back();
        if (number < 3) {
            loop.mode = loop::LoopMode::Axis;
            loop.covered = true;
            loop.axis = number;
            launch.grid[number] = symbolic::ceil_divide(loop.end, launch.block[number]);
            ++number;
        }
        loop.body = std::move(inner);
        inner = {};
        emit(inner, std::move(loop));
    }
    launch.body = std::move(inner);
    emit(body, std::move(launch), state.node(at).metadata.where);
}

bool block_shares(const FunctionContext& function) {
    return function.launch && function.launch->by_blocks && !function.launch->among_threads;
}

void share_in_block(std::vector<loop::For> loops, Body inner, FunctionContext& function, Body& body) {
    if (loops.empty()) {
        loops.emplace_back();
        loops.back().variable = function.names.fresh("one");
        loops.back().begin = 0, loops.back().end = 1;
    }
    for (std::size_t number = 0; !loops.empty(); ++number, loops.pop_back()) {
        if (number < 3) {
            loops.back().mode = loop::LoopMode::Axis;
            loops.back().level = loop::AxisLevel::Thread;
            loops.back().axis = number;
        }
        loops.back().body = std::move(inner);
        inner = {};
        emit(inner, std::move(loops.back()));
    }
    for (loop::Statement& statement : inner) body.push_back(std::move(statement));
    emit(body, loop::Barrier{});
}

}  // namespace sluice::lower
