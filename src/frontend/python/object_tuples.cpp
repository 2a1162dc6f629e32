// Functions that return objects among other results. A call has a new object for each of them, and what is no object is returned:
//     w, s = step(w, s)      ->      def step_into_object(w): ...; object_init(m, v); return w
//                                    part = step_into_object(w); w = part; s = object
#include <algorithm>
#include <functional>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/object_parts.h"

namespace sluice::frontend {

using namespace code;

/// What the function returns, where that are always as many values, the same ones of them new objects; else none.
std::vector<Objects::Meaning> Objects::made_in_tuple(const Call& call, const Scope& scope) {
    bool tuples = false, all = true;
    const auto each_return = [&](const std::function<void(const ReturnStmt&)>& visit) {
        walk_statements(call.function->body, [&](const Stmt& one) {
            if (const auto* s = std::get_if<ReturnStmt>(&one.node)) visit(*s);
            return !std::holds_alternative<FunctionStmt>(one.node);
        });
    };
    each_return([&](const ReturnStmt& s) {
        const auto* tuple = s.value ? std::get_if<TupleExpr>(&s.value->node) : nullptr;
        (tuple && tuple->elements.size() > 1 ? tuples : all) = tuple && tuple->elements.size() > 1;
    });
    if (!tuples || !all || !entered_.insert(call.function).second) return {};
    const Scope inside = inside_of(call, scope);
    std::optional<std::vector<Meaning>> result;
    each_return([&](const ReturnStmt& s) {
        std::vector<Meaning> kinds;
        for (const ExprPtr& one : elements_of(s.value)) {
            const Meaning kind = kind_of(one, inside);
            const bool object = kind.kind == Meaning::Kind::Object;
            all = all && (!object || makes(*call.function, one, inside) || is_unchanged(class_of(kind.name)));
            kinds.push_back(object ? any_of(class_of(kind.name)) : Meaning());
        }
        all = all && (!result || *result == kinds);
        result = std::move(kinds);
    });
    entered_.erase(call.function);
    const bool any = result && std::ranges::any_of(*result, [](const Meaning& one) { return static_cast<bool>(one); });
    return all && any ? *result : std::vector<Meaning>();
}

std::vector<Objects::Meaning> Objects::made_in_tuple(const ExprPtr& value, const Scope& scope) {
    if (!std::holds_alternative<CallExpr>(value->node)) return {};
    const auto call = call_of(value, scope);
    return call ? made_in_tuple(*call, scope) : std::vector<Meaning>();
}

/// Runs the call. An object for each part that is one, and the name of the value for the others.
std::vector<std::pair<Objects::Meaning, ExprPtr>> Objects::make_parts(const ExprPtr& value, const Scope& scope, Body& out) {
    const Span& span = value->span;
    const Call call = *call_of(value, scope);
    std::vector<std::pair<Meaning, ExprPtr>> parts;
    std::vector<std::string> into;
    std::vector<ExprPtr> values;
    for (const Meaning& kind : made_in_tuple(call, scope)) {
        const std::string place = std::to_string(span.line) + "_" + std::to_string(span.column_in_line());
        if (!kind) {
            values.push_back(make_name(own("__part" + place), span));
            into.emplace_back();
            parts.emplace_back(Meaning(), values.back());
            continue;
        }
        into.push_back(new_object("__object" + place, class_of(kind.name)));
        made_.insert(into.back());
        if (!once_) made_again_.insert(into.back());
        parts.emplace_back(Meaning{Meaning::Kind::Object, into.back(), 0}, nullptr);
    }
    const ExprPtr run = written(call, into, scope, span, &out);
    if (values.empty())
        out.push_back(make_statement(ExprStmt{run}, span));
    else
        out.push_back(make_assignment(values.size() == 1 ? values[0] : make_expression(TupleExpr{values}, span), run, span));
    return parts;
}

/// Whether the value is such a call; then its parts are assigned.
bool Objects::assign_parts(const std::vector<ExprPtr>& targets, const ExprPtr& value, Scope& scope, Body& out) {
    if (made_in_tuple(value, scope).size() != targets.size()) return false;
    const auto parts = make_parts(value, scope, out);
    for (std::size_t at = 0; at < targets.size(); ++at) {
        const auto& [object, plain] = parts[at];
        if (object) scope.names[object.name] = object;
        add(make_assignment(targets[at], object ? make_name(object.name, value->span) : plain, value->span), scope, out);
    }
    return true;
}

/// The return of a function whose call has objects for parts of what it returns.
StmtPtr Objects::return_parts(const ExprPtr& value, const Scope& scope, Body& out) {
    const std::vector<ExprPtr> elements = elements_of(value);
    const auto last = std::ranges::find_if(scope.into.rbegin(), scope.into.rend(), [](const auto& one) { return !one.empty(); });
    std::vector<ExprPtr> values;
    for (std::size_t at = 0; at < elements.size(); ++at)
        if (scope.into[at].empty())
            values.push_back(handed_out(elements[at], scope, at + 1 < static_cast<std::size_t>(scope.into.rend() - last), out));
        else
            make_of(scope.into[at], elements[at], scope, out);
    if (values.empty()) return make_statement(ReturnStmt{nullptr}, value->span);
    return make_statement(ReturnStmt{values.size() == 1 ? values[0] : make_expression(TupleExpr{values}, value->span)},
                          value->span);
}

}  // namespace sluice::frontend
