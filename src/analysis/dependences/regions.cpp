// The control flow of the table of statements: sequences, loops, conditionals, state machines, and the symbols that they assign.
#include <algorithm>

#include "analysis/dependences/builder.h"
#include "analysis/loop_range.h"
#include "code/walk.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::analysis {

using code::Overloaded;
using symbolic::Expr;
using symbolic::Range;

namespace {

template <class... Kinds> bool jumps_by(const ir::Region& region) {
    return std::ranges::any_of(ir::jumps_out(region),
                               [](const ir::Block* jump) { return (std::holds_alternative<Kinds>(jump->kind) || ...); });
}
/// May an iteration be the last one before the condition says so?
bool may_leave(const ir::LoopRegion& loop) {
    return jumps_by<ir::BreakBlock, ir::ReturnBlock>(loop.body);
}

/// The right-hand side of `variable = e`.
std::optional<code::ExprPtr> right_hand_side(const std::optional<ir::CodeBlock>& block, const std::string& variable) {
    if (!block) return std::nullopt;
    const Result<code::Body> body = ir::parsed_body(*block);
    if (!body.ok() || body->size() != 1) return std::nullopt;
    const auto* assign = std::get_if<code::AssignStmt>(&body->front()->node);
    if (!assign || assign->targets.size() != 1) return std::nullopt;
    const auto* target = std::get_if<code::NameExpr>(&assign->targets[0]->node);
    if (!target || target->id != variable) return std::nullopt;
    return assign->value;
}

/// c of `variable = variable + c`, if nothing else changes the variable.
std::optional<std::int64_t> step_of(const ir::LoopRegion& loop) {
    if (loop.variable.empty() || loop.inverted || ir::assigned_symbols(loop.body).contains(loop.variable)) return std::nullopt;
    const auto next = right_hand_side(loop.update, loop.variable);
    if (!next) return std::nullopt;
    const Result<Expr> value = ir::to_symbolic(**next);
    if (!value.ok()) return std::nullopt;
    const std::optional<std::int64_t> step = (*value - symbolic::symbol(loop.variable)).constant();
    return step && *step != 0 ? step : std::nullopt;
}

std::string joined(const std::string& place, const std::string& label) {
    return place.empty() ? label : place + "/" + label;
}

}  // namespace

bool may_continue(const ir::Region& region) {
    return jumps_by<ir::ContinueBlock>(region);
}

// ---- pieces -------------------------------------------------------------------------------------------------------------

std::size_t ModelBuilder::guard(Frame& frame, const std::string& text) {
    model_.guards.push_back({.text = text, .depth = frame.iterators.size()});
    frame.guards.push_back(model_.guards.size() - 1);
    return frame.guards.back();
}

void ModelBuilder::forget(Frame& frame, const std::set<std::string>& symbols, const std::string& why) {
    for (const std::string& symbol : symbols) {
        frame.values.insert_or_assign(symbol, unknown_value(symbol));
        frame.bound.erase(symbol);
        unknown_.insert_or_assign(symbol, "the value of `" + symbol + "` " + why);
    }
}

void ModelBuilder::iterate(Frame& frame, const std::string& variable, Iterator::Kind kind, std::int64_t direction,
                           std::size_t owner) {
    const std::string base = variable.empty() ? "turn" : variable;
    std::string name = base;
    for (int n = 1; !names_.insert(name).second; ++n) name = base + "$" + std::to_string(n);
    model_.iterators.push_back({.name = name, .kind = kind, .direction = direction, .owner = owner});
    frame.iterators.push_back(model_.iterators.size() - 1);
    frame.domain = frame.domain.add_dimension();
    frame.order.push_back({.kind = OrderStep::Kind::Iterate, .position = static_cast<std::int64_t>(frame.iterators.back())});
    if (variable.empty()) return;
    frame.values.insert_or_assign(variable, symbolic::symbol(name));
    frame.bound.insert(variable);
}

