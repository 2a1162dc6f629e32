// if, while and for over range become regions.
#include <algorithm>

#include "code/parse.h"
#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/bounds.h"
#include "frontend/python/collections.h"
#include "frontend/python/domain.h"
#include "frontend/python/inlining.h"
#include "frontend/python/lists.h"
#include "frontend/python/loop_exits.h"
#include "frontend/python/magnitudes.h"
#include "frontend/python/nested_loops.h"
#include "frontend/python/overflow.h"
#include "frontend/python/single_exit.h"
#include "frontend/python/sizes.h"
#include "frontend/python/texts.h"
#include "frontend/python/types_by_path.h"
#include "frontend/python/unbound.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

bool is_true(const NumberBinding& number) {
    return std::visit(
        [](const auto& v) {
            if constexpr (requires { v.first; })
                return v.first != 0 || v.second != 0;
            else
                return v != 0;
        },
        number.value);
}

}  // namespace

namespace {

/// Of a condition without any name, as loops that are written out have them; nullopt for others.
std::optional<bool> truth_of_constants(const std::string& condition) {
    const ExprPtr code = code::parse_expr(condition).or_fail();
    if (!ir::free_names(*code).empty()) return std::nullopt;
    const Result<Expr> value = ir::to_symbolic(*code);
    const symbolic::Truth truth = value.ok() ? symbolic::decide(*value, {}) : symbolic::Truth::Unknown;
    return truth == symbolic::Truth::Unknown ? std::nullopt : std::optional(truth == symbolic::Truth::Yes);
}

/// `raise` and `assert`.
bool has_raise(const Body& body) {
    bool found = false;
    walk_statements(body, [&](const Stmt& one) {
        found = found || std::holds_alternative<AssertStmt>(one.node);
        return !found && !std::holds_alternative<FunctionStmt>(one.node);
    });
    return found;
}

}  // namespace

void Translator::translate_if(const IfStmt& statement, const Span& span) {
    refuse_flat();
    if (const auto constant = constant_value(*statement.condition, bindings_))
        return translate(is_true(*constant) ? statement.then_body : statement.else_body);
    if (const auto truth = decided(statement.condition)) return translate(*truth ? statement.then_body : statement.else_body);
    ir::ConditionalBlock block;
    // What the condition computes happens before the whole statement.
    std::string condition = condition_text(statement.condition);
    if (const auto truth = truth_of_constants(condition)) return translate(*truth ? statement.then_body : statement.else_body);
    flush_symbols();
    const Variables before = variables_;
    const Restored unsure(sure_loops_, {});
    std::vector<ExprPtr> inside_then, inside_else;
    Path then_path = path_of([&] { inside_then = Bounds(*this).in_branch(statement.then_body, condition, true); });
    variables_ = before;
    Path else_path{{}, {}, {{{}, before}}};
    if (!statement.else_body.empty())
        else_path = path_of([&] { inside_else = Bounds(*this).in_branch(statement.else_body, condition, false); });
    where_ = span;
    flush_symbols();
    join({&then_path, &else_path});
    if (!inside_else.empty()) condition = "(" + condition + ") or not (" + Bounds::text_of(inside_else) + ")";
    if (!inside_then.empty()) condition = "(" + condition + ") and " + Bounds::text_of(inside_then);
    block.branches.push_back({ir::CodeBlock{condition, ir::Language::Python}, std::move(then_path.region)});
    if (else_path.last.valid()) block.branches.push_back({std::nullopt, std::move(else_path.region)});
    append_block({.label = fresh_label("if"), .kind = std::move(block), .metadata = {}});
}

namespace {

bool binds_names(const ExprPtr& e) {
    bool found = std::holds_alternative<NamedExpr>(e->node);
    for_each_child(*e, [&](const ExprPtr& child) { found = found || binds_names(child); });
    return found;
}

/// A condition that binds names is part of each iteration:
///     while (n := step(n)) != 1: ...   ->   while True: if not (n := step(n)) != 1: break; ...
StmtPtr tested_inside(const WhileStmt& loop, const Span& span) {
    const auto statement = [&](auto node) { return std::make_shared<const Stmt>(Stmt{std::move(node), span}); };
    Body turn{statement(IfStmt{make_unary(UnaryOp::Not, loop.condition, span), {statement(BreakStmt{})}, {}})};
    turn.insert(turn.end(), loop.body.begin(), loop.body.end());
    return statement(WhileStmt{make_boolean(true, span), std::move(turn), {}});
}

}  // namespace

