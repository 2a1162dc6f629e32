#include "lower/maps.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/code_block.h"
#include "ir/port.h"
#include "loop/walk.h"
#include "lower/device_streams.h"
#include "lower/launches.h"
#include "lower/reductions.h"
#include "lower/state.h"
#include "lower/tasklets.h"
#include "lower/team.h"

namespace sluice::lower {

using loop::LoopMode;

bool is_index(const StateContext& state, const Expr& e) {
    if (e.kind() == symbolic::Kind::Call || e.kind() == symbolic::Kind::Real || e.kind() == symbolic::Kind::Rational) return false;
    if (e.is_symbol())
        return std::ranges::any_of(state.function.symbols, [&](const auto& entry) {
            return entry.second.name == e.name() && entry.second.type == DType(code::Scalar::Int64);
        });
    return std::ranges::all_of(e.operands(), [&](const Expr& operand) { return is_index(state, operand); });
}

bool has_direction(const FunctionContext& function, const Expr& step) {
    return step.constant() ||
           symbolic::decide(symbolic::less(0, step), function.known(symbolic::free_symbols(step))) == symbolic::Truth::Yes;
}

namespace {

enum class Mode { Sequential, Parallel, Persistent, Unrolled, Device, Threads };

Mode mode_of(const StateContext& state, NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(state.node(entry).kind);
    const bool parallel = state.function.may_share();
    if (map.unroll) return Mode::Unrolled;
    switch (map.schedule) {
        case ir::Schedule::CPU_Multicore:
            return parallel ? Mode::Parallel : Mode::Sequential;
        case ir::Schedule::CPU_Persistent:
            return parallel ? Mode::Persistent : Mode::Sequential;
        case ir::Schedule::Default:
        case ir::Schedule::Sequential:
            return Mode::Sequential;
        case ir::Schedule::FPGA_Device:
            return Mode::Sequential;
        case ir::Schedule::Unrolled:
            return Mode::Unrolled;
        case ir::Schedule::GPU_Device:
            return Mode::Device;
        case ir::Schedule::GPU_ThreadBlock:
            return Mode::Threads;
        default:
            break;
    }
    check(false, "a map with schedule ", ir::to_string(map.schedule), " has no loops");
    return Mode::Sequential;
}

/// Everything decided about a map before its loops are written.
struct Plan {
    NodeId entry, exit;
    const ir::MapEntry& map;
    Mode mode;
    std::size_t collapse = 0;  ///< Parallel dimensions.
    std::vector<PlannedAccumulator> accumulators;
    std::vector<PlannedArrayReduction> arrays;
    ValuePtr worth_a_team;  ///< Null: always.
    bool in_team = false;   ///< A team around shares it, and starts none.
    LaunchPlan launch = {};