void ModelBuilder::restrict_to(Frame& frame, const Range& range, const std::string& text) {
    const poly::Space space = space_of(frame, "");
    const std::string& variable = space.dims.back();
    const poly::Converted<poly::Set> exact = poly::in_range(range, variable, space);
    if (exact.ok()) {
        frame.domain = frame.domain.intersect(*exact.value);
        return;
    }
    guard(frame, text);
    // What is known all the same: the side of one bound, and the residue.
    const Expr x = symbolic::symbol(variable);
    const std::optional<std::int64_t> step = range.step.constant();
    if (!step) return;
    const std::vector<Expr> facts = {*step > 0 ? symbolic::less_equal(range.begin, x) : symbolic::less_equal(x, range.begin),
                                     *step > 0 ? symbolic::less(x, range.end) : symbolic::less(range.end, x),
                                     symbolic::equal(symbolic::modulo(x - range.begin, *step > 0 ? range.step : -range.step), 0)};
    for (const Expr& fact : facts)
        if (const poly::Converted<poly::Set> set = poly::to_set(fact, space); set.ok())
            frame.domain = frame.domain.intersect(*set.value);
}

void ModelBuilder::require(Frame& frame, const std::string& text, const Expr& condition) {
    const poly::Converted<poly::Set> set = poly::to_set(condition, space_of(frame, ""));
    if (set.ok())
        frame.domain = frame.domain.intersect(*set.value);
    else
        guard(frame, text);
}

std::optional<Expr> ModelBuilder::condition_of(const Frame& frame, const std::string& text) const {
    if (text.empty()) return symbolic::boolean(true);
    const Result<code::ExprPtr> parsed = ir::parsed_expr(text);
    if (!parsed.ok()) return std::nullopt;
    for (const std::string& name : ir::free_names(**parsed))
        if (ir::find_container(*frame.sdfg, name)) return std::nullopt;
    Result<Expr> condition = ir::to_symbolic(**parsed);
    if (!condition.ok()) return std::nullopt;
    return known_value(frame, *condition);
}

void ModelBuilder::reads(const Frame& frame, const std::string& label, std::span<const std::string> texts, const Span& where) {
    Statement& statement = add_statement(frame, label, nullptr, {}, where);
    for (const std::string& text : texts)
        if (const Result<code::ExprPtr> parsed = ir::parsed_expr(text); parsed.ok()) read_code(statement, frame, **parsed);
    if (statement.accesses.empty()) model_.statements.pop_back();
}

void ModelBuilder::jump(const Frame& frame, const std::string& word, Statement::Leaves leaves, const Span& where) {
    add_statement(frame, word, nullptr, {}, where).leaves = leaves;
}

void ModelBuilder::transition(Frame& frame, const ir::Transition& transition) {
    std::string label;
    std::vector<std::string> texts;
    if (!transition.condition.text.empty()) texts.push_back(transition.condition.text);
    for (const auto& [symbol, value] : transition.assignments) {
        label += (label.empty() ? "" : ", ") + symbol + " = " + value;
        texts.push_back(value);
    }
    if (texts.empty()) return;
    if (label.empty()) label = "condition " + transition.condition.text;
    Statement& statement = add_statement(frame, label, nullptr, {}, transition.metadata.where);
    for (const std::string& text : texts)
        if (const Result<code::ExprPtr> parsed = ir::parsed_expr(text); parsed.ok()) read_code(statement, frame, **parsed);
    symbolic::Substitution values = frame.values;
    for (const auto& [symbol, text] : transition.assignments) {
        touch_symbol(statement, frame, symbol, true);
        const std::optional<Expr> value = condition_of(frame, text);
        values.insert_or_assign(symbol, value ? *value : unknown_value(symbol));
        if (!value) unknown_.insert_or_assign(symbol, "`" + symbol + " = " + text + "` reads data");
    }
    frame.values = std::move(values);
    if (statement.accesses.empty()) model_.statements.pop_back();
}