void Translator::translate_while(const Stmt& shared, const WhileStmt& statement) {
    refuse_flat();
    const Span& span = shared.span;
    if (!statement.else_body.empty()) return translate_with_else(shared, statement.body, statement.else_body);
    if (binds_names(statement.condition)) {
        Body& inside = context_.rewritten[&shared];
        if (inside.empty()) inside = {tested_inside(statement, span)};
        return translate_from(inside, 0);
    }
    TypesByPath(*this).enter_loop();
    const Body* const around = std::exchange(enclosing_loop_, &statement.body);
    const Restored unsure(sure_loops_, {});
    const Restored unreached(reached_by_all_, false);
    trips_.emplace_back();
    const bool chooses = context_.choosing_loops.contains(&shared);
    ir::LoopRegion loop;
    std::string condition;
    LoopFrame frame{.statement = &shared};
    const auto constant = constant_value(*statement.condition, bindings_);
    frame.runs = frame.endless = constant && is_true(*constant);
    loop.body = loop_body(frame, statement.body, [&] {
        const ir::BlockId before = last_;
        if (const auto truth = decided(statement.condition); truth && !*truth) {  // In this meaning of the names.
            leave_iteration(false);
            append_block({.label = fresh_label("break"), .kind = ir::BreakBlock{}, .metadata = {}});
            condition = "True";
            reachable_ = false;
            return;
        }
        condition = condition_text(statement.condition);
        if (last_ == before && pending_.empty() && !chooses) return;
        // The condition needs states of its own, or differs with what the names mean: test inside the loop.
        ir::ConditionalBlock leave;
        ir::Region exit = region_of([&] {
            leave_iteration(false);
            append_block({.label = fresh_label("break"), .kind = ir::BreakBlock{}, .metadata = {}});
        });
        leave.branches.push_back({ir::CodeBlock{"not (" + condition + ")", ir::Language::Python}, std::move(exit)});
        append_block({.label = fresh_label("leave"), .kind = std::move(leave), .metadata = {}});
        condition = "True";
    });
    loop.condition = ir::CodeBlock{condition, ir::Language::Python};
    trips_.pop_back();
    enclosing_loop_ = around;
    where_ = span;
    append_block({.label = fresh_label("while"), .kind = std::move(loop), .metadata = {}});
    TypesByPath(*this).leave_loop(frame, span);
}

namespace {

std::optional<std::int64_t> integer_literal_of(const ExprPtr& e) {
    const auto constant = constant_value(*e, {});
    const auto* integer = constant && !constant->dtype ? std::get_if<std::int64_t>(&constant->value) : nullptr;
    return integer ? std::optional(*integer) : std::nullopt;
}

/// `range(begin, end, step)` from its end, as in `reversed(range(...))` and `range(...)[::-1]`.
std::optional<CallExpr> range_backwards(const CallExpr& range, const Span& span) {
    if (range.arguments.empty() || range.arguments.size() > 3 || !range.keywords.empty()) return std::nullopt;
    const ExprPtr begin = range.arguments.size() > 1 ? range.arguments[0] : make_integer(0, span);
    const ExprPtr end = range.arguments.size() > 1 ? range.arguments[1] : range.arguments[0];
    const auto step = range.arguments.size() > 2 ? integer_literal_of(range.arguments[2]) : std::optional<std::int64_t>(1);
    if (!step || *step == 0) return std::nullopt;
    const std::int64_t way = *step > 0 ? 1 : -1;
    // The last is begin + (end - way - begin) // step * step.
    const ExprPtr reach = make_binary(BinaryOp::Sub, make_binary(BinaryOp::Sub, end, make_integer(way, span)), begin);
    const ExprPtr steps = *step * way == 1 ? make_binary(BinaryOp::Mul, reach, make_integer(way, span))
                                           : make_binary(BinaryOp::FloorDiv, reach, make_integer(*step, span));
    const ExprPtr last = make_binary(BinaryOp::Add, begin, make_binary(BinaryOp::Mul, steps, make_integer(*step, span)));
    return CallExpr{
        range.function, {last, make_binary(BinaryOp::Sub, begin, make_integer(way, span)), make_integer(-*step, span)}, {}};
}

bool is_backwards(const ExprPtr& index) {
    const auto* slice = std::get_if<SliceExpr>(&index->node);
    return slice && !slice->begin && !slice->end && slice->step && integer_literal_of(slice->step) == -1;
}

}  // namespace