    bool on_device() const { return mode == Mode::Device || mode == Mode::Threads; }
};

bool is_rectangular(const ir::MapEntry& map, std::size_t dimensions) {
    for (std::size_t d = 1; d < dimensions; ++d)
        for (std::size_t outer = 0; outer < d; ++outer)
            if (symbolic::free_symbols(map.range.dims[d]).contains(map.params[outer])) return false;
    return true;
}

// How many leading dimensions share the parallel loop: what the map says, as far as they are a perfect nest. Bounds that are read
// from data are read inside the loops around them, which ends it.
std::size_t collapsed_dimensions(const StateContext& state, const ir::MapEntry& map) {
    const auto shareable = [&](std::size_t count) {
        for (std::size_t d = 1; d < count; ++d)
            for (const Expr* bound : {&map.range.dims[d].begin, &map.range.dims[d].end, &map.range.dims[d].step})
                if (!is_index(state, resolve(state.function, *bound))) return false;
        for (std::size_t d = 0; count > 1 && d < count; ++d)
            if (!has_direction(state.function, resolve(state.function, map.range.dims[d].step))) return false;
        return is_rectangular(map, count);
    };
    std::size_t dimensions =
        std::clamp<std::size_t>(static_cast<std::size_t>(std::max<std::int64_t>(map.collapse, 1)), 1, map.params.size());
    while (dimensions > 1 && !shareable(dimensions)) --dimensions;
    return dimensions;
}

// Where `omp_if` holds the team runs the map, elsewhere one thread.
void choose_by_size(const StateContext& state, Plan& plan) {
    const Expr& condition = plan.map.omp_if;
    if (condition == symbolic::boolean(true)) return;
    if (condition == symbolic::boolean(false)) {
        plan.mode = Mode::Sequential;
        return;
    }
    plan.worth_a_team = lower_condition(*ir::to_code(condition), meaning_of(state.function, state.path_of(plan.entry)));
}

Plan plan_map(const StateContext& state, NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(state.node(entry).kind);
    Plan plan{entry, state.scopes.exit_of(entry), map, mode_of(state, entry), 0, {}, {}, nullptr};
    if (plan.mode == Mode::Parallel) choose_by_size(state, plan);
    if (plan.mode == Mode::Parallel) plan.collapse = collapsed_dimensions(state, map);
    plan.accumulators = plan_accumulators(state, entry);
    if (plan.mode == Mode::Unrolled) plan.accumulators.clear();
    if (plan.mode == Mode::Persistent) std::erase_if(plan.accumulators, [](const auto& a) { return a.level == 0; });
    if (plan.mode == Mode::Threads) plan.launch = plan_threads(state, entry);
    if (plan.mode != Mode::Parallel) return plan;
    // An accumulator lies around the parallel loop (reduced by OpenMP) or inside it.
    for (PlannedAccumulator& accumulator : plan.accumulators)
        if (accumulator.level > 0 || !accumulator.combines_in_parallel)
            accumulator.level = std::max(accumulator.level, plan.collapse);
    std::erase_if(plan.accumulators, [&](const PlannedAccumulator& a) { return a.level >= map.params.size(); });
    plan.arrays = plan_array_reductions(state, entry);
    std::erase_if(plan.arrays, [&](const PlannedArrayReduction& array) {
        return std::ranges::any_of(plan.accumulators, [&](const PlannedAccumulator& a) {
            return a.level == 0 && state.state.edges[a.leaf].memlet.data == array.data;
        });
    });
    return plan;
}

/// What stands in the scope beside tasklets in Python and containers.
std::optional<NodeId> no_tasklet(const StateContext& state, NodeId entry) {
    for (const NodeId child : state.scopes.children(entry)) {
        const auto& kind = state.node(child).kind;
        const auto* tasklet = std::get_if<ir::Tasklet>(&kind);
        if (!std::holds_alternative<ir::MapExit>(kind) && !std::holds_alternative<ir::Access>(kind) &&
            !(tasklet && tasklet->code.language == ir::Language::Python))
            return child;
    }
    return std::nullopt;
}

// Does the element move by a constant distance from one iteration to the next?
bool moves(const ValuePtr& index, const std::string& variable) {
    const auto* flat = std::get_if<loop::Index>(&index->node);
    if (!flat) return false;
    const auto distance = (symbolic::substitute(flat->expr, {{variable, symbolic::symbol(variable) + 1}}) - flat->expr).constant();
    return distance && *distance != 0;
}

// Lanes take no turns: straight-line work that writes an element of its own in each, or variables of the iteration (`own`), or
// updates accumulators.
bool admits_lanes(const Body& body, const std::string& variable, const std::vector<const PlannedAccumulator*>& combined,
                  std::set<std::string> own = {}) {
    return std::ranges::all_of(body, [&](const loop::Statement& statement) {
        if (const auto* block = std::get_if<loop::Block>(&statement.node))
            return admits_lanes(block->body, variable, combined, own);
        if (const auto* declare = std::get_if<loop::Declare>(&statement.node)) {
            own.insert(declare->name);
            return true;
        }
        if (const auto* assign = std::get_if<loop::Assign>(&statement.node)) return own.contains(assign->name);
        if (const auto* store = std::get_if<loop::Store>(&statement.node)) return moves(store->index, variable);
        const auto* update = std::get_if<loop::Update>(&statement.node);
        if (!update || update->conflict != loop::Conflict::None) return false;
        if (update->index) return moves(update->index, variable);
        return std::ranges::any_of(combined, [&](const auto* a) { return a->variable == update->buffer; });
    });
}

/// Does every update of a buffer move the same element of it? Of `y[i] += a; y[i + 1] += b` lanes could read y before others have
/// written.
bool updates_one_place(const Body& body, std::map<std::string, Expr>& places) {
    return std::ranges::all_of(body, [&](const loop::Statement& statement) {
        if (const auto* block = std::get_if<loop::Block>(&statement.node)) return updates_one_place(block->body, places);
        const auto* update = std::get_if<loop::Update>(&statement.node);
        const auto* index = update && update->index ? std::get_if<loop::Index>(&update->index->node) : nullptr;
        return !index || places.emplace(update->buffer, index->expr).first->second == index->expr;
    });
}

bool is_plain_number(const DType& type) {
    return type.is_scalar() &&
           (is_integer(type.scalar) || type.scalar == code::Scalar::Float32 || type.scalar == code::Scalar::Float64);
}

/// Does each thread of a team around add what it has to what others see, when its share is done?
bool combines_of_team(const Plan& plan) {
    return plan.in_team && std::ranges::any_of(plan.accumulators, [](const PlannedAccumulator& a) { return a.level == 0; });
}

class NestWriter {
public:
    NestWriter(StateContext& state, Plan& plan, ScopedBindings& bindings) : state_(state), plan_(plan), bindings_(bindings) {}