// ---- blocks -------------------------------------------------------------------------------------------------------------

void ModelBuilder::block(Frame& frame, const ir::Block& block) {
    frame.place = joined(frame.place, block.label);
    const Span& where = block.metadata.where;
    std::visit(Overloaded{
                   [&](const Cow<ir::State>& of) { state(frame, *of, where); },
                   [&](const ir::LoopRegion& of) { loop(frame, of, block); },
                   [&](const ir::ConditionalBlock& of) { conditional(frame, of, block); },
                   [&](const ir::BreakBlock&) { jump(frame, "break", Statement::Leaves::Loop, where); },
                   [&](const ir::ContinueBlock&) { jump(frame, "continue", Statement::Leaves::Nothing, where); },
                   [&](const ir::ReturnBlock&) { jump(frame, "return", Statement::Leaves::Sdfg, where); },
                   [&](const ir::NamedRegion& of) { region(frame, of.body); },
               },
               block.kind);
}

void ModelBuilder::loop(Frame& frame, const ir::LoopRegion& loop, const ir::Block& block) {
    if (!loop.variable.empty()) {
        Frame before = frame;
        before.order.push_back({.kind = OrderStep::Kind::Sequence, .position = 0});
        Statement& init = add_statement(before, "begin of " + block.label, nullptr, {}, block.metadata.where);
        if (const auto begin = right_hand_side(loop.init, loop.variable)) read_code(init, frame, **begin);
        touch_symbol(init, frame, loop.variable, true);
    }
    Frame inner = frame;
    inner.order.push_back({.kind = OrderStep::Kind::Sequence, .position = 1});
    loop_body(inner, loop, block);
    std::set<std::string> changed = ir::assigned_symbols(loop.body);
    if (!loop.variable.empty()) changed.insert(loop.variable);
    const Frame before = frame;
    forget(frame, changed, "is what the loop " + block.label + " leaves");
    if (!may_leave(loop)) leave(frame, inductions(before, loop), loop);
}

void ModelBuilder::loop_body(Frame& inner, const ir::LoopRegion& loop, const ir::Block& block) {
    const std::string text = loop.condition ? loop.condition->text : "";
    const auto range = loop_range(loop);
    const std::optional<std::int64_t> step = step_of(loop);
    std::optional<Range> known;
    if (range) known = symbolic::substitute(*range, inner.values);
    const std::vector<Induction> steady = inductions(inner, loop);
    forget(inner, ir::assigned_symbols(loop.body), "is what an earlier iteration of " + block.label + " leaves");
    const std::size_t owner = owners_++;
    if (known) {
        iterate(inner, loop.variable, Iterator::Kind::Loop, *known->step.constant() > 0 ? 1 : -1, owner);
        restrict_to(inner, *known, text);
    } else if (step) {
        iterate(inner, loop.variable, Iterator::Kind::Loop, *step > 0 ? 1 : -1, owner);
        guard(inner, text);
    } else {
        iterate(inner, "", Iterator::Kind::Turn, 1, owner);
        const poly::Space space = space_of(inner, "");
        inner.domain =
            inner.domain.intersect(*poly::to_set(symbolic::less_equal(0, symbolic::symbol(space.dims.back())), space).value);
        guard(inner, text);
        if (!loop.variable.empty()) forget(inner, {loop.variable}, "is not affine in the loop " + block.label);
    }
    if (known || !step) follow(inner, steady, known);
    if (may_leave(loop)) guard(inner, "no earlier iteration leaves the loop " + block.label);
    Frame header = inner;
    header.order.push_back({.kind = OrderStep::Kind::Sequence, .position = 0});
    reads(header, "condition of " + block.label, std::span(&text, text.empty() ? 0 : 1), block.metadata.where);
    inner.order.push_back({.kind = OrderStep::Kind::Sequence, .position = 1});
    region(inner, loop.body);
}

