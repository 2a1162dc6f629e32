// Calls of functions of the prelude are translated in their place. Constant arguments stand in the body as they are; every other
// parameter and local becomes a name of this call's own:
//     np.tril(A + B, 1)   ->   m = A + B; np.where(np.tri(m.shape[-2], m.shape[-1], 1, dtype=bool), m, ...)
// An `if` of what is known (`axis is None`, `a.ndim == 1`) is decided here; `return` ends the body under such an `if` only.
#include "frontend/python/prelude.h"

#include <algorithm>

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

void add_functions(const std::string& module, std::string_view text, std::map<std::string, PreludeFunction>& all) {
    const Body body = parse_body(text, {.file = "prelude/" + module + ".py", .first_line = 1}).or_fail();
    for (const StmtPtr& statement : body) {
        const auto* function = std::get_if<FunctionStmt>(&statement->node);
        if (!function) continue;
        const std::string name = module + "." + function->name;
        CallSignature signature{name, {}, false, "F005"};
        for (const Parameter& parameter : function->parameters)
            signature.parameters.push_back(
                {CallParameter::Kind::Either, parameter.name, parameter.default_value ? "its default" : ""});
        all.emplace(name, PreludeFunction{statement, std::move(signature)});
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

/// What stands for an argument in the body, if it is known now: a number, None, a text, a tuple of these, an element type.
ExprPtr constant_argument(const std::string& parameter, const ExprPtr& e, const Bindings& bindings) {
    if (parameter == "dtype") return e;
    if (const auto* constant = std::get_if<ConstantExpr>(&e->node); constant) return e;
    if (const auto number = constant_value(*e, bindings)) return number->dtype ? nullptr : literal_of(*number, e->span);
    const auto* several = std::get_if<TupleExpr>(&e->node);
    if (!several) return nullptr;
    std::vector<ExprPtr> elements;
    for (const ExprPtr& element : several->elements) {
        const ExprPtr known = constant_argument({}, element, bindings);
        if (!known) return nullptr;
        elements.push_back(known);
    }
    return std::make_shared<const code::Expr>(code::Expr{TupleExpr{std::move(elements)}, e->span});
}

bool is_none_literal(const ExprPtr& e) {
    const auto* constant = e ? std::get_if<ConstantExpr>(&e->node) : nullptr;
    return constant && std::holds_alternative<NoneValue>(constant->value);
}

}  // namespace

const PreludeFunction* find_in_prelude(const std::string& name) {
    static const std::map<std::string, PreludeFunction> kAll = [] {
        std::map<std::string, PreludeFunction> all;
        add_functions("numpy", prelude_numpy(), all);
        add_functions("numpy.linalg", prelude_numpy_linalg(), all);
        return all;
    }();
    const auto found = kAll.find(name);
    return found == kAll.end() ? nullptr : &found->second;
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
        const ExprPtr given = arguments.given(parameter.name);
        const ExprPtr e = given ? given : parameter.default_value;
        const std::string variable = own + parameter.name;
        const bool changes = bound.contains(parameter.name);
        if (const ExprPtr constant = changes ? nullptr : constant_argument(parameter.name, e, bindings_)) {
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
    const Body fresh = renamed(function.body, names);
    Body& body = context_.inlined[own];  // The same statements each time: loops are known by their place.
    if (code::to_string(body) != code::to_string(fresh)) body = fresh;
    std::optional<Value> result;
    try {
        result = run_inlined(Body(body));
    } catch (Failure& failure) {
        failure.diagnostic.where = prelude_call_;
        throw;
    }
    where_ = where;
    if (result) return result;
    Value none;
    none.kind = Value::Kind::None;
    return none;
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
        const auto text = [](const ExprPtr& one) -> const std::string* {
            const auto* constant = std::get_if<ConstantExpr>(&one->node);
            return constant ? std::get_if<std::string>(&constant->value) : nullptr;
        };
        if (op == CompareOp::Is || op == CompareOp::IsNot) {
            const auto variable = variables_.find(std::string(name_of(left)));
            const bool none =
                is_none_literal(left) || (variable != variables_.end() && variable->second.value.kind == Value::Kind::None);
            return none == (op == CompareOp::Is);
        }
        if (is_none_literal(left) || is_none_literal(right)) return op == CompareOp::Ne;
        if (text(left) && text(right)) return (*text(left) == *text(right)) == (op == CompareOp::Eq);
    }
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
        if (const auto* done = std::get_if<ReturnStmt>(&statement->node)) return evaluate(done->value);
        translate(statement);
        if (!reachable_ || endings_.size() > 1)
            unsupported("a call whose result depends on what names mean", prelude_call_, "assign what it needs first");
    }
    return std::nullopt;
}

/// `assert` of the prelude: NumPy's errors.
void Translator::assert_in_prelude(const AssertStmt& statement, const Span& span) {
    const auto* constant = statement.message ? std::get_if<ConstantExpr>(&statement.message->node) : nullptr;
    const auto* text = constant ? std::get_if<std::string>(&constant->value) : nullptr;
    const std::string message = text ? *text : "the arguments do not go together";
    if (const auto truth = known_truth(statement.condition)) {
        if (!*truth) refuse("F005", message, span, "docs/python-subset.md lists the functions that programs may call");
        return;
    }
    const Value value = evaluate(statement.condition);
    if (value.is_symbolic() && value.is_scalar()) return require(value.code, message, span);
    const Expr holds = integer_of(cast(value, Scalar::Int64, span), span, "holds");
    require(make_compare(ir::to_code(holds), CompareOp::Ne, make_integer(0), span), message, span);
}

}  // namespace sluice::frontend
