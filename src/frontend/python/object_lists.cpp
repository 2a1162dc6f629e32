// Lists of objects, and the loops over them: one turn for each object.
#include <algorithm>
#include <functional>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/object_parts.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr std::size_t kMostTurns = 512;  // of all loops together

bool leaves(const Body& body, bool breaks) {
    bool found = false;
    walk_statements(body, [&](const Stmt& one) {
        found = found || (breaks ? std::holds_alternative<BreakStmt>(one.node) : std::holds_alternative<ContinueStmt>(one.node));
        return !std::holds_alternative<ForStmt>(one.node) && !std::holds_alternative<WhileStmt>(one.node);
    });
    return found;
}

const CallExpr* call_named(const ExprPtr& e, std::string_view name) {
    const auto* call = std::get_if<CallExpr>(&e->node);
    return call && name_of(call->function) == name && call->keywords.empty() ? call : nullptr;
}

}  // namespace

std::optional<std::vector<Objects::Meaning>> Objects::kinds_in_list(const ExprPtr& e, const Scope& scope) {
    std::vector<Meaning> kinds;
    if (const auto* all = std::get_if<ComprehensionExpr>(&e->node)) {
        if (all->clauses.size() != 1 || !all->clauses[0].conditions.empty()) return std::nullopt;
        const auto parts =
            turns(all->clauses[0].target, all->clauses[0].iterable, scope, bound_by(all->clauses[0].target), nullptr);
        if (!parts) return std::nullopt;
        for (const Turn& turn : *parts) kinds.push_back(kind_of(all->element, turn.scope));
    } else if (std::holds_alternative<ListExpr>(e->node) || std::holds_alternative<TupleExpr>(e->node)) {
        for (const ExprPtr& one : elements_of(e)) kinds.push_back(kind_of(one, scope));
    }
    const auto is_object = [](const Meaning& one) { return one.kind == Meaning::Kind::Object; };
    if (kinds.empty() || std::ranges::none_of(kinds, is_object)) return std::nullopt;
    return std::ranges::all_of(kinds, is_object) ? std::optional(kinds) : std::nullopt;
}

Objects::Meaning Objects::any_list(const ExprPtr& e, const Scope& scope) {
    const std::string name = "?list" + std::to_string(lists_.size());
    lists_[name] = *kinds_in_list(e, scope);
    return {Meaning::Kind::List, name, 0};
}

Objects::Meaning Objects::new_list(const ExprPtr& e, const Scope& scope, Body& out) {
    std::vector<Meaning> all;
    const auto add_element = [&](const ExprPtr& one, const Scope& inside) {
        const Meaning known = meaning(one, inside);
        if (known) name_again(known, one->span);
        all.push_back(known ? known : object_of(one, inside, &out));
    };
    if (const auto* made = std::get_if<ComprehensionExpr>(&e->node)) {
        const ComprehensionClause& clause = made->clauses[0];
        const std::vector<Turn> all_turns = *turns(clause.target, clause.iterable, scope, bound_by(clause.target), &out);
        for (const Turn& turn : all_turns) add_element(copies_.of(with_numbers(made->element, turn.scope)), turn.scope);
    } else {
        for (const ExprPtr& one : elements_of(e)) add_element(one, scope);
    }
    const std::string name = "list" + std::to_string(lists_.size());
    if (std::holds_alternative<TupleExpr>(e->node)) tuples_.insert(name);
    lists_[name] = std::move(all);
    return {Meaning::Kind::List, name, 0};
}

/// `objects.append(Body(...))`. Whether the statement is one.
bool Objects::append(const ExprPtr& e, Scope& scope, Body& out) {
    const auto* call = std::get_if<CallExpr>(&e->node);
    const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
    if (!method || method->name != "append" || call->arguments.size() != 1) return false;
    Meaning list = meaning(method->object, scope);
    const bool is_list = list.kind == Meaning::Kind::List;
    const Meaning kind = kind_of(call->arguments[0], scope);
    if (!is_list && kind.kind != Meaning::Kind::Object) return false;
    if (!is_list && kind_of(method->object, scope)) return false;  // a method of the user's
    const auto refuse_append = [&](const std::string& what) {
        refuse("F020", what, e->span,
               "make the list at once, of a number of objects that is known, or keep arrays of their fields");
    };
    if (kind.kind != Meaning::Kind::Object) refuse_append("a list of objects and other values");
    if (!once_) refuse_append("an object in a list that grows in a loop or a branch");
    if (!is_list) {
        const std::string plain(name_of(of(method->object, scope, &out)));
        if (plain.empty() || !empty_.contains(plain)) refuse_append("an object in this list");
        const std::string name = "list" + std::to_string(lists_.size());
        lists_[name] = {};
        list = {Meaning::Kind::List, name, 0};
        if (const auto* attribute = std::get_if<AttributeExpr>(&method->object->node))
            fields_[{object_of(attribute->object, scope, &out).name, attribute->name}] = list;
        else
            scope.names[plain] = list;
    }
    const Meaning known = meaning(call->arguments[0], scope);
    if (known) name_again(known, e->span);
    const Meaning element = known ? known : object_of(call->arguments[0], scope, &out);
    lists_.at(list.name).push_back(element);
    ++appended_;
    return true;
}

