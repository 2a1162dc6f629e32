// ChooseLoopSchedule: let one team of threads run a loop from its first iteration to its last.
//     for t { map i @Default { A }; map j @Default { B } }   ->   for t @CPU_Persistent { map i { A }; map j { B } }
// W1 the schedule is not decided, and no team runs what is around it. W2 a team can run the loop: nothing in it returns or may
// fail. W3 a map in it is large enough for the threads to meet after it, and nothing else in it is worth a team by itself.
// Transients that its states allocate are then allocated once.
#include <algorithm>
#include <set>

#include "analysis/loop_range.h"
#include "analysis/nesting.h"
#include "analysis/symbols.h"
#include "analysis/team_loop.h"
#include "analysis/updates.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "transform/decision/decision.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

/// What the team would do in one loop and those inside of it.
class TeamPlan {
public:
    TeamPlan(const ir::Sdfg& sdfg, const analysis::Machine& machine) : sdfg_(sdfg), machine_(machine) {}

    void loop(const ir::LoopRegion& loop, symbolic::Assumptions known) {
        loops_.push_back(counted(loop));
        if (!loops_.back().variable.empty()) analysis::assume_in(known, loop.variable, loops_.back().range);
        region(loop.body, known);
        loops_.pop_back();
    }
    std::size_t shared = 0;
    std::string why_not;

private:
    void region(const ir::Region& region, const symbolic::Assumptions& known) {
        for (auto [id, block] : region.blocks) {
            if (const auto* inner = std::get_if<ir::LoopRegion>(&block.kind)) {
                if (inner->schedule == ir::Schedule::CPU_Persistent) why_not = "the loop " + block.label + " has a team of its own";
                loop(*inner, known);
                continue;
            }
            if (const ir::State* state = ir::as_state(block)) this->state(*state, known);
            ir::for_each_inner_region(block, [&](const ir::Region& inner) { this->region(inner, known); });
        }
    }

    void state(const ir::State& state, const symbolic::Assumptions& known) {
        const ir::Adjacency adjacency(state);
        const analysis::ScopeTree scopes(state, adjacency);
        const Surroundings around{sdfg_, state, adjacency, scopes, known, false, machine_, loops_};
        Surroundings without = around;
        without.team_loops.clear();
        for (const ir::NodeId node : scopes.children({})) {
            for (const ir::EdgeId edge : adjacency.out(node)) {
                const bool open = copy_is_open(without, edge);
                const ir::Schedule schedule = open ? scheduled_copy(without, edge).schedule : state.edges[edge].memlet.schedule;
                if (schedule == ir::Schedule::CPU_Multicore) why_not = "a copy in it is worth a team by itself";
            }
            const auto& kind = state.nodes[node].kind;
            if (const auto* map = std::get_if<ir::MapEntry>(&kind)) this->map(around, node, *map);
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&kind); nested && wants_team(without, *nested))
                why_not = "the call of " + nested->label + " is worth a team by itself";
        }
    }

    void map(const Surroundings& around, ir::NodeId entry, const ir::MapEntry& map) {
        const bool open = schedule_is_open(around.state.nodes[entry]);
        const ScheduleChoice choice = open ? scheduled(around, entry) : ScheduleChoice();
        const bool is_shared = open ? choice.schedule == ir::Schedule::CPU_Multicore && choice.condition != symbolic::boolean(false)
                                    : analysis::shared_by_team(map) && !symbolic::is_no(symbolic::decide(map.omp_if, around.known));
        if (!is_shared) {
            if (holds_team(around, entry)) why_not = "a map inside of " + map.label + " has a team of its own";
            return;
        }
        ++shared;
        std::set<std::string> combined;
        for (const analysis::RepeatedUpdate& update :
             analysis::repeated_updates(around.sdfg, around.state, around.adjacency, around.scopes, entry))
            if (combines(around, entry, update)) combined.insert(around.state.edges[update.leaves[0]].memlet.data);
        if (updates_meet(around, entry, entry, static_cast<std::size_t>(open ? choice.collapse : map.collapse), combined))
            why_not = "threads that share the map " + map.label + " update the same elements";
    }

    /// Each thread can keep a value of its own for what all of the map updates.
    static bool combines(const Surroundings& around, ir::NodeId entry, const analysis::RepeatedUpdate& update) {
        const ir::Memlet& memlet = around.state.edges[update.leaves[0]].memlet;
        const ir::Container* container = ir::find_container(around.sdfg, memlet.data);
        return container && update.level == 0 && analysis::openmp_combines(memlet.wcr->type(), container->dtype) &&
               analysis::may_be_private(around.sdfg, around.state, around.adjacency, around.scopes, entry, memlet.data,
                                        around.known);
    }

    /// Would a map of what is called have a team of its own?
    static bool wants_team(const Surroundings& around, const ir::NestedSdfg& nested) {
        bool wants = false;
        const symbolic::Assumptions inside = analysis::assumptions_inside(nested, around.known);
        ir::for_each_state(nested.sdfg->body, [&](const ir::State& state) {
            const ir::Adjacency adjacency(state);
            const analysis::ScopeTree scopes(state, adjacency);
            const Surroundings there{*nested.sdfg, state, adjacency, scopes, inside, false, around.machine};
            for (const auto& [id, node] : state.nodes) {
                const auto* map = std::get_if<ir::MapEntry>(&node.kind);
                const auto* inner = std::get_if<ir::NestedSdfg>(&node.kind);
                const bool open = map && schedule_is_open(node);
                wants = wants || (inner && wants_team(there, *inner)) || (map && !open && analysis::shared_by_team(*map)) ||
                        (open && scheduled(there, id).schedule == ir::Schedule::CPU_Multicore);
            }
        });
        return wants;
    }

    static bool holds_team(const Surroundings& around, ir::NodeId scope) {
        return std::ranges::any_of(around.scopes.children(scope), [&](ir::NodeId child) {
            const auto* map = std::get_if<ir::MapEntry>(&around.state.nodes[child].kind);
            return map && (analysis::shared_by_team(*map) || holds_team(around, child));
        });
    }

    static bool updates_meet(const Surroundings& around, ir::NodeId team, ir::NodeId scope, std::size_t collapse,
                             const std::set<std::string>& combined) {
        return std::ranges::any_of(around.scopes.children(scope), [&](ir::NodeId child) {
            if (std::holds_alternative<ir::MapEntry>(around.state.nodes[child].kind) &&
                updates_meet(around, team, child, collapse, combined))
                return true;
            return std::ranges::any_of(around.adjacency.out(child), [&](ir::EdgeId edge) {
                const ir::Memlet& memlet = around.state.edges[edge].memlet;
                return memlet.wcr && !combined.contains(memlet.data) &&
                       analysis::iterations_meet(around.sdfg, around.state, around.scopes, team, std::max<std::size_t>(collapse, 1),
                                                 scope, memlet, around.known);
            });
        });
    }

    const ir::Sdfg& sdfg_;
    const analysis::Machine& machine_;
    std::vector<CountedLoop> loops_;
};

}  // namespace

