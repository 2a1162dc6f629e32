// Calls whose body is translated where the call stands: of inner functions and lambdas, which see the names around them, of
// functions that take or give what a nested SDFG cannot (None, tuples, functions, any number of arguments, arrays whose size or
// identity the run decides), and of functions that call themselves with known numbers. Parameters and locals become names of the
// call's own.
#include <algorithm>

#include "code/parse.h"
#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/choices.h"
#include "frontend/python/function_values.h"
#include "frontend/python/in_place.h"
#include "frontend/python/inlining.h"
#include "frontend/python/legacy_random.h"
#include "frontend/python/prelude.h"
#include "frontend/python/recursion.h"
#include "frontend/python/single_exit.h"
#include "frontend/python/tail_calls.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr int kDeepestCall = 64;
/// Calls that are written out in one program, so that recursion that branches ends.
constexpr std::size_t kMostCalls = 256;
/// Calls in calls, from which on recursion that no known number ends gets a stack.
constexpr int kFewCalls = 6;
/// Nodes of an argument's code: in recursion that data end it grows with each call, as `g(b, a % b)`.
constexpr std::size_t kLargestArgument = 2000;

/// Counts the nodes down to 0; true if there are more.
bool is_larger(const ExprPtr& e, std::size_t& most) {
    if (most == 0) return true;
    --most;
    bool larger = false;
    for_each_child(*e, [&](const ExprPtr& child) { larger = larger || is_larger(child, most); });
    return larger;
}

CallSignature signature_of_function(const FunctionStmt& function) {
    CallSignature signature{function.name, {}, {}, "F011"};
    for (const Parameter& parameter : function.parameters) {
        if (parameter.kind == Parameter::Kind::Variadic) {
            if (parameter.default_value)
                signature.more_keywords = true;
            else
                signature.rest = parameter.name;
            continue;
        }
        const bool only = parameter.kind == Parameter::Kind::KeywordOnly;
        signature.parameters.push_back({only ? CallParameter::Kind::KeywordOnly : CallParameter::Kind::Either, parameter.name,
                                        parameter.default_value ? "its default" : ""});
    }
    return signature;
}

}  // namespace

std::optional<Callee> Inlining::callee(const CallExpr& node, const Span& span) {
    const std::string name(name_of(node.function));
    if (const auto* lambda = std::get_if<LambdaExpr>(&node.function->node))
        return Callee{FunctionValues::of(*lambda, node.function->span).function, nullptr};
    if (const auto* of = std::get_if<SubscriptExpr>(&node.function->node)) {  // Of a list or dictionary: functions[0](x).
        const auto holder = t_.variables_.find(std::string(name_of(of->object)));
        if (holder == t_.variables_.end() || holder->second.value.kind != Value::Kind::Tuple) return std::nullopt;
        const Value value = t_.evaluate(node.function);
        return value.function ? std::optional(Callee{value.function, value.program}) : std::nullopt;
    }
    if (name.empty()) return std::nullopt;
    if (const auto known = t_.variables_.find(name); known != t_.variables_.end()) {
        const Value& value = known->second.value;
        if (value.kind != Value::Kind::Function || !value.function) return std::nullopt;
        return Callee{value.function, value.program};
    }
    const auto bound = t_.bindings_.find(name);
    const auto* program = bound == t_.bindings_.end() ? nullptr : std::get_if<ProgramBinding>(&bound->second);
    if (!program || !must_inline(*program->program, node, span)) return std::nullopt;
    return Callee{program->program->function, program->program};
}

