// Calls of functions of the prelude are translated in their place. Constant arguments stand in the body as they are; every other
// parameter and local becomes a name of this call's own:
//     np.tril(A + B, 1)   ->   m = A + B; np.where(np.tri(m.shape[-2], m.shape[-1], 1, dtype=bool), m, ...)
// An `if` of what is known (`axis is None`, `a.ndim == 1`) is decided here; `return` ends the body under such an `if` only.
#include "frontend/python/prelude.h"

#include <algorithm>
#include <cmath>

#include "code/parse.h"
#include "code/print.h"
#include "code/walk.h"
#include "frontend/python/bindings.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/syntax.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

void add_functions(const PreludeFile& file, std::map<std::string, PreludeFunction>& all) {
    const std::string path(file.path), module = path.substr(0, path.find('/'));
    const Body body = parse_body(file.text, {.file = "prelude/" + path, .first_line = 1}).or_fail();
    for (const StmtPtr& statement : body) {
        const auto* function = std::get_if<FunctionStmt>(&statement->node);
        if (!function) continue;
        const std::string name = module + "." + function->name;
        CallSignature signature{name, {}, {}, "F005"};
        for (const Parameter& parameter : function->parameters)
            signature.parameters.push_back(
                {CallParameter::Kind::Either, parameter.name, parameter.default_value ? "its default" : ""});
        const CallSignature* documented = signature_of(name);  // Of functions that take any number of arguments.
        all.emplace(name, PreludeFunction{statement, documented ? *documented : std::move(signature)});
    }
}

/// The statement with its names replaced, at any depth.
StmtPtr renamed(const StmtPtr& statement, const std::map<std::string, ExprPtr>& names);

Body renamed(const Body& body, const std::map<std::string, ExprPtr>& names) {
    Body result;
    for (const StmtPtr& statement : body) result.push_back(renamed(statement, names));
    return result;
}

StmtPtr renamed(const StmtPtr& statement, const std::map<std::string, ExprPtr>& names) {
    const auto one = [&](const ExprPtr& e) { return e ? replace_names(e, names) : e; };
    Stmt copy = *statement;
    std::visit(Overloaded{
                   [&](AssignStmt& s) {
                       for (ExprPtr& target : s.targets) target = one(target);
                       s.value = one(s.value);
                   },
                   [&](AugAssignStmt& s) {
                       s.target = one(s.target);
                       s.value = one(s.value);
                   },
                   [&](ExprStmt& s) { s.value = one(s.value); },
                   [&](IfStmt& s) {
                       s.condition = one(s.condition);
                       s.then_body = renamed(s.then_body, names);
                       s.else_body = renamed(s.else_body, names);
                   },
                   [&](ForStmt& s) {
                       s.target = one(s.target);
                       s.iterable = one(s.iterable);
                       s.body = renamed(s.body, names);
                   },
                   [&](WhileStmt& s) {
                       s.condition = one(s.condition);
                       s.body = renamed(s.body, names);
                   },
                   [&](ReturnStmt& s) { s.value = one(s.value); },
                   [&](AssertStmt& s) { s.condition = one(s.condition); },
                   [](auto&) {},
               },
               copy.node);
    return std::make_shared<const Stmt>(std::move(copy));
}

/// Of what is evaluated without data: an integer.
ExprPtr integer_literal(const Value& value, const Span& span) {
    if (!value.is_scalar() || !value.is_symbolic() || !value.type.weak) return nullptr;
    const Result<Expr> integer = ir::to_symbolic(*value.code);
    return integer.ok() && integer->is_integer() ? make_integer(integer->integer(), span) : nullptr;
}

std::optional<std::string> text_of(const ExprPtr& e) {
    const auto* constant = std::get_if<ConstantExpr>(&e->node);
    const auto* text = constant ? std::get_if<std::string>(&constant->value) : nullptr;
    return text ? std::optional(*text) : std::nullopt;
}

std::optional<double> real_number(const ExprPtr& e, const Bindings& bindings) {
    const auto constant = constant_value(*e, bindings);
    if (!constant || constant->value.index() > 2) return std::nullopt;
    if (const auto* real = std::get_if<double>(&constant->value)) return *real;
    const auto* integer = std::get_if<std::int64_t>(&constant->value);
    return integer ? static_cast<double>(*integer) : static_cast<double>(std::get<bool>(constant->value));
}

