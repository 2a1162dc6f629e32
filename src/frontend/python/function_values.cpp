// Functions as values: lambdas and inner functions, what factories and NumPy make of others, and under which names they are called.
// A function sees the names of the call that made it, which stay for as long as it may be called.
#include "frontend/python/function_values.h"

#include <algorithm>
#include <set>

#include "code/encoded.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/collections.h"
#include "frontend/python/inlining.h"
#include "frontend/python/signatures.h"
#include "frontend/python/single_exit.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr std::size_t kMostTurns = 256;

Value function_value(const StmtPtr& statement) {
    Value value;
    value.kind = Value::Kind::Function;
    value.function = statement;
    return value;
}

}  // namespace

namespace {

bool is_lambda(const ExprPtr& e) {
    const auto* call = std::get_if<CallExpr>(&e->node);
    return std::holds_alternative<LambdaExpr>(e->node) || (call && name_of(call->function) == kLambda);
}

}  // namespace

bool FunctionValues::returns_one(const FunctionStmt& function) {
    std::set<std::string> inner;
    bool found = false;
    walk_statements(function.body, [&](const Stmt& one) {
        if (const auto* definition = std::get_if<FunctionStmt>(&one.node)) inner.insert(definition->name);
        if (const auto* assign = std::get_if<AssignStmt>(&one.node); assign && is_lambda(assign->value))
            for (const ExprPtr& target : assign->targets) inner.emplace(name_of(target));
        const auto* done = std::get_if<ReturnStmt>(&one.node);
        if (done && done->value)
            for (const ExprPtr& value : elements_of(done->value))
                found = found || is_lambda(value) || inner.contains(std::string(name_of(value)));
        return !std::holds_alternative<FunctionStmt>(one.node);
    });
    return found;
}

bool FunctionValues::is_made_by(const CallExpr& node) const {
    if (name_of(node.function) == kLambda) return true;
    const std::string qualified = qualified_name(*node.function, t_.bindings_), name(name_of(node.function));
    if (qualified == "functools.partial" || qualified == "numpy.vectorize" || qualified == "numpy.poly1d") return true;
    if (const auto known = t_.variables_.find(name); known != t_.variables_.end())
        return known->second.value.function && returns_one(std::get<FunctionStmt>(known->second.value.function->node));
    const auto bound = t_.bindings_.find(name);
    const auto* program = bound == t_.bindings_.end() ? nullptr : std::get_if<ProgramBinding>(&bound->second);
    return program && returns_one(std::get<FunctionStmt>(program->program->function->node));
}

Value FunctionValues::of(const LambdaExpr& lambda, const Span& span) {
    FunctionStmt function{"lambda", {}, nullptr, {}, {}};
    for (const std::string& parameter : lambda.parameters) function.parameters.push_back({parameter, nullptr, nullptr, span});
    function.body.push_back(std::make_shared<const Stmt>(Stmt{ReturnStmt{lambda.body}, span}));
    return function_value(std::make_shared<const Stmt>(Stmt{std::move(function), span}));
}

Value FunctionValues::lambda_with_defaults(const CallExpr& node, const Span& span) {
    const Value lambda = of(std::get<LambdaExpr>(node.arguments.at(0)->node), span);
    FunctionStmt function = std::get<FunctionStmt>(lambda.function->node);
    for (Parameter& parameter : function.parameters)
        for (const Keyword& keyword : node.keywords)
            if (keyword.name == parameter.name) parameter.default_value = keyword.value;
    return with_defaults(std::move(function), span);
}

void FunctionValues::define(const FunctionStmt& function, const StmtPtr& statement) {
    t_.bind(function.name, with_defaults(function, statement->span));
}

Value FunctionValues::with_defaults(FunctionStmt function, const Span& span) {
    for (Parameter& parameter : function.parameters)
        if (parameter.default_value)
            parameter.default_value =
                as_it_is_now(parameter.default_value, t_.inline_prefix_ + "__" + function.name + "_" + parameter.name +
                                                          std::to_string(span.line) + "_" + std::to_string(span.column));
    return function_value(make_statement(std::move(function), span));
}