/// Whether a nested SDFG cannot stand for the call.
bool Inlining::must_inline(const Program& program, const CallExpr& node, const Span& span) {
    if (t_.context_.inlined_calls.contains({span.line, span.column, t_.inline_prefix_})) return true;
    const auto& function = std::get<FunctionStmt>(program.function->node);
    if (t_.context_.callers.contains(program.function.get())) return true;
    const auto used = occurrences(function.body);
    if (used.contains(function.name) && !program.globals.contains(function.name)) return true;  // It calls itself.
    if (FunctionValues::returns_one(function)) return true;
    const auto special_in = [&](const ExprPtr& e, const Bindings& scope) {
        if (const auto* call = std::get_if<CallExpr>(&e->node)) {
            const std::string made = qualified_name(*call->function, t_.bindings_);
            if (made == "numpy.random.default_rng" || made == "numpy.random.RandomState") return true;
            if (FunctionValues(t_).is_made_by(*call)) return true;
        }
        if (is_none(e) || text_of(e) || std::holds_alternative<LambdaExpr>(e->node) ||
            std::holds_alternative<StarredExpr>(e->node) || std::holds_alternative<TupleExpr>(e->node) ||
            std::holds_alternative<ListExpr>(e->node) || std::holds_alternative<DictExpr>(e->node))
            return true;
        if (std::holds_alternative<AttributeExpr>(e->node)) {
            const std::string qualified = qualified_name(*e, scope);
            return !qualified.empty() && (code::find_function(qualified) || signature_of(qualified) || find_in_prelude(qualified));
        }
        const std::string name(name_of(e));
        if (const auto known = t_.variables_.find(name); known != t_.variables_.end()) return !known->second.value.is_elements();
        const auto bound = scope.find(name);
        return bound != scope.end() &&
               (std::holds_alternative<ProgramBinding>(bound->second) || std::holds_alternative<FunctionBinding>(bound->second));
    };
    const auto special = [&](const ExprPtr& e) { return special_in(e, t_.bindings_); };
    if (std::ranges::any_of(node.arguments, special)) return true;
    if (std::ranges::any_of(node.keywords, [&](const Keyword& keyword) { return special(keyword.value); })) return true;
    return std::ranges::any_of(function.parameters, [&](const Parameter& parameter) {
        return parameter.kind == Parameter::Kind::Variadic ||
               (parameter.default_value && special_in(parameter.default_value, program.globals));
    });
}

namespace {

/// What `*args` or `**kw` is where a call gives these arguments.
ExprPtr rest_of(const Parameter& parameter, const Arguments& arguments, const Span& span) {
    if (!parameter.default_value) return make_expression(TupleExpr{arguments.more()}, span);
    DictExpr keywords;
    for (const Keyword& keyword : arguments.more_keywords()) {
        keywords.keys.push_back(make_text(keyword.name, span));
        keywords.values.push_back(keyword.value);
    }
    return make_expression(std::move(keywords), span);
}

}  // namespace

/// The call with the elements of `*args` and `**kw` one by one.
CallExpr Inlining::without_stars(const CallExpr& node) {
    CallExpr plain = node;
    plain.arguments.clear();
    plain.keywords.clear();
    for (const Keyword& keyword : node.keywords) {
        if (!keyword.name.empty()) {
            plain.keywords.push_back(keyword);
            continue;
        }
        const Span& span = keyword.value->span;
        const Value value = t_.evaluate(keyword.value);
        if (!value.of_keys) unsupported("a doubly starred argument whose keys are not known", span, "name each argument");
        const ExprPtr all = make_name("__stars" + std::to_string(span.line) + "_" + std::to_string(span.column), span);
        t_.bind(std::string(name_of(all)), t_.settled(value));
        for (const std::string& key : value.keys) {
            const ExprPtr text = parse_expr(key, {.file = {}, .first_line = span.line}).or_fail();
            if (!text_of(text)) unsupported("a doubly starred argument with keys that are no texts", span, "name each argument");
            plain.keywords.push_back({*text_of(text), make_subscript(all, {text}, span)});
        }
    }
    for (const ExprPtr& argument : node.arguments) {
        const auto* starred = std::get_if<StarredExpr>(&argument->node);
        if (!starred) {
            plain.arguments.push_back(argument);
            continue;
        }
        const Value value = t_.evaluate(starred->value);
        if (value.kind != Value::Kind::Tuple)
            unsupported("a starred argument that is no tuple", argument->span, "pass its elements one by one");
        const ExprPtr all =
            make_name("__star" + std::to_string(argument->span.line) + "_" + std::to_string(argument->span.column), argument->span);
        t_.bind(std::string(name_of(all)), t_.settled(value));
        for (std::size_t at = 0; at < value.elements.size(); ++at)
            plain.arguments.push_back(make_subscript(all, {make_integer(static_cast<std::int64_t>(at))}, argument->span));
    }
    return plain;
}