bool is_none_literal(const ExprPtr& e) {
    const auto* constant = e ? std::get_if<ConstantExpr>(&e->node) : nullptr;
    return constant && std::holds_alternative<NoneValue>(constant->value);
}

}  // namespace

const PreludeFunction* find_in_prelude(const std::string& name) {
    static const std::map<std::string, PreludeFunction> kAll = [] {
        std::map<std::string, PreludeFunction> all;
        for (const PreludeFile& file : prelude_files()) add_functions(file, all);
        return all;
    }();
    const auto found = kAll.find(name);
    return found == kAll.end() ? nullptr : &found->second;
}

/// What stands for an argument in the body, if it is known now: a number, None, a text, a function, a tuple of
/// these, an element type.
ExprPtr Translator::constant_argument(const std::string& parameter, const ExprPtr& e) {
    if (parameter == "dtype") return e;
    if (std::holds_alternative<ConstantExpr>(e->node)) return e;
    if (const auto number = constant_value(*e, bindings_)) {
        if (number->dtype) return nullptr;
        const auto* real = std::get_if<double>(&number->value);
        if (!real || std::isfinite(*real)) return literal_of(*number, e->span);
        const ExprPtr special = make_attribute(make_name("__numpy", e->span), std::isnan(*real) ? "nan" : "inf", e->span);
        return std::isinf(*real) && *real < 0 ? make_unary(UnaryOp::Minus, special, e->span) : special;
    }
    if (std::holds_alternative<TupleExpr>(e->node) || std::holds_alternative<ListExpr>(e->node)) {
        std::vector<ExprPtr> elements;
        for (const ExprPtr& element : elements_of(e)) {
            const ExprPtr known = constant_argument({}, element);
            if (!known) return nullptr;
            elements.push_back(known);
        }
        return std::make_shared<const code::Expr>(code::Expr{TupleExpr{std::move(elements)}, e->span});
    }
    if (const std::string function = qualified_name(*e, bindings_);
        !function.empty() && (code::find_function(function) || find_in_prelude(function)))
        return e;
    const bool computes = std::holds_alternative<BinaryExpr>(e->node) || std::holds_alternative<AttributeExpr>(e->node) ||
                          std::holds_alternative<SubscriptExpr>(e->node) || std::holds_alternative<NameExpr>(e->node);
    return computes && !prelude_prefix_.empty() ? integer_literal(evaluate(e), e->span) : nullptr;
}

std::optional<Value> Translator::call_prelude(const std::string& name, const CallExpr& node, const Span& span) {
    const PreludeFunction* known = find_in_prelude(name);
    if (!known) return std::nullopt;
    const auto& function = std::get<FunctionStmt>(known->statement->node);
    const Arguments arguments(known->signature, node, span);
    const std::string own =
        prelude_prefix_ + "__" + function.name + std::to_string(span.line) + "_" + std::to_string(span.column) + "_";
    const auto bound = binding_counts(function.body), used = occurrences(function.body);
    std::map<std::string, ExprPtr> names{{"np", make_name("__numpy")}};
    bindings_.emplace("__numpy", ModuleBinding{"numpy"});
    for (const auto& [local, count] : bound) {
        names[local] = make_name(own + local, span);
        context_.bindings[own + local] = count;
    }
    for (const Parameter& parameter : function.parameters) {
        const bool rest = parameter.name == known->signature.rest;
        const ExprPtr given = rest ? std::make_shared<const code::Expr>(code::Expr{TupleExpr{arguments.more()}, span})
                                   : arguments.given(parameter.name);
        const ExprPtr e = given ? given : parameter.default_value;
        const std::string variable = own + parameter.name;
        const bool changes = bound.contains(parameter.name);
        if (const ExprPtr constant = changes ? nullptr : constant_argument(parameter.name, e)) {
            names[parameter.name] = constant;
            continue;
        }
        names[parameter.name] = make_name(variable, span);
        Value value = evaluate(e);
        const bool computed = value.is_elements() && value.rank() > 0 && !value.operands.empty() && !as_view(value);
        const auto uses = used.find(parameter.name);
        if (computed && uses != used.end() && uses->second > 1) value = settled(value);
        bind(variable, std::move(value));
    }
    for (const auto& [local, count] : used)
        if (const auto with = names.find(local); with != names.end() && !name_of(with->second).empty())
            context_.occurrences[std::string(name_of(with->second))] = count;
    // What is evaluated already stays as it is.
    const Span where = where_;
    const Restored held(held_, held_);
    const Restored handed_out(handed_out_, handed_out_);
    const Restored hint(hint_, {});
    const Restored wanted(name_, {});
    const Restored prefix(prelude_prefix_, own);
    const Restored call(prelude_call_, prelude_call_.known() ? prelude_call_ : span);
    std::optional<Value> result;
    try {
        result = run_inlined(same_statements(own, renamed(function.body, names)));
    } catch (Failure& failure) {
        failure.diagnostic.where = prelude_call_;
        throw;
    }
    where_ = where;
    for (const auto& [local, by] : names) variables_.erase(own + local);
    if (result) return result;
    Value none;
    none.kind = Value::Kind::None;
    return none;
}