// ---- loops ---------------------------------------------------------------------------------------------------------------
std::set<std::string> Objects::bound_by(const ExprPtr& target) {
    std::set<std::string> names;
    for (const ExprPtr& one : elements_of(target)) names.emplace(name_of(one));
    return names;
}

/// The names by which lists of objects are indexed.
std::set<std::string> Objects::indices_of(const Body& body, const Scope& scope) {
    std::set<std::string> names;
    const std::function<void(const ExprPtr&)> visit = [&](const ExprPtr& e) {
        const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
        if (subscript && meaning(subscript->object, scope).kind == Meaning::Kind::List)
            for (const auto& [name, count] : occurrences({make_statement(ExprStmt{subscript->index}, e->span)})) names.insert(name);
        for_each_child(*e, visit);
    };
    walk_statements(body, [&](const Stmt& one) { return for_each_expr(one, visit), true; });
    for (std::size_t before = 0; before != names.size();) {  // and those by which these are bounded
        before = names.size();
        walk_statements(body, [&](const Stmt& one) {
            const auto* loop = std::get_if<ForStmt>(&one.node);
            if (loop && names.contains(std::string(name_of(loop->target))))
                for (const auto& [name, count] : occurrences({make_statement(ExprStmt{loop->iterable}, one.span)}))
                    names.insert(name);
            return true;
        });
    }
    return names;
}

void Objects::bind(const ExprPtr& target, const Meaning& of, Turn& turn) {
    const std::string name(name_of(target));
    if (name.empty()) refuse("F020", "an object taken apart", target->span, "give it a name, and read its fields");
    turn.scope.names[name] = of;
}

/// The turns of a loop; none where it goes over no objects. indices: names of numbers that have to be known.
std::optional<std::vector<Objects::Turn>> Objects::turns(const ExprPtr& target, const ExprPtr& iterable, const Scope& scope,
                                                         const std::set<std::string>& indices, Body* out) {
    const Span& span = iterable->span;
    std::vector<Turn> result;
    const auto numbered = [&](const ExprPtr& name, std::int64_t value, Turn& turn) {
        turn.before.push_back(make_assignment(name, make_integer(value, span), span));
        turn.scope.names[std::string(name_of(name))] = {Meaning::Kind::Number, {}, value};
    };
    if (const Meaning list = meaning(iterable, scope); list.kind == Meaning::Kind::List) {
        for (const Meaning& one : std::vector<Meaning>(lists_.at(list.name)))
            bind(target, one, result.emplace_back(Turn{scope, {}, nullptr}));
        return result;
    }
    if (const CallExpr* range = call_named(iterable, "range"); range && indices.contains(std::string(name_of(target)))) {
        std::vector<std::int64_t> parts;
        for (const ExprPtr& one : range->arguments)
            if (const auto value = folded(one, scope))
                parts.push_back(*value);
            else
                return std::nullopt;
        if (parts.empty() || parts.size() > 3) return std::nullopt;
        const std::int64_t begin = parts.size() > 1 ? parts[0] : 0, end = parts.size() > 1 ? parts[1] : parts[0],
                           step = parts.size() > 2 ? parts[2] : 1;
        if (step == 0) return std::nullopt;
        for (std::int64_t at = begin; step > 0 ? at < end : at > end; at += step) {
            if (result.size() > kMostTurns) return std::nullopt;
            numbered(target, at, result.emplace_back(Turn{scope, {}, nullptr}));
        }
        return result;
    }
    const auto* pair = std::get_if<TupleExpr>(&target->node);
    if (const CallExpr* numbers = call_named(iterable, "enumerate"); numbers && pair && pair->elements.size() == 2) {
        const auto first = numbers->arguments.size() > 1 ? folded(numbers->arguments[1], scope) : std::optional<std::int64_t>(0);
        auto inner = first && !numbers->arguments.empty() ? turns(pair->elements[1], numbers->arguments[0], scope, indices, out)
                                                          : std::nullopt;
        if (!inner) return std::nullopt;
        for (std::size_t at = 0; at < inner->size(); ++at) {
            numbered(pair->elements[0], *first + static_cast<std::int64_t>(at), (*inner)[at]);
            if (name_of(pair->elements[0]).empty()) return std::nullopt;
        }
        return inner;
    }
    const CallExpr* zip = call_named(iterable, "zip");
    if (!zip || !pair || pair->elements.size() != zip->arguments.size()) return std::nullopt;
    std::optional<std::size_t> size;
    for (const ExprPtr& one : zip->arguments)
        if (const Meaning list = meaning(one, scope); list.kind == Meaning::Kind::List)
            size = std::min(size.value_or(lists_.at(list.name).size()), lists_.at(list.name).size());
    if (!size) return std::nullopt;
    std::vector<ExprPtr> plain(zip->arguments.size());
    for (std::size_t at = 0; out && at < plain.size(); ++at)
        if (meaning(zip->arguments[at], scope).kind != Meaning::Kind::List) {
            plain[at] = make_name(own("__zipped" + std::to_string(span.line)), span);
            out->push_back(make_assignment(plain[at], of(zip->arguments[at], scope, out), span));
        }
    for (std::size_t turn = 0; turn < *size; ++turn) {
        Turn& one = result.emplace_back(Turn{scope, {}, nullptr});
        for (std::size_t at = 0; at < plain.size(); ++at) {
            if (const Meaning list = meaning(zip->arguments[at], scope); list.kind == Meaning::Kind::List) {
                bind(pair->elements[at], lists_.at(list.name)[turn], one);
            } else if (plain[at]) {
                const ExprPtr place = make_integer(static_cast<std::int64_t>(turn), span);
                one.before.push_back(make_assignment(pair->elements[at], make_subscript(plain[at], {place}, span), span));
                const ExprPtr more = make_compare(make_call("len", {plain[at]}, span), CompareOp::Gt, place, span);
                one.condition = one.condition ? make_expression(BoolExpr{true, {one.condition, more}}, span) : more;
            }
        }
    }
    return result;
}