/// The free names of a function of a module, as names of the call's own.
void Inlining::bind_globals(const std::shared_ptr<const Program>& itself, const std::string& own,
                            std::map<std::string, ExprPtr>& names) {
    const Program& program = *itself;
    const auto& function = std::get<FunctionStmt>(program.function->node);
    for (const auto& [name, count] : occurrences(function.body)) {
        if (names.contains(name)) continue;
        if (name == function.name) {  // It calls itself.
            names[name] = make_name(own + name, program.function->span);
            t_.bindings_[own + name] = ProgramBinding{itself};
            continue;
        }
        const auto global = program.globals.find(name);
        if (global == program.globals.end()) continue;
        const std::string alias = own + name;
        names[name] = make_name(alias, program.function->span);
        if (std::holds_alternative<ArrayBinding>(global->second))
            t_.bind(alias, meaning_of_module_array(t_.read_container("__g_" + name)));
        else
            t_.bindings_[alias] = global->second;
    }
}

/// The argument is what the annotation says: an array of that type and those sizes, which are known to be equal, or None. A symbol
/// has the first size that stands for it.
void Inlining::expect_annotated(const Callee& callee, const Parameter& parameter, const ArgumentType& annotated, const Value& value,
                                Sizes& sizes, const Span& span) const {
    if (value.kind == Value::Kind::None) return;
    const auto& function = std::get<FunctionStmt>(callee.function->node);
    const auto differs = [&](const std::string& what) {
        refuse("F011", "the argument " + parameter.name + " of " + function.name + " " + what + " its annotation", span,
               "leave out the annotation of " + parameter.name + ", or pass what it says");
    };
    if (!value.is_elements() || value.rank() != annotated.shape->size() || !(value.type.dtype == annotated.dtype))
        differs("has another type than");
    for (std::size_t d = 0; d < value.rank(); ++d) {
        const symbolic::Expr& wanted = annotated.shape->at(d);
        if (wanted.kind() == symbolic::Kind::Symbol && sizes.try_emplace(wanted.name(), value.shape[d]).second) continue;
        const symbolic::Expr expected = symbolic::substitute(wanted, {sizes.begin(), sizes.end()});
        if (!symbolic::is_yes(symbolic::decide(symbolic::equal(expected, value.shape[d]), t_.assumptions_)))
            differs("is not known to have the sizes of");
    }
}

/// Names of symbols stand for sizes of the arguments in the body.
void Inlining::bind_sizes(const Callee& callee, const Sizes& sizes, const std::string& own, std::map<std::string, ExprPtr>& names) {
    const Bindings& around = callee.program ? callee.program->globals : t_.bindings_;
    for (const auto& [name, count] : occurrences(std::get<FunctionStmt>(callee.function->node).body)) {
        const auto global = around.find(name);
        const auto* symbol = global == around.end() ? nullptr : std::get_if<SymbolBinding>(&global->second);
        const auto size = symbol ? sizes.find(symbol->name) : sizes.end();
        if (size == sizes.end() || names.contains(name)) continue;
        t_.bindings_[own + name] = ExpressionBinding{size->second};
        names[name] = make_name(own + name, callee.function->span);
    }
}