/// The body, the same statements each time: loops are known by their place.
Body Translator::same_statements(const std::string& key, const Body& fresh) {
    Body& body = context_.inlined[key];
    if (code::to_string(body) != code::to_string(fresh)) body = fresh;
    return body;
}

/// A text that is known: a literal, or the kind of an array's element type as NumPy names it.
std::optional<std::string> Translator::known_text(const ExprPtr& e) {
    if (const auto text = text_of(e)) return text;
    const auto* kind = std::get_if<AttributeExpr>(&e->node);
    const auto* type = kind && kind->name == "kind" ? std::get_if<AttributeExpr>(&kind->object->node) : nullptr;
    if (!type || type->name != "dtype") return std::nullopt;
    const Scalar scalar = evaluate(type->object).type.dtype.scalar;
    if (scalar == Scalar::Bool) return "b";
    if (code::is_complex(scalar)) return "c";
    if (code::is_floating(scalar)) return "f";
    return code::is_signed(scalar) ? "i" : "u";
}

/// `isinstance(x, tuple)`, and whether values of one may be written to arrays of the type of another.
std::optional<bool> Translator::known_of_types(const CallExpr& call) {
    const bool same_kind = qualified_name(*call.function, bindings_) == "numpy._same_kind";
    if (call.arguments.size() != 2 || (!same_kind && name_of(call.function) != "isinstance")) return std::nullopt;
    const Value first = evaluate(call.arguments[0]);
    if (!same_kind) return first.kind == Value::Kind::Tuple && name_of(call.arguments[1]) == "tuple";
    return can_cast(as_array(first, call.function->span).type, evaluate(call.arguments[1]).type.dtype);
}

/// Whether a condition holds, where nothing but shapes and constants decides.
std::optional<bool> Translator::known_truth(const ExprPtr& e) {
    if (const auto* boolean = std::get_if<BoolExpr>(&e->node)) {
        bool all_known = true;
        for (const ExprPtr& one : boolean->operands) {
            const auto truth = known_truth(one);
            if (truth && *truth != boolean->is_and) return truth;
            all_known = all_known && truth;
        }
        return all_known ? std::optional(boolean->is_and) : std::nullopt;
    }
    if (const auto* unary = std::get_if<UnaryExpr>(&e->node); unary && unary->op == UnaryOp::Not) {
        const auto truth = known_truth(unary->operand);
        return truth ? std::optional(!*truth) : std::nullopt;
    }
    if (const auto* compare = std::get_if<CompareExpr>(&e->node); compare && compare->ops.size() == 1) {
        const ExprPtr &left = compare->operands[0], &right = compare->operands[1];
        const CompareOp op = compare->ops[0];
        if (op == CompareOp::Is || op == CompareOp::IsNot) {
            const auto variable = variables_.find(std::string(name_of(left)));
            const bool none =
                is_none_literal(left) || (variable != variables_.end() && variable->second.value.kind == Value::Kind::None);
            return none == (op == CompareOp::Is);
        }
        if (is_none_literal(left) || is_none_literal(right)) return op == CompareOp::Ne;
        const auto first = known_text(left), second = known_text(right);
        if (first || second) return (first == second) == (op == CompareOp::Eq);
        const auto a = real_number(left, bindings_), b = real_number(right, bindings_);
        if (a && b && (op == CompareOp::Eq || op == CompareOp::Ne)) return (*a == *b) == (op == CompareOp::Eq);
    }
    if (const auto* call = std::get_if<CallExpr>(&e->node))
        if (const auto truth = known_of_types(*call)) return truth;
    if (const auto constant = constant_value(*e, bindings_))
        if (const auto* truth = std::get_if<bool>(&constant->value)) return *truth;
    const Value value = evaluate(e);
    if (!value.is_scalar() || !value.is_symbolic()) return std::nullopt;
    const Result<Expr> condition = ir::to_symbolic(*value.code);
    if (!condition.ok()) return std::nullopt;
    const symbolic::Truth truth = symbolic::decide(*condition, assumptions_);
    return truth == symbolic::Truth::Unknown ? std::nullopt : std::optional(truth == symbolic::Truth::Yes);
}

