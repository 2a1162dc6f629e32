// LoopLifting: make a loop region of a state machine that is a loop.
//     a -[i = b]-> guard -[C]-> body -[i = i + s]-> guard -[not C]-> exit   ->   a -> loop [i = b; C; i = i + s] { body } -> exit
// L1 the guard is an empty state that control leaves into the body under a condition, and else to at most one other block under its
// negation. L2 one transition from outside enters the guard and sets the variable, one comes back from the body and changes the
// variable alone. L3 control enters the body through the guard only and leaves it by the transition back. L4 what the transitions
// assign beside the variable does not matter to its initial value, and nothing is assigned on the way from the guard into the body.
#include <algorithm>

#include "ir/code_block.h"
#include "transform/loop/loop.h"

namespace sluice::transform {

namespace {

using ir::BlockId;
using ir::TransitionId;
using rewrite::Refusal;

struct Machine {
    TransitionId enter, in, out, back;  ///< `out` may be invalid: the region ends.
    std::set<BlockId> body;
    std::string variable, init, update;
};

std::vector<TransitionId> transitions(const ir::Region& region, BlockId block, bool leaving) {
    std::vector<TransitionId> found;
    for (const auto& [id, transition] : region.transitions)
        if ((leaving ? transition.src : transition.dst) == block) found.push_back(id);
    return found;
}

bool is_negation(const std::string& a, const std::string& b) {
    const auto left = ir::parsed_expr(a), right = ir::parsed_expr(b);
    if (!left || !right) return false;
    const auto x = ir::to_symbolic(**left), y = ir::to_symbolic(**right);
    return x.ok() && y.ok() && symbolic::logical_not(*x) == *y;
}

std::set<BlockId> reachable(const ir::Region& region, BlockId from, BlockId barrier) {
    std::set<BlockId> seen{from};
    std::vector<BlockId> pending{from};
    while (!pending.empty()) {
        const BlockId at = pending.back();
        pending.pop_back();
        for (const TransitionId id : transitions(region, at, true))
            if (const BlockId next = region.transitions[id].dst; next != barrier && seen.insert(next).second)
                pending.push_back(next);
    }
    return seen;
}

std::optional<Refusal> find_ways(const ir::Region& region, BlockId guard, BlockId body, Machine& machine) {
    const ir::State* state = ir::as_state(region.blocks[guard]);
    if (!state->nodes.empty()) return Refusal{.code = "L1", .why = region.blocks[guard].label + " is not empty"};
    for (const TransitionId id : transitions(region, guard, true)) {
        const bool into = region.transitions[id].dst == body;
        TransitionId& way = into ? machine.in : machine.out;
        if (way.valid())
            return Refusal{.code = "L1", .why = "control leaves " + region.blocks[guard].label + " in more than two ways"};
        way = id;
    }
    const ir::Transition& in = region.transitions[machine.in];
    if (in.condition.text.empty()) return Refusal{.code = "L1", .why = "control always goes on into " + region.blocks[body].label};
    if (machine.out.valid()) {
        const ir::Transition& out = region.transitions[machine.out];
        const bool last = out.condition.text.empty() && machine.in < machine.out;
        if (!last && !is_negation(in.condition.text, out.condition.text))
            return Refusal{.code = "L1",
                           .why = "`" + out.condition.text + "` is not known to be the negation of `" + in.condition.text + "`"};
    }
    if (!in.assignments.empty())
        return Refusal{.code = "L4", .why = "the transition into the body assigns " + in.assignments[0].first};
    return {};
}

std::optional<Refusal> find_body(const ir::Region& region, BlockId guard, BlockId body, Machine& machine) {
    machine.body = reachable(region, body, guard);
    if (machine.out.valid() && machine.body.contains(region.transitions[machine.out].dst))
        return Refusal{.code = "L3",
                       .why = "control comes from the body to " + region.blocks[region.transitions[machine.out].dst].label +
                              " without passing the guard"};
    if (machine.body.contains(region.start)) return Refusal{.code = "L3", .why = "the region begins inside of the loop"};
    std::set<BlockId> goes_on;
    for (const auto& [id, transition] : region.transitions) {
        const bool from = machine.body.contains(transition.src);
        if (!from && machine.body.contains(transition.dst) && transition.src != guard)
            return Refusal{.code = "L3", .why = "control enters the body at " + region.blocks[transition.dst].label + " as well"};
        if (from && transition.condition.text.empty()) goes_on.insert(transition.src);
        if (from && transition.dst == guard) {
            if (machine.back.valid()) return Refusal{.code = "L2", .why = "control comes back to the guard in more than one way"};
            machine.back = id;
        }
    }
    if (!machine.back.valid()) return Refusal{.code = "L2", .why = "control does not come back to the guard"};
    for (const BlockId id : machine.body)
        if (!goes_on.contains(id) && !std::holds_alternative<ir::ReturnBlock>(region.blocks[id].kind))
            return Refusal{.code = "L3", .why = "control may end after " + region.blocks[id].label};
    const ir::Transition& back = region.transitions[machine.back];
    if (!back.condition.text.empty() || transitions(region, back.src, true).size() != 1)
        return Refusal{.code = "L2", .why = "the way back to the guard depends on a condition"};
    if (back.assignments.size() != 1)
        return Refusal{.code = "L2", .why = "the transition back to the guard does not assign one variable alone"};
    machine.variable = back.assignments[0].first;
    machine.update = back.assignments[0].second;
    return {};
}

std::optional<Refusal> find_start(const ir::Region& region, BlockId guard, Machine& machine) {
    for (const TransitionId id : transitions(region, guard, false)) {
        if (id == machine.back) continue;
        if (machine.enter.valid()) return Refusal{.code = "L2", .why = "control comes to the guard from several places"};
        machine.enter = id;
    }
    if (!machine.enter.valid() || region.start == guard)
        return Refusal{.code = "L2", .why = "nothing sets " + machine.variable + " before the guard"};
    const auto& assignments = region.transitions[machine.enter].assignments;
    const auto at = std::ranges::find(assignments, machine.variable, &std::pair<std::string, std::string>::first);
    if (at == assignments.end())
        return Refusal{.code = "L2", .why = "nothing sets " + machine.variable + " on the way to the guard"};
    machine.init = at->second;
    const auto parsed = ir::parsed_expr(machine.init);
    const std::set<std::string> read = parsed ? ir::free_names(**parsed) : std::set<std::string>();
    for (const auto& [name, value] : assignments) {
        if (name == machine.variable) continue;
        const auto other = ir::parsed_expr(value);
        if (read.contains(name) || (other && ir::free_names(**other).contains(machine.variable)))
            return Refusal{.code = "L4",
                           .why = "the initial value of " + machine.variable + " and that of " + name + " depend on each other"};
    }
    return {};
}

rewrite::Planned<Machine> plan_loop_lifting(const rewrite::Site& site) {
    Machine machine;
    const ir::Region& region = site.region();
    const BlockId guard = site.block("guard"), body = site.block("body");
    if (auto refusal = find_ways(region, guard, body, machine)) return std::move(*refusal);
    if (auto refusal = find_body(region, guard, body, machine)) return std::move(*refusal);
    if (auto refusal = find_start(region, guard, machine)) return std::move(*refusal);
    return machine;
}

void apply_loop_lifting(rewrite::Draft& draft, const Machine& machine) {
    ir::Region& region = draft.region();
    const BlockId guard = draft.block("guard");
    ir::LoopRegion loop;
    loop.variable = machine.variable;
    loop.init = ir::CodeBlock{machine.variable + " = " + machine.init};
    loop.condition = region.transitions[machine.in].condition;
    loop.update = ir::CodeBlock{machine.variable + " = " + machine.update};
    std::map<BlockId, BlockId> placed;
    for (const BlockId id : machine.body) placed[id] = loop.body.blocks.add(region.blocks[id]);
    loop.body.start = placed.at(draft.block("body"));
    std::vector<TransitionId> gone{machine.in, machine.back};
    for (const auto& [id, transition] : region.transitions) {
        if (id == machine.back || !machine.body.contains(transition.src)) continue;
        ir::Transition copy = transition;
        copy.src = placed.at(copy.src);
        copy.dst = placed.at(copy.dst);
        loop.body.transitions.add(std::move(copy));
        gone.push_back(id);
    }
    for (const TransitionId id : gone) region.transitions.erase(id);
    for (const BlockId id : machine.body) region.blocks.erase(id);
    std::erase_if(region.transitions[machine.enter].assignments,
                  [&](const auto& entry) { return entry.first == machine.variable; });
    if (machine.out.valid()) region.transitions[machine.out].condition.text.clear();
    region.blocks[guard].kind = std::move(loop);
}

}  // namespace

rewrite::Transformation loop_lifting() {
    return rewrite::transformation(
        {.name = "LoopLifting",
         .summary = "Makes a loop region of a state machine that is a loop.",
         .drawing = "a -[i = b]-> guard -[C]-> body -[i = i + s]-> guard -[not C]-> exit   ->   a -> loop { body } -> exit",
         .decided_by = {.structural = "The same blocks run in the same order."},
         .patterns = {rewrite::chain({{"guard", rewrite::kind::state}, {"body", rewrite::kind::any_block}})},
         .conditions = {{"L1", "the guard is an empty state with a condition into the body and its negation out"},
                        {"L2", "one way into the guard sets the variable, one way back changes it"},
                        {"L3", "control enters and leaves the body through the guard"},
                        {"L4", "other assignments do not matter to the variable"}},
         .simplifies = true},
        plan_loop_lifting, apply_loop_lifting);
}

}  // namespace sluice::transform
