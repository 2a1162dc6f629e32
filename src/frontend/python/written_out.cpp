#include "frontend/python/written_out.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "code/encoded.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/copies.h"
#include "frontend/python/recursion.h"
#include "frontend/python/single_exit.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// The call `name(...)` that the statement is; null for others.
const CallExpr* encoded(const Stmt& one, std::string_view name) {
    const auto* alone = std::get_if<ExprStmt>(&one.node);
    const auto* call = alone ? std::get_if<CallExpr>(&alone->value->node) : nullptr;
    return call && name_of(call->function) == name ? call : nullptr;
}

bool mentions(const ExprPtr& e, const std::function<bool(const std::string&)>& wanted) {
    bool found = wanted(std::string(name_of(e)));
    for_each_child(*e, [&](const ExprPtr& child) { found = found || mentions(child, wanted); });
    return found;
}

/// A function whose calls are written out.
struct Written {
    const FunctionStmt* function = nullptr;
    std::set<std::string> binds;  ///< Names of the function around.
    int yields = 0;
};

const std::set<std::string> kTakingAll{"list", "tuple", "sum", "max", "min", "sorted", "set"};

class WrittenOut {
public:
    explicit WrittenOut(const FunctionStmt& function) : function_(function), copies_(function.body) { find(); }
    bool any() const { return !written_.empty(); }
    Body body() { return of(function_.body); }

private:
    // ---- which functions -----------------------------------------------------------------------------------------------
    void find() {
        std::map<std::string, Written> inner;
        for (const StmtPtr& one : function_.body) {
            const auto* definition = std::get_if<FunctionStmt>(&one->node);
            if (!definition) continue;
            Written found = described(*definition);
            const bool recursive =
                !found.binds.empty() && found.yields == 0 && occurrences(definition->body).contains(definition->name);
            if (const StmtPtr loop = recursive ? with_call_stack(one) : nullptr) {
                loops_.push_back(loop);
                found = described(std::get<FunctionStmt>(loop->node));
            }
            inner[definition->name] = found;
        }
        std::map<std::string, int> bound = binding_counts(function_.body);
        for (const auto& [name, one] : inner)
            if ((!one.binds.empty() || one.yields > 0) && !bound.contains(name)) written_.insert({name, one});
        for (bool grows = !written_.empty(); grows;) {  // What calls them binds these names as well.
            grows = false;
            for (const auto& [name, one] : inner) {
                if (bound.contains(name)) continue;
                std::set<std::string> all = one.binds;
                bool calls = false;
                for (const auto& [used, count] : occurrences(one.function->body))
                    if (const auto at = written_.find(used); at != written_.end()) {
                        calls = true;
                        all.insert(at->second.binds.begin(), at->second.binds.end());
                    }
                if (!calls) continue;
                Written& known = written_.insert({name, one}).first->second;
                grows = grows || known.binds.size() != all.size() || !inner.contains(name);
                known.binds = all;
            }
        }
    }
    static Written described(const FunctionStmt& function) {
        Written result{&function, {}, 0};
        walk_statements(function.body, [&](const Stmt& one) {
            if (const CallExpr* names = encoded(one, kNonlocal))
                for (const ExprPtr& name : names->arguments) result.binds.emplace(name_of(name));
            if (encoded(one, kYield)) ++result.yields;
            return !std::holds_alternative<FunctionStmt>(one.node);
        });
        return result;
    }
    const Written* called(const ExprPtr& e) const {
        const auto* call = std::get_if<CallExpr>(&e->node);
        const auto at = call ? written_.find(std::string(name_of(call->function))) : written_.end();
        return at == written_.end() ? nullptr : &at->second;
    }
    bool calls(const ExprPtr& e) const {
        return e && mentions(e, [&](const std::string& name) { return written_.contains(name); });
    }
    [[noreturn]] static void refuse_here(const std::string& what, const Span& span) {
        unsupported(what, span, "assign its result to a name in a statement of its own, or pass what it binds and return it");
    }

