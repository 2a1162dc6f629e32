// Assignments, and what a name means after them.
#include <algorithm>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/python/bindings.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/syntax.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;

void Translator::translate(const Body& body) {
    for (const StmtPtr& statement : body) {
        translate(statement);
        const bool leaves = std::holds_alternative<ReturnStmt>(statement->node) ||
                            std::holds_alternative<BreakStmt>(statement->node) ||
                            std::holds_alternative<ContinueStmt>(statement->node);
        if (leaves) break;  // What follows is never reached.
    }
}

void Translator::translate(const StmtPtr& statement) {
    where_ = statement->span;
    next_hint_.reset();
    hint_.reset();
    next_name_.clear();
    name_.clear();
    fresh_result_.clear();
    if (translate_dataflow(statement)) return;
    std::visit(
        Overloaded{
            [&](const AssignStmt& s) {
                for (const ExprPtr& target : s.targets) assign_to(target, s.value);
            },
            [&](const AugAssignStmt& s) { augmented(s, statement->span); },
            [&](const AnnAssignStmt& s) {
                const auto type = type_of_annotation(s.annotation, bindings_);
                if (const auto name = name_of(s.target); type && !name.empty() && !type->shape)
                    context_.types.try_emplace(std::string(name), type->dtype);
                if (s.value) assign_to(s.target, s.value);
            },
            [&](const ExprStmt& s) { expression_statement(s.value); },
            [&](const IfStmt& s) { translate_if(s, statement->span); },
            [&](const ForStmt&) { translate_for(statement); },
            [&](const WhileStmt& s) { translate_while(s, statement->span); },
            [&](const FunctionStmt& s) { functions_[s.name] = statement; },
            [&](const ReturnStmt& s) {
                return_values(s.value, statement->span);
                if (depth_ > 0) append_block({.label = fresh_label("return"), .kind = ir::ReturnBlock{}, .metadata = {}});
            },
            [&](const BreakStmt&) { append_block({.label = fresh_label("break"), .kind = ir::BreakBlock{}, .metadata = {}}); },
            [&](const ContinueStmt&) {
                append_block({.label = fresh_label("continue"), .kind = ir::ContinueBlock{}, .metadata = {}});
            },
            [](const PassStmt&) {},
            [](const AssertStmt&) {},
            [&](const WithStmt&) { unsupported("with", statement->span, "only `with sluice.tasklet:` is known inside a program"); },
            [&](const ImportStmt&) { unsupported("import inside a program", statement->span, "import at module level"); },
            [&](const UnsupportedStmt& s) {
                unsupported(s.keyword, statement->span,
                            "move it out of the program: docs/python-subset.md lists what a program may hold");
            },
        },
        statement->node);
}

void Translator::expression_statement(const ExprPtr& e) {
    if (std::holds_alternative<ConstantExpr>(e->node)) return;  // A docstring.
    if (!std::holds_alternative<CallExpr>(e->node))
        unsupported("an expression without effect", e->span, "assign its value or remove it");
    evaluate(e);
}

// ---- targets ------------------------------------------------------------------------------------------------------------
void Translator::assign_to(const ExprPtr& target, const ExprPtr& value) {
    if (std::holds_alternative<TupleExpr>(target->node) || std::holds_alternative<ListExpr>(target->node))
        return assign_several(elements_of(target), value, target->span);
    if (const auto name = name_of(target); !name.empty()) {
        const auto known = variables_.find(std::string(name));
        if (known != variables_.end() && known->second.owned && known->second.value.is_elements())
            next_hint_ = target_of(known->second.value, target->span);
        else
            next_name_ = std::string(name);
        const Value result = evaluate(value);
        return assign_name(std::string(name), result, target->span);
    }
    if (!std::holds_alternative<SubscriptExpr>(target->node))
        unsupported("an assignment to this kind of target", target->span, "assign to a name, an element or a slice");
    if (const auto masked = masked_place(target)) return assign_masked(*masked, value, target->span);
    const Target place = target_of(target);
    if (!place.scatter) next_hint_ = place;
    assign(place, evaluate(value), "assign");
}

