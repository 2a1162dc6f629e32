// Python's integers grow, those of a compiled program have 64 bits. Sizes and indices stay far below, so what is checked is what
// grows from one iteration to the next: products, powers and shifts of variables that a loop carries, and sums and differences of
// two such (factorials, Fibonacci's numbers, generators of random numbers); outside of loops, where a check costs nothing, powers
// and products with large numbers. The check computes the same in float64 beside it. NumPy's integers wrap, as NumPy's do.
#include "frontend/python/overflow.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "code/walk.h"
#include "frontend/python/bindings.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/syntax.h"
#include "frontend/python/unbound.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr double kMost = 9.2233720368547748e18;  // The largest float64 below 2**63.
constexpr double kLarge = 1LL << 31;             // Products with less than this are sizes.

std::optional<double> constant_of(const ExprPtr& e) {
    const auto constant = constant_value(*e, {});
    const auto* integer = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
    return integer ? std::optional(static_cast<double>(*integer)) : std::nullopt;
}

bool is_python_integer(const Value& value) {
    return value.is_scalar() && value.type.weak && value.type.dtype == DType(Scalar::Int64);
}

}  // namespace

/// Does the expression read a variable that an iteration of the loop reads before it binds it, and binds?
bool Overflow::carried(const ExprPtr& e, const Body& loop) const {
    if (const std::string name(name_of(e)); !name.empty()) {
        bool binds = false;
        walk_statements(loop, [&](const Stmt& statement) {
            const auto is_target = [&](const ExprPtr& target) {
                const auto parts = elements_of(target);
                return std::ranges::any_of(parts, [&](const ExprPtr& part) { return name_of(part) == name; });
            };
            if (const auto* s = std::get_if<AssignStmt>(&statement.node)) binds |= std::ranges::any_of(s->targets, is_target);
            if (const auto* s = std::get_if<AugAssignStmt>(&statement.node)) binds |= is_target(s->target);
            return !binds;
        });
        return binds && first_use(loop, name) == FirstUse::Read;
    }
    bool found = false;
    for_each_child(*e, [&](const ExprPtr& child) { found |= carried(child, loop); });
    return found;
}

bool Overflow::grows_in_loop(const BinaryExpr& n) const {
    const bool left = carried(n.left, *t_.enclosing_loop_), right = carried(n.right, *t_.enclosing_loop_);
    if (n.op == BinaryOp::Add || n.op == BinaryOp::Sub) return left && right;
    return (n.op == BinaryOp::Mul || n.op == BinaryOp::Pow || n.op == BinaryOp::ShiftLeft) && (left || right);
}

bool Overflow::grows_at_once(const BinaryExpr& n) const {
    const auto left = constant_of(n.left), right = constant_of(n.right);
    const auto* number = std::get_if<ConstantExpr>(&n.right->node);
    if (n.op == BinaryOp::Pow && number && std::holds_alternative<double>(number->value)) return false;  // It is no integer.
    if (n.op == BinaryOp::Pow) return !right || (!left && *right > 3);
    if (n.op == BinaryOp::ShiftLeft) return !right;
    return n.op == BinaryOp::Mul && std::max(std::abs(left.value_or(0)), std::abs(right.value_or(0))) >= kLarge;
}

/// Asked before an operand is evaluated, because what it calls would be computed once for the check and once for its value.
bool Overflow::may_be_integer(const ExprPtr& e) {
    if (!name_of(e).empty()) {
        const Value value = t_.evaluate(e);
        return value.is_scalar() && value.type.weak && !code::is_floating(value.type.dtype.scalar);
    }
    if (const auto* constant = std::get_if<ConstantExpr>(&e->node)) return !std::holds_alternative<double>(constant->value);
    if (const auto* unary = std::get_if<UnaryExpr>(&e->node)) return may_be_integer(unary->operand);
    if (const auto* n = std::get_if<BinaryExpr>(&e->node))
        return n->op != BinaryOp::Div && may_be_integer(n->left) && may_be_integer(n->right);
    if (const auto* call = std::get_if<CallExpr>(&e->node)) {
        const std::string function = qualified_name(*call->function, t_.bindings_);
        return !function.starts_with("numpy.") || function == "numpy.size" || function == "numpy.ndim";
    }
    return true;
}

void Overflow::check(const ExprPtr& e) {
    const auto lazy = [&](const ExprPtr& part) { return Unbound(t_).may_read(part); };  // It is checked where it is evaluated.
    if (const auto* choice = std::get_if<ConditionalExpr>(&e->node); choice && (lazy(choice->if_true) || lazy(choice->if_false)))
        return check(choice->condition);
    if (const auto* truths = std::get_if<BoolExpr>(&e->node);
        truths && std::any_of(truths->operands.begin() + 1, truths->operands.end(), lazy))
        return check(truths->operands[0]);
    for_each_child(*e, [&](const ExprPtr& child) { check(child); });
    const auto* n = std::get_if<BinaryExpr>(&e->node);
    if (!n || !(t_.frame_ ? grows_in_loop(*n) : grows_at_once(*n)) || t_.has_effects(e)) return;
    if (!may_be_integer(n->left) || !may_be_integer(n->right)) return;
    const Value left = t_.evaluate(n->left), right = t_.evaluate(n->right);
    if (!is_python_integer(left) || !is_python_integer(right) || (constant_of(left.code) && constant_of(right.code))) return;
    const Span& span = e->span;
    const auto real = [&](const ExprPtr& one) { return make_binary(BinaryOp::Mul, make_real(1.0, span), one, span); };
    const ExprPtr power = n->op == BinaryOp::ShiftLeft ? make_binary(BinaryOp::Pow, make_real(2.0, span), n->right, span) : nullptr;
    const ExprPtr same = power ? make_binary(BinaryOp::Mul, real(n->left), power, span)
                               : make_binary(n->op, real(n->left), n->op == BinaryOp::Pow ? n->right : real(n->right), span);
    const auto within = std::make_shared<const code::Expr>(
        code::Expr{CompareExpr{{CompareOp::Le, CompareOp::Le}, {make_real(-kMost, span), same, make_real(kMost, span)}}, span});
    t_.require_truth(within, "OverflowError: an integer of Python's does not fit into 64 bits", span);
}