    void write(std::size_t dimension, Body& body) {
        std::vector<PlannedAccumulator*> opened = open(dimension, body);
        if (dimension == plan_.map.params.size())
            lower_children(state_, plan_.entry, body);
        else
            loop_over(dimension, opened, body);
        // Threads of a device, too, have what they have added up each for itself.
        const bool combines_team = dimension == 0 && (plan_.in_team || plan_.on_device());
        if (combines_team) state_.function.loops.push_back({"", {}, true});
        for (PlannedAccumulator* accumulator : opened)
            if (const std::int64_t threads = plan_.launch.combining)
                combine_in_block(state_, plan_.exit, *accumulator, threads, body);
            else
                close_accumulator(state_, plan_.exit, *accumulator, body);
        if (combines_team) state_.function.loops.pop_back();
    }

private:
    std::vector<PlannedAccumulator*> open(std::size_t dimension, Body& body) {
        std::vector<PlannedAccumulator*> opened;
        for (PlannedAccumulator& accumulator : plan_.accumulators) {
            if (accumulator.level != dimension) continue;
            const std::size_t reduced = plan_.on_device() ? plan_.map.params.size() : dimension == 0 ? plan_.collapse : 0;
            open_accumulator(state_, plan_.exit, accumulator, state_.function.loops.size() + reduced, body);
            opened.push_back(&accumulator);
            open_.push_back(&accumulator);
        }
        return opened;
    }

    void loop_over(std::size_t dimension, const std::vector<PlannedAccumulator*>& opened, Body& body) {
        FunctionContext& function = state_.function;
        const std::string& param = plan_.map.params[dimension];
        const symbolic::Range& range = plan_.map.range.dims[dimension];
        loop::For loop;
        loop.begin = index_of(function, range.begin, param + "_begin", body);
        loop.end = index_of(function, range.end, param + "_end", body);
        loop.step = index_of(function, range.step, param + "_step", body);
        const bool parallel = dimension < plan_.collapse || (plan_.on_device() && plan_.launch.axes[dimension]);
        ScopedBindings scope(function);
        const std::string index = function.names.fresh(param);
        scope.bind(param, SymbolSlot{index, code::Scalar::Int64, true});
        loop.variable = index;
        const symbolic::Range indices{loop.begin, loop.end, loop.step, 1};
        if (!has_direction(function, loop.step)) count_positions(loop, index);
        function.loops.push_back({index, indices, parallel});
        if (plan_.on_device()) lower::share(plan_.launch, dimension, loop);
        if (dimension == 0 && plan_.collapse > 0) share(loop, opened);
        if (plan_.mode == Mode::Unrolled) {
            loop.mode = LoopMode::Unroll;
            loop.unroll_factor = plan_.map.unroll_factor;
        }
        write(dimension + 1, loop.body);
        function.loops.pop_back();
        if (dimension + 1 == plan_.map.params.size()) vectorise(loop);
        emit(body, std::move(loop), state_.node(plan_.entry).metadata.where);
    }

    // A step of unknown sign: a loop over positions, where the index is a variable of the body.
    void count_positions(loop::For& loop, const std::string& index) {
        loop.variable = state_.function.names.fresh(index + "_position");
        const Expr value = loop.begin + symbolic::symbol(loop.variable) * loop.step;
        emit(loop.body, loop::Declare{index, code::Scalar::Int64, loop::index_value(value), true});
        loop.end = symbolic::ceil_divide(loop.end - loop.begin, loop.step);
        loop.begin = 0;
        loop.step = 1;
    }