/// The body of a call with its parameters bound; `own` is the beginning of its names.
Body Inlining::body_of(const Callee& callee, const CallExpr& given, const std::string& own, const Span& span) {
    const auto& function = std::get<FunctionStmt>(callee.function->node);
    const CallExpr node = without_stars(given);
    const Arguments arguments(signature_of_function(function), node, span);
    const auto bound = binding_counts(function.body), used = occurrences(function.body);
    std::map<std::string, ExprPtr> names;
    Sizes sizes;
    for (const auto& [local, count] : bound) {
        names[local] = make_name(own + local, span);
        t_.context_.bindings[own + local] = count;
    }
    walk_statements(function.body, [&](const Stmt& one) {
        const auto* inner = std::get_if<FunctionStmt>(&one.node);
        if (inner) names[inner->name] = make_name(own + inner->name, span);
        return !inner;
    });
    const bool single = function.body.size() == 1 && std::holds_alternative<ReturnStmt>(function.body[0]->node);
    for (const Parameter& parameter : function.parameters) {
        const bool variadic = parameter.kind == Parameter::Kind::Variadic;
        const ExprPtr passed = variadic ? nullptr : arguments.given(parameter.name);
        const ExprPtr e = variadic ? rest_of(parameter, arguments, span) : (passed ? passed : parameter.default_value);
        const std::string variable = own + parameter.name;
        const bool changes = bound.contains(parameter.name);
        const auto uses = used.find(parameter.name);
        std::optional<ArgumentType> annotated;
        if (parameter.annotation)
            annotated = type_of_annotation(parameter.annotation, callee.program ? callee.program->globals : t_.bindings_);
        const bool has_sizes = annotated && annotated->shape;
        const Bindings& scope = passed || !callee.program ? t_.bindings_ : callee.program->globals;
        if (const ExprPtr constant = changes ? nullptr : constant_argument(parameter.name, e, scope)) {
            if (has_sizes) expect_annotated(callee, parameter, *annotated, t_.evaluate(constant), sizes, span);
            names[parameter.name] = constant;
            continue;
        }
        names[parameter.name] = make_name(variable, span);
        Value value = passed || variadic || !callee.program ? t_.evaluate(e) : t_.default_of(*callee.program, parameter.name, e);
        if (std::size_t most = kLargestArgument; value.is_elements() && is_larger(value.code, most))
            refuse_depth(callee, " whose end only the run knows", span);
        if (has_sizes) expect_annotated(callee, parameter, *annotated, value, sizes, span);
        const bool again = uses != used.end() && uses->second > 1;
        if (!single || (again && value.is_elements() && value.rank() > 0)) value = t_.settled(value);
        if (value.is_elements() && value.is_symbolic() && value.rank() > 0 &&
            may_change_in_place(function.body, {parameter.name}, callee.program ? callee.program->globals : t_.bindings_))
            value = t_.materialise(value, "argument");
        if (!changes || !value.is_elements()) {
            t_.bind(variable, std::move(value));
            continue;
        }
        t_.context_.bindings[variable] = bound.at(parameter.name) + 1;
        t_.assign_name(variable, value, span);
    }
    bind_sizes(callee, sizes, own, names);
    if (callee.program) bind_globals(callee.program, own, names);
    for (const auto& [local, count] : used)
        if (const auto with = names.find(local); with != names.end() && !name_of(with->second).empty())
            t_.context_.occurrences[std::string(name_of(with->second))] = count;
    const Body fresh = renamed(function.body, names);
    // The same statements each time, for loops are known by their place; one call may have several functions.
    Body& body = t_.context_.inlined[own + code::to_string(fresh)];
    if (body.empty()) body = fresh;
    return body;
}

/// With its calls of itself as a loop, once they have turned out to have no end that is known.
Callee Inlining::written(const Callee& callee) const {
    const std::string& name = std::get<FunctionStmt>(callee.function->node).name;
    if (!t_.context_.loops.contains({callee.function->span.line, name})) return callee;
    const StmtPtr loop = as_loop(callee.function);
    return {loop ? loop : with_call_stack(callee.function), callee.program};
}

void Inlining::refuse_depth(const Callee& callee, const std::string& what, const Span& span) {
    const std::string& name = std::get<FunctionStmt>(callee.function->node).name;
    const bool has_loop = as_loop(callee.function) || with_call_stack(callee.function);
    if (has_loop && t_.context_.loops.emplace(callee.function->span.line, name).second) {
        t_.context_.calls_apart.clear();  // They were of the recursion.
        throw StartAgain{};
    }
    unsupported("recursion of " + name + what, span, "write it as a loop");
}