    // ---- statements ----------------------------------------------------------------------------------------------------
    Body of(const Body& body) {
        Body out;
        for (const StmtPtr& one : body) add(one, out);
        return out;
    }
    void add(const StmtPtr& one, Body& out) {
        const Span& span = one->span;
        if (const auto* definition = std::get_if<FunctionStmt>(&one->node)) {
            if (!written_.contains(definition->name)) out.push_back(one);
            return;
        }
        if (const auto* s = std::get_if<ForStmt>(&one->node)) {
            if (const Written* generator = called(s->iterable); generator && generator->yields > 0)
                return add_generator(*generator, *s, span, out);
            const ExprPtr iterable = lifted(s->iterable, out);
            return out.push_back(make_statement(ForStmt{s->target, iterable, of(s->body), of(s->else_body)}, span));
        }
        if (const auto* s = std::get_if<WhileStmt>(&one->node); s && calls(s->condition)) {
            if (!s->else_body.empty()) refuse_here("such a call in a while with else", span);
            Body turn;
            const ExprPtr condition = lifted(s->condition, turn);
            turn.push_back(make_statement(
                IfStmt{make_unary(UnaryOp::Not, condition, condition->span), {make_statement(BreakStmt{}, span)}, {}}, span));
            for (const StmtPtr& inner : s->body) add(inner, turn);
            return out.push_back(make_statement(WhileStmt{make_boolean(true, span), std::move(turn), {}}, span));
        }
        if (const auto* s = std::get_if<ExprStmt>(&one->node); s && called(s->value)) {
            write_out(*called(s->value), std::get<CallExpr>(s->value->node), span, out);
            return;
        }
        if (const auto* s = std::get_if<AugAssignStmt>(&one->node); s && calls(s->value)) {
            const std::string target(name_of(s->target));
            if (target.empty() || binds(s->value).contains(target))
                refuse_here("such a call in an update of what it may change", span);
        }
        if (const auto* s = std::get_if<AssignStmt>(&one->node))
            for (const ExprPtr& target : s->targets)
                if (calls(target)) refuse_here("such a call in a target", span);
        out.push_back(with_parts(
            one, [&](const ExprPtr& e) { return lifted(e, out); }, [&](const Body& inside) { return of(inside); }));
    }
    /// The names that calls in the expression bind.
    std::set<std::string> binds(const ExprPtr& e) const {
        std::set<std::string> all;
        mentions(e, [&](const std::string& name) {
            if (const auto at = written_.find(name); at != written_.end())
                all.insert(at->second.binds.begin(), at->second.binds.end());
            return false;
        });
        return all;
    }

