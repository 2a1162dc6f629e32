#include "frontend/python/caught.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "code/encoded.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/collections.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

StmtPtr caught_statement(auto node, const Span& span) {
    return std::make_shared<const Stmt>(Stmt{std::move(node), span});
}

const CallExpr* clause_of(const StmtPtr& one, const char* name) {
    const auto* choice = std::get_if<IfStmt>(&one->node);
    const auto* call = choice ? std::get_if<CallExpr>(&choice->condition->node) : nullptr;
    return call && name_of(call->function) == name ? call : nullptr;
}

[[noreturn]] void refuse_try(const std::string& what, const Span& span) {
    unsupported(what + " in `try`", span, "test the operands with if, or move it out of the try statement");
}

/// The clauses of one `try`.
class Handlers {
public:
    Handlers(const IfStmt& statement, const Body& function, const std::string& flag, const Span& span)
        : body_(statement.then_body), flag_(flag), span_(span) {
        std::tie(dictionaries_, defaulted_) = dictionaries(function);
        for (const StmtPtr& clause : statement.else_body) {
            const auto& choice = std::get<IfStmt>(clause->node);
            if (clause_of(clause, kElse)) {
                rest_ = choice.then_body;
                continue;
            }
            if (clause_of(clause, kFinally)) {
                last_ = choice.then_body;
                continue;
            }
            const CallExpr& types = *clause_of(clause, kExcept);
            for (const Keyword& name : types.keywords)
                if (occurrences(choice.then_body).contains(name.name)) refuse_try("the exception as a value", clause->span);
            std::set<std::string> names;
            if (types.arguments.empty()) names.insert("Exception");
            for (const ExprPtr& type : types.arguments) {
                static const std::set<std::string> kKnown{"ZeroDivisionError", "IndexError", "KeyError",      "LookupError",
                                                          "AssertionError",    "ValueError", "OverflowError", "ArithmeticError",
                                                          "RuntimeError",      "Exception"};
                const std::string name = dotted_name(*type);
                if (!kKnown.contains(name)) refuse_try("a handler of " + (name.empty() ? "this" : name), type->span);
                names.insert(name);
            }
            handlers_.push_back({std::move(names), choice.then_body});
        }
    }

    Body written() {
        check_last();
        return joined(with_handlers(), last_);
    }
    /// One statement that may raise for one handler needs no number.
    bool is_plain() {
        const auto [sites, branches] = count(body_);
        return sites == 1 && !branches;
    }
    void use_flag() { uses_flag_ = true; }

private:
    struct Handler {
        std::set<std::string> names;
        Body body;
    };
    /// An expression that raises, and which handler then runs.
    struct Site {
        ExprPtr condition;
        std::size_t handler;
    };

    Body with_handlers() {
        const Body guarded = of(body_);
        if (!uses_flag_ && sites_ == 0) return joined(body_, rest_);
        if (!uses_flag_) return guarded;
        Body out{make_assignment(flag(), make_integer(0, span_), span_)};
        out.insert(out.end(), guarded.begin(), guarded.end());
        Body choice = rest_;
        for (std::size_t at = handlers_.size(); at-- > 0;)
            choice = {caught_statement(IfStmt{is_caught(at), handlers_[at].body, std::move(choice)}, span_)};
        out.insert(out.end(), choice.begin(), choice.end());
        return out;
    }
    /// `finally` stands behind all others: what leaves the function or raises on the way there sees nothing of the names that it
    /// assigns.
    void check_last() const {
        if (last_.empty()) return;
        for (const StmtPtr& one : last_) {
            const auto* s = std::get_if<AssignStmt>(&one->node);
            const bool names = s && std::ranges::all_of(s->targets, [](const ExprPtr& e) { return !name_of(e).empty(); });
            if (!names && !std::holds_alternative<PassStmt>(one->node))
                refuse_try("`finally` that does more than assign names", one->span);
        }
        Body all = joined(body_, rest_);
        for (const Handler& handler : handlers_) all = joined(all, handler.body);
        walk_statements(all, [&](const Stmt& one) {
            if (std::holds_alternative<BreakStmt>(one.node) || std::holds_alternative<ContinueStmt>(one.node))
                refuse_try("break or continue in front of `finally`", one.span);
            return !std::holds_alternative<ForStmt>(one.node) && !std::holds_alternative<WhileStmt>(one.node);
        });
    }
    static Body joined(Body front, const Body& back) {
        front.insert(front.end(), back.begin(), back.end());
        return front;
    }
    ExprPtr flag() const { return make_name(flag_, span_); }
    ExprPtr is_caught(std::size_t handler) const {
        return make_compare(flag(), CompareOp::Eq, make_integer(static_cast<std::int64_t>(handler) + 1, span_), span_);
    }
    /// The handler of an exception of Python's: of itself or of a class that it derives from.
    std::size_t handler_of(const std::string& name) const {
        static const std::map<std::string, std::string> kDerived{{"ZeroDivisionError", "ArithmeticError"},
                                                                 {"OverflowError", "ArithmeticError"},
                                                                 {"FloatingPointError", "ArithmeticError"},
                                                                 {"IndexError", "LookupError"},
                                                                 {"KeyError", "LookupError"},
                                                                 {"NotImplementedError", "RuntimeError"}};
        const auto above = kDerived.find(name);
        for (std::size_t at = 0; at < handlers_.size(); ++at) {
            const std::set<std::string>& names = handlers_[at].names;
            if (names.contains(name) || names.contains("Exception") || (above != kDerived.end() && names.contains(above->second)))
                return at;
        }
        return handlers_.size();
    }
    bool catches(const std::string& name) const { return handler_of(name) < handlers_.size(); }