/// The value of the `return` that is reached; nullopt if none is.
std::optional<Value> Translator::run_inlined(const Body& body) {
    for (const StmtPtr& statement : body) {
        if (const auto* choice = std::get_if<IfStmt>(&statement->node))
            if (const auto truth = known_truth(choice->condition)) {
                if (auto result = run_inlined(*truth ? choice->then_body : choice->else_body)) return result;
                continue;
            }
        if (const auto* loop = std::get_if<ForStmt>(&statement->node))
            if (const auto* each = std::get_if<CallExpr>(&loop->iterable->node);
                each && qualified_name(*each->function, bindings_) == "numpy._each") {
                if (auto result = run_written_out(*loop, each->arguments.at(0))) return result;
                continue;
            }
        if (const auto* done = std::get_if<ReturnStmt>(&statement->node)) return evaluate(done->value);
        walk_statements({statement}, [&](const Stmt& inner) {
            if (std::holds_alternative<ReturnStmt>(inner.node))
                unsupported("a call whose result only the run decides", prelude_call_, "write out what it computes");
            return true;
        });
        translate(statement);
        if (!reachable_ || endings_.size() > 1)
            unsupported("a call whose result depends on what names mean", prelude_call_, "assign what it needs first");
    }
    return std::nullopt;
}

std::optional<Value> Translator::run_written_out(const ForStmt& loop, const ExprPtr& count) {
    const Expr times = integer_of(count);
    if (!times.is_integer())
        refuse("F010", "a number of arrays that only the run knows", prelude_call_, "use a number that is known");
    const std::string variable(name_of(loop.target));
    for (const auto& [local, bound] : binding_counts(loop.body)) context_.bindings[local] += 1;  // More often than it is written.
    for (std::int64_t at = 0; at < times.integer(); ++at) {
        const std::string own = prelude_prefix_ + variable + std::to_string(at) + "_";
        const Restored prefix(prelude_prefix_, own);
        const Body body = renamed(loop.body, {{variable, make_integer(at, loop.target->span)}});
        if (auto result = run_inlined(same_statements(own, body))) return result;
    }
    return std::nullopt;
}

/// `assert` of the prelude: NumPy's errors.
void Translator::assert_in_prelude(const AssertStmt& statement, const Span& span) {
    const auto* error = statement.message ? std::get_if<CallExpr>(&statement.message->node) : nullptr;  // LinAlgError(...)
    const ExprPtr sentence = error ? error->arguments.at(0) : statement.message;
    const std::string message = (sentence ? text_of(sentence) : std::nullopt).value_or("the arguments do not go together");
    const Exception exception{error ? "LinAlgError" : "", {}};
    if (const auto truth = known_truth(statement.condition)) {
        if (!*truth) refuse("F005", message, span, "docs/python-subset.md lists the functions that programs may call");
        return;
    }
    const Value value = evaluate(statement.condition);
    if (value.is_symbolic() && value.is_scalar()) return require(value.code, message, span, exception);
    const Expr holds = integer_of(cast(value, Scalar::Int64, span), span, "holds");
    require(make_compare(ir::to_code(holds), CompareOp::Ne, make_integer(0), span), message, span, exception);
}

}  // namespace sluice::frontend