void Translator::assign_several(const std::vector<ExprPtr>& targets, const ExprPtr& value, const Span& span) {
    std::vector<Value> values;
    const auto* tuple_value = std::get_if<TupleExpr>(&value->node);
    if (tuple_value) {
        for (const ExprPtr& element : tuple_value->elements) values.push_back(evaluate(element));
    } else {
        Value one = evaluate(value);
        if (one.kind != Value::Kind::Tuple)
            unsupported("unpacking of a value that is no tuple", value->span, "index its elements one by one");
        values = one.elements;
    }
    if (values.size() != targets.size())
        refuse("F004",
               "cannot unpack " + std::to_string(values.size()) + " values into " + std::to_string(targets.size()) + " targets",
               span, "give as many targets as values");
    std::vector<std::pair<std::string, std::string>> symbols;
    std::vector<std::pair<ExprPtr, Value>> others;
    for (std::size_t at = 0; at < targets.size(); ++at) {
        const std::string name(name_of(targets[at]));
        if (!name.empty() && integer_locals_.contains(name))
            symbols.emplace_back(name, code::to_string(*values[at].code));
        else
            others.emplace_back(targets[at], values[at]);
    }
    // Everything on the right is evaluated before anything on the left changes.
    for (auto& [target, one] : others)
        if (tuple_value && one.is_elements() && (others.size() > 1 || !symbols.empty()) && !one.is_symbolic()) {
            const Value copy = read_container(add_temporary("value", strong(one.type), one.shape));
            assign(target_of(copy, span), one, "value");
            one = copy;
        } else if (!symbols.empty() && one.is_symbolic() && !one.is_scalar()) {
            one = materialise(one, "value");
        }
    for (const auto& [name, text] : symbols) {
        define_symbol(name);
        bind(name, symbolic_value(symbolic::symbol(name)), false);
        assumptions_.assume_any(name);
    }
    if (!symbols.empty()) assign_symbols(symbols);
    for (const auto& [target, one] : others) {
        if (const auto name = name_of(target); !name.empty())
            assign_name(std::string(name), one, span);
        else
            assign(target_of(target), one, "assign");
    }
}

void Translator::bind(const std::string& name, Value value, bool owned) {
    bindings_.erase(name);
    variables_[name] = {std::move(value), owned};
}

/// The name may stand for the value without a copy: nothing that the value reads can be seen to differ.
bool Translator::may_alias_name(const std::string& name, const Value& value) const {
    const auto bound = context_.array_bindings.find(name);
    if (bound == context_.array_bindings.end() || bound->second != 1 || value.rank() == 0) return false;
    const Operand* view = as_view(value);
    if (!view) return false;
    // A view that moves with a loop variable must not outlive the iteration.
    for (const Expr& e : view->index)
        for (const std::string& symbol : symbolic::free_symbols(e)) {
            if (symbol.starts_with("__r") || !defined_symbols_.contains(symbol)) continue;
            if (integer_locals_.contains(symbol) && context_.bindings.contains(symbol) && context_.bindings.at(symbol) > 1)
                return false;
            if (!enclosing_loop_) return false;
            const auto inside = occurrences(*enclosing_loop_);
            const auto at = inside.find(name);
            if (at == inside.end() || at->second != context_.occurrences.at(name)) return false;
        }
    return true;
}

/// An integer that is the same wherever the program reads it: a name for it needs no variable, and sizes made of it are those that
/// the caller knows.
bool Translator::is_fixed_integer(const Value& value) const {
    const std::optional<Expr> known = as_integer(value);
    return known && std::ranges::none_of(symbolic::free_symbols(*known),
                                         [&](const std::string& symbol) { return defined_symbols_.contains(symbol); });
}