    // ---- what may raise ------------------------------------------------------------------------------------------------
    void add(const std::string& name, const ExprPtr& condition, std::vector<Site>& sites) const {
        if (!catches(name)) return;
        if (changed_) refuse_try("what may raise behind a call that changes something, in one statement", condition->span);
        sites.push_back({condition, handler_of(name)});
    }
    static ExprPtr asked(const std::string& name, const ExprPtr& e) {
        return make_call(kRaises, {make_text(name, e->span), e}, e->span);
    }
    /// In the order in which Python evaluates.
    void find(const ExprPtr& e, std::vector<Site>& sites) const {
        if (std::holds_alternative<LambdaExpr>(e->node)) return;  // Calls of it are refused.
        if (const auto* several = std::get_if<BoolExpr>(&e->node)) {
            find(several->operands[0], sites);
            for (std::size_t at = 1; at < several->operands.size(); ++at) require_none(several->operands[at]);
            return;
        }
        if (const auto* choice = std::get_if<ConditionalExpr>(&e->node)) {
            find(choice->condition, sites);
            require_none(choice->if_true), require_none(choice->if_false);
            return;
        }
        if (const auto* list = std::get_if<ComprehensionExpr>(&e->node)) {
            for_each_child(*e, [&](const ExprPtr& child) {
                if (child == list->clauses[0].iterable)
                    find(child, sites);
                else
                    require_none(child);
            });
            return;
        }
        if (std::holds_alternative<NamedExpr>(e->node)) refuse_try("a name that an expression binds", e->span);
        const bool computes = std::holds_alternative<BinaryExpr>(e->node);
        const bool outermost = computes && !inside_binary_ && !optional_;
        {
            const Restored inside(inside_binary_, computes);
            for_each_child(*e, [&](const ExprPtr& child) { find(child, sites); });
        }
        find_own(e, sites);
        if (outermost) add("ValueError", asked("ValueError", e), sites);  // Arrays of sizes that do not go together.
    }
    void require_none(const ExprPtr& e) const {
        std::vector<Site> inside;
        const Restored optional(optional_, true);
        find(e, inside);
        if (!inside.empty()) refuse_try("what may raise and what Python may not evaluate", e->span);
    }
    void find_own(const ExprPtr& e, std::vector<Site>& sites) const {
        if (const auto* binary = std::get_if<BinaryExpr>(&e->node)) {
            if (binary->op == BinaryOp::Div || binary->op == BinaryOp::FloorDiv || binary->op == BinaryOp::Mod)
                add("ZeroDivisionError", asked("ZeroDivisionError", e), sites);
            const auto* power = std::get_if<ConstantExpr>(&binary->right->node);
            if (binary->op == BinaryOp::Pow && !power && (catches("ZeroDivisionError") || catches("OverflowError")))
                refuse_try("a power", e->span);
            if (binary->op == BinaryOp::Pow) add("OverflowError", asked("OverflowError", e), sites);
        }
        if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) find_subscript(*subscript, e, true, sites);
        if (const auto* call = std::get_if<CallExpr>(&e->node)) find_call(*call, e, sites);
    }
    void find_subscript(const SubscriptExpr& subscript, const ExprPtr& e, bool reads, std::vector<Site>& sites) const {
        const std::string name(name_of(subscript.object));
        if (defaulted_.contains(name)) return;
        if (dictionaries_.contains(name)) {
            if (reads) add("KeyError", make_compare(subscript.index, CompareOp::NotIn, subscript.object, e->span), sites);
            return;
        }
        if (std::holds_alternative<SliceExpr>(subscript.index->node)) {
            if (!reads && catches("ValueError")) refuse_try("an assignment to a slice", e->span);
            return;
        }
        add("IndexError", asked("IndexError", e), sites);
        if (reads) add("KeyError", asked("KeyError", e), sites);
    }
    /// Functions that raise none of these; others are refused.
    void find_call(const CallExpr& call, const ExprPtr& e, std::vector<Site>& sites) const {
        static const std::set<std::string> kSafe{"abs",   "len", "min",   "max",  "sum",       "float", "int",  "bool",
                                                 "range", "zip", "round", "list", "enumerate", "ord",   "tuple"};
        static const std::set<std::string> kSafeMethods{"append", "extend",  "clear", "copy",   "sort",  "reverse",
                                                        "add",    "discard", "get",   "sum",    "mean",  "min",
                                                        "max",    "items",   "keys",  "values", "count", "insert"};
        if (const auto* method = std::get_if<AttributeExpr>(&call.function->node)) {
            const std::string object(name_of(method->object));
            static const std::set<std::string> kOfArrays{"sqrt", "exp",   "log", "sin",  "cos",    "tanh",  "abs", "zeros",
                                                         "ones", "array", "sum", "mean", "arange", "isnan", "dot"};
            if (object == "math" && (catches("ValueError") || catches("OverflowError")))
                return find_math(method->name, call, e, sites);
            if (method->name == "index" && call.arguments.size() == 1 && call.keywords.empty() && !object.empty()) {
                const ExprPtr missing = make_compare(call.arguments[0], CompareOp::NotIn, method->object, e->span);
                return add("ValueError", missing, sites);
            }
            const bool of_numpy = object == "np" || object == "numpy";
            if (of_numpy && catches("ValueError") && call.arguments.size() > 1)
                refuse_try("a function of NumPy's of several arrays", e->span);
            const bool of_module = object == "math" || (of_numpy && (!catches("IndexError") || kOfArrays.contains(method->name)));
            static const std::set<std::string> kReading{"copy", "get",   "sum",  "mean",   "min",
                                                        "max",  "items", "keys", "values", "count"};
            const bool safe = kSafeMethods.contains(method->name);
            if (safe && !kReading.contains(method->name) && !of_module) changed_ = true;
            if (safe || of_module) return;
            const bool takes_last = method->name == "pop" && call.arguments.empty() && !dictionaries_.contains(object);
            if ((takes_last || method->name == "popleft") && !object.empty()) {
                const ExprPtr length = make_call("len", {method->object}, e->span);
                add("IndexError", make_compare(length, CompareOp::Eq, make_integer(0, e->span), e->span), sites);
                changed_ = true;
                return;
            }
        }
        const std::string function(name_of(call.function));
        const bool one_argument = call.arguments.size() == 1;
        const auto length_of = [&](const ExprPtr& list) { return make_call("len", {list}, e->span); };
        if ((function == "min" || function == "max") && one_argument && catches("ValueError")) {
            if (name_of(call.arguments[0]).empty()) refuse_try(function + " of what may be empty", e->span);
            const ExprPtr zero = make_integer(0, e->span);
            return add("ValueError", make_compare(length_of(call.arguments[0]), CompareOp::Eq, zero, e->span), sites);
        }
        if (function == "int" && one_argument) {  // Of NaN and of infinity.
            const ExprPtr& x = call.arguments[0];
            add("ValueError", make_compare(x, CompareOp::Ne, x, e->span), sites);
            return add("OverflowError", make_compare(make_call("abs", {x}, e->span), CompareOp::Gt, largest(e->span), e->span),
                       sites);
        }
        if (kSafe.contains(function)) return;
        refuse_try("a call of a function that may raise", e->span);
    }
    static ExprPtr largest(const Span& span) { return make_real(std::numeric_limits<double>::max(), span); }
    /// Functions of math of numbers outside of their domains.
    void find_math(const std::string& function, const CallExpr& call, const ExprPtr& e, std::vector<Site>& sites) const {
        struct Limit {
            CompareOp op;
            double bound;
            bool of_size = false;  ///< Of the absolute value.
            bool overflows = false;
        };
        static const std::map<std::string, std::optional<Limit>> kLimits{
            {"sqrt", Limit{CompareOp::Lt, 0}},
            {"log", Limit{CompareOp::Le, 0}},
            {"log2", Limit{CompareOp::Le, 0}},
            {"log10", Limit{CompareOp::Le, 0}},
            {"log1p", Limit{CompareOp::Le, -1}},
            {"acosh", Limit{CompareOp::Lt, 1}},
            {"acos", Limit{CompareOp::Gt, 1, true}},
            {"asin", Limit{CompareOp::Gt, 1, true}},
            {"atanh", Limit{CompareOp::Ge, 1, true}},
            {"factorial", Limit{CompareOp::Lt, 0}},
            {"isqrt", Limit{CompareOp::Lt, 0}},
            {"exp", Limit{CompareOp::Gt, 709.782712893384, false, true}},
            {"sin", Limit{CompareOp::Gt, std::numeric_limits<double>::max(), true}},
            {"cos", Limit{CompareOp::Gt, std::numeric_limits<double>::max(), true}},
            {"tan", Limit{CompareOp::Gt, std::numeric_limits<double>::max(), true}},
            {"atan", {}},
            {"atan2", {}},
            {"tanh", {}},
            {"asinh", {}},
            {"erf", {}},
            {"copysign", {}},
            {"fabs", {}},
            {"degrees", {}},
            {"radians", {}},
            {"isnan", {}},
            {"isinf", {}},
            {"isfinite", {}}};
        const auto known = kLimits.find(function);
        if (known == kLimits.end() || (known->second && call.arguments.size() != 1)) refuse_try("math." + function, e->span);
        if (!known->second) return;
        const Limit& limit = *known->second;
        const ExprPtr x = limit.of_size ? make_call("abs", {call.arguments[0]}, e->span) : call.arguments[0];
        const ExprPtr outside = make_compare(x, limit.op, make_real(limit.bound, e->span), e->span);
        add(limit.overflows ? "OverflowError" : "ValueError", outside, sites);
    }
    std::vector<Site> sites_in(const StmtPtr& one) const {
        std::vector<Site> sites;
        changed_ = false;
        if (const auto* s = std::get_if<AssignStmt>(&one->node)) {
            find(s->value, sites);
            for (const ExprPtr& target : s->targets)
                for (const ExprPtr& part : elements_of(target)) find_target(part, false, sites);
            if (!sites.empty() && s->targets.size() > 1) refuse_try("several targets", one->span);
        } else if (const auto* u = std::get_if<AugAssignStmt>(&one->node)) {
            find_target(u->target, true, sites);
            find(u->value, sites);
            const BinaryExpr operation{u->op, u->target, u->value};
            find_own(std::make_shared<const code::Expr>(code::Expr{operation, one->span}), sites);
        } else if (const auto* f = std::get_if<ForStmt>(&one->node)) {
            find(f->iterable, sites);
        } else if (const auto* w = std::get_if<WhileStmt>(&one->node)) {
            require_none(w->condition);
        } else if (const auto* choice = std::get_if<IfStmt>(&one->node)) {
            find(choice->condition, sites);
        } else {
            for_each_expr(*one, [&](const ExprPtr& e) { find(e, sites); });
        }
        return sites;
    }
    void find_target(const ExprPtr& target, bool reads, std::vector<Site>& sites) const {
        const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
        if (!subscript) return;
        find(subscript->object, sites);
        find(subscript->index, sites);
        find_subscript(*subscript, target, reads, sites);
    }
    /// The exception that a statement raises itself; empty: none that is caught.
    std::string raised_by(const StmtPtr& one) const {
        const auto* asserts = std::get_if<AssertStmt>(&one->node);
        if (!asserts) return {};
        if (!asserts->raises) return catches("AssertionError") ? "AssertionError" : std::string();
        if (!asserts->message) refuse_try("raise without an exception", one->span);
        const auto* call = std::get_if<CallExpr>(&asserts->message->node);
        const std::string name = dotted_name(call ? *call->function : *asserts->message);
        static const std::set<std::string> kOfPython{
            "ZeroDivisionError", "OverflowError", "FloatingPointError", "ArithmeticError", "IndexError",
            "KeyError",          "LookupError",   "ValueError",         "RuntimeError",    "NotImplementedError",
            "AssertionError",    "TypeError",     "AttributeError",     "NameError",       "OSError",
            "MemoryError",       "Exception"};
        if (!kOfPython.contains(name)) refuse_try("an exception of a class of one's own", one->span);
        return catches(name) ? name : std::string();
    }

    // ---- what runs -----------------------------------------------------------------------------------------------------
    /// How many statements may raise what is caught, and whether one of them lies in a branch or loop, or raises itself.
    std::pair<std::size_t, bool> count(const Body& body) const {
        std::size_t all = 0;
        bool inside = false;
        for (const StmtPtr& one : body) {
            refuse_jumps(one);
            if (!raised_by(one).empty()) return {2, true};
            if (std::holds_alternative<AssertStmt>(one->node)) continue;
            const std::vector<Site> sites = sites_in(one);
            all += sites.empty() ? 0 : 1;
            inside = inside || std::ranges::any_of(sites, [&](const Site& site) { return site.handler != sites[0].handler; });
            for_each_body(*one, [&](const Body& part) {
                const auto [more, deeper] = count(part);
                all += more;
                inside = inside || deeper || more > 0;
            });
        }
        return {all, inside};
    }
    static void refuse_jumps(const StmtPtr& one) {
        if (std::holds_alternative<FunctionStmt>(one->node) || std::holds_alternative<WithStmt>(one->node) ||
            std::holds_alternative<UnsupportedStmt>(one->node))
            refuse_try("such a statement", one->span);
    }
    Body of(const Body& body) {
        Body out;
        for (std::size_t at = 0; at < body.size(); ++at) {
            const StmtPtr& one = body[at];
            const auto rest = [&] { return of(Body(body.begin() + static_cast<std::ptrdiff_t>(at) + 1, body.end())); };
            if (const std::string name = raised_by(one); !name.empty()) {
                const auto& asserts = std::get<AssertStmt>(one->node);
                const Body caught{
                    make_assignment(flag(), make_integer(static_cast<std::int64_t>(handler_of(name)) + 1, one->span), one->span)};
                if (asserts.raises) return joined(out, caught);
                out.push_back(
                    caught_statement(IfStmt{make_unary(UnaryOp::Not, asserts.condition, one->span), caught, rest()}, one->span));
                return out;
            }
            const std::vector<Site> sites = std::holds_alternative<AssertStmt>(one->node) ? std::vector<Site>() : sites_in(one);
            sites_ += sites.size();
            const auto [inside, deeper] = inside_of(one);
            Body run{inside > 0 ? guarded_inside(one) : one};
            if (inside > 0) {
                const ExprPtr none = make_compare(flag(), CompareOp::Eq, make_integer(0, span_), span_);
                if (Body more = rest(); !more.empty())
                    run.push_back(caught_statement(IfStmt{none, std::move(more), {}}, one->span));
            } else if (sites.empty()) {
                out.push_back(one);
                continue;
            } else {
                run = joined(run, rest());
                if (!uses_flag_) run = joined(run, rest_);
            }
            for (std::size_t site = sites.size(); site-- > 0;) {
                if (!uses_flag_ && site > 0) continue;
                const std::size_t handler = sites[site].handler;
                const Body caught{
                    make_assignment(flag(), make_integer(static_cast<std::int64_t>(handler) + 1, one->span), one->span)};
                ExprPtr condition = sites[site].condition;
                if (!uses_flag_ && sites.size() > 1) {
                    BoolExpr any{false, {}};
                    for (const Site& each : sites) any.operands.push_back(each.condition);
                    condition = std::make_shared<const code::Expr>(code::Expr{std::move(any), one->span});
                }
                run = {
                    caught_statement(IfStmt{condition, uses_flag_ ? caught : handlers_[handler].body, std::move(run)}, one->span)};
            }
            return joined(out, run);
        }
        return out;
    }
    std::pair<std::size_t, bool> inside_of(const StmtPtr& one) const {
        std::pair<std::size_t, bool> all{0, false};
        for_each_body(*one, [&](const Body& part) {
            const auto [more, deeper] = count(part);
            all = {all.first + more, all.second || deeper};
        });
        return all;
    }
    StmtPtr guarded_inside(const StmtPtr& one) {
        const bool loops = std::holds_alternative<ForStmt>(one->node) || std::holds_alternative<WhileStmt>(one->node);
        if (loops) {
            const auto* f = std::get_if<ForStmt>(&one->node);
            const auto* w = std::get_if<WhileStmt>(&one->node);
            if ((f && !f->else_body.empty()) || (w && !w->else_body.empty())) refuse_try("else of a loop", one->span);
        }
        return with_parts(
            one, [](const ExprPtr& e) { return e; },
            [&](const Body& part) {
                if (part.empty()) return part;
                Body inside = of(part);
                if (loops) {
                    const ExprPtr some = make_compare(flag(), CompareOp::Ne, make_integer(0, span_), span_);
                    inside.push_back(caught_statement(IfStmt{some, {caught_statement(BreakStmt{}, one->span)}, {}}, one->span));
                }
                return inside;
            });
    }

    const Body& body_;
    std::string flag_;
    Span span_;
    Body rest_;  ///< Of `else`.
    std::vector<Handler> handlers_;
    std::set<std::string> dictionaries_, defaulted_;
    Body last_;  ///< Of `finally`.
    mutable bool inside_binary_ = false,
                 optional_ = false;  ///< Of the expression that is looked at; whether Python may not evaluate it.
    mutable bool changed_ = false;   ///< By a call of the statement that is looked at: what was true before it may not be.
    bool uses_flag_ = false;
    std::size_t sites_ = 0;
};