namespace {

/// What a call allocates is decided when its SDFG is: what is small lies on the stack.
void decide_storage(ir::Region& region, const analysis::Machine& machine) {
    ir::edit_each_state(region, [&](ir::State& state) {
        for (auto [id, node] : state.nodes) {
            auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
            if (!nested) continue;
            ir::Sdfg& called = nested->sdfg.edit();
            const auto scopes = analysis::allocation_scopes(called);
            for (auto& [name, container] : called.containers)
                if (storage_is_open(container)) take(container, allocated(called, name, scopes, machine));
            decide_storage(called.body, machine);
        }
    });
}

/// Is what its threads do next a matter of data, or of symbols that it assigns, or does it call? What that costs is not known here.
bool asks_data(const ir::Sdfg& sdfg, const ir::LoopRegion& loop) {
    const auto reads_data = [&](const std::string& text) {
        const auto parsed = ir::parsed_expr(text);
        return !parsed.ok() || std::ranges::any_of(ir::free_names(**parsed), [&](const std::string& name) {
            return sdfg.containers.contains(std::string(ir::root_name(name)));
        });
    };
    const auto counts = [&](const ir::LoopRegion& one) {
        const auto range = analysis::loop_range(one);
        return range && !reads_data(symbolic::to_string(range->begin)) && !reads_data(symbolic::to_string(range->end));
    };
    const auto asks = [&](const ir::Block& block) {
        if (const auto* inner = std::get_if<ir::LoopRegion>(&block.kind)) return !counts(*inner);
        if (const auto* conditional = std::get_if<ir::ConditionalBlock>(&block.kind))
            return std::ranges::any_of(conditional->branches, [&](const ir::Branch& branch) {
                return branch.condition && reads_data(branch.condition->text);
            });
        if (const ir::State* state = ir::as_state(block))
            return std::ranges::any_of(state->nodes, [](const auto& node) {
                return std::holds_alternative<ir::NestedSdfg>(node.second.kind) ||
                       std::holds_alternative<ir::LibraryNode>(node.second.kind);
            });
        return !std::holds_alternative<ir::NamedRegion>(block.kind);
    };
    bool assigns = false;
    ir::for_each_region(loop.body, [&](const ir::Region& region) {
        for (const auto& [id, transition] : region.transitions) assigns = assigns || !transition.assignments.empty();
    });
    return assigns || !counts(loop) || ir::any_block(loop.body, asks);
}

}  // namespace