void ModelBuilder::conditional(Frame& frame, const ir::ConditionalBlock& conditional, const ir::Block& block) {
    Frame here = frame;
    const auto at = [&](std::int64_t position) {
        here.order = frame.order;
        here.order.push_back({.kind = OrderStep::Kind::Sequence, .position = position});
    };
    at(0);
    std::vector<std::string> texts;
    for (const ir::Branch& branch : conditional.branches)
        if (branch.condition) texts.push_back(branch.condition->text);
    if (!texts.empty()) reads(here, "condition " + texts.front(), texts, block.metadata.where);

    std::optional<Expr> otherwise = symbolic::boolean(true);  ///< None of the conditions so far holds.
    std::string text_otherwise;
    std::vector<symbolic::Substitution> values;
    std::vector<std::pair<std::size_t, std::size_t>> written;
    std::vector<std::size_t> guards;
    bool has_else = false;
    for (std::size_t k = 0; k < conditional.branches.size(); ++k) {
        const ir::Branch& branch = conditional.branches[k];
        has_else |= !branch.condition;
        at(static_cast<std::int64_t>(k) + 1);
        Frame inner = here;
        const std::string text = branch.condition ? branch.condition->text : "not (" + text_otherwise + ")";
        const std::optional<Expr> holds = branch.condition ? condition_of(frame, branch.condition->text) : symbolic::boolean(true);
        const std::size_t before = model_.guards.size();
        if (holds && otherwise)
            require(inner, text, symbolic::logical_and(*otherwise, *holds));
        else
            guard(inner, text);
        guards.push_back(model_.guards.size() > before ? before : static_cast<std::size_t>(-1));
        const std::size_t first = model_.statements.size();
        region(inner, branch.body);
        written.emplace_back(first, model_.statements.size());
        values.push_back(inner.values);
        if (otherwise && holds && branch.condition)
            otherwise = symbolic::logical_and(*otherwise, symbolic::logical_not(*holds));
        else
            otherwise.reset();
        text_otherwise += (text_otherwise.empty() ? "" : " or ") + text;
    }
    if (!has_else) values.push_back(frame.values);
    at(static_cast<std::int64_t>(conditional.branches.size()) + 1);
    if (has_else) summarise(here, written, guards);

    std::set<std::string> assigned;
    for (const ir::Branch& branch : conditional.branches) assigned.merge(ir::assigned_symbols(branch.body));
    for (const std::string& symbol : assigned) {
        const auto value_in = [&](const symbolic::Substitution& of) {
            const auto found = of.find(symbol);
            return found == of.end() ? symbolic::symbol(symbol) : found->second;
        };
        const Expr first = value_in(values.front());
        if (std::ranges::all_of(values, [&](const auto& of) { return value_in(of) == first; }))
            frame.values.insert_or_assign(symbol, first);
        else
            forget(frame, {symbol}, "depends on the branch taken in " + block.label);
    }
}

void ModelBuilder::summarise(const Frame& frame, const std::vector<std::pair<std::size_t, std::size_t>>& branches,
                             const std::vector<std::size_t>& guards) {
    if (std::ranges::find(guards, static_cast<std::size_t>(-1)) != guards.end()) return;
    const auto depth = static_cast<unsigned>(frame.iterators.size());
    std::map<std::string, poly::Map> common;
    for (std::size_t k = 0; k < branches.size(); ++k) {
        std::vector<std::size_t> expected = frame.guards;
        expected.push_back(guards[k]);
        std::map<std::string, poly::Map> written;
        for (std::size_t s = branches[k].first; s < branches[k].second; ++s) {
            const Statement& statement = model_.statements[s];
            if (statement.guards != expected) continue;
            for (const StatementAccess& access : statement.accesses) {
                if (access.kind != StatementAccess::Kind::Write || !access.unconditional) continue;
                const auto extra = static_cast<unsigned>(statement.iterators.size()) - depth;
                const poly::Map all = access.elements.project_out_domain(depth, extra).with_domain_tuple("");
                const auto [at, added] = written.try_emplace(access.container, all);
                if (!added) at->second = at->second.unite(all);
            }
        }
        if (k == 0) {
            common = std::move(written);
            continue;
        }
        for (auto at = common.begin(); at != common.end();) {
            const auto also = written.find(at->first);
            if (also == written.end()) {
                at = common.erase(at);
            } else {
                at->second = at->second.intersect(also->second);
                ++at;
            }
        }
    }
    if (common.empty()) return;
    Statement& statement = add_statement(frame, "join", nullptr, {}, {});
    statement.summary = true;
    for (auto& [container, elements] : common)
        statement.accesses.push_back({.container = container,
                                      .kind = StatementAccess::Kind::Write,
                                      .elements = elements.with_domain_tuple(statement.tuple),
                                      .certainty = frame.guards.empty() ? Certainty::Must : Certainty::Guarded,
                                      .unconditional = true});
}