    // ---- calls in expressions ------------------------------------------------------------------------------------------
    std::string fresh() { return "__part" + std::to_string(parts_++) + "_"; }
    ExprPtr kept(const ExprPtr& e, Body& out) {
        const std::string name = fresh();
        out.push_back(make_assignment(make_name(name, e->span), e, e->span));
        return make_name(name, e->span);
    }
    /// The expression without such calls; `out` gets them, and what is evaluated before them and not after.
    ExprPtr lifted(const ExprPtr& e, Body& out) {
        if (!calls(e)) return e;
        const Span& span = e->span;
        if (const Written* one = called(e)) {
            if (one->yields > 0) refuse_here("a generator here", span);
            code::Expr with = *e;
            auto& call = std::get<CallExpr>(with.node);
            std::vector<ExprPtr> arguments = call.arguments;
            for (const Keyword& keyword : call.keywords) arguments.push_back(keyword.value);
            arguments = lifted_all(arguments, out);
            for (std::size_t at = 0; at < arguments.size(); ++at)
                (at < call.arguments.size() ? call.arguments[at] : call.keywords[at - call.arguments.size()].value) = arguments[at];
            return write_out(*one, call, span, out);
        }
        if (const ExprPtr all = all_of_generator(e, out)) return all;
        if (const ExprPtr all = all_of_comprehension(e, out)) return all;
        if (const auto* several = std::get_if<BoolExpr>(&e->node)) {
            const std::string name = fresh();
            add_operands(*several, 0, name, span, out);
            return make_name(name, span);
        }
        if (const auto* choice = std::get_if<ConditionalExpr>(&e->node)) {
            const ExprPtr condition = lifted(choice->condition, out);
            const std::string name = fresh();
            Body first, second;
            const ExprPtr if_true = lifted(choice->if_true, first), if_false = lifted(choice->if_false, second);
            first.push_back(make_assignment(make_name(name, span), if_true, span));
            second.push_back(make_assignment(make_name(name, span), if_false, span));
            out.push_back(make_statement(IfStmt{condition, std::move(first), std::move(second)}, span));
            return make_name(name, span);
        }
        if (const auto* list = std::get_if<ComprehensionExpr>(&e->node)) {  // Of all that a generator yields.
            const ExprPtr& first = list->clauses[0].iterable;
            ComprehensionExpr with = *list;
            with.clauses[0].iterable = nullptr;
            const Written* generator = called(first);
            bool others = calls(list->element);
            for (std::size_t at = 0; at < list->clauses.size(); ++at) {
                others = others || (at > 0 && calls(list->clauses[at].iterable));
                for (const ExprPtr& condition : list->clauses[at].conditions) others = others || calls(condition);
            }
            if (generator && generator->yields > 0 && !others) {
                const ExprPtr all = make_call("list", {first}, span);
                with.clauses[0].iterable = all_of_generator(all, out);
                return make_expression(std::move(with), span);
            }
        }
        if (std::holds_alternative<LambdaExpr>(e->node) || std::holds_alternative<ComprehensionExpr>(e->node) ||
            !name_of(e).empty())
            refuse_here("a call here of a function that binds names around it, or is a generator", span);
        std::vector<ExprPtr> children;
        for_each_child(*e, [&](const ExprPtr& child) { children.push_back(child); });
        const std::vector<ExprPtr> with = lifted_all(children, out);
        return replace_parts(e, [&](const ExprPtr& part) -> ExprPtr {
            const auto at = std::ranges::find(children, part);
            return at == children.end() ? nullptr : with[static_cast<std::size_t>(at - children.begin())];
        });
    }
    void add_operands(const BoolExpr& all, std::size_t at, const std::string& name, const Span& span, Body& out) {
        const ExprPtr value = lifted(all.operands[at], out);
        out.push_back(make_assignment(make_name(name, span), value, span));
        if (at + 1 == all.operands.size()) return;
        Body rest;
        add_operands(all, at + 1, name, span, rest);
        const ExprPtr result = make_name(name, span);
        out.push_back(
            make_statement(IfStmt{all.is_and ? result : make_unary(UnaryOp::Not, result, span), std::move(rest), {}}, span));
    }
    /// In order; what stands before a call keeps its value.
    std::vector<ExprPtr> lifted_all(const std::vector<ExprPtr>& parts, Body& out) {
        std::vector<ExprPtr> result;
        std::set<std::string> changed;
        std::size_t last = 0;
        for (std::size_t at = 0; at < parts.size(); ++at)
            if (calls(parts[at])) {
                last = at;
                changed.merge(binds(parts[at]));
            }
        for (std::size_t at = 0; at < parts.size(); ++at) {
            ExprPtr one = lifted(parts[at], out);
            const std::string name(name_of(one));
            const bool stays = std::holds_alternative<ConstantExpr>(one->node) || (!name.empty() && !changed.contains(name)) ||
                               std::holds_alternative<AttributeExpr>(one->node) || std::holds_alternative<LambdaExpr>(one->node);
            result.push_back(at < last && !stays ? kept(one, out) : one);
        }
        return result;
    }