void Translator::assign_name(const std::string& name, const Value& value, const Span& span) {
    refuse_flat();
    if (!value.is_elements()) {
        if (value.kind == Value::Kind::None) unsupported("a variable without a value", span, "assign a number or an array");
        return bind(name, value, false);
    }
    const auto bound = context_.bindings.find(name);
    const bool once = bound != context_.bindings.end() && bound->second == 1;
    if (once && !context_.types.contains(name) && is_fixed_integer(value)) return bind(name, value, false);
    if (integer_locals_.contains(name)) {
        const std::string text = code::to_string(*value.code);
        define_symbol(name);
        bind(name, symbolic_value(symbolic::symbol(name)), false);
        assumptions_.assume_any(name);
        return assign_symbols({{name, text}});
    }
    const bool literal = value.is_symbolic() && value.is_scalar() && constant_value(*value.code, {}).has_value();
    if (once && literal && !context_.types.contains(name) && !context_.return_variable.contains(name))
        return bind(name, value, false);
    const auto known = variables_.find(name);
    if (may_alias_name(name, value)) {
        const Operand* view = as_view(value);
        return bind(name, value, container(view->data).transient && is_identity(*view, value.rank()));
    }
    if (const Operand* view = as_view(value);
        view && view->data == fresh_result_ && is_identity(*view, value.rank()) && depth_ == 0 && !context_.types.contains(name))
        return bind(name, value, true);
    DType type = strong(value.type);
    if (const auto forced = context_.types.find(name); forced != context_.types.end()) type = forced->second;
    if (known != variables_.end() && known->second.owned && known->second.value.is_elements()) {
        const Value& present = known->second.value;
        const Type joined = code::promote(Type{strong(present.type), false}, value.type);
        const bool same_shape = present.shape == value.shape;
        if (same_shape && joined.dtype == strong(present.type)) return assign(target_of(present, span), value, "assign_" + name);
        if (same_shape && (depth_ > 0 || value.is_scalar())) throw Retype{name, joined.dtype};
        if (depth_ > 0)
            refuse("F008", "the variable " + name + " changes its shape inside control flow", span, "use another variable");
    } else if (known != variables_.end() && depth_ > 0 && known->second.value.is_elements() && !parent_) {
        if (as_view(value) && as_view(known->second.value) && as_view(value)->id() == as_view(known->second.value)->id()) return;
        refuse("F008", "the array " + name + " is bound to another array inside control flow", span,
               "assign to its elements, " + name + "[:] = ..., or use another variable");
    }
    std::string base = name;
    if (const auto place = context_.return_variable.find(name); place != context_.return_variable.end() && value.rank() > 0)
        base = place->second;
    const std::string data = base == name || sdfg_.containers.contains(base) ? add_temporary(name, type, value.shape)
                                                                             : add_temporary(base, type, value.shape);
    if (base != name && data == base) sdfg_.containers.at(data).transient = false;
    const Value fresh = read_container(data);
    assign(target_of(fresh, span), value, "assign_" + name);
    bind(name, fresh, true);
}

void Translator::augmented(const AugAssignStmt& s, const Span& span) {
    const ExprPtr sum = make_binary(s.op, s.target, s.value, span);
    const std::string name(name_of(s.target));
    if (name.empty()) {
        if (const auto masked = masked_place(s.target)) return augment_masked(*masked, s, span);
        const Target place = target_of(s.target);
        if (!map_params_.empty()) {
            Value added = evaluate(s.value);
            if (const std::string wcr = conflict_resolution(place, s.op, added); !wcr.empty())
                return assign(place, added, "update", wcr);
        }
        const Value result = evaluate(sum);
        return assign(place, result, "update");
    }
    const Value before = evaluate(s.target);
    // In place on an array, whoever else sees it; a new value for a number.
    if (before.is_elements() && before.rank() > 0) return assign(target_of(before, span), evaluate(sum), "update_" + name);
    if (parent_ && before.is_scalar() && as_view(before) && !sdfg_.containers.contains(as_view(before)->data)) {
        // A number of the program around the map: every iteration adds to it.
        Value added = evaluate(s.value);
        if (const std::string wcr = conflict_resolution(target_of(before, span), s.op, added); !wcr.empty())
            return assign(target_of(before, span), added, "update_" + name, wcr);
    }
    assign_name(name, evaluate(sum), span);
}