/// Whether the call is one in a recursion that no number which is known now ends.
bool Inlining::goes_on(const Callee& callee, const CallExpr& node) {
    const std::string& name = std::get<FunctionStmt>(callee.function->node).name;
    if (t_.inline_depth_ < kFewCalls || t_.context_.loops.contains({callee.function->span.line, name})) return false;
    const auto is_known = [&](const ExprPtr& e) { return constant_value(*e, t_.bindings_) || t_.constant_argument({}, e); };
    return std::ranges::none_of(node.arguments, is_known) && node.keywords.empty() && with_call_stack(callee.function);
}

void Inlining::note_recursion(const Callee& callee) {
    const auto& function = std::get<FunctionStmt>(callee.function->node);
    const std::pair key(callee.function->span.line, function.name);
    if (t_.context_.recursive.contains(key) || !occurrences(function.body).contains(function.name)) return;
    if (with_call_stack(callee.function)) t_.context_.recursive.insert(key);
}

/// The beginning of the names of a call, short and the same each time.
std::string Inlining::prefix(const Callee& callee, const Span& span) {
    const std::string& name = std::get<FunctionStmt>(callee.function->node).name;
    const auto [at, added] =
        t_.context_.call_numbers.try_emplace({span.line, span.column, t_.inline_prefix_}, t_.context_.call_numbers.size());
    const bool endless =
        t_.inline_depth_ > 1 && as_loop(callee.function) && !t_.context_.loops.contains({callee.function->span.line, name});
    if (at->second >= kMostCalls / 2 && endless) refuse_depth(callee, " to a depth that only the run knows", span);
    if (at->second >= kMostCalls) {
        if (with_call_stack(callee.function)) {
            t_.context_.call_numbers.clear();  // They were of the recursion.
            refuse_depth(callee, " to a depth that only the run knows", span);
        }
        unsupported("more than " + std::to_string(kMostCalls) + " calls of functions that are written out", span,
                    "write recursion as a loop, or decorate the functions");
    }
    return "__" + name + std::to_string(at->second) + "_";
}

ExprPtr Inlining::without_stars(const ExprPtr& iterable) {
    const auto* call = std::get_if<CallExpr>(&iterable->node);
    const bool starred = call && name_of(call->function) == "zip" && std::ranges::any_of(call->arguments, [](const ExprPtr& one) {
                             return std::holds_alternative<StarredExpr>(one->node);
                         });
    return starred ? make_expression(without_stars(*call), iterable->span) : iterable;
}

Value Inlining::call(const Callee& given, const CallExpr& node, const Span& span) {
    t_.refuse_flat();
    if (t_.inline_depth_ >= kDeepestCall || goes_on(given, node)) refuse_depth(given, " to a depth that only the run knows", span);
    note_recursion(given);
    const Callee callee = written(given);
    const std::string own = prefix(callee, span);
    // What is evaluated already stays as it is.
    const Span where = t_.where_;
    const Restored held(t_.held_, t_.held_);
    const Restored inside(t_.inside_expression_, true);
    const Restored hint(t_.hint_, {});
    const Restored wanted(t_.name_, {});
    const Body body = body_of(callee, node, own, span);
    // `x = pick(A, B)`, which returns one or the other: x is bound to it.
    const auto* single = body.size() == 1 ? std::get_if<ReturnStmt>(&body[0]->node) : nullptr;
    const auto* assigned = t_.statement_ ? std::get_if<AssignStmt>(&t_.statement_->node) : nullptr;
    if (single && single->value && assigned && std::get_if<CallExpr>(&assigned->value->node) == &node &&
        Choices(t_).choice_in(single->value))
        put_in_front(span);
    const Restored names_of_call(t_.inline_prefix_, own);
    const Restored body_of_call(t_.inlined_body_, &body);
    const Restored of_prelude(t_.prelude_prefix_, {});  // Which may be handed a function of the program's.
    const Restored depth(t_.inline_depth_, t_.inline_depth_ + 1);
    const Restored written_call(t_.written_call_, t_.line_of_file(span).value_or(t_.written_call_));
    const Restored statement(t_.statement_, t_.statement_);
    const auto result = t_.run_inlined(body);
    t_.where_ = where;
    if (result) {
        const bool keeps = result->kind == Value::Kind::Function || result->kind == Value::Kind::Tuple;
        if (!keeps) std::erase_if(t_.variables_, [&](const auto& one) { return one.first.starts_with(own); });
        return FunctionValues(t_).with_own_names(*result, own, span);
    }
    return none_value();
}