/// The expression, or a variable with its value, where that may change. `base`: of the variable's name.
ExprPtr FunctionValues::as_it_is_now(const ExprPtr& e, const std::string& base) {
    if (is_none(e) || text_of(e) || constant_value(*e, t_.bindings_)) return e;
    return bound_now(t_.evaluate(e), base, e->span);
}

ExprPtr FunctionValues::bound_now(Value value, const std::string& base, const Span& span) {
    const std::string name = name_of_turn(
        base, [&](const std::string& one) { return t_.variables_.contains(one); }, span);
    value = t_.settled(value);
    t_.bind(name, t_.context_.kept.contains(name) ? t_.keep_symbols(name, value) : value);
    return make_name(name, span);
}

/// An expression that calls the function.
ExprPtr FunctionValues::function_named(const Value& function, const std::string& base, const Span& span) {
    return function.code ? function.code : bound_now(function, base, span);
}

/// Where statements are written out several times, a name that no turn before has taken.
std::string FunctionValues::name_of_turn(const std::string& base, const std::function<bool(const std::string&)>& taken,
                                         const Span& span) {
    std::string name = base;
    for (std::size_t turn = 1; t_.written_out_ > 1 && taken(name); ++turn) {
        if (turn > kMostTurns)
            unsupported("more than " + std::to_string(kMostTurns) + " functions that are made in one place", span,
                        "call them where they are made");
        name = base + "turn" + std::to_string(turn) + "_";
    }
    return name;
}

namespace {

bool holds_function(const Value& value) {
    return (value.kind == Value::Kind::Function && value.function) || std::ranges::any_of(value.elements, holds_function);
}

void rename_functions(Value& value, const std::map<std::string, ExprPtr>& names) {
    if (value.function) value.function = renamed({value.function}, names).at(0);
    for (Value& element : value.elements) rename_functions(element, names);
}

}  // namespace

void FunctionValues::keep_last_values(const std::vector<std::string>& variables, std::vector<Value>& functions, const Span& span) {
    if (std::ranges::none_of(functions, holds_function)) return;
    std::map<std::string, ExprPtr> names;
    for (const std::string& variable : variables)
        if (const auto known = t_.variables_.find(variable); known != t_.variables_.end())
            names[variable] = bound_now(
                known->second.value,
                t_.inline_prefix_ + "__last" + std::to_string(span.line) + "_" + std::to_string(span.column) + "_" + variable,
                span);
    for (Value& function : functions) rename_functions(function, names);
}

Value FunctionValues::with_own_names(Value result, const std::string& own, const Span& span) {
    if (t_.written_out_ == 1 || !holds_function(result)) return result;
    const auto taken = [&](const std::string& beginning) {
        const auto at = t_.variables_.lower_bound(beginning);
        return at != t_.variables_.end() && at->first.starts_with(beginning);
    };
    const std::string beginning = name_of_turn(own + "turn0_", taken, span);
    std::map<std::string, ExprPtr> names;
    Variables kept;
    for (auto at = t_.variables_.lower_bound(own); at != t_.variables_.end() && at->first.starts_with(own);) {
        const std::string local = at->first.substr(own.size());
        if (local.starts_with("turn")) {
            ++at;
            continue;
        }
        names[at->first] = make_name(beginning + local, span);
        t_.context_.bindings[beginning + local] = t_.context_.bindings[at->first];
        t_.context_.occurrences[beginning + local] = t_.context_.occurrences[at->first];
        kept.emplace(beginning + local, std::move(at->second));
        at = t_.variables_.erase(at);
    }
    for (auto& [name, variable] : kept) {
        rename_functions(variable.value, names);
        const bool keeps_symbols = t_.context_.kept.contains(name) && variable.value.is_elements();
        t_.bind(name, keeps_symbols ? t_.keep_symbols(name, variable.value) : variable.value);
    }
    rename_functions(result, names);
    return result;
}

