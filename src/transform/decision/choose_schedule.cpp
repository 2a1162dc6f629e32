// ChooseSchedule: let a team of threads share a scope where that pays, and one thread run it where it does not.
//     map i @Default { B }   ->   map i @CPU_Multicore omp_if=(work >= limit) { B }   or   map i @Sequential { B }
// O1 the schedule, or from which size on a team pays, is not decided. O2 the scopes around it are decided.
#include <algorithm>

#include "analysis/cost/cost.h"
#include "analysis/symbols.h"
#include "transform/decision/decision.h"

namespace sluice::transform {

namespace {

using ir::Schedule;
using rewrite::Refusal;
using symbolic::Expr;

bool is_team(const ir::Node& node) {
    const auto* map = std::get_if<ir::MapEntry>(&node.kind);
    const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind);
    const Schedule schedule = map ? map->schedule : consume ? consume->schedule : Schedule::Sequential;
    return schedule == Schedule::CPU_Multicore || schedule == Schedule::CPU_Persistent;
}

/// Only integers that have a value before the scope begins.
bool can_be_asked_before(const ir::Sdfg& sdfg, const Expr& e) {
    using symbolic::Kind;
    if (e.kind() == Kind::Call || e.kind() == Kind::Real) return false;
    if (e.is_symbol()) {
        const auto declared = sdfg.symbols.find(e.name());
        return !sdfg.containers.contains(e.name()) && (declared == sdfg.symbols.end() || code::is_integer(declared->second.scalar));
    }
    return std::ranges::all_of(e.operands(), [&](const Expr& operand) { return can_be_asked_before(sdfg, operand); });
}

/// The coefficients in units of `unit`, rounded away from zero: large sizes do not overflow, and the text stays short.
Expr coarser(const Expr& e, std::int64_t unit) {
    using symbolic::Kind;
    const auto rounded = [&](std::int64_t value, std::int64_t divisor) {
        const std::int64_t magnitude = (std::abs(value) + divisor - 1) / divisor;
        return Expr(value < 0 ? -magnitude : magnitude);
    };
    if (e.is_integer()) return rounded(e.integer(), unit);
    if (e.kind() == Kind::Rational) return rounded(e.integer(), unit * e.denominator());
    if (e.kind() == Kind::Add) {
        Expr sum = 0;
        for (const Expr& term : e.operands()) sum = sum + coarser(term, unit);
        return sum;
    }
    if (e.kind() == Kind::Maximum) {
        Expr largest = coarser(e.operands()[0], unit);
        for (const Expr& one : e.operands().subspan(1)) largest = symbolic::maximum(largest, coarser(one, unit));
        return largest;
    }
    if (e.kind() != Kind::Multiply) return e;
    Expr product = 1;
    bool constant = false;
    for (const Expr& factor : e.operands()) {
        const bool number = factor.is_integer() || factor.kind() == Kind::Rational;
        product = product * (number ? coarser(factor, unit) : factor);
        constant = constant || number;
    }
    return constant ? product : e;
}

bool is_rectangular(const ir::MapEntry& map, std::size_t dimensions) {
    for (std::size_t d = 1; d < dimensions; ++d)
        for (std::size_t outer = 0; outer < d; ++outer)
            if (symbolic::free_symbols(map.range.dims[d]).contains(map.params[outer])) return false;
    return true;
}

/// How many leading dimensions share the loop: as many as it takes to occupy a team where the outermost are short.
std::int64_t collapsed_dimensions(const Surroundings& around, const ir::MapEntry& map, const symbolic::Assumptions& known) {
    if (map.collapse > 1) return map.collapse;
    std::size_t dimensions = 1;
    std::int64_t iterations = 1;
    for (; dimensions < map.params.size(); ++dimensions) {
        const auto count = symbolic::count(map.range.dims[dimensions - 1]).constant();
        if (!count || *count > around.machine.busy_team) break;
        iterations *= std::max<std::int64_t>(*count, 1);
        if (iterations >= around.machine.busy_team) break;
    }
    // Bounds that are read from data are read inside of the loops around them, which ends the perfect nest; the loops of a team
    // need to know which way they go.
    const auto shareable = [&](std::size_t count) {
        for (std::size_t d = 0; count > 1 && d < count; ++d) {
            const symbolic::Range& range = map.range.dims[d];
            for (const Expr* bound : {&range.begin, &range.end, &range.step})
                if (d > 0 && !can_be_asked_before(around.sdfg, *bound)) return false;
            if (!range.step.constant() && !symbolic::is_yes(symbolic::decide(symbolic::less(0, range.step), known))) return false;
        }
        return is_rectangular(map, count);
    };
    while (dimensions > 1 && !shareable(dimensions)) --dimensions;
    return static_cast<std::int64_t>(dimensions);
}

ScheduleChoice consumed(const ir::ConsumeEntry& consume) {
    if (consume.num_pes.is_integer(1)) return {.reason = "it has one processing element"};
    return {.schedule = Schedule::CPU_Multicore, .reason = "its processing elements work at the same time"};
}

/// One thread runs the map: by its schedule, unless the user asked for a team, which then never pays.
ScheduleChoice alone(const ir::MapEntry& map, std::string reason) {
    if (map.schedule == Schedule::Default) return {.collapse = map.collapse, .reason = std::move(reason)};
    return {map.schedule, symbolic::boolean(false), map.collapse, std::move(reason)};
}

}  // namespace

