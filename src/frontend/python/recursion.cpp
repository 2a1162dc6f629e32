// A call of the function itself puts what is needed behind it on stacks, one list for each variable, and goes to the function's
// beginning; a return takes it up again. The places between are branches of one loop (Danvy and Nielsen, Defunctionalization at
// Work, 2001: continuations as data):
//     def fib(n):                            def fib(n):
//         if n < 2:                              places, saved_n, place, result = [], [], 0, 0
//             return n                           while True:
//         return fib(n - 1) + fib(n - 2)             if place == 0:
//                                         ->             if n < 2:
//                                                            result = n
//                                                            if len(places) == 0: break
//                                                            place = places.pop()
//                                                        else:
//                                                            saved_n.append(n); places.append(1)
//                                                            n = n - 1; place = 0
//                                                    elif place == 1: ...
// A parameter that every call hands on as it is stays where it is. A loop around a call is two places: its head, which begins an
// iteration or leaves, and what comes behind it. It counts its iterations in a variable of its own:
//     for v in range(n): visit(v)        place 1: if k < n: v = k; k = k + 1; <visit(v)>; go to 1
//                                                 else: go to 2
#include "frontend/python/recursion.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "code/encoded.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/places.h"
#include "frontend/python/single_exit.h"

namespace sluice::frontend {

using namespace code;

namespace {

struct NotForStack {};

constexpr std::size_t kMostPlaces = 48;
constexpr const char *kPlace = "__place", *kPlaces = "__places", *kResult = "__result";

class CallStack {
public:
    explicit CallStack(const FunctionStmt& function) : function_(function), span_(function.body.front()->span) {
        for (const Parameter& parameter : function.parameters)
            if (parameter.kind != Parameter::Kind::Either) throw NotForStack{};
        walk_statements(function.body, [&](const Stmt& one) {
            if (std::holds_alternative<FunctionStmt>(one.node) || std::holds_alternative<ImportStmt>(one.node) ||
                std::holds_alternative<WithStmt>(one.node) || std::holds_alternative<UnsupportedStmt>(one.node))
                throw NotForStack{};
            if (const auto* done = std::get_if<ReturnStmt>(&one.node)) note_return(done->value);
            return true;
        });
        for (const auto& [name, count] : binding_counts(function.body)) variables_.insert(name);
        for (const StmtPtr& one : function.body)
            if (const CallExpr* around = nonlocal(*one))
                for (const ExprPtr& name : around->arguments) variables_.erase(std::string(name_of(name)));
        for (const Parameter& parameter : function.parameters) variables_.insert(parameter.name);
        find_invariant();
    }

    Body loop() {
        places_.emplace_back();
        places_[0] = of(function_.body, 0);
        if (calls_ == 0) throw NotForStack{};
        std::set<std::string> moving;
        std::ranges::set_difference(variables_, invariant_, std::inserter(moving, moving.end()));
        live_ = live_variables(places_, results_, moving);
        if (!have_values(places_, results_, live_, function_.parameters)) throw NotForStack{};
        Body out;
        std::ranges::copy_if(function_.body, std::back_inserter(out), [](const StmtPtr& one) { return nonlocal(*one); });
        out.insert(out.end(), {assign(kPlaces, list({})), assign(kPlace, make_integer(0))});
        std::set<std::string> saved;
        for (const auto& names : live_) saved.insert(names.begin(), names.end());
        for (const std::string& name : saved) out.push_back(assign(kKept + name, list({})));
        if (returns_value_) out.push_back(assign(kResult, first_result_));
        for (const std::string& count : counts_) out.push_back(assign(count, make_integer(0)));
        Body turn;
        for (std::size_t at = places_.size(); at-- > 0;) {
            Body code = written(places_[at], at);
            if (turn.empty()) {
                turn = std::move(code);
                continue;
            }
            const ExprPtr here = make_compare(name(kPlace), CompareOp::Eq, make_integer(static_cast<std::int64_t>(at)), span_);
            turn = {make_statement(IfStmt{here, std::move(code), std::move(turn)}, span_)};
        }
        out.push_back(make_statement(WhileStmt{make_boolean(true), std::move(turn), {}}, span_));
        if (returns_value_) out.push_back(make_statement(ReturnStmt{name(kResult)}, span_));
        return out;
    }

private:
    // ---- pieces of code ------------------------------------------------------------------------------------------------
    ExprPtr name(const std::string& id) const { return make_name(id, span_); }
    StmtPtr assign(const std::string& to, const ExprPtr& value) const { return make_assignment(name(to), value, span_); }
    ExprPtr list(std::vector<ExprPtr> elements) const {
        return std::make_shared<const code::Expr>(code::Expr{ListExpr{std::move(elements)}, span_});
    }
    ExprPtr method(const std::string& object, const std::string& called, std::vector<ExprPtr> arguments) const {
        return std::make_shared<const code::Expr>(
            code::Expr{CallExpr{make_attribute(name(object), called, span_), std::move(arguments), {}}, span_});
    }
    StmtPtr append(const std::string& to, const ExprPtr& value) const {
        return make_statement(ExprStmt{method(to, "append", {value})}, span_);
    }
    static StmtPtr marker(const char* keyword, std::size_t place, const Span& span) {
        return make_statement(UnsupportedStmt{keyword, std::to_string(place)}, span);
    }
    std::size_t new_place() {
        if (places_.size() >= kMostPlaces) throw NotForStack{};
        places_.emplace_back();
        results_.resize(places_.size());
        return places_.size() - 1;
    }