bool Objects::add_loop(const ForStmt& loop, const Scope& scope, const Span& span, Body& out) {
    const auto all = turns(loop.target, loop.iterable, scope, indices_of(loop.body, scope), &out);
    if (!all) return false;
    if ((turns_ += all->size()) > kMostTurns)
        refuse("F020", "loops over objects of more than " + std::to_string(kMostTurns) + " turns", span,
               "keep arrays of their fields");
    const auto bound = binding_counts(loop.body);
    for (const ExprPtr& one : elements_of(loop.target))
        if (bound.contains(std::string(name_of(one))))
            refuse("F020", "an assignment to the target of a loop over objects", one->span, "assign another name");
    const bool breaks = leaves(loop.body, true), goes_on = leaves(loop.body, false), once = once_;
    const ExprPtr left = make_name(breaks ? own("__left" + std::to_string(span.line)) : std::string(), span);
    if (breaks) out.push_back(make_assignment(left, make_boolean(false, span), span));
    const Body body = breaks ? before_breaks(loop.body, make_assignment(left, make_boolean(true, span), span)) : loop.body;
    const auto guarded = [&](Body inside, const ExprPtr& condition) {
        return condition ? Body{make_statement(IfStmt{condition, std::move(inside), {}}, span)} : inside;
    };
    const ExprPtr not_left = breaks ? make_unary(UnaryOp::Not, left, span) : nullptr;
    for (const Turn& turn : *all) {
        once_ = once && !breaks && !goes_on && !turn.condition;
        Body inside = turn.before;
        for (const StmtPtr& one : of(copies_.of(body), turn.scope)) inside.push_back(one);
        if (breaks || goes_on) {
            const ExprPtr single = make_call("range", {make_integer(1, span)}, span);
            inside = {make_statement(
                ForStmt{make_name(own("__turn" + std::to_string(span.line)), span), single, std::move(inside), {}}, span)};
        }
        for (const StmtPtr& one : guarded(guarded(std::move(inside), turn.condition), not_left)) out.push_back(one);
    }
    once_ = once && !breaks;
    for (const StmtPtr& one : guarded(of(loop.else_body, scope), loop.else_body.empty() ? nullptr : not_left)) out.push_back(one);
    once_ = once;
    return true;
}

/// The expression with the numbers that the turn knows.
ExprPtr Objects::with_numbers(const ExprPtr& e, const Scope& scope) {
    return replace_parts(e, [&](const ExprPtr& one) -> ExprPtr {
        const auto known = scope.names.find(std::string(name_of(one)));
        if (known == scope.names.end() || known->second.kind != Meaning::Kind::Number) return nullptr;
        return make_integer(known->second.number, one->span);
    });
}