void Translator::translate_for(const StmtPtr& shared) {
    const auto& statement = std::get<ForStmt>(shared->node);
    const Span& span = shared->span;
    if (!statement.else_body.empty()) return translate_with_else(*shared, statement.body, statement.else_body);
    if (NestedLoops(*this).translate(*shared, statement)) return;
    if (const auto* generator = std::get_if<ComprehensionExpr>(&statement.iterable->node))
        if (!generator->is_list && generator->clauses.size() == 1) return translate_over_generator(*shared, statement, *generator);
    std::vector<std::string> names;
    bool plain = true;
    for (const ExprPtr& target : elements_of(statement.target)) {
        plain = plain && !name_of(target).empty();
        names.emplace_back(name_of(target));
    }
    if (!plain) return translate_over_elements(*shared, statement);
    if (const auto* call = std::get_if<CallExpr>(&statement.iterable->node)) {
        const bool range = name_of(call->function) == "range" && !bindings_.contains("range");
        const std::string name = qualified_name(*call->function, bindings_);
        if ((range || name == "sluice.unroll" || name == "sluice.nounroll") && names.size() == 1) {
            const CallExpr* inner = call;
            if (!range && call->arguments.size() == 1) inner = std::get_if<CallExpr>(&call->arguments[0]->node);
            if (inner && name_of(inner->function) == "range") return translate_range(*shared, statement, *inner);
        }
        const auto* turned = name_of(call->function) == "reversed" && !bindings_.contains("reversed") && call->arguments.size() == 1
                                 ? std::get_if<CallExpr>(&call->arguments[0]->node)
                                 : nullptr;
        if (turned && name_of(turned->function) == "range" && !bindings_.contains("range") && names.size() == 1)
            if (const auto backwards = range_backwards(*turned, span)) return translate_range(*shared, statement, *backwards);
        if (name == "itertools.count" && names.size() == 1) {
            const std::string counter = inline_prefix_ + "__count" + std::to_string(span.line) + "_" + std::to_string(span.column);
            Body& endless = context_.rewritten[shared.get()];
            auto turns = counted_without_end(statement, *call, counter, span);
            if (turns && endless.empty()) endless = *std::move(turns);
            context_.bindings[counter] = 2, context_.bindings[counter + "_step"] = 1;
            if (!endless.empty()) return translate_from(endless, 0);
        }
        if (name == "sluice.parrange" && call->arguments.size() == 1 && names.size() == 1) {
            const ExprPtr end = call->arguments[0];
            const auto header = std::make_shared<const code::Expr>(code::Expr{
                SubscriptExpr{call->function,
                              std::make_shared<const code::Expr>(code::Expr{SliceExpr{nullptr, end, nullptr}, end->span})},
                span});
            return translate_map(names, header, statement.body, span);
        }
    }
    if (const auto* subscript = std::get_if<SubscriptExpr>(&statement.iterable->node)) {
        const auto* range = std::get_if<CallExpr>(&subscript->object->node);
        if (range && name_of(range->function) == "range" && !bindings_.contains("range") && is_backwards(subscript->index) &&
            names.size() == 1)
            if (const auto backwards = range_backwards(*range, span)) return translate_range(*shared, statement, *backwards);
    }
    const auto* schedule = std::get_if<BinaryExpr>(&statement.iterable->node);
    const bool scheduled = schedule && schedule->op == BinaryOp::MatMul;
    const auto* map = std::get_if<SubscriptExpr>(&(scheduled ? schedule->left : statement.iterable)->node);
    const std::string maps = map ? qualified_name(*map->object, bindings_) : std::string();
    if (maps == "sluice.map" || maps == "sluice.parrange") return translate_map(names, statement.iterable, statement.body, span);
    translate_over_elements(*shared, statement);
}