// ---- regions ------------------------------------------------------------------------------------------------------------

std::optional<std::vector<ir::BlockId>> straight_line(const ir::Region& region) {
    std::vector<ir::BlockId> next(region.blocks.id_bound());
    std::vector<int> entering(region.blocks.id_bound());
    for (auto [id, transition] : region.transitions) {
        if (!transition.condition.text.empty() || next[transition.src.value].valid()) return std::nullopt;
        next[transition.src.value] = transition.dst;
        if (++entering[transition.dst.value] > 1) return std::nullopt;
    }
    std::vector<ir::BlockId> order;
    if (!region.start.valid() || !region.blocks.contains(region.start)) return order;
    if (entering[region.start.value] != 0) return std::nullopt;
    for (ir::BlockId at = region.start; at.valid(); at = next[at.value]) order.push_back(at);
    return order;
}

namespace {

/// Reachable blocks so that transitions go forward; nullopt if there is a cycle.
std::optional<std::vector<ir::BlockId>> forward_order(const ir::Region& region) {
    std::vector<int> mark(region.blocks.id_bound());
    std::vector<ir::BlockId> order;
    bool cycle = false;
    const auto visit = [&](const auto& self, ir::BlockId at) -> void {
        if (mark[at.value] == 1) cycle = true;
        if (mark[at.value] != 0) return;
        mark[at.value] = 1;
        for (auto [id, transition] : region.transitions)
            if (transition.src == at) self(self, transition.dst);
        mark[at.value] = 2;
        order.push_back(at);
    };
    visit(visit, region.start);
    if (cycle) return std::nullopt;
    std::ranges::reverse(order);
    return order;
}

}  // namespace

void ModelBuilder::region(Frame& frame, const ir::Region& region) {
    if (!region.start.valid() || !region.blocks.contains(region.start)) return;
    if (const auto line = straight_line(region))
        chain(frame, region, *line);
    else if (const auto order = forward_order(region))
        acyclic(frame, region, *order);
    else
        cyclic(frame, region);
}

void ModelBuilder::chain(Frame& frame, const ir::Region& region, std::span<const ir::BlockId> blocks) {
    const std::vector<OrderStep> order = frame.order;
    const std::string place = frame.place;
    const std::vector<std::size_t> guards = frame.guards;
    const auto at = [&](std::size_t position) {
        frame.order = order;
        frame.order.push_back({.kind = OrderStep::Kind::Sequence, .position = static_cast<std::int64_t>(position)});
        frame.place = place;
    };
    for (std::size_t k = 0; k < blocks.size(); ++k) {
        const ir::Block& current = region.blocks[blocks[k]];
        at(2 * k);
        block(frame, current);
        if (!ir::jumps_out(current).empty()) guard(frame, "nothing in " + current.label + " jumps away");
        at(2 * k + 1);
        for (auto [id, next] : region.transitions)
            if (next.src == blocks[k] && (k + 1 == blocks.size() || next.dst == blocks[k + 1])) transition(frame, next);
    }
    frame.order = order;
    frame.place = place;
    frame.guards = guards;
}

