#include "lower/team.h"

#include <algorithm>
#include <utility>

#include "analysis/counted_loops.h"
#include "analysis/team_loop.h"
#include "ir/code_block.h"
#include "ir/walk.h"
#include "lower/allocation.h"
#include "lower/expressions.h"
#include "lower/state.h"

namespace sluice::lower {

namespace {

bool is_shared(const ir::Node& node) {
    const auto* map = std::get_if<ir::MapEntry>(&node.kind);
    return map && analysis::shared_by_team(*map);
}

/// Where a team pays: where one of the maps that it shares says so. False: it shares none.
Expr worth_a_team(const ir::LoopRegion& region) {
    std::set<std::string> inner = ir::assigned_symbols(region.body);
    inner.insert(region.variable);
    Expr worth = symbolic::boolean(false);
    ir::for_each_state(region.body, [&](const ir::State& state) {
        const analysis::ScopeTree scopes(state, ir::Adjacency(state));
        for (const NodeId node : scopes.children({})) {
            if (!is_shared(state.nodes[node])) continue;
            const Expr& condition = std::get<ir::MapEntry>(state.nodes[node].kind).omp_if;
            const auto varies = [&](const std::string& name) { return inner.contains(name); };
            const bool known = std::ranges::none_of(symbolic::free_symbols(condition), varies);
            worth = symbolic::logical_or(worth, known ? condition : symbolic::boolean(true));
        }
    });
    return worth;
}

void barrier(Team& team, Body& body) {
    emit(body, loop::Barrier{});
    team.alone = team.shares = false;
}

/// Each thread has the symbols that the loop assigns for itself. Returns what one of them does when all have read what the loop
/// began with: it hands the last values on.
Body keep_own_symbols(FunctionContext& function, const ir::LoopRegion& region, ScopedBindings& own, Body& body) {
    std::set<std::string> assigned = ir::assigned_symbols(region.body);
    if (!region.variable.empty()) assigned.insert(region.variable);
    Body results;
    for (const std::string& symbol : assigned) {
        const auto outer = function.symbols.find(symbol);
        if (outer == function.symbols.end() || function.for_variables.contains(symbol)) continue;
        SymbolSlot slot = outer->second;
        slot.name = function.names.fresh(symbol);
        emit(body, loop::Declare{slot.name, slot.type, loop::variable(outer->second.name, slot.type), false});
        emit(results, loop::Assign{outer->second.name, loop::variable(slot.name, slot.type)});
        own.bind(symbol, std::move(slot));
    }
    return results;
}

}  // namespace

bool runs_by_team(const FunctionContext& function, const ir::LoopRegion& region) {
    return region.schedule == ir::Schedule::CPU_Persistent && !function.team && function.may_share() &&
           worth_a_team(region) != symbolic::boolean(false) && analysis::why_no_team(function.sdfg, region).empty();
}

void lower_by_team(FunctionContext& function, const ir::LoopRegion& region, const std::function<void(Body&)>& write, Body& body) {
    loop::ParallelRegion together;
    {
        ScopedBindings own(function);
        together.thread_variable = function.names.fresh("thread");
        function.team = Team{.thread = together.thread_variable};
        const Body results = keep_own_symbols(function, region, own, together.body);
        write(together.body);
        // Threads meet where the region ends.
        if (!together.body.empty() && std::holds_alternative<loop::Barrier>(together.body.back().node)) together.body.pop_back();
        if (!results.empty()) {
            emit(together.body, loop::Barrier{});
            run_by_one(function, results, together.body);
        }
        function.team.reset();
    }
    const Expr worth = worth_a_team(region);
    if (worth == symbolic::boolean(true)) return emit(body, std::move(together));
    loop::If choice{lower_condition(*ir::to_code(worth), meaning_of(function, function.path)), {}, {}};
    emit(choice.then_body, std::move(together));
    function.by_one = true;
    {
        ScopedBindings own(function);
        write(choice.else_body);
    }
    function.by_one = false;
    emit(body, std::move(choice));
}

void meet(FunctionContext& function, Body& body) {
    if (function.team && (function.team->alone || function.team->shares)) barrier(*function.team, body);
}

namespace {

bool asks_memory(const FunctionContext& function, const std::set<std::string>& names) {
    return function.team && std::ranges::any_of(names, [&](const std::string& name) {
               return function.sdfg.containers.contains(std::string(ir::root_name(name)));
           });
}

}  // namespace

void ask_together(FunctionContext& function, const std::set<std::string>& names, const std::function<void(Body&)>& evaluate,
                  Body& body) {
    const bool reads = asks_memory(function, names);
    if (reads) meet(function, body);
    evaluate(body);
    if (!reads) return;
    barrier(*function.team, body);
    function.team->started = true;
}

ValuePtr agreed(FunctionContext& function, const std::set<std::string>& names, const ValuePtr& condition, Body& body) {
    if (!asks_memory(function, names)) return condition;
    const std::string name = function.names.fresh("holds");
    ask_together(
        function, names,
        [&](Body& into) {
            emit(into, loop::Declare{name, code::Scalar::Bool, condition, true});
        },
        body);
    return loop::variable(name, code::Scalar::Bool);
}

std::optional<Team> begin_iteration(FunctionContext& function, Body& before) {
    meet(function, before);
    const std::optional<Team> outer = function.team;
    if (function.team) function.team->started = function.team->starts_with_map = false;
    return outer;
}

void end_iteration(FunctionContext& function, const std::optional<Team>& outer, Body& body) {
    if (!function.team) return;
    Team& team = *function.team;
    // A map without a barrier at the end may run beside the map that the next iteration begins with, and beside nothing else.
    if (team.alone || (team.shares && !team.starts_with_map)) barrier(team, body);
    team.started = outer->started;
    team.starts_with_map = outer->starts_with_map;
}

void run_by_one(FunctionContext& function, Body statements, Body& body) {
    if (statements.empty()) return;
    Team& team = *function.team;
    if (team.shares) barrier(team, body);
    const ValuePtr first =
        loop::binary(loop::BinaryOp::Equal, loop::variable(team.thread, code::Scalar::Int64), loop::integer_value(0));
    emit(body, loop::If{first, std::move(statements), {}});
    team.alone = team.started = true;
}

void lower_for_team(StateContext& state, std::span<const NodeId> children, bool alone, Body& body) {
    FunctionContext& function = state.function;
    Body single;
    const auto by_one = [&](const auto& lower) {
        function.by_one = true;
        lower();
        function.by_one = false;
    };
    for (const NodeId child : children) by_one([&] { clear_at_start(state, child, single); });
    for (const NodeId child : children) {
        if (!is_shared(state.node(child))) {
            by_one([&] { lower_node(state, child, alone, single); });
            continue;
        }
        run_by_one(function, std::exchange(single, {}), body);
        lower_node(state, child, alone, body);
    }
    run_by_one(function, std::move(single), body);
}

}  // namespace sluice::lower