/// `else` of a loop is what follows it, unless a break has left the loop:
///     for ...: ... break ...               left = 0
///     else: rest                    ->     for ...: ... left = 1; break ...
///                                          if left == 0: rest
void Translator::translate_with_else(const Stmt& shared, const Body& body, const Body& else_body) {
    Body& both = context_.rewritten[&shared];
    if (both.empty()) {
        const bool breaks = has_break(body);
        const std::string left =
            inline_prefix_ + "__left" + std::to_string(shared.span.line) + "_" + std::to_string(shared.span.column);
        const auto note = [&](std::int64_t value) {
            return make_assignment(make_name(left, shared.span), make_integer(value), shared.span);
        };
        Stmt loop = shared;
        if (auto* counted = std::get_if<ForStmt>(&loop.node)) counted->else_body.clear();
        if (auto* tested = std::get_if<WhileStmt>(&loop.node)) tested->else_body.clear();
        if (breaks) {
            for (Body* inner : {std::get_if<ForStmt>(&loop.node) ? &std::get<ForStmt>(loop.node).body : nullptr,
                                std::get_if<WhileStmt>(&loop.node) ? &std::get<WhileStmt>(loop.node).body : nullptr})
                if (inner) *inner = before_breaks(*inner, note(1));
            both.push_back(note(0));
            context_.bindings[left] = context_.occurrences[left] = 3;
            integer_locals_.insert(left);
        }
        both.push_back(std::make_shared<const Stmt>(std::move(loop)));
        const ExprPtr ran = make_compare(make_name(left, shared.span), CompareOp::Eq, make_integer(0), shared.span);
        if (breaks)
            both.push_back(std::make_shared<const Stmt>(Stmt{IfStmt{ran, else_body, {}}, shared.span}));
        else
            both.insert(both.end(), else_body.begin(), else_body.end());
    }
    translate_from(both, 0);
}

/// Its elements are computed when the loop asks for them:
///     for x in (f(a) for i in range(n) if c): ...   ->   for i_ in range(n): if c: x = f(a); ...
void Translator::translate_over_generator(const Stmt& shared, const ForStmt& loop, const ComprehensionExpr& generator) {
    Body& plain = context_.rewritten[&shared];
    if (plain.empty()) {
        const ComprehensionClause& clause = generator.clauses[0];
        const std::string own =
            inline_prefix_ + "__of" + std::to_string(shared.span.line) + "_" + std::to_string(shared.span.column);
        std::map<std::string, ExprPtr> names;
        const std::function<ExprPtr(const ExprPtr&)> own_names = [&](const ExprPtr& target) -> ExprPtr {
            if (const auto* several = std::get_if<TupleExpr>(&target->node)) {
                std::vector<ExprPtr> elements;
                for (const ExprPtr& one : several->elements) elements.push_back(own_names(one));
                return std::make_shared<const code::Expr>(code::Expr{TupleExpr{std::move(elements)}, target->span});
            }
            const std::string name = own + std::string(name_of(target));
            context_.bindings[name] = context_.occurrences[name] = 1;
            return names.emplace(name_of(target), make_name(name, target->span)).first->second;
        };
        const ExprPtr target = own_names(clause.target);
        Body body = renamed({make_assignment(loop.target, generator.element, shared.span)}, names);
        const auto* element = std::get_if<AssignStmt>(&body[0]->node);
        body = {make_assignment(loop.target, element->value, shared.span)};
        body.insert(body.end(), loop.body.begin(), loop.body.end());
        for (std::size_t at = clause.conditions.size(); at-- > 0;) {
            const Body condition =
                renamed({std::make_shared<const Stmt>(Stmt{ExprStmt{clause.conditions[at]}, shared.span})}, names);
            body = {std::make_shared<const Stmt>(
                Stmt{IfStmt{std::get<ExprStmt>(condition[0]->node).value, std::move(body), {}}, shared.span})};
        }
        plain.push_back(std::make_shared<const Stmt>(Stmt{ForStmt{target, clause.iterable, std::move(body), {}}, shared.span}));
    }
    translate_for(plain[0]);
}

