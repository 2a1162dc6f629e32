// Calls of functions of the prelude are translated in their place. Constant arguments stand in the body as they are; every other
// parameter and local becomes a name of this call's own:
//     np.tril(A + B, 1)   ->   m = A + B; np.where(np.tri(m.shape[-2], m.shape[-1], 1, dtype=bool), m, ...)
// An `if` of what is known (`axis is None`, `a.ndim == 1`) is decided here; `return` ends the body under such an `if` only.
#include "frontend/python/prelude.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "code/parse.h"
#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/choices.h"
#include "frontend/python/collections.h"
#include "frontend/python/inlining.h"
#include "frontend/python/single_exit.h"
#include "frontend/python/texts.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"
#include "support/check.h"

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
        const bool added = all.emplace(name, PreludeFunction{statement, documented ? *documented : std::move(signature)}).second;
        check(added, "two functions of the prelude are called ", name);
    }
}

/// Of what is evaluated without data: an integer.
ExprPtr integer_literal(const Value& value, const Span& span) {
    if (!value.is_scalar() || !value.is_symbolic() || !value.type.weak) return nullptr;
    const Result<Expr> integer = ir::to_symbolic(*value.code);
    return integer.ok() && integer->is_integer() ? make_integer(integer->integer(), span) : nullptr;
}

std::optional<double> real_number(const ExprPtr& e, const Bindings& bindings) {
    const auto constant = constant_value(*e, bindings);
    if (!constant || constant->value.index() > 2) return std::nullopt;
    if (const auto* real = std::get_if<double>(&constant->value)) return *real;
    const auto* integer = std::get_if<std::int64_t>(&constant->value);
    return integer ? static_cast<double>(*integer) : static_cast<double>(std::get<bool>(constant->value));
}

/// Nothing happens where it is evaluated, and nothing but sizes is read from arrays.
bool is_plain(const ExprPtr& e, const std::function<bool(const ExprPtr&)>& is_text = {}) {
    if (is_text && is_text(e)) return true;
    if (const auto* call = std::get_if<CallExpr>(&e->node); call && name_of(call->function) != "len") return false;
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) {
        const auto* attribute = std::get_if<AttributeExpr>(&subscript->object->node);
        if (!attribute || attribute->name != "shape") return false;
    }
    bool plain = true;
    for_each_child(*e, [&](const ExprPtr& child) { plain = plain && is_plain(child, is_text); });
    return plain;
}

/// Lists of what is no value of its own: `product(range(3), zip(x, y))`.
CallExpr with_lists(const CallExpr& node) {
    static const std::set<std::string> kWalked{"range", "zip", "enumerate", "map", "filter", "reversed"};
    CallExpr result = node;
    for (ExprPtr& argument : result.arguments) {
        const auto* call = std::get_if<CallExpr>(&argument->node);
        if (call && kWalked.contains(std::string(name_of(call->function))))
            argument = make_call("list", {argument}, argument->span);
        if (const auto* generator = std::get_if<ComprehensionExpr>(&argument->node))
            argument = make_expression(ComprehensionExpr{generator->element, generator->clauses, true}, argument->span);
    }
    return result;
}

/// The body, the same statements each time: loops are known by their place.
const Body& same_statements(Body& kept, const Body& fresh) {
    if (code::to_string(kept) != code::to_string(fresh)) kept = fresh;
    return kept;
}

}  // namespace

void refuse_kept_iterator(const Stmt* statement, const Span& span) {
    const auto* assign = statement ? std::get_if<AssignStmt>(&statement->node) : nullptr;
    const auto* returns = statement ? std::get_if<ReturnStmt>(&statement->node) : nullptr;
    const ExprPtr value = assign ? assign->value : returns ? returns->value : nullptr;
    const bool unpacked = assign && value->span == span && name_of(assign->targets[0]).empty();
    if (!value || unpacked) return;
    for (const ExprPtr& one : elements_of(value))
        if (one->span == span) unsupported("an iterator with a name, or returned", span, "make a list of it: list(...)");
}

const PreludeFunction* find_in_prelude(const std::string& name) {
    static const std::map<std::string, PreludeFunction> kAll = [] {
        std::map<std::string, PreludeFunction> all;
        for (const PreludeFile& file : prelude_files()) add_functions(file, all);
        return all;
    }();
    const auto found = kAll.find(name);
    return found == kAll.end() ? nullptr : &found->second;
}