ExprPtr FunctionValues::called_by_name(const ExprPtr& e) {
    const auto* of = std::get_if<SubscriptExpr>(&e->node);
    const bool of_several = of && (Collections(t_).named(of->object) || std::holds_alternative<TupleExpr>(of->object->node));
    const bool made = std::holds_alternative<CallExpr>(e->node) && name_of(std::get<CallExpr>(e->node).function) != kLambda;
    if (!of_several && !made && !std::holds_alternative<ConditionalExpr>(e->node)) return nullptr;
    const Value value = t_.evaluate(e);
    if (value.kind != Value::Kind::Function) return nullptr;
    return function_named(
        value, t_.inline_prefix_ + "__called" + std::to_string(e->span.line) + "_" + std::to_string(e->span.column), e->span);
}

// ---- functions that others make -------------------------------------------------------------------------------------------
std::optional<Value> FunctionValues::made(const std::string& name, const CallExpr& node, const Span& span) {
    if (name == "functools.partial") return partial(node, span);
    if (name == "numpy.vectorize") return vectorized(node, span);
    if (name == "numpy.poly1d") return polynomial(node, span);
    return std::nullopt;
}

/// `partial(f, a, k=b)`  ->  `def partial(rest, *, k=b, more): return f(a, rest, k=k, more=more)`: what follows a parameter that is
/// given by its name can only be given by name.
Value FunctionValues::partial(const CallExpr& node, const Span& span) {
    const CallExpr given = Inlining(t_).without_stars(node);
    const Value of = given.arguments.empty() ? none_value() : t_.evaluate(given.arguments[0]);
    if (of.kind != Value::Kind::Function) unsupported("functools.partial of what is no function", span, "pass a function first");
    const std::string base = t_.inline_prefix_ + "__partial" + std::to_string(span.line) + "_" + std::to_string(span.column) + "_";
    FunctionStmt made{"partial", {}, nullptr, {}, {}};
    CallExpr call{function_named(of, base + "function", span), {}, {}};
    for (std::size_t at = 1; at < given.arguments.size(); ++at)
        call.arguments.push_back(as_it_is_now(given.arguments[at], base + std::to_string(at)));
    if (of.function) {
        add_parameters(of, given, base, made, call);
    } else {
        made.parameters.push_back({"rest", nullptr, nullptr, span, Parameter::Kind::Variadic});
        call.arguments.push_back(make_expression(StarredExpr{make_name("rest", span)}, span));
        for (const Keyword& keyword : given.keywords)
            call.keywords.push_back({keyword.name, as_it_is_now(keyword.value, base + keyword.name)});
    }
    made.body.push_back(make_statement(ReturnStmt{make_expression(std::move(call), span)}, span));
    return function_value(make_statement(std::move(made), span));
}