    // ---- bodies --------------------------------------------------------------------------------------------------------
    /// The parameters as names of the call's own, and what else the body binds.
    /// `rebound`: what may be assigned while the body runs.
    std::map<std::string, ExprPtr> bind_parameters(const Written& one, const CallExpr& call, const std::string& own,
                                                   const std::map<std::string, int>& rebound, const Span& span, Body& out) {
        const FunctionStmt& function = *one.function;
        if (std::ranges::find(entered_, function.name) != entered_.end())
            refuse_here("recursion of a function that binds names around it, or is a generator", span);
        const std::map<std::string, int> bound = binding_counts(function.body), used = occurrences(function.body);
        std::map<std::string, ExprPtr> names;
        for (const auto& [name, count] : bound)
            if (!described(function).binds.contains(name)) names[name] = make_name(own + name, span);
        for (const StmtPtr& inner : function.body)
            if (const auto* definition = std::get_if<FunctionStmt>(&inner->node))
                names[definition->name] = make_name(own + definition->name, span);
        if (call.arguments.size() > function.parameters.size())
            refuse("F011", "too many arguments of " + function.name, span, "give one for each parameter");
        for (const Keyword& keyword : call.keywords)
            if (std::ranges::none_of(function.parameters, [&](const Parameter& p) { return p.name == keyword.name; }))
                refuse("F011", function.name + " has no parameter " + keyword.name, span, "name one of its parameters");
        for (std::size_t at = 0; at < function.parameters.size(); ++at) {
            const Parameter& parameter = function.parameters[at];
            const auto keyword = std::ranges::find(call.keywords, parameter.name, &Keyword::name);
            ExprPtr value = at < call.arguments.size() ? call.arguments[at] : nullptr;
            if (value && parameter.kind == Parameter::Kind::KeywordOnly)
                refuse("F011", "the parameter " + parameter.name + " of " + function.name + " is given by position", span,
                       "name it");
            if (value && keyword != call.keywords.end())
                refuse("F011", "the parameter " + parameter.name + " of " + function.name + " is given twice", span,
                       "give it once");
            if (!value) value = keyword == call.keywords.end() ? parameter.default_value : keyword->value;
            if (!value)
                refuse("F011", "the parameter " + parameter.name + " of " + function.name + " is not given", span, "pass it");
            const bool starred = std::holds_alternative<StarredExpr>(value->node);
            const bool plain_default = value != parameter.default_value || std::holds_alternative<ConstantExpr>(value->node);
            if (parameter.kind == Parameter::Kind::Variadic || starred || !plain_default)
                refuse_here("such parameters of a function that binds names around it", span);
            const bool constant = std::holds_alternative<ConstantExpr>(value->node) ||
                                  std::holds_alternative<LambdaExpr>(value->node) || !name_of(value).empty();
            const bool apart = !mentions(value, [&](const std::string& name) {  // What the body calls so may be its own.
                return used.contains(name) || one.binds.contains(name) || rebound.contains(name);
            });
            if (!bound.contains(parameter.name) && constant && apart) {
                names[parameter.name] = value;
                continue;
            }
            names[parameter.name] = make_name(own + parameter.name, span);
            out.push_back(make_assignment(make_name(own + parameter.name, span), value, span));
        }
        return names;
    }
    Body body_of(const FunctionStmt& function, const std::map<std::string, ExprPtr>& names) {
        Body plain;
        for (const StmtPtr& one : function.body)
            if (!encoded(*one, kNonlocal)) plain.push_back(one);
        entered_.push_back(function.name);
        Body result = of(renamed(copies_.of(plain), names));
        entered_.pop_back();
        return result;
    }
    /// The name of the result.
    ExprPtr write_out(const Written& one, const CallExpr& call, const Span& span, Body& out) {
        if (one.yields > 0) refuse_here("a generator that no loop goes over", span);
        const std::string own = "__" + one.function->name + std::to_string(calls_++) + "_";
        Body body = body_of(*one.function, bind_parameters(one, call, own, {}, span, out));
        if (returns_value(body) || has_return(body))
            body = single_exit(body, own + "__exit_value", own + "__exit_taken");
        else
            body.push_back(
                make_assignment(make_name(own + "__exit_value", span), make_expression(ConstantExpr{NoneValue{}}, span), span));
        out.insert(out.end(), body.begin(), body.end());
        return make_name(own + "__exit_value", span);
    }