std::string function_of_generator(const std::string& method, bool legacy) {
    static const std::set<std::string> kOfGenerator{"integers", "default_rng"};  // And of no other.
    const std::string own = "numpy.random._legacy_" + method, common = "numpy.random._" + method;
    if (legacy && find_in_prelude(own)) return own;
    return find_in_prelude(common) && !method.starts_with("_") && !(legacy && kOfGenerator.contains(method)) ? common : "";
}

bool is_method_of_legacy_generator(const std::string& method) {
    return method != "RandomState" && !function_of_generator(method, true).empty();
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
    const std::string plain(name_of(e));  // Python's own, `max`.
    if (!plain.empty() && !bindings_.contains(plain) && !variables_.contains(plain) && signature_of(plain)) return e;
    const bool computes = std::holds_alternative<BinaryExpr>(e->node) || std::holds_alternative<AttributeExpr>(e->node) ||
                          std::holds_alternative<SubscriptExpr>(e->node) || std::holds_alternative<NameExpr>(e->node);
    return computes && !prelude_prefix_.empty() ? integer_literal(evaluate(e), e->span) : nullptr;
}

std::optional<Value> Translator::call_prelude(const std::string& name, const CallExpr& node, const Span& span) {
    const PreludeFunction* known = find_in_prelude(name);
    if (!known) return std::nullopt;
    const auto& function = std::get<FunctionStmt>(known->statement->node);
    const bool of_itertools = name.starts_with("itertools."), of_iterables = of_itertools || name == "numpy.fromiter";
    if (of_itertools) refuse_kept_iterator(statement_, span);
    const Arguments arguments(known->signature, of_iterables ? with_lists(node) : node, span);
    const std::string& around = prelude_prefix_.empty() ? inline_prefix_ : prelude_prefix_;
    const std::string own = around + "__" + function.name + std::to_string(span.line) + "_" + std::to_string(span.column) + "_";
    const auto bound = binding_counts(function.body), used = occurrences(function.body);
    std::map<std::string, ExprPtr> names{{"np", make_name("__numpy")}};
    bindings_.emplace("__numpy", ModuleBinding{"numpy"});
    for (const std::string& module : {std::string("math"), name.substr(0, name.find('.'))}) {
        if (module == "numpy") continue;
        names[module] = make_name("__" + module);
        bindings_.emplace("__" + module, ModuleBinding{module});
    }
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
        const std::string_view form = parameter.annotation ? name_of(parameter.annotation) : std::string_view();
        const auto is_converted = [&](bool tuple) { return form == "array_like" || (form == "index_like" && !tuple); };
        const bool tuple = std::holds_alternative<TupleExpr>(e->node);
        const bool changes =
            bound.contains(parameter.name) || ((tuple || std::holds_alternative<ListExpr>(e->node)) && is_converted(tuple));
        if (const ExprPtr constant = changes ? nullptr : constant_argument(parameter.name, e)) {
            names[parameter.name] = constant;
            continue;
        }
        names[parameter.name] = make_name(variable, span);
        Value value = evaluate(e);
        const bool is_given_list = !value.list.empty() || (value.kind == Value::Kind::Tuple && value.of_list);
        if (is_converted(!is_given_list) && (value.kind == Value::Kind::Tuple || is_given_list)) value = as_array(value, e->span);
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
    const Restored inside(inside_expression_, true);
    const Restored hint(hint_, {});
    const Restored wanted(name_, {});
    const Restored statement(statement_, statement_);
    const Restored prefix(prelude_prefix_, own);
    const Restored call(prelude_call_, prelude_call_.known() ? prelude_call_ : span);
    std::optional<Value> result;
    try {
        result = run_inlined(same_statements(context_.inlined[own], renamed(function.body, names)));
    } catch (Failure& failure) {
        failure.diagnostic.where = prelude_call_;
        throw;
    }
    where_ = where;
    for (const auto& [local, by] : names) variables_.erase(own + local);
    if (result) return result;
    return none_value();
}

namespace {

/// `None`, or a variable that is known to be.
template <class Variables> bool means_none(const ExprPtr& e, const Variables& variables) {
    const auto variable = variables.find(std::string(name_of(e)));
    return is_none(e) || (variable != variables.end() && variable->second.value.kind == Value::Kind::None);
}

}  // namespace