/// The bounds are taken once, before the loop: what the body changes is kept in a symbol of its own.
symbolic::Range Translator::range_bounds(const ForStmt& statement, const CallExpr& range, const Span& span) {
    if (range.arguments.empty() || range.arguments.size() > 3 || !range.keywords.empty())
        refuse("F005", "range takes one to three arguments", span,
               "write range(end), range(begin, end) or range(begin, end, step)");
    const auto bound_inside = binding_counts(statement.body);
    // A loop that begins at a small number does not come to the ends of 64 bits.
    const bool far = range.arguments.size() > 1 && Domain(*this).outside_of_loops() && !known_integer(range.arguments[0]);
    std::vector<Expr> bounds;
    for (const ExprPtr& argument : range.arguments) {
        Expr bound = far ? integer_of(evaluate(argument), argument->span) : integer_of(argument);
        bool moves = context_.moving_bounds.contains(&statement) && !symbolic::free_symbols(bound).empty();
        for (const std::string& symbol : symbolic::free_symbols(bound))
            moves = moves || bound_inside.contains(symbol) || symbol == name_of(statement.target) ||
                    (keeper_of_.contains(symbol) && bound_inside.contains(keeper_of_.at(symbol)));
        if (moves) {
            const std::string kept = fresh_symbol("bound");
            assumptions_.assume_any(kept);
            Sizes(*this).note(kept, bound);
            assign_symbols({{kept, symbolic::to_string(bound)}});
            bound = symbolic::symbol(kept);
        }
        bounds.push_back(bound);
    }
    const Expr step = bounds.size() > 2 ? bounds[2] : Expr(1);
    if (step.is_integer(0)) refuse("F005", "range with step 0", span, "use a positive or negative step");
    if (bounds.size() == 1) return {0, bounds[0], step, 1};
    if (far && !step.is_integer(1) && !step.is_integer(-1)) {  // The counter ends behind the end.
        const Value end = symbolic_value(bounds[1], span), by = symbolic_value(step, span);
        Overflow(*this).check(BinaryExpr{BinaryOp::Add, end.code, by.code}, end, by, span);
    }
    return {bounds[0], bounds[1], step, 1};
}

/// Python's variable keeps the last value after the loop, and changes to it do not move the loop: then the loop counts by another.
bool Translator::counts_apart(const ForStmt& statement) const {
    const std::string name(name_of(statement.target));
    // Uses inside of loops over the name belong to those loops; a loop inside of another one over the same name changes that one's.
    int uses = 0;
    bool nested = false;
    const auto look = [&](const Body& body) {
        walk_statements(body, [&](const Stmt& other) {
            if (const auto* inner = std::get_if<FunctionStmt>(&other.node);
                inner && std::ranges::any_of(inner->parameters, [&](const Parameter& one) { return one.name == name; })) {
                const auto inside = occurrences(inner->body);  // Of its parameter.
                uses += inside.contains(name) ? inside.at(name) : 0;
                return false;
            }
            const auto* loop = std::get_if<ForStmt>(&other.node);
            if (!loop || name_of(loop->target) != name) return true;
            const auto inside = occurrences(loop->body);
            uses += 1 + (inside.contains(name) ? inside.at(name) : 0);
            walk_statements(loop->body, [&](const Stmt& inner) {
                nested = nested || std::get_if<ForStmt>(&inner.node) == &statement;
                return true;
            });
            return false;
        });
    };
    look(context_.function->body);
    for (const auto& [prefix, body] : context_.inlined) look(body);
    return nested || binding_counts(statement.body).contains(name) || context_.occurrences.at(name) - uses > 0 ||
           (variables_.contains(name) && !variables_.at(name).value.is_symbolic());
}

namespace {

std::string loop_condition(const std::string& variable, const symbolic::Range& range, bool up, bool down) {
    const std::string end = symbolic::to_string(range.end), step = symbolic::to_string(range.step);
    const bool plain = range.end.is_integer() || range.end.is_symbol();
    if (up || down) return variable + (down ? " > " : " < ") + (plain ? end : "(" + end + ")");
    return "(" + step + " > 0 and " + variable + " < (" + end + ")) or (" + step + " < 0 and " + variable + " > (" + end + "))";
}

}  // namespace