    void share(loop::For& loop, const std::vector<PlannedAccumulator*>& opened) {
        loop.mode = LoopMode::Parallel;
        loop.collapse = static_cast<std::int64_t>(plan_.collapse);
        loop.schedule = static_cast<loop::OmpSchedule>(plan_.map.omp_schedule);
        loop.chunk = plan_.map.omp_chunk_size;
        loop.num_threads = plan_.map.omp_num_threads;
        if (plan_.in_team) {
            loop.num_threads = 0;
            loop.nowait = plan_.map.nosync || combines_of_team(plan_);
            // Maps of one range give each thread the same iterations.
            if (loop.schedule == loop::OmpSchedule::Default) loop.schedule = loop::OmpSchedule::Static;
        }
        // Threads of a team around have a copy each, which they combine themselves.
        if (!plan_.in_team)
            for (const PlannedAccumulator* accumulator : opened)
                loop.reductions.push_back({accumulator->variable, accumulator->op, 0});
        for (const PlannedArrayReduction& array : plan_.arrays) {
            loop.reductions.push_back(array.reduction);
            Slot own = state_.function.slots.find(array.data)->second;
            own.depth = state_.function.loops.size();
            bindings_.bind(array.data, own);
        }
    }

    // Lanes run the innermost loop if the map says so and nothing in its body has to wait for another lane. Where a target runs one
    // thread, there are no lanes either; the lanes of a device are its threads.
    void vectorise(loop::For& loop) {
        if (!plan_.map.simd || !state_.function.module.options.parallel || state_.function.on_device) return;
        std::vector<const PlannedAccumulator*> combined;
        for (const PlannedAccumulator* accumulator : open_)
            if (accumulator->combines_in_parallel && is_plain_number(accumulator->type)) combined.push_back(accumulator);
        if (const std::string why = why_no_lanes(loop); !why.empty())
            refuse({.code = "L042",
                    .message = "map `" + plan_.map.label + "` asks for vector lanes, but " + why,
                    .where = state_.node(plan_.entry).metadata.where,
                    .path = state_.path_of(plan_.entry),
                    .remedy = "take `simd` off the map, or leave tasklets in Python alone in its body"});
        const bool own_loop = loop.mode == LoopMode::Sequential || (loop.mode == LoopMode::Parallel && loop.collapse == 1);
        if (!own_loop || combined.size() != open_.size() || !admits_lanes(loop.body, loop.variable, combined)) return;
        if (std::map<std::string, Expr> places; !updates_one_place(loop.body, places)) return;
        if (loop.mode == LoopMode::Parallel) {
            loop.simd = true;
            return;
        }
        loop.mode = LoopMode::Simd;
        for (const PlannedAccumulator* accumulator : combined)
            loop.reductions.push_back({accumulator->variable, accumulator->op, 0});
    }

    /// What no lanes can run, whatever its values depend on.
    std::string why_no_lanes(const loop::For& loop) const {
        if (loop.mode == LoopMode::Unroll) return "its loop is unrolled";
        if (const auto other = no_tasklet(state_, plan_.entry))
            return "`" + ir::label_of(state_.state, *other) + "` is no tasklet in Python";
        return {};
    }