void Overflow::check(const Stmt& statement) {
    const bool in_map = !t_.frame_ && t_.depth_ > 0 && !t_.map_params_.empty();
    if (in_map || t_.flat_ || !t_.prelude_prefix_.empty() || (t_.frame_ && !t_.enclosing_loop_)) return;
    if (const auto* s = std::get_if<AssignStmt>(&statement.node)) {
        check(s->value);
    } else if (const auto* update = std::get_if<AugAssignStmt>(&statement.node)) {
        if (!name_of(update->target).empty()) check(make_binary(update->op, update->target, update->value, statement.span));
    } else if (const auto* returned = std::get_if<ReturnStmt>(&statement.node); returned && returned->value) {
        check(returned->value);
    }
}

void Overflow::refuse_constants(BinaryOp op, const Value& left, const Value& right, const Span& span) const {
    if (!is_python_integer(left) || !is_python_integer(right)) return;
    const auto a = constant_of(left.code), b = constant_of(right.code);
    if (!a || !b) return;
    const double value = op == BinaryOp::Add         ? *a + *b
                         : op == BinaryOp::Sub       ? *a - *b
                         : op == BinaryOp::Mul       ? *a * *b
                         : op == BinaryOp::Pow       ? std::pow(*a, *b)
                         : op == BinaryOp::ShiftLeft ? *a * std::exp2(*b)
                                                     : 0.0;
    if (std::abs(value) > kMost)
        refuse("F009", "this integer does not fit into 64 bits", span, "write it as a real number, 2.0**70");
}

/// What the integer type of `numpy` holds, where `python` has to fit into it.
std::optional<Overflow::Range> Overflow::range_beside(const Value& python, const Value& numpy) {
    const code::DType type = numpy.type.dtype;
    if (!is_python_integer(python) || !numpy.is_elements() || numpy.type.weak || type == DType(Scalar::Bool) || type.lanes > 1 ||
        !code::is_integer(type.scalar) || type == DType(Scalar::Int64))
        return std::nullopt;
    const auto bits = static_cast<int>(8 * code::size_in_bytes(type));
    if (bits == 64) return Range{0, std::numeric_limits<std::int64_t>::max()};
    const std::int64_t half = std::int64_t(1) << (bits - 1);
    return code::is_signed(type.scalar) ? Range{-half, half - 1} : Range{0, 2 * half - 1};
}

void Overflow::require_fits(const Value& left, const Value& right, const Span& span) {
    if (!t_.prelude_prefix_.empty()) return;
    for (const auto& [python, numpy] : {std::pair(left, right), std::pair(right, left)}) {
        const auto range = range_beside(python, numpy);
        if (!range) continue;
        const std::string message = "an integer of Python's does not fit into " + code::to_string(numpy.type.dtype);
        if (const auto known = constant_of(python.code)) {
            if (*known < static_cast<double>(range->least) || *known > static_cast<double>(range->most))
                refuse("F009", message, span, "convert the other operand to a wider type");
            continue;
        }
        if (t_.flat_ || t_.enclosing_loop_ || !t_.map_params_.empty()) continue;  // A check would keep iterations apart.
        const ExprPtr value = ir::to_code(t_.integer_of(python, span, "number"));
        const auto fits = std::make_shared<const code::Expr>(code::Expr{
            CompareExpr{{CompareOp::Le, CompareOp::Le}, {make_integer(range->least), value, make_integer(range->most)}}, span});
        t_.require(fits, "OverflowError: " + message, span, {"raised", {}});
    }
}

std::vector<Value> Overflow::comparable(std::vector<Value> operands, const Span& span) {
    std::vector<Value> result = operands;
    for (std::size_t at = 0; at + 1 < operands.size(); ++at)
        for (const auto& [one, other] : {std::pair(at, at + 1), std::pair(at + 1, at)}) {
            const auto range = range_beside(operands[one], operands[other]);
            if (!range) continue;
            const auto known = constant_of(operands[one].code);
            if (known && *known >= static_cast<double>(range->least) && *known <= static_cast<double>(range->most)) continue;
            if (operands[other].type.dtype == DType(Scalar::UInt64)) {
                if (known)
                    refuse("F009", "a negative number and one without sign are compared", span, "convert it: x.astype(np.int64)");
                continue;
            }
            result[other] = t_.cast(operands[other], Scalar::Int64, span);
        }
    return result;
}

}  // namespace sluice::frontend