bool in_team(const ir::State& state, const analysis::ScopeTree& scopes, ir::NodeId entry) {
    for (; entry.valid(); entry = scopes.parent(entry))
        if (is_team(state.nodes[entry])) return true;
    return false;
}

bool schedule_is_open(const ir::Node& entry) {
    if (const auto* consume = std::get_if<ir::ConsumeEntry>(&entry.kind)) return consume->schedule == Schedule::Default;
    const auto* map = std::get_if<ir::MapEntry>(&entry.kind);
    if (!map || map->unroll) return false;
    return map->schedule == Schedule::Default ||
           (map->schedule == Schedule::CPU_Multicore && map->omp_if == symbolic::boolean(true) && map->omp_num_threads == 0);
}

ScheduleChoice scheduled(const Surroundings& around, ir::NodeId entry) {
    const ir::Node& node = around.state.nodes[entry];
    if (around.in_team || in_team(around.state, around.scopes, around.scopes.parent(entry))) {
        const auto* map = std::get_if<ir::MapEntry>(&node.kind);
        const std::string reason = "a team runs a scope around it";
        return map ? alone(*map, reason) : ScheduleChoice{.reason = reason};
    }
    if (const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind))
        return around.machine.threads == 1 ? ScheduleChoice{.reason = "the program has one thread"} : consumed(*consume);
    const auto& map = std::get<ir::MapEntry>(node.kind);
    if (around.machine.threads == 1) return alone(map, "the program has one thread");
    const symbolic::Assumptions known =
        analysis::assumptions_in(around.state, around.scopes, around.scopes.parent(entry), around.known);
    const Expr time = analysis::picoseconds(
        analysis::cost_of(around.sdfg, around.state, around.adjacency, around.scopes, entry, known), around.machine);
    const auto text = [](std::int64_t picoseconds) { return std::to_string(picoseconds / 1'000'000) + " us"; };
    if (const auto constant = time.constant(); constant && *constant < around.machine.team)
        return alone(map, "it takes some " + text(*constant) + ", and a team pays from " + text(around.machine.team) + " on");
    ScheduleChoice choice{Schedule::CPU_Multicore, symbolic::boolean(true), collapsed_dimensions(around, map, known), {}};
    constexpr std::int64_t kUnit = 100;
    const Expr work = coarser(time, kUnit);
    if (time.constant()) {
        choice.reason = "it takes some " + text(*time.constant());
    } else if (!can_be_asked_before(around.sdfg, work)) {
        choice.reason = "its work is not known before it runs";
    } else {
        choice.condition = symbolic::less_equal(around.machine.team / kUnit, work);
        choice.reason = "a team pays from " + text(around.machine.team) + " of work on";
    }
    return choice;
}