/// Whether a condition holds, where nothing but shapes and constants decides.
std::optional<bool> Translator::known_truth(const ExprPtr& e) {
    if (const auto* call = std::get_if<CallExpr>(&e->node);
        call && !prelude_prefix_.empty() && qualified_name(*call->function, bindings_) == "numpy._surely")
        return known_truth(call->arguments.at(0)).value_or(false);
    if (means_none(e, variables_)) return false;
    if (const auto text = Texts(*this).known(e)) return !text->empty();
    if (const auto variable = variables_.find(std::string(name_of(e))); variable != variables_.end())
        if (variable->second.value.kind == Value::Kind::Tuple) return !variable->second.value.elements.empty();
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
        if (const auto same = Texts(*this).of_element_types(e)) return same;
        const bool left_none = means_none(left, variables_), right_none = means_none(right, variables_);
        // A name without a meaning is refused, and not taken for one that differs.
        const auto other_kind = [&](const ExprPtr& one) {
            return prelude_prefix_.empty() && is_plain(one) ? std::optional(evaluate(one)) : std::nullopt;
        };
        if ((op == CompareOp::Is || op == CompareOp::IsNot) && (is_none(left) || is_none(right))) {
            if (!left_none || !right_none) other_kind(left_none ? right : left);
            return (left_none && right_none) == (op == CompareOp::Is);
        }
        if (op == CompareOp::In || op == CompareOp::NotIn) {
            const auto found = Collections(*this).known_membership(left, right);
            return found ? std::optional(*found == (op == CompareOp::In)) : std::nullopt;
        }
        const bool orders = op != CompareOp::Eq && op != CompareOp::Ne && op != CompareOp::Is && op != CompareOp::IsNot;
        if (orders && (left_none || right_none)) return std::nullopt;  // Python raises.
        if (const auto order = orders && prelude_prefix_.empty() ? Texts(*this).order(left, right) : std::nullopt) {
            const bool strict = op == CompareOp::Lt || op == CompareOp::Gt, up = op == CompareOp::Lt || op == CompareOp::Le;
            return up ? (strict ? *order < 0 : *order <= 0) : (strict ? *order > 0 : *order >= 0);
        }
        if (op == CompareOp::Eq || op == CompareOp::Ne) {
            const bool asks_equal = op == CompareOp::Eq;
            if (left_none != right_none) other_kind(left_none ? right : left);
            if (left_none || right_none) return (left_none && right_none) == asks_equal;
            const auto first = Texts(*this).known(left), second = Texts(*this).known(right);
            if (first && second) return (*first == *second) == asks_equal;
            if (first || second) {
                const auto other = other_kind(first ? right : left);
                const bool is_array = other && other->is_elements() && other->rank() > 0;
                return is_array ? std::nullopt : std::optional(!asks_equal);
            }
            const auto a = real_number(left, bindings_), b = real_number(right, bindings_);
            if (a && b) return (*a == *b) == asks_equal;
        }
    }
    if (const auto* call = std::get_if<CallExpr>(&e->node))
        if (const auto truth = known_of_types(*call)) return truth;
    if (const auto constant = constant_value(*e, bindings_))
        if (const auto* truth = std::get_if<bool>(&constant->value)) return *truth;
    if (prelude_prefix_.empty() && (!is_plain(e) || mentions_none(e, true))) return std::nullopt;
    if (std::holds_alternative<CompareExpr>(e->node) && is_decided_now(e)) return std::nullopt;  // Its value is what is asked.
    const Value value = evaluate(e);
    if (asserted_)
        if (const auto part = asserted_->find(e.get()); part != asserted_->end()) part->second = value;
    if (!value.is_scalar() || !value.is_symbolic()) return std::nullopt;
    if (prelude_prefix_.empty() && !ir::free_names(*value.code).empty()) return std::nullopt;  // Any size may be 0.
    const Result<Expr> condition = ir::to_symbolic(*value.code);
    if (!condition.ok()) return std::nullopt;
    const symbolic::Truth truth = symbolic::decide(*condition, assumptions_);
    return truth == symbolic::Truth::Unknown ? std::nullopt : std::optional(truth == symbolic::Truth::Yes);
}

/// The same where None or a text takes part in the condition: it is decided now, whatever else the program knows.
std::optional<bool> Translator::decided(const ExprPtr& e) {
    const auto* negated = std::get_if<UnaryExpr>(&e->node);
    if (const auto named = variables_.find(std::string(name_of(negated ? negated->operand : e))); named != variables_.end())
        if (named->second.value.kind == Value::Kind::Tuple) return known_truth(e);
    if (const auto same = Texts(*this).of_element_types(e)) return same;
    if (asks_for_types(negated ? negated->operand : e)) return known_truth(e);
    return is_decided_now(e) ? known_truth(e) : std::nullopt;
}
bool Translator::is_decided_now(const ExprPtr& e) {
    const auto reads = [&](const ExprPtr& one) { return Texts::may_name(one, variables_) && Texts(*this).known(one); };
    return mentions_none(e, true) && is_plain(e, reads);
}