/// The list that a comprehension over objects makes; null where it goes over no objects.
ExprPtr Objects::listed(const ComprehensionExpr& e, const Scope& scope, const Span& span, Body* out) {
    std::vector<ExprPtr> result;
    switch (add_elements(e, 0, scope, result, out)) {
        case Elements::OfOthers:
            return nullptr;
        case Elements::Known:
            return make_expression(ListExpr{std::move(result)}, span);
        case Elements::OfRun:
            break;
    }
    if (!out) refuse("F020", "a condition of the run in a comprehension over objects", span, "write the loop");
    const ExprPtr all = make_name(own("__all" + std::to_string(span.line)), span);
    out->push_back(make_assignment(all, make_expression(ListExpr{}, span), span));
    append_elements(e, 0, scope, all, *out);
    return all;
}

/// Adds the elements, if all of the conditions are known.
Objects::Elements Objects::add_elements(const ComprehensionExpr& e, std::size_t clause, const Scope& scope,
                                        std::vector<ExprPtr>& result, Body* out) {
    if (clause == e.clauses.size()) {
        result.push_back(of(copies_.of(with_numbers(e.element, scope)), scope, out));
        return Elements::Known;
    }
    const ComprehensionClause& here = e.clauses[clause];
    const auto all = turns(here.target, here.iterable, scope,
                           indices_of({make_statement(ExprStmt{e.element}, e.element->span)}, scope), nullptr);
    if (!all) return Elements::OfOthers;
    if (call_named(here.iterable, "zip"))
        return with_plain_parts(here, scope) ? Elements::OfRun : add_turns(e, clause, *all, result, out);
    return add_turns(e, clause, *all, result, out);
}

Objects::Elements Objects::add_turns(const ComprehensionExpr& e, std::size_t clause, const std::vector<Turn>& all,
                                     std::vector<ExprPtr>& result, Body* out) {
    for (const Turn& turn : all) {
        bool taken = true;
        for (const ExprPtr& condition : e.clauses[clause].conditions) {
            Body ignored;
            const ExprPtr known = of(with_numbers(condition, turn.scope), turn.scope, &ignored);
            const auto* constant = std::get_if<ConstantExpr>(&known->node);
            const bool* value = constant ? std::get_if<bool>(&constant->value) : nullptr;
            if (!value) return Elements::OfRun;
            taken = taken && *value;
        }
        if (!taken) continue;
        const Elements inside = add_elements(e, clause + 1, turn.scope, result, out);
        if (inside != Elements::Known) return inside;
    }
    return Elements::Known;
}

bool Objects::with_plain_parts(const ComprehensionClause& clause, const Scope& scope) {
    const auto& parts = std::get<CallExpr>(clause.iterable->node).arguments;
    return std::ranges::any_of(parts, [&](const ExprPtr& one) { return meaning(one, scope).kind != Meaning::Kind::List; });
}

/// Statements that append the elements to a list.
void Objects::append_elements(const ComprehensionExpr& e, std::size_t clause, const Scope& scope, const ExprPtr& all, Body& out) {
    const Span& span = e.element->span;
    if (clause == e.clauses.size()) {
        const Span here = copies_.of(e.element)->span;
        CallExpr append{make_attribute(all, "append", here), {of(copies_.of(with_numbers(e.element, scope)), scope, &out)}, {}};
        return out.push_back(make_statement(ExprStmt{make_expression(std::move(append), here)}, here));
    }
    const ComprehensionClause& here = e.clauses[clause];
    const auto parts =
        turns(here.target, here.iterable, scope, indices_of({make_statement(ExprStmt{e.element}, span)}, scope), &out);
    if (!parts) refuse("F020", "a comprehension over objects and other values", span, "write the loop");
    for (const Turn& turn : *parts) {
        Body inside = turn.before;
        Body* place = &inside;
        std::vector<std::pair<ExprPtr, Body>> choices;
        choices.reserve(here.conditions.size());
        for (const ExprPtr& condition : here.conditions) {
            const ExprPtr decided = of(copies_.of(with_numbers(condition, turn.scope)), turn.scope, place);
            choices.emplace_back(decided, Body{});
            place = &choices.back().second;
        }
        append_elements(e, clause + 1, turn.scope, all, *place);
        for (std::size_t at = choices.size(); at-- > 0;) {
            Body& around = at == 0 ? inside : choices[at - 1].second;
            around.push_back(make_statement(IfStmt{choices[at].first, std::move(choices[at].second), {}}, span));
        }
        if (turn.condition) inside = {make_statement(IfStmt{turn.condition, std::move(inside), {}}, span)};
        out.insert(out.end(), inside.begin(), inside.end());
    }
}

}  // namespace sluice::frontend