bool has_try(const Body& body) {
    bool found = false;
    walk_statements(body, [&](const Stmt& one) {
        const auto* choice = std::get_if<IfStmt>(&one.node);
        const auto* call = choice ? std::get_if<CallExpr>(&choice->condition->node) : nullptr;
        return !(found = found || (call && name_of(call->function) == kTry));
    });
    return found;
}

Body without_try(const Body& body, const Body& function) {
    Body out;
    for (const StmtPtr& one : body) {
        if (std::holds_alternative<FunctionStmt>(one->node)) {
            out.push_back(with_choices_for_handlers(one));
            continue;
        }
        const StmtPtr inside = has_try({one}) ? with_parts(
                                                    one, [](const ExprPtr& e) { return e; },
                                                    [&](const Body& part) { return without_try(part, function); })
                                              : one;
        if (!clause_of(inside, kTry)) {
            out.push_back(inside);
            continue;
        }
        const std::string flag = "__caught" + std::to_string(one->span.line) + "_" + std::to_string(one->span.column);
        Handlers handlers(std::get<IfStmt>(inside->node), function, flag, one->span);
        if (!handlers.is_plain()) handlers.use_flag();
        for (StmtPtr& part : handlers.written()) out.push_back(std::move(part));
    }
    return out;
}

}  // namespace

StmtPtr with_choices_for_handlers(const StmtPtr& function) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    if (!has_try(definition.body)) return function;
    definition.body = without_try(Body(definition.body), Body(definition.body));
    return std::make_shared<const Stmt>(std::move(copy));
}

std::pair<std::set<std::string>, std::set<std::string>> dictionaries(const Body& body) {
    std::set<std::string> plain, defaulted;
    walk_statements(body, [&](const Stmt& one) {
        const auto* s = std::get_if<AssignStmt>(&one.node);
        if (!s || s->targets.size() != 1 || name_of(s->targets[0]).empty()) return true;
        const std::string name(name_of(s->targets[0]));
        const auto* call = std::get_if<CallExpr>(&s->value->node);
        const std::string by(call ? name_of(call->function) : std::string_view());
        if (std::holds_alternative<DictExpr>(s->value->node) || by == "dict" || by == "{:}") plain.insert(name);
        if (by == "defaultdict" || by == "Counter") defaulted.insert(name);
        return true;
    });
    return {plain, defaulted};
}

}  // namespace sluice::frontend