// ---- integer variables --------------------------------------------------------------------------------------------------
bool Translator::is_integer_expression(const ExprPtr& e, const std::set<std::string>& locals) const {
    const auto all = [&](const std::vector<ExprPtr>& list) {
        return std::ranges::all_of(list, [&](const ExprPtr& one) { return is_integer_expression(one, locals); });
    };
    if (const auto* constant = std::get_if<ConstantExpr>(&e->node)) return std::holds_alternative<std::int64_t>(constant->value);
    if (const auto* name = std::get_if<NameExpr>(&e->node)) {
        if (locals.contains(name->id)) return true;
        if (const auto at = variables_.find(name->id); at != variables_.end())
            return at->second.value.is_symbolic() && at->second.value.is_scalar() &&
                   code::is_integer(at->second.value.type.dtype.scalar);
        const auto at = bindings_.find(name->id);
        if (at == bindings_.end()) return false;
        if (const auto* number = std::get_if<NumberBinding>(&at->second))
            return std::holds_alternative<std::int64_t>(number->value) && !number->dtype;
        return std::holds_alternative<SymbolBinding>(at->second) || std::holds_alternative<ExpressionBinding>(at->second);
    }
    if (const auto* unary = std::get_if<UnaryExpr>(&e->node))
        return (unary->op == UnaryOp::Minus || unary->op == UnaryOp::Plus) && is_integer_expression(unary->operand, locals);
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node)) {
        const bool closed = binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub || binary->op == BinaryOp::Mul ||
                            binary->op == BinaryOp::FloorDiv || binary->op == BinaryOp::Mod;
        return closed && is_integer_expression(binary->left, locals) && is_integer_expression(binary->right, locals);
    }
    if (const auto* call = std::get_if<CallExpr>(&e->node)) {
        const auto function = name_of(call->function);
        if (function == "len") return true;
        return (function == "min" || function == "max") && call->keywords.empty() && all(call->arguments);
    }
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node))
        if (const auto* attribute = std::get_if<AttributeExpr>(&subscript->object->node)) return attribute->name == "shape";
    return false;
}

std::set<std::string> Translator::find_integer_locals(const Body& body) const {
    std::map<std::string, std::vector<ExprPtr>> values;
    std::set<std::string> refused;
    const std::function<void(const ExprPtr&, const ExprPtr&)> note = [&](const ExprPtr& target, const ExprPtr& value) {
        const auto targets = elements_of(target), parts = elements_of(value);
        if (const auto name = name_of(target); !name.empty()) {
            values[std::string(name)].push_back(value);
        } else if (std::holds_alternative<TupleExpr>(target->node)) {
            const bool matches = std::holds_alternative<TupleExpr>(value->node) && parts.size() == targets.size();
            for (std::size_t at = 0; at < targets.size(); ++at) {
                if (matches)
                    note(targets[at], parts[at]);
                else if (const auto one = name_of(targets[at]); !one.empty())
                    refused.insert(std::string(one));
            }
        }
    };
    walk_statements(body, [&](const Stmt& statement) {
        if (const auto* s = std::get_if<AssignStmt>(&statement.node))
            for (const ExprPtr& target : s->targets) note(target, s->value);
        if (const auto* s = std::get_if<AugAssignStmt>(&statement.node)) note(s->target, make_binary(s->op, s->target, s->value));
        if (const auto* s = std::get_if<AnnAssignStmt>(&statement.node); s && s->value) {
            note(s->target, s->value);
            if (const auto dtype = dtype_of(*s->annotation, bindings_); !dtype || !code::is_integer(dtype->scalar))
                refused.insert(std::string(name_of(s->target)));
        }
        if (const auto* s = std::get_if<ForStmt>(&statement.node)) {
            const auto* call = std::get_if<CallExpr>(&s->iterable->node);
            if (call && name_of(call->function) == "range") note(s->target, make_integer(0));
            if (!call) return false;  // A map has variables of its own.
        }
        return !std::holds_alternative<FunctionStmt>(statement.node) && !std::holds_alternative<WithStmt>(statement.node);
    });
    std::set<std::string> result;
    for (const auto& [name, list] : values)
        if (!refused.contains(name) && (!variables_.contains(name) || parent_) && !context_.types.contains(name))
            result.insert(name);
    if (!parent_)
        for (const auto& [name, place] : context_.return_variable) result.erase(name);
    for (bool changed = true; changed;) {
        changed = false;
        for (auto at = result.begin(); at != result.end();) {
            const auto& list = values.at(*at);
            const bool integer = std::ranges::all_of(list, [&](const ExprPtr& e) { return is_integer_expression(e, result); });
            changed = changed || !integer;
            at = integer ? std::next(at) : result.erase(at);
        }
    }
    return result;
}

}  // namespace sluice::frontend