std::variant<LoopChoice, Refusal> scheduled_loop(const ir::Sdfg& sdfg, const ir::LoopRegion& loop,
                                                 const symbolic::Assumptions& known, bool in_team, const analysis::Machine& machine,
                                                 bool wished) {
    const auto refuse = [](const char* code, std::string why) { return Refusal{.code = code, .why = std::move(why)}; };
    if (loop.schedule != ir::Schedule::Default) return refuse("W1", "the schedule is decided");
    if (in_team) return refuse("W1", "a team runs what is around it");
    if (machine.threads == 1) return refuse("W1", "the program has one thread");
    LoopChoice choice;
    choice.kept = analysis::allocated_inside(sdfg, loop);
    ir::Sdfg hoisted = sdfg;
    for (const std::string& name : choice.kept) hoisted.containers.at(name).lifetime = ir::Lifetime::SDFG;
    ir::LoopRegion decided = loop;
    decide_storage(decided.body, machine);
    if (const std::string why = analysis::why_no_team(hoisted, decided); !why.empty()) return refuse("W2", why);
    choice.schedule = ir::Schedule::CPU_Persistent;
    choice.choice = ir::to_string(choice.schedule);
    choice.why = "somebody wishes so";
    if (wished) return choice;
    if (asks_data(sdfg, loop)) return refuse("W3", "its threads would ask for what the loop computes");
    TeamPlan plan(sdfg, machine);
    plan.loop(loop, known);
    if (!plan.why_not.empty()) return refuse("W3", plan.why_not);
    if (plan.shared == 0) return refuse("W3", "no map in it is worth that threads wait for each other");
    choice.why = "its threads meet after its maps, of which they share " + std::to_string(plan.shared);
    return choice;
}

void take(ir::Sdfg& sdfg, ir::LoopRegion& loop, const LoopChoice& choice) {
    loop.schedule = choice.schedule;
    for (const std::string& name : choice.kept) sdfg.containers.at(name).lifetime = ir::Lifetime::SDFG;
}

CountedLoop counted(const ir::LoopRegion& loop) {
    const auto range = analysis::loop_range(loop);
    return range ? CountedLoop{loop.variable, *range} : CountedLoop{};
}

namespace {

/// The loops of its SDFG around the place, outermost first.
std::vector<const ir::LoopRegion*> loops_at(const ir::Sdfg& root, const rewrite::Place& place) {
    std::vector<const ir::LoopRegion*> loops;
    const ir::Region* region = &rewrite::sdfg_at(root, place).body;
    for (const rewrite::RegionStep& step : place.regions) {
        const ir::Block& block = region->blocks[step.block];
        if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) loops.push_back(loop);
        region = rewrite::bodies(block)[step.branch];
    }
    return loops;
}

}  // namespace

std::vector<CountedLoop> team_loops_at(const ir::Sdfg& root, const rewrite::Place& place) {
    std::vector<CountedLoop> counts;
    for (const ir::LoopRegion* loop : loops_at(root, place))
        if (!counts.empty() || loop->schedule == ir::Schedule::CPU_Persistent) counts.push_back(counted(*loop));
    return counts;
}

symbolic::Assumptions assumptions_in_loops(const rewrite::Site& site) {
    symbolic::Assumptions known = site.assumptions();
    for (const ir::LoopRegion* loop : loops_at(site.root(), site.match().place))
        if (const auto range = analysis::loop_range(*loop)) analysis::assume_in(known, loop->variable, *range);
    return known;
}

namespace {

rewrite::Planned<LoopChoice> plan_choose_loop_schedule(const rewrite::Site& site) {
    const auto& place = site.match().place;
    const bool in_team = called_by_team(site.root(), place) || !team_loops_at(site.root(), place).empty();
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    const auto wish = ir::parse_enum<ir::Schedule>(site.text("schedule"));
    if (wish == ir::Schedule::Sequential && loop.schedule == ir::Schedule::Default)
        return LoopChoice{{"Sequential", "somebody wishes so"}, *wish, {}};
    if (wish != ir::Schedule::CPU_Persistent && !site.text("schedule").empty())
        return Refusal{.code = "W2", .why = "a loop is run Sequential, or by one team: CPU_Persistent"};
    return scheduled_loop(site.sdfg(), loop, assumptions_in_loops(site), in_team, decided_for(), wish.has_value());
}

void apply_choose_loop_schedule(rewrite::Draft& draft, const LoopChoice& choice) {
    take(draft.sdfg(), draft.get_block<ir::LoopRegion>("loop"), choice);
}

}  // namespace

rewrite::Transformation choose_loop_schedule() {
    return rewrite::transformation(
        {.name = "ChooseLoopSchedule",
         .summary = "Lets one team of threads run a loop from its first iteration to its last.",
         .drawing = "for t { map i @Default { A }; map j @Default { B } }   ->   "
                    "for t @CPU_Persistent { map i { A }; map j { B } }",
         .decided_by = {.structural = "Threads meet wherever one may depend on another: the order of the loop stays."},
         .patterns = {{.nodes = {{"loop", rewrite::kind::loop}}, .edges = {}}},
         .conditions = {{"W1", "the schedule is not decided, and no team runs what is around it"},
                        {"W2", "a team can run the loop: nothing in it returns or may fail"},
                        {"W3",
                         "a map in it is large enough for the threads to meet after it, and nothing else in it is worth a team "
                         "by itself"}},
         .parameters = {{"schedule", std::string(),
                         "CPU_Persistent, also where it does not pay, or Sequential; empty: what pays."}}},
        plan_choose_loop_schedule, apply_choose_loop_schedule);
}

}  // namespace sluice::transform
