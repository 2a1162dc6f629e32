#include "frontend/python/lazy.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/bounds.h"
#include "frontend/python/domain.h"
#include "frontend/python/magnitudes.h"
#include "frontend/python/overflow.h"
#include "frontend/python/unbound.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// Python's functions that combine numbers, whatever these are.
constexpr std::string_view kPlain[] = {"abs", "bool", "float", "len", "complex"};

/// With one argument they are reductions.
constexpr std::string_view kOfSeveral[] = {"min", "max"};

bool contains(const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != std::end(names);
}

/// Bounds of a slice are cut off, so only what they are computed from counts.
bool is_selection(const ExprPtr& item) {
    const auto* constant = std::get_if<ConstantExpr>(&item->node);
    return std::holds_alternative<SliceExpr>(item->node) || is_none(item) ||
           (constant && std::holds_alternative<EllipsisValue>(constant->value));
}

bool reads_or_calls(const ExprPtr& e) {
    bool found = std::holds_alternative<SubscriptExpr>(e->node) || std::holds_alternative<CallExpr>(e->node);
    for_each_child(*e, [&](const ExprPtr& child) { found = found || reads_or_calls(child); });
    return found;
}

}  // namespace

bool Lazy::must_wait(const ExprPtr& e) const {
    if (t_.has_effects(e)) return true;
    if (t_.flat_) return false;
    return t_.context_.check_indices || t_.mentions_none(e, true) || Unbound(t_).may_read(e) || acts(e);
}

bool Lazy::is_array(const ExprPtr& e) const {
    const auto known = t_.variables_.find(std::string(name_of(e)));
    return known != t_.variables_.end() && known->second.value.is_elements() && known->second.value.rank() > 0;
}

/// An array or a number of NumPy's, which raises nothing.
bool Lazy::is_numpys(const ExprPtr& e) const {
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) return is_numpys(subscript->object);
    if (const auto* unary = std::get_if<UnaryExpr>(&e->node)) return is_numpys(unary->operand);
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node)) return is_numpys(binary->left) || is_numpys(binary->right);
    const auto known = t_.variables_.find(std::string(name_of(e)));
    return known != t_.variables_.end() && known->second.value.is_elements() && !known->second.value.type.weak;
}

/// Whether an operation of numbers may raise.
bool Lazy::may_raise(const BinaryExpr& n) const {
    if (is_numpys(n.left) || is_numpys(n.right)) return false;
    const bool divides = n.op == BinaryOp::Div || n.op == BinaryOp::FloorDiv || n.op == BinaryOp::Mod || n.op == BinaryOp::Pow ||
                         n.op == BinaryOp::ShiftLeft || n.op == BinaryOp::ShiftRight;
    return (divides && !constant_value(*n.right, t_.bindings_)) || Overflow(t_).may_grow(n) || Overflow(t_).may_grow_by_data(n) ||
           Magnitudes(t_).may_leave(n);
}

bool Lazy::call_acts(const CallExpr& call) const {
    const std::string plain(name_of(call.function));
    if (!call.keywords.empty() || t_.variables_.contains(plain)) return true;
    if (std::ranges::any_of(call.arguments, [&](const ExprPtr& one) { return acts(one); })) return true;
    if (plain == "abs" && Overflow(t_).may_be_least(call.arguments.at(0))) return true;
    if (dtype_of(*call.function, t_.bindings_)) return plain == "int" && Domain(t_).place() != Domain::Place::Nowhere;
    const std::string name = qualified_name(*call.function, t_.bindings_);
    if (name.empty()) {
        if (plain.empty() || t_.bindings_.contains(plain)) return true;
        return !contains(kPlain, plain) && !(contains(kOfSeveral, plain) && call.arguments.size() > 1);
    }
    if (t_.bindings_.contains(name) || !code::find_function(name)) return true;
    return name.starts_with("math.") && Domain(t_).place() != Domain::Place::Nowhere && Domain::is_limited(name.substr(5));
}

bool Lazy::acts(const ExprPtr& e) const {
    if (std::holds_alternative<ComprehensionExpr>(e->node) || std::holds_alternative<LambdaExpr>(e->node)) return true;
    if (const auto* call = std::get_if<CallExpr>(&e->node)) return call_acts(*call);
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node)) {
        if (binary->op == BinaryOp::MatMul || (Domain(t_).place() != Domain::Place::Nowhere && may_raise(*binary))) return true;
        if (is_array(binary->left) && is_array(binary->right)) return true;  // Their sizes may differ.
    }
    if (const auto* unary = std::get_if<UnaryExpr>(&e->node))
        if (unary->op == UnaryOp::Minus && Overflow(t_).may_be_least(unary->operand)) return true;
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) {
        const auto items = elements_of(subscript->index);
        const bool part = std::ranges::any_of(items, is_selection);
        // Where a view begins is computed first; outside of loops an index is compared with its size.
        for (const ExprPtr& item : items)
            if (!is_selection(item) && (part ? reads_or_calls(item) : Bounds(t_).at_once() && is_array(subscript->object)))
                return true;
    }
    bool found = false;
    for_each_child(*e, [&](const ExprPtr& child) { found = found || acts(child); });
    return found;
}

bool Lazy::draws(const ExprPtr& e) const {
    std::set<const Stmt*> entered;
    return draws(e, entered);
}

bool Lazy::draws(const ExprPtr& e, std::set<const Stmt*>& entered) const {
    bool found = false;
    if (const auto known = t_.variables_.find(std::string(name_of(e))); known != t_.variables_.end()) {
        const Value& value = known->second.value;
        found = value.kind == Value::Kind::Generator ||
                std::ranges::any_of(value.elements, [](const Value& one) { return one.kind == Value::Kind::Generator; });
        if (value.function && entered.insert(value.function.get()).second)
            walk_statements(std::get<FunctionStmt>(value.function->node).body, [&](const Stmt& one) {
                for_each_expr(one, [&](const ExprPtr& part) { found = found || draws(part, entered); });
                return !found;
            });
    }
    for_each_child(*e, [&](const ExprPtr& child) { found = found || draws(child, entered); });
    return found;
}

bool Lazy::reads_at_choice(const symbolic::Expr& at, const symbolic::Expr& size) const {
    return t_.lazy_ && !surely_inside(at, size);
}

bool Lazy::surely_inside(const symbolic::Expr& at, const symbolic::Expr& size) const {
    symbolic::Assumptions known = t_.assumptions_;
    for (const std::string& symbol : symbolic::free_symbols(size))
        if (!t_.defined_symbols_.contains(symbol)) known.assume_any(symbol);
    const auto sure = [&](const symbolic::Expr& condition) { return symbolic::is_yes(symbolic::decide(condition, known)); };
    return sure(symbolic::less(at, size)) && sure(symbolic::less_equal(symbolic::Expr(0) - size, at));
}

}  // namespace sluice::frontend