    /// The call that `nonlocal a, b` is; null for other statements.
    static const CallExpr* nonlocal(const Stmt& one) {
        const auto* alone = std::get_if<ExprStmt>(&one.node);
        const auto* call = alone ? std::get_if<CallExpr>(&alone->value->node) : nullptr;
        return call && name_of(call->function) == kNonlocal ? call : nullptr;
    }

    // ---- what the function is ------------------------------------------------------------------------------------------
    const CallExpr* own_call(const ExprPtr& e) const {
        const auto* call = std::get_if<CallExpr>(&e->node);
        return call && name_of(call->function) == function_.name ? call : nullptr;
    }
    bool mentions_itself(const ExprPtr& e) const {
        bool found = name_of(e) == function_.name;
        for_each_child(*e, [&](const ExprPtr& child) { found = found || mentions_itself(child); });
        return found;
    }
    bool mentions_itself(const Body& body) const {
        bool found = false;
        walk_statements(body, [&](const Stmt& one) {
            for_each_expr(one, [&](const ExprPtr& e) { found = found || mentions_itself(e); });
            return !found;
        });
        return found;
    }
    /// Whether a call or a return stands in it, or it goes to another place.
    bool is_apart(const StmtPtr& one) const {
        bool found = mentions_itself({one});
        walk_statements({one}, [&](const Stmt& inner) {
            found = found || std::holds_alternative<ReturnStmt>(inner.node) || std::holds_alternative<UnsupportedStmt>(inner.node);
            return !found;
        });
        return found;
    }
    /// What comes behind the body is never reached from its end.
    static bool ends(const Body& body) {
        if (body.empty()) return false;
        const auto* choice = std::get_if<IfStmt>(&body.back()->node);
        const auto* asserts = std::get_if<AssertStmt>(&body.back()->node);
        return std::holds_alternative<ReturnStmt>(body.back()->node) || marker_in(body.back()) || (asserts && asserts->raises) ||
               (choice && ends(choice->then_body) && ends(choice->else_body));
    }
    void note_return(const ExprPtr& value) {
        if (!value) return;
        returns_value_ = true;
        const auto* constant = std::get_if<ConstantExpr>(&value->node);
        const auto* unary = std::get_if<UnaryExpr>(&value->node);
        if (const auto* several = std::get_if<TupleExpr>(&value->node)) {
            const std::vector<ExprPtr> zeros(several->elements.size(), make_integer(0));
            first_result_ = std::make_shared<const code::Expr>(code::Expr{TupleExpr{zeros}, span_});
        } else if ((constant && std::holds_alternative<bool>(constant->value)) ||
                   std::holds_alternative<CompareExpr>(value->node) || (unary && unary->op == UnaryOp::Not)) {
            first_result_ = make_boolean(false);
        }
    }
    /// The argument for each parameter.
    std::vector<ExprPtr> arguments_of(const CallExpr& call) const {
        std::vector<ExprPtr> all = call.arguments;
        if (all.size() > function_.parameters.size()) throw NotForStack{};
        for (std::size_t at = all.size(); at < function_.parameters.size(); ++at) {
            const Parameter& parameter = function_.parameters[at];
            const auto given = std::ranges::find(call.keywords, parameter.name, &Keyword::name);
            const bool plain = parameter.default_value && std::holds_alternative<ConstantExpr>(parameter.default_value->node);
            if (given == call.keywords.end() && !plain) throw NotForStack{};
            all.push_back(given == call.keywords.end() ? parameter.default_value : given->value);
        }
        for (const ExprPtr& one : all) refuse_objects(one);
        return all;
    }
    /// Slices, collections and texts: a stack holds numbers.
    void refuse_objects(const ExprPtr& e) const {
        const auto* constant = std::get_if<ConstantExpr>(&e->node);
        const bool number = !constant || std::holds_alternative<std::int64_t>(constant->value) ||
                            std::holds_alternative<double>(constant->value) || std::holds_alternative<bool>(constant->value);
        if (!number || std::holds_alternative<SliceExpr>(e->node) || std::holds_alternative<ListExpr>(e->node) ||
            std::holds_alternative<DictExpr>(e->node) || std::holds_alternative<LambdaExpr>(e->node) ||
            std::holds_alternative<ComprehensionExpr>(e->node) || std::holds_alternative<StarredExpr>(e->node))
            throw NotForStack{};
        for_each_child(*e, [&](const ExprPtr& child) { refuse_objects(child); });
    }
    void find_invariant() {
        for (const Parameter& parameter : function_.parameters) invariant_.insert(parameter.name);
        for (const auto& [bound, count] : binding_counts(function_.body)) invariant_.erase(bound);
        const std::function<void(const ExprPtr&)> visit = [&](const ExprPtr& e) {
            if (const CallExpr* call = own_call(e)) {
                for (std::size_t at = 0; at < call->arguments.size() && at < function_.parameters.size(); ++at)
                    if (const std::string& parameter = function_.parameters[at].name; name_of(call->arguments[at]) != parameter)
                        invariant_.erase(parameter);
                for (const Keyword& keyword : call->keywords)
                    if (name_of(keyword.value) != keyword.name) invariant_.erase(keyword.name);
                for (std::size_t at = call->arguments.size(); at < function_.parameters.size(); ++at)
                    if (std::ranges::find(call->keywords, function_.parameters[at].name, &Keyword::name) == call->keywords.end())
                        invariant_.erase(function_.parameters[at].name);
            }
            for_each_child(*e, visit);
        };
        walk_statements(function_.body, [&](const Stmt& one) {
            for_each_expr(one, visit);
            return true;
        });
    }