    // ---- generators ----------------------------------------------------------------------------------------------------
    /// `sum(g(n))` and its kin, of the list of all that is yielded; null for other expressions.
    ExprPtr all_of_generator(const ExprPtr& e, Body& out) {
        const auto* call = std::get_if<CallExpr>(&e->node);
        const Written* generator = call && !call->arguments.empty() ? called(call->arguments[0]) : nullptr;
        if (!generator || generator->yields == 0 || !kTakingAll.contains(std::string(name_of(call->function)))) return nullptr;
        if (call->arguments.size() > 1) refuse_here("a generator among other arguments", e->span);
        const ExprPtr all = make_name(fresh(), e->span), value = make_name(fresh(), e->span);
        out.push_back(make_assignment(all, make_expression(ListExpr{}, e->span), e->span));
        const ExprPtr append = make_expression(CallExpr{make_attribute(all, "append", e->span), {value}, {}}, e->span);
        add_generator(*generator, ForStmt{value, call->arguments[0], {make_statement(ExprStmt{append}, e->span)}, {}}, e->span,
                      out);
        CallExpr with = *call;
        with.arguments[0] = all;
        return make_expression(std::move(with), e->span);
    }
    /// A list of what a comprehension has for elements, made by a loop in front, or what `any` and `all` tell of a generator; null
    /// for other expressions.
    ExprPtr all_of_comprehension(const ExprPtr& e, Body& out) {
        const Span& span = e->span;
        const auto* call = std::get_if<CallExpr>(&e->node);
        const auto* made = std::get_if<ComprehensionExpr>(&(call && call->arguments.size() == 1 ? call->arguments[0] : e)->node);
        if (!made || (call && made->is_list) || (!call && !made->is_list)) return nullptr;
        const std::string taking(call ? name_of(call->function) : std::string_view());
        const bool decides = taking == "any" || taking == "all";
        if (decides ? made->clauses.size() != 1 : call && !kTakingAll.contains(taking)) return nullptr;
        const ExprPtr all = make_name(fresh(), span);
        std::map<std::string, ExprPtr> names;
        for (const ComprehensionClause& clause : made->clauses)
            for (const auto& [name, count] : occurrences({make_statement(ExprStmt{clause.target}, span)}))
                names[name] = make_name(fresh() + name, span);
        const auto renamed_in = [&](const ExprPtr& part) { return replace_names(part, names); };
        Body inside;
        if (decides) {
            const ExprPtr element = renamed_in(made->element);
            inside = {make_statement(
                IfStmt{taking == "any" ? element : make_unary(UnaryOp::Not, element, span),
                       {make_assignment(all, make_boolean(taking == "any", span), span), make_statement(BreakStmt{}, span)},
                       {}},
                span)};
        } else {
            CallExpr append{make_attribute(all, "append", span), {renamed_in(made->element)}, {}};
            inside = {make_statement(ExprStmt{make_expression(std::move(append), span)}, span)};
        }
        for (std::size_t at = made->clauses.size(); at-- > 0;) {
            const ComprehensionClause& clause = made->clauses[at];
            for (const ExprPtr& condition : std::vector<ExprPtr>(clause.conditions.rbegin(), clause.conditions.rend()))
                inside = {make_statement(IfStmt{renamed_in(condition), std::move(inside), {}}, span)};
            const ExprPtr iterable = at == 0 ? clause.iterable : renamed_in(clause.iterable);
            inside = {make_statement(ForStmt{renamed_in(clause.target), iterable, std::move(inside), {}}, span)};
        }
        const ExprPtr first = decides ? make_boolean(taking == "all", span) : make_expression(ListExpr{}, span);
        out.push_back(make_assignment(all, first, span));
        add(inside[0], out);
        if (!call || decides) return all;
        CallExpr with = *call;
        with.arguments[0] = all;
        return make_expression(std::move(with), span);
    }
    static bool jumps(const Body& body, bool breaks) {
        bool found = false;
        walk_statements(body, [&](const Stmt& one) {
            found =
                found || (breaks ? std::holds_alternative<BreakStmt>(one.node) : std::holds_alternative<ContinueStmt>(one.node));
            return !std::holds_alternative<ForStmt>(one.node) && !std::holds_alternative<WhileStmt>(one.node);
        });
        return found;
    }
    void add_generator(const Written& generator, const ForStmt& loop, const Span& span, Body& out) {
        const auto& call = std::get<CallExpr>(loop.iterable->node);
        if (has_return(generator.function->body)) refuse_here("a generator with return", span);
        const std::string own = "__" + generator.function->name + std::to_string(calls_++) + "_";
        CallExpr plain = call;
        plain.arguments = lifted_all(plain.arguments, out);
        const Body steps =
            body_of(*generator.function, bind_parameters(generator, plain, own, binding_counts(loop.body), span, out));
        const bool breaks = jumps(loop.body, true), goes_on = jumps(loop.body, false);
        if (breaks && (goes_on || !ends_in_its_loop(steps))) refuse_here("break out of a loop over such a generator", span);
        if (!loop.else_body.empty() && breaks) refuse_here("else of a loop over a generator that break may leave", span);
        const std::function<Body(const Body&)> with_turns = [&](const Body& body) {
            Body result;
            for (const StmtPtr& one : body) {
                const CallExpr* yielded = encoded(*one, kYield);
                if (!yielded) {
                    result.push_back(with_parts(
                        one, [](const ExprPtr& e) { return e; }, with_turns));
                    continue;
                }
                Body turn{make_assignment(loop.target, yielded->arguments[0], one->span)};
                for (const StmtPtr& inner : copies_.of(loop.body)) add(inner, turn);
                if (!goes_on) {
                    result.insert(result.end(), turn.begin(), turn.end());
                    continue;
                }
                const ExprPtr once = make_call("range", {make_integer(1, span)}, span);
                result.push_back(make_statement(ForStmt{make_name(fresh(), span), once, std::move(turn), {}}, span));
            }
            return result;
        };
        for (const StmtPtr& one : with_turns(steps)) out.push_back(one);
        for (const StmtPtr& one : loop.else_body) add(one, out);
    }
    /// Whether all is over once the one loop that yields is left.
    static bool ends_in_its_loop(const Body& steps) {
        const auto yields = [](const Body& body) {
            return std::ranges::any_of(body, [](const StmtPtr& one) { return encoded(*one, kYield) != nullptr; });
        };
        if (steps.empty()) return false;
        const Stmt& last = *steps.back();
        const auto* counted = std::get_if<ForStmt>(&last.node);
        const auto* tested = std::get_if<WhileStmt>(&last.node);
        const Body* inside = counted ? &counted->body : tested ? &tested->body : nullptr;
        const bool has_else = (counted && !counted->else_body.empty()) || (tested && !tested->else_body.empty());
        if (!inside || has_else) return false;
        int all = 0, of_branches = 0;
        walk_statements(steps, [&](const Stmt& one) { return all += encoded(one, kYield) != nullptr, true; });
        const std::function<void(const Body&)> count = [&](const Body& body) {
            of_branches += yields(body) ? 1 : 0;
            for (const StmtPtr& one : body)
                if (const auto* choice = std::get_if<IfStmt>(&one->node)) count(choice->then_body), count(choice->else_body);
        };
        count(*inside);
        return all == of_branches;
    }

    const FunctionStmt& function_;
    Copies copies_;
    std::map<std::string, Written> written_;
    std::vector<StmtPtr> loops_;  ///< Functions that call themselves, as loops.
    std::vector<std::string> entered_;
    std::size_t parts_ = 0, calls_ = 0;
};

}  // namespace

StmtPtr with_calls_written_out(const StmtPtr& function) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    const FunctionStmt before = definition;
    WrittenOut written(before);
    if (!written.any()) return function;
    definition.body = written.body();
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace sluice::frontend