void Translator::translate_range(const Stmt& shared, const ForStmt& statement, const CallExpr& call) {
    refuse_flat();
    if (translate_known_turns(shared, statement, call)) return;
    const Span& span = shared.span;
    const std::string name(name_of(statement.target));
    symbolic::Range range = range_bounds(statement, call, span);
    const bool down = symbolic::is_yes(symbolic::decide(symbolic::less(range.step, 0), assumptions_));
    const bool up = symbolic::is_yes(symbolic::decide(symbolic::less(0, range.step), assumptions_));
    if (const Expr length = down ? range.begin - range.end : range.end - range.begin;
        (up || down) && length.is_integer() && length.integer() <= 0)
        return;  // What never runs need not make sense: A[i] of an empty array.
    const bool apart = counts_apart(statement);
    const std::string variable = apart ? fresh_symbol(name + "_") : name;
    define_symbol(variable);
    counters_.insert_or_assign(variable, range);
    if (up) Sizes(*this).note(variable, range.end - 1);
    const Expr iterations =
        symbolic::ceil_divide(down ? range.begin - range.end : range.end - range.begin, down ? -range.step : range.step);
    trips_.push_back((up || down) && range.step.is_integer() ? Sizes(*this).most(symbolic::maximum(0, iterations)) : std::nullopt);
    const auto assumptions = assumptions_;
    const bool runs = runs_surely(range, up, down);
    if (up)
        assumptions_.assume_in(variable, range.begin, range.end);
    else if (down)
        assumptions_.assume_in(variable, range.end + 1, range.begin + 1);
    else
        assumptions_.assume_any(variable);
    const Expr v = symbolic::symbol(variable);
    ir::LoopRegion loop;
    loop.variable = variable;
    loop.init = ir::CodeBlock{variable + " = " + symbolic::to_string(range.begin), ir::Language::Python};
    loop.condition = ir::CodeBlock{loop_condition(variable, range, up, down), ir::Language::Python};
    loop.update = ir::CodeBlock{variable + " = " + symbolic::to_string(v + range.step), ir::Language::Python};
    std::set<std::string> symbols;
    for (const Expr& bound : {range.begin, range.end, range.step}) symbols.merge(symbolic::free_symbols(bound));
    need_symbols(symbols);
    std::vector<SureLoop> sure = sure_loops_;
    if (!range.step.is_integer() || leaves_early(statement.body))
        sure.clear();
    else
        sure.push_back({variable, range.begin, range.end, range.step, assumptions});
    TypesByPath(*this).enter_loop();
    const bool all_iterations = !sure.empty();
    std::swap(sure_loops_, sure);
    const Body* const around = std::exchange(enclosing_loop_, &statement.body);
    LoopFrame frame{.statement = &shared, .counters = {variable}};
    frame.raises = has_raise(statement.body) || context_.raising_loops.contains(&statement);
    frame.runs = runs;
    frame.notes_behind = (up || down) && !leaves_early(statement.body);
    const bool around_reached = std::exchange(reached_by_all_, all_iterations);
    const bool raised_before = raises_, program_raised_before = std::exchange(program_raises_, false);
    loop.body = loop_body(frame, statement.body, [&] {
        if (apart && integer_locals_.contains(name)) {
            define_symbol(name);
            Magnitudes(*this).note(name, name, symbolic_value(v));
            bind(name, symbolic_value(symbolic::symbol(name)));
            assumptions_.assume_any(name);
            assign_symbols({{name, variable}});
        } else if (apart) {
            assign_name(name, symbolic_value(v), span);
        } else {
            bind(name, symbolic_value(v));
        }
    });
    if (program_raises_ && !frame.raises && !frame.indices.empty() && context_.raising_loops.insert(&statement).second)
        throw StartAgain{};  // A function that the loop calls raises.
    program_raises_ = program_raises_ || program_raised_before;
    for (const std::string& symbol : symbols)
        if (frame.moved.contains(symbol) && context_.moving_bounds.insert(&statement).second) throw StartAgain{};
    trips_.pop_back();
    counters_.erase(variable);
    enclosing_loop_ = around;
    sure_loops_ = std::move(sure);
    assumptions_ = assumptions;
    forget(variable);
    where_ = span;
    reached_by_all_ = around_reached;
    const bool raised_inside = std::exchange(raises_, raised_before);  // What is in front comes before the loop's own changes.
    std::vector<ExprPtr> inside;
    {
        const Restored changing(loop_raises_, loop_raises_ || raised_inside);
        inside = Bounds(*this).in_front(frame, range);
    }
    raises_ = raises_ || raised_inside;
    if (!inside.empty()) {
        const std::string end = fresh_symbol("end");
        assumptions_.assume_any(end);
        assign_symbols({{end, symbolic::to_string(range.end) + " if " + Bounds::text_of(inside) + " else " +
                                  symbolic::to_string(range.begin)}});
        range.end = symbolic::symbol(end);
        loop.condition = ir::CodeBlock{loop_condition(variable, range, up, down), ir::Language::Python};
    }
    Lists(*this).note_turns(shared.span, (up || down) && range.step.is_integer() ? std::optional(iterations) : std::nullopt);
    Magnitudes(*this).in_front(frame, range);
    append_block({.label = fresh_label("for_" + name), .kind = std::move(loop), .metadata = {}});
    Unbound(*this).note_behind(frame, range, up);
    TypesByPath(*this).leave_loop(frame, span);
}

}  // namespace sluice::frontend