    // ---- places --------------------------------------------------------------------------------------------------------
    /// The code of `body` from `first` on, up to where it goes to another place or returns.
    Body of(const Body& body, std::size_t first) {
        Body out;
        for (std::size_t at = first; at < body.size(); ++at) {
            const StmtPtr& one = body[at];
            if (nonlocal(*one)) continue;
            if (marker_in(one)) return joined(std::move(out), {one});
            if (!is_apart(one)) {
                out.push_back(one);
                const auto* asserts = std::get_if<AssertStmt>(&one->node);
                if (asserts && asserts->raises) return out;
                continue;
            }
            const auto behind = [&](Body front) {
                front.insert(front.end(), body.begin() + static_cast<std::ptrdiff_t>(at) + 1, body.end());
                return front;
            };
            if (calls_first(one, behind, out)) return out;
            if (const auto* choice = std::get_if<IfStmt>(&one->node)) {
                if (const Body rest = behind({}); mentions_itself(rest) && !ends(choice->then_body) && !ends(choice->else_body)) {
                    const std::size_t meeting = new_place();
                    const auto to_it = [&](const Body& branch) {
                        return of(joined(branch, {marker(kGoTo, meeting, one->span)}), 0);
                    };
                    Body taken = to_it(choice->then_body);
                    out.push_back(make_statement(IfStmt{choice->condition, std::move(taken), to_it(choice->else_body)}, one->span));
                    Body code = of(rest, 0);
                    places_[meeting] = std::move(code);
                    return out;
                }
                Body taken = of(behind(choice->then_body), 0);  // Each has statements of its own: they are known by their place.
                out.push_back(make_statement(IfStmt{choice->condition, std::move(taken), of(copy_of(behind(choice->else_body)), 0)},
                                             one->span));
                return out;
            }
            if (const auto* done = std::get_if<ReturnStmt>(&one->node)) {
                if (done->value) out.push_back(assign(kResult, done->value));
                if (!done->value && returns_value_) throw NotForStack{};  // None and a number.
                end(out);
                return out;
            }
            if (!mentions_itself({one})) return joined(std::move(out), of(behind(left_by_flag(one)), 0));
            enter_loop(one, behind({}), out);
            return out;
        }
        if (returns_value_) throw NotForStack{};  // None and a number.
        end(out);
        return out;
    }
    // ---- loops ---------------------------------------------------------------------------------------------------------
    /// A loop with returns and no call: it notes what it returns.
    Body left_by_flag(const StmtPtr& loop) {
        const std::string result = fresh_part(), returned = fresh_part();
        Body out = single_exit({loop}, result, returned);
        out.resize(2);  // `returned = False` and the loop.
        const ExprPtr value = returns_value_ ? name(result) : nullptr;
        out.push_back(make_statement(IfStmt{name(returned), {make_statement(ReturnStmt{value}, loop->span)}, {}}, loop->span));
        return out;
    }
    void enter_loop(const StmtPtr& one, const Body& rest, Body& out) {
        const Span& span = one->span;
        const std::size_t head = new_place(), behind = new_place();
        const StmtPtr again = marker(kGoTo, head, span), leave = marker(kGoTo, behind, span);
        const auto* counted = std::get_if<ForStmt>(&one->node);
        const auto* tested = std::get_if<WhileStmt>(&one->node);
        Iteration turn{tested ? tested->condition : nullptr, {}};
        if (counted) turn = iteration(*counted, out);
        Body inside = joined(std::move(turn.begin), with_jumps(counted ? counted->body : tested->body, again, leave));
        inside.push_back(again);
        Body otherwise = joined(copy_of(counted ? counted->else_body : tested->else_body), {leave});
        Body code = of({make_statement(IfStmt{turn.condition, std::move(inside), std::move(otherwise)}, span)}, 0);
        places_[head] = std::move(code);
        code = of(rest, 0);
        places_[behind] = std::move(code);
        out.push_back(again);
    }
    static Body with_jumps(const Body& body, const StmtPtr& again, const StmtPtr& leave) {
        Body out;
        for (const StmtPtr& one : body) {
            const bool loop = std::holds_alternative<ForStmt>(one->node) || std::holds_alternative<WhileStmt>(one->node);
            if (std::holds_alternative<BreakStmt>(one->node)) {
                out.push_back(leave);
            } else if (std::holds_alternative<ContinueStmt>(one->node)) {
                out.push_back(again);
            } else {
                out.push_back(with_parts(
                    one, [](const ExprPtr& e) { return e; },
                    [&](const Body& inner) { return loop ? copy_of(inner) : with_jumps(inner, again, leave); }));
            }
        }
        return out;
    }
    struct Iteration {
        ExprPtr condition;
        Body begin;
    };
    /// What a loop asks for in front of an iteration, and how one begins; `out` gets what stands in front of the loop.
    Iteration iteration(const ForStmt& loop, Body& out) {
        const std::string count = fresh_count();
        const auto* call = std::get_if<CallExpr>(&loop.iterable->node);
        const std::string function(call && call->keywords.empty() ? name_of(call->function) : std::string_view());
        if (function == "range" && !call->arguments.empty()) {
            const std::vector<ExprPtr>& bounds = call->arguments;
            const ExprPtr step = bounds.size() > 2 ? bounds[2] : make_integer(1, span_);
            const auto known = constant_value(*step, {});
            const auto* by = known ? std::get_if<std::int64_t>(&known->value) : nullptr;
            if (!by || *by == 0) throw NotForStack{};
            const ExprPtr end = fixed(bounds.size() > 1 ? bounds[1] : bounds[0], out);
            out.push_back(assign(count, bounds.size() > 1 ? bounds[0] : make_integer(0, span_)));
            return {make_compare(name(count), *by > 0 ? CompareOp::Lt : CompareOp::Gt, end, span_),
                    {make_assignment(loop.target, name(count), span_), counted_on(count, step)}};
        }
        out.push_back(assign(count, make_integer(0, span_)));
        std::vector<ExprPtr> targets{loop.target}, sources{loop.iterable};
        Body begin;
        if (function == "zip") {
            sources = call->arguments, targets = elements_of(loop.target);
        } else if (function == "enumerate" && call->arguments.size() == 1) {
            sources = call->arguments, targets = elements_of(loop.target);
            if (targets.size() != 2) throw NotForStack{};
            begin.push_back(make_assignment(targets[0], name(count), span_));
            targets.erase(targets.begin());
        }
        if (targets.size() != sources.size() || sources.empty()) throw NotForStack{};
        std::vector<ExprPtr> conditions;
        for (std::size_t at = 0; at < sources.size(); ++at) {
            const auto rows = elements_of(sources[at]);
            if (std::holds_alternative<TupleExpr>(sources[at]->node) || std::holds_alternative<ListExpr>(sources[at]->node)) {
                conditions.push_back(
                    make_compare(name(count), CompareOp::Lt, make_integer(static_cast<std::int64_t>(rows.size()), span_), span_));
                const auto names = elements_of(targets[at]);
                for (std::size_t k = 0; k < names.size(); ++k) {
                    TupleExpr column;
                    for (const ExprPtr& row : rows) {
                        const auto parts = elements_of(row);
                        if (parts.size() != names.size() || !constant_value(*parts[k], {})) throw NotForStack{};
                        column.elements.push_back(parts[k]);
                    }
                    const ExprPtr all = std::make_shared<const code::Expr>(code::Expr{std::move(column), span_});
                    begin.push_back(make_assignment(names[k], make_subscript(all, {name(count)}, span_), span_));
                }
                continue;
            }
            const ExprPtr array = placed(sources[at], out);
            conditions.push_back(make_compare(name(count), CompareOp::Lt, make_call("len", {array}, span_), span_));
            begin.push_back(make_assignment(targets[at], make_subscript(array, {name(count)}, span_), span_));
        }
        begin.push_back(counted_on(count, make_integer(1, span_)));
        ExprPtr condition = conditions[0];
        if (conditions.size() > 1)
            condition = std::make_shared<const code::Expr>(code::Expr{BoolExpr{true, std::move(conditions)}, span_});
        return {condition, std::move(begin)};
    }
    StmtPtr counted_on(const std::string& count, const ExprPtr& step) const {
        return assign(count, make_binary(BinaryOp::Add, name(count), step, span_));
    }
    /// A number that no iteration changes.
    ExprPtr fixed(const ExprPtr& e, Body& out) {
        const std::string id(name_of(e));
        if (constant_value(*e, {}) || (!id.empty() && (!variables_.contains(id) || invariant_.contains(id)))) return e;
        const std::string part = fresh_count();
        out.push_back(assign(part, e));
        return name(part);
    }
    std::string fresh_count() {
        counts_.push_back(fresh_part());
        return counts_.back();
    }
    /// The place of an array or list that is the same object in each iteration.
    ExprPtr placed(const ExprPtr& e, Body& out) {
        if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) {
            if (std::holds_alternative<SliceExpr>(subscript->index->node) ||
                std::holds_alternative<TupleExpr>(subscript->index->node))
                throw NotForStack{};
            const ExprPtr object = placed(subscript->object, out);
            return make_subscript(object, {fixed(subscript->index, out)}, span_);
        }
        const std::string id(name_of(e));
        if (id.empty() || (variables_.contains(id) && !invariant_.contains(id))) throw NotForStack{};
        return e;
    }
    static Body copy_of(const Body& body) {
        Body out;
        for (const StmtPtr& one : body)
            out.push_back(with_parts(
                one, [](const ExprPtr& e) { return e; }, copy_of));
        return out;
    }
    void end(Body& out) const {
        const ExprPtr none = make_compare(make_call("len", {name(kPlaces)}, span_), CompareOp::Eq, make_integer(0), span_);
        out.push_back(make_statement(IfStmt{none, {make_statement(BreakStmt{}, span_)}, {}}, span_));
        out.push_back(assign(kPlace, method(kPlaces, "pop", {})));
    }
    // ---- calls ---------------------------------------------------------------------------------------------------------
    /// Puts the first call of the function itself that the statement makes in front of it; what is then left of it, and what comes
    /// behind, is another place.
    template <class Behind> bool calls_first(const StmtPtr& one, const Behind& behind, Body& out) {
        ExprPtr value;
        if (const auto* assigned = std::get_if<AssignStmt>(&one->node)) {
            for (const ExprPtr& target : assigned->targets)
                if (mentions_itself(target)) throw NotForStack{};
            value = assigned->value;
        } else if (const auto* updated = std::get_if<AugAssignStmt>(&one->node)) {
            if (name_of(updated->target).empty() && mentions_itself(updated->value)) throw NotForStack{};  // Read before the call.
            value = updated->value;
        } else if (const auto* alone = std::get_if<ExprStmt>(&one->node)) {
            value = alone->value;
        } else if (const auto* done = std::get_if<ReturnStmt>(&one->node)) {
            value = done->value;
        } else if (const auto* asked = std::get_if<IfStmt>(&one->node)) {
            value = asked->condition;
        } else if (!std::holds_alternative<ForStmt>(one->node) && !std::holds_alternative<WhileStmt>(one->node)) {
            throw NotForStack{};
        }
        if (!value || !mentions_itself(value)) return false;
        const auto with = [&](const ExprPtr& other) {
            return with_parts(
                one, [&](const ExprPtr& e) { return e == value ? other : e; }, [](const Body& body) { return body; });
        };
        if (const auto* choice = std::get_if<ConditionalExpr>(&value->node)) {
            const StmtPtr apart =
                make_statement(IfStmt{choice->condition, {with(choice->if_true)}, {with(choice->if_false)}}, one->span);
            out = joined(std::move(out), of(behind({apart}), 0));
            return true;
        }
        if (const auto* several = std::get_if<BoolExpr>(&value->node)) {
            const std::string part = fresh_part();
            Body body{assign(part, several->operands.back())};
            for (std::size_t at = several->operands.size() - 1; at-- > 0;) {
                const ExprPtr go_on = several->is_and ? name(part) : make_unary(UnaryOp::Not, name(part), span_);
                body = {assign(part, several->operands[at]), make_statement(IfStmt{go_on, std::move(body), {}}, one->span)};
            }
            body.push_back(with(name(part)));
            out = joined(std::move(out), of(behind(body), 0));
            return true;
        }
        if (const CallExpr* call = own_call(value); call && std::holds_alternative<ReturnStmt>(one->node)) {
            const bool inner = std::ranges::any_of(call->arguments, [&](const ExprPtr& e) { return mentions_itself(e); });
            if (!inner) {  // Nothing waits for its result.
                begin(*call, out);
                return true;
            }
        }
        const ExprPtr left = taken_out(value, out);
        Body rest = behind({});
        if (!std::holds_alternative<ExprStmt>(one->node) || name_of(left).empty()) rest.insert(rest.begin(), with(left));
        const std::size_t next = pending_place_;
        Body code = of(rest, 0);
        places_[next] = std::move(code);
        return true;
    }
    static Body joined(Body front, const Body& back) {
        front.insert(front.end(), back.begin(), back.end());
        return front;
    }
    std::string fresh_part() {
        const std::string part = "__part" + std::to_string(parts_++);
        variables_.insert(part);
        return part;
    }
    /// The expression with its first call of the function as a variable; `out` gets what is evaluated before, and the call.
    ExprPtr taken_out(const ExprPtr& e, Body& out) {
        if (const CallExpr* call = own_call(e)) {
            for (std::size_t at = 0; at < call->arguments.size(); ++at)
                if (mentions_itself(call->arguments[at])) return with_child(e, call->arguments[at], out);
            for (const Keyword& keyword : call->keywords)
                if (mentions_itself(keyword.value)) return with_child(e, keyword.value, out);
            const std::string part = fresh_part();
            pending_place_ = new_place();
            results_[pending_place_] = part;
            out.push_back(marker(kSave, pending_place_, e->span));
            begin(*call, out);
            return make_name(part, e->span);
        }
        if (std::holds_alternative<ConditionalExpr>(e->node) || std::holds_alternative<BoolExpr>(e->node) ||
            std::holds_alternative<LambdaExpr>(e->node) || std::holds_alternative<ComprehensionExpr>(e->node))
            throw NotForStack{};
        ExprPtr holder;
        for_each_child(*e, [&](const ExprPtr& child) {
            if (!holder && mentions_itself(child)) holder = child;
        });
        if (!holder) throw NotForStack{};  // Its name alone.
        return with_child(e, holder, out);
    }
    /// The same where the call stands in `holder`, a child; those before it are evaluated first.
    ExprPtr with_child(const ExprPtr& e, const ExprPtr& holder, Body& out) {
        std::map<const code::Expr*, ExprPtr> kept;
        bool before = true;
        const auto* call = std::get_if<CallExpr>(&e->node);
        for_each_child(*e, [&](const ExprPtr& child) {
            before = before && child != holder;
            if (!before || (call && child == call->function)) return;
            if (std::holds_alternative<ConstantExpr>(child->node) || !name_of(child).empty()) return;
            const std::string part = fresh_part();
            out.push_back(assign(part, child));
            kept.emplace(child.get(), make_name(part, child->span));
        });
        const ExprPtr inside = taken_out(holder, out);
        return replace_parts(e, [&](const ExprPtr& part) -> ExprPtr {
            if (part == holder) return inside;
            const auto other = kept.find(part.get());
            return other == kept.end() ? nullptr : other->second;
        });
    }
    /// The parameters of the next call, all at once.
    void begin(const CallExpr& call, Body& out) {
        ++calls_;
        TupleExpr targets, values;
        const std::vector<ExprPtr> arguments = arguments_of(call);
        for (std::size_t at = 0; at < arguments.size(); ++at) {
            const std::string& parameter = function_.parameters[at].name;
            if (name_of(arguments[at]) == parameter) continue;  // It stays what it is.
            targets.elements.push_back(name(parameter));
            values.elements.push_back(arguments[at]);
        }
        const auto tuple = [&](TupleExpr& all) {
            return all.elements.size() == 1 ? all.elements[0] : std::make_shared<const code::Expr>(code::Expr{all, span_});
        };
        if (!targets.elements.empty()) out.push_back(make_assignment(tuple(targets), tuple(values), span_));
        out.push_back(marker(kGoTo, 0, span_));
    }

