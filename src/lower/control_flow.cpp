#include "lower/control_flow.h"

#include <algorithm>
#include <optional>

#include "analysis/counted_loops.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "lower/allocation.h"
#include "lower/function.h"
#include "lower/regions.h"
#include "lower/state.h"
#include "lower/team.h"

namespace sluice::lower {

namespace {

// ---- loops --------------------------------------------------------------------------------------------------------------

void assign_statement(Regions& regions, const std::optional<ir::CodeBlock>& code, Body& body) {
    if (!code || code->text.empty()) return;
    const code::Body statements = ir::parsed_body(*code).or_fail();
    const Meaning meaning = meaning_of(regions.function, regions.function.path);
    const auto assign_all = [&](Body& into) {
        for (const code::StmtPtr& statement : statements) {
            const auto* assign = std::get_if<code::AssignStmt>(&statement->node);
            const auto* augmented = std::get_if<code::AugAssignStmt>(&statement->node);
            const code::Expr* target = assign ? assign->targets[0].get() : augmented ? augmented->target.get() : nullptr;
            const auto* name = target ? std::get_if<code::NameExpr>(&target->node) : nullptr;
            const auto symbol = name ? regions.function.symbols.find(name->id) : regions.function.symbols.end();
            if (symbol == regions.function.symbols.end())
                refuse({"L017", "a loop may only assign its variable", statement->span, regions.function.path, "write `i = ...`"});
            const Typed value = assign ? lower_expression(*assign->value, meaning)
                                       : lower_binary(augmented->op, lower_expression(*target, meaning),
                                                      lower_expression(*augmented->value, meaning), regions.function.path);
            emit(into, loop::Assign{symbol->second.name, convert(value.value, symbol->second.type)}, statement->span);
        }
    };
    ask_together(regions.function, ir::free_names(statements), assign_all, body);
}

void lower_counted(Regions& regions, const ir::LoopRegion& region, const symbolic::Range& range, const ir::Block& block,
                   Body& body) {
    FunctionContext& function = regions.function;
    loop::For loop;
    const auto bounds = [&](Body& into) {
        loop.begin = index_of(function, range.begin, region.variable + "_begin", into);
        loop.end = index_of(function, range.end, region.variable + "_end", into);
    };
    ask_together(function, symbolic::free_symbols(range), bounds, body);
    loop.step = range.step;
    if (region.unroll) {
        loop.mode = loop::LoopMode::Unroll;
        loop.unroll_factor = region.unroll_factor;
    }
    ScopedBindings bindings(function);
    loop.variable = function.names.fresh(region.variable);
    bindings.bind(region.variable, SymbolSlot{loop.variable, code::Scalar::Int64, true});
    function.loops.push_back({loop.variable, {loop.begin, loop.end, loop.step, 1}, false});
    regions.loops.push_back({});
    const std::optional<Team> outer = begin_iteration(function, body);
    lower_region(regions, region.body, loop.body);
    end_iteration(function, outer, loop.body);
    regions.loops.pop_back();
    function.loops.pop_back();
    emit(body, std::move(loop), block.metadata.where);
    meet(function, body);
    if (function.team) function.team->started = true;
}

void lower_general(Regions& regions, const ir::LoopRegion& region, const ir::Block& block, Body& body) {
    assign_statement(regions, region.init, body);
    const ir::CodeBlock always{"True", ir::Language::Python};
    const auto condition = [&regions, &region, always] { return condition_of(regions, region.condition.value_or(always)); };
    const auto update = [&regions, &region](Body& into) { assign_statement(regions, region.update, into); };
    loop::While loop{condition(), region.inverted, {}};
    OpenLoop open{update, false};
    const bool test_first = region.inverted && !region.update_before_condition && region.update;
    const auto test_then_update = [condition, update](Body& into) {
        loop::If leave{loop::unary(loop::UnaryOp::LogicalNot, condition()), {}, {}};
        emit(leave.then_body, loop::Break{});
        emit(into, std::move(leave));
        update(into);
    };
    if (test_first) {
        loop.condition = loop::integer_value(1, code::Scalar::Bool);
        loop.test_at_end = false;
        open.before_continue = test_then_update;
    }
    ScopedBindings bindings(regions.function);
    regions.function.loops.push_back({"", {}, false});
    regions.loops.push_back(open);
    lower_region(regions, region.body, loop.body);
    regions.loops.back().before_continue(loop.body);
    regions.loops.pop_back();
    regions.function.loops.pop_back();
    emit(body, std::move(loop), block.metadata.where);
}

/// The same by a team: threads meet around each iteration, and find together whether there is another one.
void lower_general_by_team(Regions& regions, const ir::LoopRegion& region, const ir::Block& block, Body& body) {
    FunctionContext& function = regions.function;
    const ir::CodeBlock condition = region.condition.value_or(ir::CodeBlock{"True", ir::Language::Python});
    const std::set<std::string> asked = ir::free_names(*ir::parsed_expr(condition.text).or_fail());
    const auto leave_or_stay = [&regions, condition, asked](Body& into) {
        loop::If leave{
            loop::unary(loop::UnaryOp::LogicalNot, agreed(regions.function, asked, condition_of(regions, condition), into)),
            {},
            {}};
        emit(leave.then_body, loop::Break{});
        emit(into, std::move(leave));
    };
    const auto update = [&regions, &region](Body& into) { assign_statement(regions, region.update, into); };
    const auto next = [&, leave_or_stay, update](Body& into) {
        meet(regions.function, into);
        if (!region.inverted || region.update_before_condition) update(into);
        if (region.inverted) leave_or_stay(into);
        if (region.inverted && !region.update_before_condition) update(into);
    };
    assign_statement(regions, region.init, body);
    meet(function, body);
    function.team->started = true;
    loop::While loop{loop::integer_value(1, code::Scalar::Bool), false, {}};
    ScopedBindings bindings(function);
    function.loops.push_back({"", {}, false});
    regions.loops.push_back(OpenLoop{next, false});
    if (!region.inverted) leave_or_stay(loop.body);
    lower_region(regions, region.body, loop.body);
    next(loop.body);
    regions.loops.pop_back();
    function.loops.pop_back();
    emit(body, std::move(loop), block.metadata.where);
}

void lower_loop(Regions& regions, const ir::LoopRegion& region, const ir::Block& block, Body& body) {
    FunctionContext& function = regions.function;
    std::optional<symbolic::Range> range;
    if (!region.variable.empty() && function.for_variables.contains(region.variable))
        range = analysis::range_before(function.sdfg, region);
    const auto write = [&](Body& into) {
        if (range) return lower_counted(regions, region, *range, block, into);
        (function.team ? lower_general_by_team : lower_general)(regions, region, block, into);
    };
    return runs_by_team(function, region) ? lower_by_team(function, region, write, body) : write(body);
}

// ---- branches and leaves ------------------------------------------------------------------------------------------------

void lower_conditional(Regions& regions, const ir::ConditionalBlock& conditional, std::size_t at, Body& body) {
    if (at == conditional.branches.size()) return;
    const ir::Branch& branch = conditional.branches[at];
    meet(regions.function, body);
    if (regions.function.team) regions.function.team->started = true;
    if (!branch.condition) {
        // The branch without a condition runs if no other does, wherever it stands.
        if (at + 1 == conditional.branches.size()) {
            lower_region(regions, branch.body, body);
            return meet(regions.function, body);
        }
        ir::ConditionalBlock reordered = conditional;
        std::rotate(reordered.branches.begin() + static_cast<std::ptrdiff_t>(at),
                    reordered.branches.begin() + static_cast<std::ptrdiff_t>(at) + 1, reordered.branches.end());
        return lower_conditional(regions, reordered, at, body);
    }
    const std::set<std::string> asked =
        regions.function.team ? ir::free_names(*ir::parsed_expr(branch.condition->text).or_fail()) : std::set<std::string>();
    loop::If choice{agreed(regions.function, asked, condition_of(regions, *branch.condition), body), {}, {}};
    {
        ScopedBindings bindings(regions.function);
        lower_region(regions, branch.body, choice.then_body);
        meet(regions.function, choice.then_body);
    }
    {
        ScopedBindings bindings(regions.function);
        lower_conditional(regions, conditional, at + 1, choice.else_body);
    }
    emit(body, std::move(choice));
}

void leave_loop(Regions& regions, const ir::Block& block, bool again, Body& body) {
    const std::string path = regions.function.path + "/" + block.label;
    if (regions.loops.empty())
        refuse({"L018", std::string(again ? "`continue`" : "`break`") + " outside of a loop", block.metadata.where, path,
                "put it into a loop region"});
    if (regions.loops.back().through_raw_loop)
        refuse({"L018", std::string(again ? "`continue`" : "`break`") + " leaves a loop of the state machine around it",
                block.metadata.where, path, "turn the inner loop into a loop region"});
    meet(regions.function, body);
    if (again && regions.loops.back().before_continue) regions.loops.back().before_continue(body);
    if (again)
        emit(body, loop::Continue{}, block.metadata.where);
    else
        emit(body, loop::Break{}, block.metadata.where);
}

}  // namespace

bool is_unconditional(const ir::Transition& transition) {
    const std::string& text = transition.condition.text;
    return text.empty() || text == "1" || text == "True" || text == "true";
}

ValuePtr condition_of(const Regions& regions, const ir::CodeBlock& condition) {
    const code::ExprPtr parsed = ir::parsed_expr(condition.text).or_fail();
    return lower_condition(*parsed, meaning_of(regions.function, regions.function.path));
}

namespace {

/// A symbol that a transition assigns.
struct Pending {
    const SymbolSlot* symbol;
    ValuePtr value;
    std::set<std::string> reads;
};

bool inexact(code::Scalar scalar) {
    return code::is_floating(scalar) || code::is_complex(scalar);
}

void assign_pending(FunctionContext& function, const ir::Transition& transition, std::vector<Pending>& pending, bool crossed,
                    Body& body) {
    Body assignments;
    function.names.open();
    if (crossed)
        for (Pending& one : pending) {
            const std::string name = function.names.fresh(one.symbol->name + "_next");
            emit(assignments, loop::Declare{name, one.symbol->type, one.value, true});
            one.value = loop::variable(name, one.symbol->type);
        }
    for (const Pending& one : pending) emit(assignments, loop::Assign{one.symbol->name, one.value}, transition.metadata.where);
    function.names.close();
    if (crossed) return emit(body, loop::Block{"", std::move(assignments)});
    for (loop::Statement& statement : assignments) body.push_back(std::move(statement));
}

}  // namespace

void assign_symbols(Regions& regions, const ir::Transition& transition, Body& body) {
    FunctionContext& function = regions.function;
    const Meaning meaning = meaning_of(function, function.path);
    std::vector<Pending> pending;
    for (const auto& [name, text] : transition.assignments) {
        const auto symbol = function.symbols.find(name);
        check(symbol != function.symbols.end(), "assigned symbol without a variable: ", name);
        const code::ExprPtr value = ir::parsed_expr(text, transition.metadata.where).or_fail();
        const ValuePtr given = lower_expression(*value, meaning).value;
        pending.push_back({&symbol->second, convert(given, symbol->second.type), ir::free_names(*value)});
        if (inexact(symbol->second.type.scalar)) continue;  // As the graph declares it.
        for (const std::string& read : pending.back().reads)
            if (const ir::Container* container = function.sdfg.containers.find(read);
                container && inexact(container->dtype.scalar) && inexact(given->type.scalar))
                refuse({"S004",
                        "the symbol " + name + " is an integer, but `" + text + "` reads " + code::to_string(container->dtype),
                        transition.metadata.where, function.path,
                        "convert it with `int(...)`, or let the code read the container instead of a symbol"});
    }
    bool crossed = false;
    for (std::size_t at = 1; at < pending.size(); ++at)
        for (std::size_t before = 0; before < at; ++before)
            crossed = crossed || pending[at].reads.contains(transition.assignments[before].first);
    std::set<std::string> asked;
    for (const Pending& one : pending) asked.insert(one.reads.begin(), one.reads.end());
    ask_together(
        function, asked, [&](Body& into) { assign_pending(function, transition, pending, crossed, into); }, body);
}

void lower_block(Regions& regions, const ir::Block& block, Body& body) {
    const std::size_t before = body.size();
    if (const auto own = regions.allocations.before_block.find(&block); own != regions.allocations.before_block.end())
        for (const std::string& name : own->second) allocate(regions.function, name, nullptr, body);
    std::visit(code::Overloaded{
                   [&](const Cow<ir::State>& state) { lower_state(regions.function, *state, block.label, body); },
                   [&](const ir::LoopRegion& loop) { lower_loop(regions, loop, block, body); },
                   [&](const ir::ConditionalBlock& conditional) { lower_conditional(regions, conditional, 0, body); },
                   [&](const ir::BreakBlock&) { leave_loop(regions, block, false, body); },
                   [&](const ir::ContinueBlock&) { leave_loop(regions, block, true, body); },
                   [&](const ir::ReturnBlock&) { emit(body, loop::Return{}, block.metadata.where); },
                   [&](const ir::NamedRegion& named) { lower_region(regions, named.body, body); },
               },
               block.kind);
    regions.function.module.origins.give(regions.function.path + "/" + block.label, body, before);
}

void lower_region(Regions& regions, const ir::Region& region, Body& body) {
    if (region.blocks.empty()) return;
    lower_state_machine(regions, region, body);
}

void lower_control_flow(FunctionContext& function, Body& body) {
    Regions regions{function, allocated_at_blocks(function), {}, 0};
    lower_region(regions, function.sdfg.body, body);
}

}  // namespace sluice::lower