void ModelBuilder::acyclic(Frame& frame, const ir::Region& region, std::span<const ir::BlockId> order) {
    const Frame outside = frame;
    struct Entry {
        std::optional<Expr> condition = symbolic::boolean(false);  ///< When control comes here; nullopt: depends on data.
        std::optional<symbolic::Substitution> values;
    };
    std::vector<Entry> entries(region.blocks.id_bound());
    entries[region.start.value].condition = symbolic::boolean(true);
    entries[region.start.value].values = frame.values;
    bool jumped = false;
    const std::set<std::string> assigned = ir::assigned_symbols(region);
    symbolic::Substitution last = frame.values;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const ir::Block& current = region.blocks[order[k]];
        Entry& entry = entries[order[k].value];
        Frame here = outside;
        here.values = entry.values.value_or(outside.values);
        here.order.push_back({.kind = OrderStep::Kind::Sequence, .position = static_cast<std::int64_t>(2 * k)});
        if (!entry.condition)
            guard(here, "control comes to " + current.label);
        else if (!(*entry.condition == symbolic::boolean(true)))
            require(here, "control comes to " + current.label, *entry.condition);
        if (jumped) guard(here, "nothing before " + current.label + " jumps away");
        block(here, current);
        here.place = outside.place;
        jumped |= !ir::jumps_out(current).empty();
        here.order.back().position = static_cast<std::int64_t>(2 * k + 1);
        std::optional<Expr> left = entry.condition;
        for (auto [id, next] : region.transitions) {
            if (next.src != order[k]) continue;
            const std::optional<Expr> holds = condition_of(here, next.condition.text);
            Frame taken = here;
            if (!next.condition.text.empty()) {
                if (holds && left)
                    require(taken, next.condition.text, *holds);
                else
                    guard(taken, next.condition.text);
            }
            transition(taken, next);
            Entry& target = entries[next.dst.value];
            if (target.condition && left && holds)
                target.condition = symbolic::logical_or(*target.condition, symbolic::logical_and(*left, *holds));
            else
                target.condition.reset();
            if (left && holds) left = symbolic::logical_and(*left, symbolic::logical_not(*holds));
            if (!target.values) {
                target.values = taken.values;
            } else {
                Frame merged = outside;
                merged.values = *target.values;
                for (const std::string& symbol : assigned) {
                    const auto a = merged.values.find(symbol), b = taken.values.find(symbol);
                    const bool same =
                        a == merged.values.end() ? b == taken.values.end() : b != taken.values.end() && a->second == b->second;
                    if (!same) forget(merged, {symbol}, "depends on the way taken to " + region.blocks[next.dst].label);
                }
                target.values = merged.values;
            }
        }
        last = here.values;
    }
    if (order.size() > 1)
        forget(frame, assigned, "depends on the way taken");
    else
        frame.values = std::move(last);
}

void ModelBuilder::cyclic(Frame& frame, const ir::Region& region) {
    const std::set<std::string> assigned = ir::assigned_symbols(region);
    Frame inside = frame;
    iterate(inside, "", Iterator::Kind::Turn, 1, owners_++);
    const poly::Space space = space_of(inside, "");
    inside.domain =
        inside.domain.intersect(*poly::to_set(symbolic::less_equal(0, symbolic::symbol(space.dims.back())), space).value);
    guard(inside, "control comes there");
    std::int64_t position = 0;
    for (auto [id, current] : region.blocks) {
        Frame here = inside;
        forget(here, assigned, "depends on the way taken");
        here.order.push_back({.kind = OrderStep::Kind::Sequence, .position = position});
        block(here, current);
        here.place = inside.place;
        here.order.back().position = position + 1;
        for (auto [at, next] : region.transitions)
            if (next.src == id) {
                Frame taken = here;
                forget(taken, assigned, "depends on the way taken");
                transition(taken, next);
            }
        position += 2;
    }
    forget(frame, assigned, "depends on the way taken");
}

}  // namespace sluice::analysis
