// Which variables are integers wherever they are assigned: they are symbols, by which sizes and places count.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/nested_loops.h"
#include "frontend/python/tables.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;

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
        if (function == "len" || function == kFind || function == kFindKey) return true;
        return (function == "min" || function == "max") && call->keywords.empty() && all(call->arguments);
    }
    if (const auto* attribute = std::get_if<AttributeExpr>(&e->node)) return attribute->name == "size" || attribute->name == "ndim";
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node))
        if (const auto* attribute = std::get_if<AttributeExpr>(&subscript->object->node)) return attribute->name == "shape";
    return false;
}

std::set<std::string> Translator::find_integer_locals(const Body& body) const {
    std::map<std::string, std::vector<ExprPtr>> values;
    std::set<std::string> refused, added;
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
    const std::function<void(const ExprPtr&)> refuse_names = [&](const ExprPtr& target) {  // They are elements of something.
        refused.insert(std::string(name_of(target)));
        if (!std::holds_alternative<NameExpr>(target->node))
            for_each_child(*target, [&](const ExprPtr& part) { refuse_names(part); });
    };
    walk_statements(body, [&](const Stmt& statement) {
        if (const auto* s = std::get_if<AssignStmt>(&statement.node))
            for (const ExprPtr& target : s->targets) note(target, s->value);
        if (const auto* s = std::get_if<AugAssignStmt>(&statement.node)) note(s->target, make_binary(s->op, s->target, s->value));
        if (const auto* s = std::get_if<AnnAssignStmt>(&statement.node); s && s->value) {
            note(s->target, s->value);
            const auto dtype = declares_type(*s->annotation, bindings_) ? dtype_of(*s->annotation, bindings_) : std::nullopt;
            if (dtype && !(*dtype == DType(Scalar::Int64))) refused.insert(std::string(name_of(s->target)));
        }
        if (const auto* s = std::get_if<ForStmt>(&statement.node)) {
            const auto* call = std::get_if<CallExpr>(&s->iterable->node);
            if (call && name_of(call->function) == "range") note(s->target, make_integer(0));
            if (call && name_of(call->function) == "enumerate") note(elements_of(s->target)[0], make_integer(0));
            const auto* subscript = std::get_if<SubscriptExpr>(&s->iterable->node);
            const auto* schedule = std::get_if<BinaryExpr>(&s->iterable->node);
            const std::string of = subscript ? qualified_name(*subscript->object, bindings_) : std::string();
            const bool is_map = of == "sluice.map" || of == "sluice.parrange" || (schedule && schedule->op == BinaryOp::MatMul);
            if (is_map) {  // A map has variables of its own, but for those that it adds to.
                walk_statements(s->body, [&](const Stmt& inner) {
                    if (const auto* update = std::get_if<AugAssignStmt>(&inner.node))
                        added.insert(std::string(name_of(update->target)));
                    return true;
                });
                return false;
            }
            const bool counts = call && (name_of(call->function) == "range" || name_of(call->function) == "enumerate");
            auto targets = elements_of(s->target);
            for (const ExprPtr& index : NestedLoops::indices_of(*s, bindings_)) {
                note(index, make_integer(0));
                std::erase(targets, index);
            }
            for (std::size_t at = counts ? 1 : 0; at < targets.size(); ++at) refuse_names(targets[at]);
        }
        return !std::holds_alternative<FunctionStmt>(statement.node) && !std::holds_alternative<WithStmt>(statement.node);
    });
    // What holds data around a map is no symbol inside of it.
    const auto may_be_symbol = [&](const std::string& name) {
        const auto known = variables_.find(name);
        return known == variables_.end() || (parent_ && known->second.value.is_symbolic());
    };
    std::set<std::string> result;
    for (const auto& [name, list] : values)
        if (!refused.contains(name) && !added.contains(name) && may_be_symbol(name) && !context_.types.contains(name))
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