/// The parameters of a function of the user's that are left for the call, and how they are handed on.
void FunctionValues::add_parameters(const Value& of, const CallExpr& given, const std::string& base, FunctionStmt& made,
                                    CallExpr& call) {
    std::size_t bound = given.arguments.size() - 1;
    bool by_name = false;
    std::size_t known = 0;
    for (Parameter parameter : std::get<FunctionStmt>(of.function->node).parameters) {
        const Span span = parameter.span;
        parameter.annotation = nullptr;
        if (parameter.kind == Parameter::Kind::Variadic) {
            if (parameter.default_value) {  // `**kw`
                const auto& parameters = std::get<FunctionStmt>(of.function->node).parameters;
                for (const Keyword& more : given.keywords)
                    if (std::ranges::find(parameters, more.name, &Parameter::name) == parameters.end()) {
                        ++known;
                        call.keywords.push_back({more.name, as_it_is_now(more.value, base + more.name)});
                    }
                call.keywords.push_back({{}, make_name(parameter.name, span)});
                made.parameters.push_back(parameter);
                continue;
            }
            if (by_name) continue;
            call.arguments.push_back(make_expression(StarredExpr{make_name(parameter.name, span)}, span));
            made.parameters.push_back(parameter);
            by_name = true;
            continue;
        }
        if (parameter.kind == Parameter::Kind::Either && bound > 0) {
            --bound;
            continue;
        }
        const auto keyword = std::ranges::find_if(given.keywords, [&](const Keyword& one) { return one.name == parameter.name; });
        if (keyword != given.keywords.end()) {
            ++known;
            by_name = true;
            parameter.default_value = as_it_is_now(keyword->value, base + parameter.name);
        } else if (const ExprPtr& e = parameter.default_value; e && of.program) {
            const bool literal = is_none(e) || text_of(e) || std::holds_alternative<ConstantExpr>(e->node);
            if (!literal)
                parameter.default_value = bound_now(t_.default_of(*of.program, parameter.name, e), base + parameter.name, span);
        }
        by_name = by_name || parameter.kind == Parameter::Kind::KeywordOnly;
        if (by_name) parameter.kind = Parameter::Kind::KeywordOnly;
        const ExprPtr name = make_name(parameter.name, span);
        if (by_name)
            call.keywords.push_back({parameter.name, name});
        else
            call.arguments.push_back(name);
        made.parameters.push_back(std::move(parameter));
    }
    if (known < given.keywords.size() || bound > 0)
        refuse("F011", "functools.partial gives a function what it has no parameter for", given.function->span,
               "give what its parameters are");
}

/// `vectorize(f)`  ->  `def vectorize(*rest): return numpy._vectorized(f, rest)`
Value FunctionValues::vectorized(const CallExpr& node, const Span& span) {
    const CallSignature signature{"numpy.vectorize", {{CallParameter::Kind::Either, "pyfunc", {}}}, {}, "F005"};
    const Arguments arguments(signature, node, span);
    const Value of = t_.evaluate(arguments.at("pyfunc"));
    if (of.kind != Value::Kind::Function) unsupported("np.vectorize of what is no function", span, "pass a function");
    const std::string base = t_.inline_prefix_ + "__vectorize" + std::to_string(span.line) + "_" + std::to_string(span.column);
    t_.bindings_.emplace("__numpy", ModuleBinding{"numpy"});
    FunctionStmt made{"vectorize", {}, nullptr, {}, {}};
    made.parameters.push_back({"rest", nullptr, nullptr, span, Parameter::Kind::Variadic});
    const CallExpr call{make_attribute(make_name("__numpy", span), "_vectorized", span),
                        {function_named(of, base, span), make_name("rest", span)},
                        {}};
    made.body.push_back(make_statement(ReturnStmt{make_expression(call, span)}, span));
    return function_value(make_statement(std::move(made), span));
}

/// `poly1d(c)`  ->  `def poly1d(x): return numpy.polyval(c, x)`
Value FunctionValues::polynomial(const CallExpr& node, const Span& span) {
    const CallSignature signature{"numpy.poly1d", {{CallParameter::Kind::Either, "c_or_r", {}}}, {}, "F005"};
    const Arguments arguments(signature, node, span);
    t_.bindings_.emplace("__numpy", ModuleBinding{"numpy"});
    const auto of_numpy = [&](const char* name) { return make_attribute(make_name("__numpy", span), name, span); };
    const ExprPtr array = make_expression(CallExpr{of_numpy("asarray"), {arguments.at("c_or_r")}, {}}, span);
    const std::string base = t_.inline_prefix_ + "__poly1d" + std::to_string(span.line) + "_" + std::to_string(span.column);
    FunctionStmt made{"poly1d", {}, nullptr, {}, {}};
    made.parameters.push_back({"x", nullptr, nullptr, span});
    const CallExpr call{of_numpy("polyval"), {bound_now(t_.evaluate(array), base, span), make_name("x", span)}, {}};
    made.body.push_back(make_statement(ReturnStmt{make_expression(call, span)}, span));
    return function_value(make_statement(std::move(made), span));
}

}  // namespace sluice::frontend