    StateContext& state_;
    Plan& plan_;
    ScopedBindings& bindings_;
    std::vector<const PlannedAccumulator*> open_;
};

// Every thread of a team runs its share of the outermost dimension, and the state inside is its own.
void write_persistent(StateContext& state, Plan& plan, ScopedBindings& bindings, Body& body) {
    FunctionContext& function = state.function;
    loop::ParallelRegion region;
    region.num_threads = plan.map.omp_num_threads;
    region.thread_variable = function.names.fresh("thread");
    region.count_variable = function.names.fresh("threads");
    function.loops.push_back({"", {}, true});
    NestWriter(state, plan, bindings).write(0, region.body);
    function.loops.pop_back();
    // Each thread takes every threads-th iteration of the outermost loop.
    for (loop::Statement& statement : region.body)
        if (auto* outer = std::get_if<loop::For>(&statement.node)) {
            outer->begin = outer->begin + symbolic::symbol(region.thread_variable) * outer->step;
            outer->step = outer->step * symbolic::symbol(region.count_variable);
        }
    emit(body, std::move(region), state.node(plan.entry).metadata.where);
}

void write_map(StateContext& state, NodeId entry, ScopedBindings& bindings, Body& body);

// The threads of the team around share the map, or one of them runs it.
void write_in_team(StateContext& state, Plan& plan, ScopedBindings& bindings, Body& body) {
    FunctionContext& function = state.function;
    plan.in_team = true;
    if (function.team->alone) meet(function, body);
    if (!function.team->started) function.team->started = function.team->starts_with_map = true;
    if (!plan.worth_a_team) {
        NestWriter(state, plan, bindings).write(0, body);
    } else {
        loop::If choice{plan.worth_a_team, {}, {}};
        {
            ScopedBindings own(function);
            NestWriter(state, plan, own).write(0, choice.then_body);
        }
        Body whole;
        function.by_one = true;
        {
            ScopedBindings own(function);
            write_map(state, plan.entry, own, whole);
        }
        function.by_one = false;
        run_by_one(function, std::move(whole), choice.else_body);
        meet(function, choice.else_body);
        emit(body, std::move(choice), state.node(plan.entry).metadata.where);
    }
    // What its threads have combined is there when they have met, and until then some of them are still at it.
    const bool combines = combines_of_team(plan) && !plan.map.nosync;
    function.team->shares = plan.map.nosync || combines;
    if (combines) function.team->alone = true;
}

// One body for all threads; what they share of a block lies in front of it.
void write_launch(StateContext& state, Plan& plan, ScopedBindings& bindings, Body& body) {
    FunctionContext& function = state.function;
    bind_scalars(state, plan.entry, bindings, body);
    Expr points = 1;
    for (const symbolic::Range& range : plan.map.range.dims) points = points * count_of(function, resolve(function, range));
    make_room(state, plan.entry, points, body);
    plan.launch = plan_launch(state, plan.entry, plan.accumulators);
    function.on_device = true;
    function.launch = OpenLaunch{plan.launch.level == loop::AxisLevel::Block, false, {}};
    Body inner;
    NestWriter(state, plan, bindings).write(0, inner);
    function.on_device = false;
    close_launch(state, std::move(plan.launch), std::move(inner), plan.entry, body);
}

void write_threads(StateContext& state, Plan& plan, ScopedBindings& bindings, Body& body) {
    OpenLaunch& launch = *state.function.launch;
    launch.among_threads = true;
    NestWriter(state, plan, bindings).write(0, body);
    launch.among_threads = false;
    emit(body, loop::Barrier{});
}

void write_map(StateContext& state, NodeId entry, ScopedBindings& bindings, Body& body) {
    Plan plan = plan_map(state, entry);
    if (plan.mode == Mode::Device) return write_launch(state, plan, bindings, body);
    if (plan.mode == Mode::Threads) return write_threads(state, plan, bindings, body);
    if (plan.mode == Mode::Parallel && state.function.team) return write_in_team(state, plan, bindings, body);
    if (plan.mode == Mode::Persistent) return write_persistent(state, plan, bindings, body);
    if (!plan.worth_a_team) return NestWriter(state, plan, bindings).write(0, body);
    // A region that is not taken costs as much as hundreds of operations and hides its loops from the compiler: what is too small
    // for a team is written a second time, as plain loops.
    loop::If choice{plan.worth_a_team, {}, {}};
    {
        ScopedBindings own(state.function);
        NestWriter(state, plan, own).write(0, choice.then_body);
    }
    state.function.by_one = true;
    {
        ScopedBindings own(state.function);
        write_map(state, entry, own, choice.else_body);
    }
    state.function.by_one = false;
    emit(body, std::move(choice), state.node(entry).metadata.where);
}

}  // namespace

void lower_map(StateContext& state, NodeId entry, Body& body) {
    Body whole;
    {
        ScopedBindings bindings(state.function);
        for (const ir::EdgeId id : state.adjacency.in(entry)) {
            const std::string& connector = state.state.edges[id].dst_connector;
            if (connector.empty() || ir::is_port_in(connector)) continue;
            const std::string variable = state.function.names.fresh(connector);
            state.function.note_variable(variable);
            emit(whole, loop::Declare{variable, code::Scalar::Int64,
                                      convert(read_edge(state, id, connector, whole), code::Scalar::Int64), true});
            bindings.bind(connector, SymbolSlot{variable, code::Scalar::Int64, true});
        }
        write_map(state, entry, bindings, whole);
    }
    const auto& map = std::get<ir::MapEntry>(state.node(entry).kind);
    if (whole.size() > 1) {
        loop::Block block{map.label, std::move(whole)};
        whole = {};
        emit(whole, std::move(block), state.node(entry).metadata.where);
    }
    emit_timed(body, map.instrument, state.path_of(entry), std::move(whole));
}

}  // namespace sluice::lower
