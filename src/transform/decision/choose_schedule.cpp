// ChooseSchedule: let a team of threads share a scope where that pays, and one thread run it where it does not.
//     map i @Default { B }   ->   map i @CPU_Multicore omp_if=(work >= limit) { B }   or   map i @Sequential { B }
// O1 the schedule, or from which size on a team pays, is not decided. O2 the scopes around it are decided.
#include <algorithm>
#include <ranges>
#include <span>

#include "analysis/cost/cost.h"
#include "analysis/cost/summation.h"
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
std::int64_t collapsed_dimensions(const Surroundings& around, ir::NodeId entry, const symbolic::Assumptions& known) {
    const auto& map = std::get<ir::MapEntry>(around.state.nodes[entry].kind);
    if (map.collapse > 1) return map.collapse;
    const std::size_t rank = map.params.size();
    const bool lanes = analysis::lanes_of(around.sdfg, around.state, around.adjacency, around.scopes, entry).pays();
    std::size_t dimensions = 1;
    std::int64_t iterations = 1;
    for (; dimensions < rank; ++dimensions) {
        const auto count = symbolic::count(map.range.dims[dimensions - 1]).constant();
        if (!count || *count > around.machine.busy_team) break;
        iterations *= std::max<std::int64_t>(*count, 1);
        if (iterations >= around.machine.busy_team) break;
        // A loop that is shared has no lanes.
        if (lanes && dimensions + 1 == rank && iterations >= around.machine.threads) break;
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

/// In the words of the properties.
std::string text_of(const ScheduleChoice& choice) {
    std::string text(ir::to_string(choice.schedule));
    if (choice.condition != symbolic::boolean(true)) text += " where " + symbolic::to_string(choice.condition);
    if (choice.collapse > 1) text += " collapse=" + std::to_string(choice.collapse);
    if (choice.order != ir::OmpSchedule::Default) text += " omp_schedule=" + std::string(ir::to_string(choice.order));
    return text;
}

ScheduleChoice explained(ScheduleChoice choice, std::string why) {
    choice.choice = text_of(choice);
    choice.why = std::move(why);
    return choice;
}

ScheduleChoice consumed(const ir::ConsumeEntry& consume) {
    if (consume.num_pes.is_integer(1)) return explained({}, "it has one processing element");
    ScheduleChoice choice;
    choice.schedule = Schedule::CPU_Multicore;
    return explained(std::move(choice), "its processing elements work at the same time");
}

/// One thread runs the map: by its schedule, unless the user asked for a team, which then never pays.
ScheduleChoice alone(const ir::MapEntry& map, std::string why) {
    ScheduleChoice choice;
    choice.collapse = map.collapse;
    choice.order = map.omp_schedule;
    choice.chunk = map.omp_chunk_size;
    if (map.schedule != Schedule::Default) {
        choice.schedule = map.schedule;
        choice.condition = symbolic::boolean(false);
    }
    return explained(std::move(choice), std::move(why));
}

std::span<const Expr> alternatives(const Expr& e, symbolic::Kind kind) {
    return e.kind() == kind ? e.operands() : std::span(&e, 1);
}

/// Does the range grow or shrink with the name? A block that only the extent cuts off (`b:min(b + 64, N)`) does not.
bool grows_with(const symbolic::Range& range, const std::string& name) {
    for (const Expr& end : alternatives(range.end, symbolic::Kind::Minimum))
        for (const Expr& begin : alternatives(range.begin, symbolic::Kind::Maximum))
            if (!symbolic::depends_on(end - begin, name)) return false;
    return true;
}

/// Is some part of it cut off at an extent, as the last block of many is?
bool has_cut(const Expr& work, const std::string& name) {
    if (!symbolic::depends_on(work, name)) return false;
    return work.kind() == symbolic::Kind::Minimum ||
           std::ranges::any_of(work.operands(), [&](const Expr& part) { return has_cut(part, name); });
}

/// Does a scope within the scope of `entry` run over a range that grows or shrinks with the name, or a call or an operation in it
/// take longer and longer, or shorter and shorter?
bool work_grows_with(const Surroundings& around, ir::NodeId entry, const std::string& name) {
    const symbolic::Assumptions known = analysis::assumptions_in(around.state, around.scopes, entry, around.known);
    return std::ranges::any_of(around.scopes.children(entry), [&](ir::NodeId child) {
        const ir::Node& node = around.state.nodes[child];
        if (const auto* map = std::get_if<ir::MapEntry>(&node.kind))
            return std::ranges::any_of(map->range.dims, [&](const symbolic::Range& range) { return grows_with(range, name); }) ||
                   work_grows_with(around, child, name);
        if (!std::holds_alternative<ir::NestedSdfg>(node.kind) && !std::holds_alternative<ir::LibraryNode>(node.kind)) return false;
        const Expr work = analysis::picoseconds(
            analysis::cost_of(around.sdfg, around.state, around.adjacency, around.scopes, child, known), around.machine);
        return symbolic::depends_on(work, name) && !has_cut(work, name);
    });
}

/// Iterations that take longer and longer, or shorter and shorter, are dealt out a few at a time: in equal shares, the thread with
/// the longest would be waited for.
void deal_out(const Surroundings& around, ir::NodeId entry, ScheduleChoice& choice) {
    const auto& map = std::get<ir::MapEntry>(around.state.nodes[entry].kind);
    choice.order = map.omp_schedule;
    choice.chunk = map.omp_chunk_size;
    if (choice.order != ir::OmpSchedule::Default || choice.chunk != 0 || choice.collapse > 1) return;
    const auto inner = map.range.dims | std::views::drop(1);
    const bool unequal = std::ranges::any_of(inner, [&](const auto& range) { return grows_with(range, map.params[0]); }) ||
                         work_grows_with(around, entry, map.params[0]);
    if (!unequal) return;
    constexpr std::int64_t kFew = 4;
    choice.order = ir::OmpSchedule::Dynamic;
    choice.chunk = kFew;
}

/// Work, and from how much on a team pays.
struct Worth {
    Expr work, limit;
};

/// Where a team runs loops around, all of their iterations together, as far as the work changes with them.
Worth over_loops(const Surroundings& around, Worth worth, symbolic::Assumptions known) {
    bool exact = true;
    for (const CountedLoop& loop : around.team_loops | std::views::reverse) {
        if (!symbolic::depends_on(worth.work, loop.variable) && !symbolic::depends_on(worth.limit, loop.variable)) continue;
        worth.work = analysis::sum_over(worth.work, loop.variable, loop.range, known, exact);
        worth.limit = analysis::sum_over(worth.limit, loop.variable, loop.range, known, exact);
    }
    return worth;
}

/// Halves of a triangle inside of a maximum: no condition over integers.
bool has_fraction(const Expr& e) {
    return e.kind() == symbolic::Kind::Rational || std::ranges::any_of(e.operands(), has_fraction);
}

}  // namespace

bool can_be_asked_before(const ir::Sdfg& sdfg, const Expr& e) {
    using symbolic::Kind;
    if (e.kind() == Kind::Call || e.kind() == Kind::Real) return false;
    if (e.is_symbol()) {
        const auto declared = sdfg.symbols.find(e.name());
        return !sdfg.containers.contains(e.name()) && (declared == sdfg.symbols.end() || code::is_integer(declared->second.scalar));
    }
    return std::ranges::all_of(e.operands(), [&](const Expr& operand) { return can_be_asked_before(sdfg, operand); });
}

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

ir::NodeId undecided_around(const ir::State& state, const analysis::ScopeTree& scopes, ir::NodeId node) {
    node = scopes.parent(node);
    while (node.valid() && (!schedule_is_open(state.nodes[node]) || is_team(state.nodes[node]))) node = scopes.parent(node);
    return node;
}

ScheduleChoice scheduled(const Surroundings& around, ir::NodeId entry) {
    const ir::Node& node = around.state.nodes[entry];
    if (around.in_team || in_team(around.state, around.scopes, around.scopes.parent(entry))) {
        const auto* map = std::get_if<ir::MapEntry>(&node.kind);
        const std::string reason = "a team runs a scope around it";
        return map ? alone(*map, reason) : explained({}, reason);
    }
    if (const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind))
        return around.machine.threads == 1 ? explained({}, "the program has one thread") : consumed(*consume);
    const auto& map = std::get<ir::MapEntry>(node.kind);
    if (!around.team_loops.empty() && around.scopes.parent(entry).valid()) return alone(map, "a team runs a loop around it");
    if (around.machine.threads == 1) return alone(map, "the program has one thread");
    const symbolic::Assumptions known =
        analysis::assumptions_in(around.state, around.scopes, around.scopes.parent(entry), around.known);
    const Expr time = analysis::picoseconds(
        analysis::cost_of(around.sdfg, around.state, around.adjacency, around.scopes, entry, known), around.machine);
    const auto text = [](std::int64_t picoseconds) { return std::to_string(picoseconds / 1'000'000) + " us"; };
    const bool in_loop = !around.team_loops.empty();
    const std::int64_t least = in_loop ? around.machine.meeting : around.machine.team;
    const std::string pays = in_loop ? "sharing it pays" : "a team pays";
    if (const auto most = symbolic::upper_bound(time, known); most && *most < least)
        return alone(map, "it takes at most " + text(*most) + ", and " + pays + " from " + text(least) + " on");
    ScheduleChoice choice;
    choice.schedule = Schedule::CPU_Multicore;
    choice.collapse = collapsed_dimensions(around, entry, known);
    deal_out(around, entry, choice);
    constexpr std::int64_t kUnit = 100;
    const Worth worth = in_loop ? over_loops(around, {time, least}, known) : Worth{time, least};
    const Expr work = coarser(worth.work, kUnit);
    if (time.constant()) return explained(std::move(choice), "it takes some " + text(*time.constant()));
    if (!can_be_asked_before(around.sdfg, work)) return explained(std::move(choice), "its work is not known before it runs");
    const Expr condition = symbolic::less_equal(coarser(worth.limit, kUnit), work);
    if (has_fraction(condition)) return explained(std::move(choice), "its work is no expression of integers");
    choice.condition = condition;
    return explained(std::move(choice), pays + " from " + text(least) + " of work on");
}