    /// With what the markers stand for; `place`: whose code it is, SIZE_MAX inside of it.
    Body written(const Body& body, std::size_t place) const {
        Body out;
        if (place < places_.size() && !results_[place].empty()) {
            for (const std::string& variable : live_[place]) out.push_back(assign(variable, method(kKept + variable, "pop", {})));
            if (returns_value_) out.push_back(assign(results_[place], name(kResult)));
        }
        for (const StmtPtr& one : body) {
            const UnsupportedStmt* mark = marker_in(one);
            if (!mark) {
                out.push_back(with_parts(
                    one, [](const ExprPtr& e) { return e; }, [&](const Body& inside) { return written(inside, SIZE_MAX); }));
                continue;
            }
            const std::size_t to = std::stoul(mark->text);
            const ExprPtr number = make_integer(static_cast<std::int64_t>(to));
            if (mark->keyword == kGoTo) {
                out.push_back(assign(kPlace, number));
                continue;
            }
            for (const std::string& variable : live_[to]) out.push_back(append(kKept + variable, name(variable)));
            out.push_back(append(kPlaces, number));
        }
        return out;
    }

    const FunctionStmt& function_;
    Span span_;
    std::vector<Body> places_;
    std::vector<std::string> results_{""};  ///< By place: the variable of the call's result; empty: it is behind no call.
    std::vector<std::set<std::string>> live_;
    std::set<std::string> variables_, invariant_;
    std::vector<std::string> counts_;  ///< Variables of loops, which are integers.
    bool returns_value_ = false;
    ExprPtr first_result_ = make_integer(0);
    std::size_t calls_ = 0, parts_ = 0, pending_place_ = 0;
};

}  // namespace

StmtPtr with_call_stack(const StmtPtr& function) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    const FunctionStmt before = definition;
    try {
        definition.body = CallStack(before).loop();
    } catch (const NotForStack&) {
        return nullptr;
    }
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace sluice::frontend
