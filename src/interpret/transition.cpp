// Rule `state transition` (A.2.3) and the structured regions that stand for machines of a known shape. Of the transitions whose
// condition holds the first in id order is taken; its assignments are evaluated together before any takes effect.
#include "interpret/machine.h"

namespace sluice::interpret {

Cell Machine::evaluate(Frame& frame, const CodePlan& code) {
    code.program->run(*this, frame, nullptr);
    return code.program->registers[code.result];
}

bool Machine::holds(Frame& frame, const CodePlan& condition) {
    return evaluate(frame, condition).as<bool>();
}

void Machine::assign(Frame& frame, const std::vector<AssignmentPlan>& assignments) {
    std::vector<Cell> values;
    for (const AssignmentPlan& assignment : assignments) values.push_back(evaluate(frame, assignment.value));
    for (std::size_t at = 0; at < values.size(); ++at)
        set_symbol(frame, assignments[at].slot, values[at], assignments[at].value.type);
}

Task Machine::region(Frame& frame, const RegionPlan* region, Jump* jump) {
    if (region->blocks.empty()) co_return;
    for (std::uint32_t at = region->start;;) {
        const BlockPlan& current = region->blocks[at];
        co_await block(frame, &current, jump);
        if (*jump != Jump::None) co_return;
        const TransitionPlan* taken = nullptr;
        for (const TransitionPlan& transition : current.transitions)
            if (!transition.condition || holds(frame, *transition.condition)) {
                taken = &transition;
                break;
            }
        if (!taken) co_return;
        assign(frame, taken->assignments);
        at = taken->destination;
    }
}

Task Machine::block(Frame& frame, const BlockPlan* block, Jump* jump) {
    ++report_.steps;
    if (options_.step_limit && report_.steps > options_.step_limit)
        fail({"I008",
              "the run takes more than " + std::to_string(options_.step_limit) + " steps",
              {},
              frame.plan->name + "/" + block->label,
              "raise the limit, or run a smaller case",
              {}});
    if (const auto* state = std::get_if<std::shared_ptr<ScopePlan>>(&block->kind)) {
        if (options_.trace) options_.trace("state " + block->label);
        Owned owned;
        enter(frame, **state, owned);
        co_await scope_interleaved(frame, state->get());
        if (&frame == outermost_) {
            // Between the states of the outermost SDFG nothing is under way: all that ran is ordered before all that comes.
            strands_.forget();
            frame.strand = strands_.next() - 1;
        }
        co_return;
    }
    if (const auto* inner = std::get_if<LoopPlan>(&block->kind)) {
        co_await loop(frame, inner, jump);
        co_return;
    }
    if (const auto* conditional = std::get_if<ConditionalPlan>(&block->kind)) {
        for (const ConditionalPlan::Branch& branch : conditional->branches)
            if (!branch.condition || holds(frame, *branch.condition)) {
                co_await region(frame, branch.body.get(), jump);
                co_return;
            }
        co_return;
    }
    if (const auto* inner = std::get_if<std::shared_ptr<RegionPlan>>(&block->kind)) {
        co_await region(frame, inner->get(), jump);
        co_return;
    }
    *jump = std::get<Jump>(block->kind);
}

Task Machine::loop(Frame& frame, const LoopPlan* loop, Jump* jump) {
    assign(frame, loop->init);
    for (bool first = true;; first = false) {
        if (!(first && loop->inverted)) {
            // An inverted loop tests at the end of its body, after the update or before it.
            if (loop->inverted && loop->update_before_condition) assign(frame, loop->update);
            if (!holds(frame, loop->condition)) co_return;
            if (loop->inverted && !loop->update_before_condition) assign(frame, loop->update);
        }
        co_await region(frame, loop->body.get(), jump);
        if (*jump == Jump::Return) co_return;
        const bool leaves = *jump == Jump::Break;
        *jump = Jump::None;
        if (leaves) co_return;
        if (!loop->inverted) assign(frame, loop->update);
    }
}

}  // namespace sluice::interpret