bool called_by_team(const ir::Sdfg& root, const rewrite::Place& place) {
    return rewrite::any_call_around(root, place, [](const ir::State& state, const analysis::ScopeTree& scopes, ir::NodeId call) {
        return in_team(state, scopes, scopes.parent(call));
    });
}

Surroundings surroundings_of(const rewrite::Site& site) {
    return {.sdfg = site.sdfg(),
            .state = site.state(),
            .adjacency = site.view().adjacency,
            .scopes = site.view().scopes,
            .known = assumptions_in_loops(site),
            .in_team = called_by_team(site.root(), site.match().place),
            .team_loops = team_loops_at(site.root(), site.match().place)};
}

bool changes(const ir::Node& entry, const ScheduleChoice& choice) {
    if (const auto* consume = std::get_if<ir::ConsumeEntry>(&entry.kind)) return consume->schedule != choice.schedule;
    const auto& map = std::get<ir::MapEntry>(entry.kind);
    return map.schedule != choice.schedule || map.omp_if != choice.condition || map.collapse != choice.collapse ||
           map.omp_schedule != choice.order || map.omp_chunk_size != choice.chunk;
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
    map.omp_schedule = choice.order;
    map.omp_chunk_size = choice.chunk;
}

namespace {

rewrite::Planned<ScheduleChoice> plan_choose_schedule(const rewrite::Site& site) {
    const ir::NodeId entry = site.node("scope");
    const ir::State& state = site.state();
    if (!schedule_is_open(state.nodes[entry])) return Refusal{.code = "O1", .why = "the schedule is decided", .nodes = {entry}};
    if (const ir::NodeId open = undecided_around(state, site.view().scopes, entry); open.valid())
        return Refusal{.code = "O2", .why = "the schedule of the scope around it is not decided", .nodes = {entry, open}};
    ScheduleChoice choice = scheduled(surroundings_of(site), entry);
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