bool called_by_team(const ir::Sdfg& root, const rewrite::Place& place) {
    rewrite::Place caller;
    for (const rewrite::NestedStep& step : place.nested) {
        caller.regions = step.regions;
        caller.state = step.state;
        const ir::State& state = rewrite::state_at(root, caller);
        const ir::Adjacency adjacency(state);
        const analysis::ScopeTree scopes(state, adjacency);
        if (in_team(state, scopes, scopes.parent(step.node))) return true;
        caller.nested.push_back(step);
    }
    return false;
}

bool changes(const ir::Node& entry, const ScheduleChoice& choice) {
    if (const auto* consume = std::get_if<ir::ConsumeEntry>(&entry.kind)) return consume->schedule != choice.schedule;
    const auto& map = std::get<ir::MapEntry>(entry.kind);
    return map.schedule != choice.schedule || map.omp_if != choice.condition || map.collapse != choice.collapse;
}

void take(ir::Node& entry, const ScheduleChoice& choice) {
    if (auto* consume = std::get_if<ir::ConsumeEntry>(&entry.kind)) {
        consume->schedule = choice.schedule;
        return;
    }
    auto& map = std::get<ir::MapEntry>(entry.kind);
    map.schedule = choice.schedule;
    map.omp_if = choice.condition;
    map.collapse = choice.collapse;
}

namespace {

ScheduleChoice choice_at(const rewrite::Site& site) {
    const Surroundings around{site.sdfg(),        site.state(),       site.view().adjacency,
                              site.view().scopes, site.assumptions(), called_by_team(site.root(), site.match().place)};
    return scheduled(around, site.node("scope"));
}

rewrite::Planned<ScheduleChoice> plan_choose_schedule(const rewrite::Site& site) {
    const ir::NodeId entry = site.node("scope");
    const ir::State& state = site.state();
    if (!schedule_is_open(state.nodes[entry])) return Refusal{.code = "O1", .why = "the schedule is decided", .nodes = {entry}};
    const analysis::ScopeTree& scopes = site.view().scopes;
    for (ir::NodeId at = scopes.parent(entry); at.valid(); at = scopes.parent(at))
        if (schedule_is_open(state.nodes[at]) && !is_team(state.nodes[at]))
            return Refusal{.code = "O2", .why = "the schedule of the scope around it is not decided", .nodes = {entry, at}};
    ScheduleChoice choice = choice_at(site);
    if (!changes(state.nodes[entry], choice)) return Refusal{.code = "O1", .why = "the schedule is decided", .nodes = {entry}};
    return choice;
}

void apply_choose_schedule(rewrite::Draft& draft, const ScheduleChoice& choice) {
    take(draft.state().nodes[draft.node("scope")], choice);
}

}  // namespace

rewrite::Transformation choose_schedule() {
    return rewrite::transformation(
        {.name = "ChooseSchedule",
         .group = "decision",
         .summary = "Lets a team of threads share a scope where that pays.",
         .drawing = "map i @Default { B }   ->   map i @CPU_Multicore omp_if=(work >= limit) { B }   or   "
                    "map i @Sequential { B }",
         .decided_by = {.structural = "The points of a map are independent: who runs them is not seen."},
         .patterns = {{.nodes = {{"scope", rewrite::kind::map_entry}}, .edges = {}},
                      {.nodes = {{"scope", rewrite::kind::consume_entry}}, .edges = {}}},
         .conditions = {{"O1", "the schedule, or from which size on a team pays, is not decided"},
                        {"O2", "the scopes around it are decided"}}},
        plan_choose_schedule, apply_choose_schedule);
}

}  // namespace sluice::transform