/// None, a name that means it, or a text if `or_text`.
bool Translator::mentions_none(const ExprPtr& e, bool or_text) const {
    const auto variable = variables_.find(std::string(name_of(e)));
    const bool text = text_of(e) || (variable != variables_.end() && variable->second.value.kind == Value::Kind::Text);
    bool found = means_none(e, variables_) || (or_text && text);
    for_each_child(*e, [&](const ExprPtr& one) { found = found || mentions_none(one, or_text); });
    return found;
}

/// The value of the `return` that is reached; nullopt if none is.
std::optional<Value> Translator::run_inlined(const Body& body) {
    Body rest = body;
    for (std::size_t at = 0; at < rest.size(); ++at) {
        const StmtPtr statement = rest[at];
        if (const auto* choice = std::get_if<IfStmt>(&statement->node))
            if (const auto truth = known_truth(choice->condition)) {
                Body taken = *truth ? choice->then_body : choice->else_body;
                taken.insert(taken.end(), rest.begin() + static_cast<std::ptrdiff_t>(at) + 1, rest.end());
                rest = std::move(taken);
                at = static_cast<std::size_t>(-1);
                continue;
            }
        if (const auto* loop = std::get_if<ForStmt>(&statement->node))
            if (const auto* each = std::get_if<CallExpr>(&loop->iterable->node);
                each && qualified_name(*each->function, bindings_) == "numpy._each") {
                if (auto result = run_written_out(*loop, each->arguments.at(0))) return result;
                continue;
            }
        if (const auto* done = std::get_if<ReturnStmt>(&statement->node)) {
            statement_ = statement.get();
            if (const StmtPtr branches = Choices(*this).returned_apart(statement)) return run_single_exit({branches});
            if (done->value) return evaluate(done->value);
            return std::nullopt;
        }
        if (has_return({statement})) {
            if (!prelude_prefix_.empty())
                unsupported("a call whose result only the run decides", prelude_call_, "write out what it computes");
            return run_single_exit(Body(rest.begin() + static_cast<std::ptrdiff_t>(at), rest.end()));
        }
        translate(statement);
        if (reachable_ && endings_.size() < 2) continue;
        if (prelude_prefix_.empty() && reachable_) Inlining(*this).put_in_front(where_);
        unsupported("a call whose result depends on what names mean", prelude_call_.known() ? prelude_call_ : where_,
                    "assign what it needs first");
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
        if (auto result = run_inlined(same_statements(context_.inlined[own], body))) return result;
    }
    return std::nullopt;
}

/// The same where the run decides which return is reached.
std::optional<Value> Translator::run_single_exit(const Body& rest) {
    const std::string result = inline_prefix_ + "__exit_value", returned = inline_prefix_ + "__exit_taken";
    const Body body = with_parts_of_result(single_exit(rest, result, returned), result);
    context_.bindings[returned] = 2;
    for (const auto& [name, count] : binding_counts(body))
        if (name.starts_with(result)) context_.bindings[name] = 2;
    translate_from(Body(same_statements(context_.inlined[inline_prefix_ + "rest"], body)), 0);
    if (endings_.size() > 1 || !reachable_) Inlining(*this).put_in_front(where_);
    return evaluate(make_name(result, where_));
}

/// What `and`, `or` and `not` join.
static void add_parts(const ExprPtr& e, std::map<const code::Expr*, std::optional<Value>>& parts) {
    if (const auto* boolean = std::get_if<BoolExpr>(&e->node)) {
        for (const ExprPtr& operand : boolean->operands) add_parts(operand, parts);
    } else if (const auto* unary = std::get_if<UnaryExpr>(&e->node); unary && unary->op == UnaryOp::Not) {
        add_parts(unary->operand, parts);
    } else {
        parts.emplace(e.get(), std::nullopt);
    }
}

/// `assert` of the prelude: NumPy's errors.
void Translator::assert_in_prelude(const AssertStmt& statement, const Span& span) {
    const auto* error = statement.message ? std::get_if<CallExpr>(&statement.message->node) : nullptr;  // OverflowError(...)
    const ExprPtr sentence = error ? error->arguments.at(0) : statement.message;
    const std::string* said = text_of(sentence);
    const std::string called = error ? dotted_name(*error->function) : "", type = called.substr(called.rfind('.') + 1);
    const bool of_python = error && type != "LinAlgError";
    const std::string message = (of_python ? type + ": " : "") + (said ? *said : "the arguments do not go together");
    const Exception exception{of_python ? "raised" : type, {}};
    std::map<const code::Expr*, std::optional<Value>> parts;
    add_parts(statement.condition, parts);
    const Restored asserted(asserted_, &parts);
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