/// `target = f(x)` as the statements of the call, for what the result means may depend on the path.
bool Inlining::expand(const ExprPtr& target, const ExprPtr& value, const Span& span) {
    const auto* node = std::get_if<CallExpr>(&value->node);
    const auto called = node ? callee(*node, value->span) : std::nullopt;
    if (!called) return false;
    const std::string own = prefix(*called, value->span);
    const Body body = body_of(written(*called), *node, own, value->span);
    Body& all = t_.context_.inlined[own + "expanded"];
    Body fresh = with_parts_of_result(single_exit(body, own + "__exit_value", own + "__exit_taken"), own + "__exit_value");
    for (const auto& [name, count] : binding_counts(fresh))
        if (name.starts_with(own + "__exit_value")) t_.context_.bindings[name] = 2;
    if (target) fresh.push_back(make_assignment(target, make_name(own + "__exit_value", span), span));
    if (code::to_string(all) != code::to_string(fresh)) all = fresh;
    t_.context_.bindings[own + "__exit_taken"] = 2;
    const Restored names_of_call(t_.inline_prefix_, own);
    const Restored depth(t_.inline_depth_, t_.inline_depth_ + 1);
    t_.translate_from(Body(all), 0);
    return true;
}

namespace {

ExprPtr in_front(const ExprPtr& value, Body& front, std::map<std::string, int>& bindings) {
    const Span& at = value->span;
    const std::string name =
        "__before" + std::to_string(at.line) + "_" + std::to_string(at.column) + "_" + std::to_string(front.size());
    front.push_back(make_assignment(make_name(name, at), value, at));
    bindings[name] = 2;
    return make_name(name, at);
}

}  // namespace

// ---- calls that stand inside of a statement ------------------------------------------------------------------------------
/// The expression with calls of functions, and what is evaluated before them, as variables that statements in front assign.
ExprPtr Inlining::calls_in_front(const ExprPtr& e, Body& front) {
    const auto calls = [&](const ExprPtr& one) {
        std::function<bool(const ExprPtr&)> any = [&](const ExprPtr& inner) {
            const auto* call = std::get_if<CallExpr>(&inner->node);
            bool found = call && t_.has_effects(inner);
            for_each_child(*inner, [&](const ExprPtr& child) { found = found || any(child); });
            return found;
        };
        return any(one);
    };
    if (!calls(e) || std::holds_alternative<LambdaExpr>(e->node)) return e;
    const auto variable = [&](const ExprPtr& value) { return in_front(value, front, t_.context_.bindings); };
    const auto list = [&](std::vector<ExprPtr>& operands) {
        std::size_t last = 0;
        for (std::size_t at = 0; at < operands.size(); ++at)
            if (calls(operands[at])) last = at;
        for (std::size_t at = 0; at <= last && at < operands.size(); ++at) {
            operands[at] = calls_in_front(operands[at], front);
            const bool plain = std::holds_alternative<ConstantExpr>(operands[at]->node) || !name_of(operands[at]).empty();
            if (at < last && !plain) operands[at] = variable(operands[at]);
        }
    };
    code::Expr copy = *e;
    if (auto* binary = std::get_if<BinaryExpr>(&copy.node)) {
        std::vector<ExprPtr> both{binary->left, binary->right};
        list(both);
        binary->left = both[0], binary->right = both[1];
    } else if (auto* unary = std::get_if<UnaryExpr>(&copy.node)) {
        unary->operand = calls_in_front(unary->operand, front);
    } else if (auto* compare = std::get_if<CompareExpr>(&copy.node)) {
        list(compare->operands);
    } else if (auto* joined = std::get_if<BoolExpr>(&copy.node)) {  // Perhaps nothing but the first is evaluated.
        joined->operands[0] = calls_in_front(joined->operands[0], front);
    } else if (auto* choice = std::get_if<ConditionalExpr>(&copy.node)) {
        choice->condition = calls_in_front(choice->condition, front);
    } else if (auto* several = std::get_if<TupleExpr>(&copy.node)) {
        list(several->elements);
    } else if (auto* listed = std::get_if<ListExpr>(&copy.node)) {
        list(listed->elements);
    } else if (auto* named = std::get_if<DictExpr>(&copy.node)) {
        list(named->values);
    } else if (auto* subscript = std::get_if<SubscriptExpr>(&copy.node)) {
        subscript->object = calls_in_front(subscript->object, front);
    } else if (auto* attribute = std::get_if<AttributeExpr>(&copy.node)) {
        attribute->object = calls_in_front(attribute->object, front);
    } else if (auto* call = std::get_if<CallExpr>(&copy.node)) {
        if (auto* method = std::get_if<AttributeExpr>(&call->function->node); method && calls(method->object))
            call->function = calls_in_front(call->function, front);
        else if (std::holds_alternative<CallExpr>(call->function->node))
            call->function = variable(calls_in_front(call->function, front));
        list(call->arguments);
        for (Keyword& keyword : call->keywords) keyword.value = calls_in_front(keyword.value, front);
        const ExprPtr called = std::make_shared<const code::Expr>(std::move(copy));
        return callee(*std::get_if<CallExpr>(&called->node), called->span) ? variable(called) : called;
    }
    return std::make_shared<const code::Expr>(std::move(copy));
}

void Inlining::put_in_front(const Span& span) {
    if (!t_.statement_ || std::holds_alternative<WhileStmt>(t_.statement_->node) ||
        !t_.context_.calls_apart.insert(t_.statement_).second)
        unsupported("a call whose result depends on what names mean", span, "assign its result to a name first");
    throw StartAgain{};
}

bool Inlining::translate_apart(const StmtPtr& statement) {
    if (!t_.context_.calls_apart.contains(statement.get())) return false;
    if (const auto* s = std::get_if<AssignStmt>(&statement->node); s && s->targets.size() == 1)
        if (expand(s->targets[0], s->value, statement->span)) return true;
    if (const auto* s = std::get_if<ExprStmt>(&statement->node))
        if (expand(nullptr, s->value, statement->span)) return true;
    Body& all = t_.context_.rewritten[statement.get()];
    Body fresh;
    Stmt copy = *statement;
    std::visit(
        [&](auto& n) {
            if constexpr (requires { n.iterable; })
                n.iterable = calls_in_front(n.iterable, fresh);
            else if constexpr (requires { n.value; }) {
                if (n.value) n.value = calls_in_front(n.value, fresh);
            } else if constexpr (requires { n.condition; })
                n.condition = calls_in_front(n.condition, fresh);
        },
        copy.node);
    if (auto* s = std::get_if<AssignStmt>(&copy.node))
        if (std::ranges::any_of(s->targets, [&](const ExprPtr& target) { return t_.has_effects(target); })) {
            s->value = in_front(s->value, fresh, t_.context_.bindings);
            for (ExprPtr& target : s->targets) target = calls_in_front(target, fresh);
        }
    if (fresh.empty()) return false;
    for (const StmtPtr& one : fresh) t_.context_.calls_apart.insert(one.get());
    fresh.push_back(std::make_shared<const Stmt>(std::move(copy)));
    if (code::to_string(all) != code::to_string(fresh)) all = fresh;
    for (const StmtPtr& one : all)
        if (one != all.back()) t_.context_.calls_apart.insert(one.get());
    t_.translate_from(Body(all), 0);
    return true;
}

}  // namespace sluice::frontend
