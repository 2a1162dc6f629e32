// Python's integers grow, those of a compiled program have 64 bits. Sizes and indices stay far below, so what is checked is what
// grows from one iteration to the next: products, powers and shifts of variables that a loop carries, and sums and differences of
// two such (factorials, Fibonacci's numbers, generators of random numbers); powers and shifts by numbers that the run decides,
// wherever they stand; outside of loops products with large numbers. Numbers of the data may be as large as they like: sums and
// differences of two are checked, and products with one. The check computes the same in float64 beside it, or compares
// the number that decides (domain.cpp says when the error is raised). NumPy's integers wrap, as NumPy's do.
#include "frontend/python/overflow.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/domain.h"
#include "frontend/python/magnitudes.h"
#include "frontend/python/numbers.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr double kMost = 9.22337203684e18;  // Below 2**63 by more than products, powers and shifts are rounded by,
constexpr double kMostSummed = 9.2e18;      // and by more than sums of many are.
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr double kExact = 1LL << 53;  // Integers up to it are floats.
constexpr double kLarge = 1LL << 31;  // Products with less than this are sizes.

std::optional<std::int64_t> integer_of(const ExprPtr& e) {
    const auto constant = constant_value(*e, {});
    const auto* integer = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
    return integer ? std::optional(*integer) : std::nullopt;
}

std::optional<double> constant_of(const ExprPtr& e) {
    const auto integer = integer_of(e);
    return integer ? std::optional(static_cast<double>(*integer)) : std::nullopt;
}

bool is_python_integer(const Value& value) {
    return value.is_scalar() && value.type.weak && value.type.dtype == DType(Scalar::Int64);
}

/// Perhaps: the run knows.
bool may_be_python_integer(const Value& value) {
    const auto is_one = [](const Type& type) { return type == Type{Scalar::Int64, true}; };
    return is_python_integer(value) || (value.is_scalar() && value.type.dtype == DType(Scalar::Int64) && value.which &&
                                        std::ranges::any_of(value.other_types, is_one));
}

ExprPtr is_least(const ExprPtr& e, const Span& span) {
    return make_compare(e, CompareOp::Lt, make_integer(kLeast + 1), span);
}

bool has_elements(const Value& value) {
    return std::ranges::any_of(value.operands, [](const auto& one) { return !one.second.index.empty(); });
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
    if (left && std::abs(*left) <= (n.op == BinaryOp::Pow ? 1 : 0)) return false;
    if (n.op == BinaryOp::Pow) return !right || (!left && *right > 3);
    if (n.op == BinaryOp::ShiftLeft) return !right;
    const bool in_loop = t_.frame_ || t_.enclosing_loop_;
    return n.op == BinaryOp::Mul && !in_loop && std::max(std::abs(left.value_or(0)), std::abs(right.value_or(0))) >= kLarge;
}

void Overflow::refuse_elements(const ExprPtr& element) const {
    const auto* n = std::get_if<BinaryExpr>(&element->node);
    const auto left = n ? constant_of(n->left) : std::nullopt, right = n ? constant_of(n->right) : std::nullopt;
    const bool large = n && n->op == BinaryOp::Mul && std::max(std::abs(left.value_or(0)), std::abs(right.value_or(0))) >= kLarge;
    const bool raises = t_.context_.strict && Domain(t_).place() != Domain::Place::Nowhere;  // Where else Python goes on.
    if (large || (n && !raises && grows_at_once(*n)))
        unsupported("an integer of Python's that may not fit into 64 bits in a comprehension", element->span,
                    "append it in a loop, which raises OverflowError, or compute it with NumPy's numbers");
    for_each_child(*element, [&](const ExprPtr& child) { refuse_elements(child); });
}

bool Overflow::may_grow(const BinaryExpr& n) const {
    const Domain::Place place = Domain(t_).place();
    if (place == Domain::Place::Nowhere) return false;
    return grows_at_once(n) || (t_.frame_ && t_.enclosing_loop_ && grows_in_loop(n));
}

/// Neither a size nor a counter, nor computed of these and of parameters.
bool Overflow::is_of_data(const Value& value, bool or_given) const {
    const auto of_data = [&](const auto& one) {
        const Operand& operand = one.second;
        if (!operand.index.empty()) return true;
        return t_.container(operand.data).transient ? !t_.counted_.contains(operand.data) : or_given;
    };
    return may_be_python_integer(value) && std::ranges::any_of(value.operands, of_data);
}

void Overflow::note_variable(const std::string& data, const Value& value) {
    if (!is_python_integer(value) || is_of_data(value, false)) {
        if (t_.counted_.erase(data)) t_.context_.data_numbers.insert(data), t_.start_again();
    } else if (!t_.context_.data_numbers.contains(data)) {
        t_.counted_.insert(data);
    }
}

bool Overflow::grows_by_data(BinaryOp op, const Value& left, const Value& right) const {
    const bool alone = Domain(t_).outside_of_loops(), both = is_of_data(left, true) && is_of_data(right, true);
    if (op == BinaryOp::Add || op == BinaryOp::Sub) return both;
    const bool shifts = op == BinaryOp::ShiftLeft;
    if (op != BinaryOp::Mul && !shifts) return false;
    if (both && !shifts) return true;
    const auto by = [&](const Value& one, const Value& other) {  // Small constants: of what lists hand on.
        const double factor = std::abs(constant_of(other.code).value_or(kLarge));
        const bool handed_on = has_elements(one) || alone || !t_.counts_;
        return is_of_data(one, alone) && factor > (shifts ? 0 : 1) && (factor >= kLarge || handed_on);
    };
    return by(left, right) || (!shifts && by(right, left));
}

bool Overflow::reads_data(const ExprPtr& e, bool or_given) const {
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) return reads_data(subscript->object, or_given);
    if (const auto* call = std::get_if<CallExpr>(&e->node); call && name_of(call->function) == "int") return true;
    if (const auto known = t_.variables_.find(std::string(name_of(e))); known != t_.variables_.end()) {
        const auto weak = [](const Value& one) { return one.type.weak && one.type.dtype == DType(Scalar::Int64); };
        const Value& value = known->second.value;
        if (value.is_scalar()) return is_of_data(value, or_given);
        return weak(value) || std::ranges::any_of(value.elements, weak);
    }
    bool found = false;
    for_each_child(*e, [&](const ExprPtr& child) { found |= reads_data(child, or_given); });
    return found;
}

bool Overflow::may_grow_by_data(const BinaryExpr& n) const {
    if (Domain(t_).place() == Domain::Place::Nowhere || (n.op != BinaryOp::Add && n.op != BinaryOp::Sub && n.op != BinaryOp::Mul))
        return false;
    const auto are_numbers = [&](bool or_given) { return std::pair(reads_data(n.left, or_given), reads_data(n.right, or_given)); };
    const auto either = are_numbers(Domain(t_).outside_of_loops()), both = are_numbers(true);
    return (both.first && both.second) || (n.op == BinaryOp::Mul && (either.first || either.second));
}

bool Overflow::may_be_least(const ExprPtr& e) const {
    return Domain(t_).place() != Domain::Place::Nowhere && !std::holds_alternative<BinaryExpr>(e->node) && reads_data(e, true);
}

ExprPtr Overflow::too_large(const ExprPtr& real, const Span& span) {
    return make_compare(make_call("abs", {real}, span), CompareOp::Gt, make_real(kMost, span), span);
}

/// Exactly, but for -2**63, which counts as too large.
Value Overflow::sum_leaves(BinaryOp op, const Value& left, const Value& right, const Span& span) {
    constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    if (op == BinaryOp::Sub && constant_of(left.code) == 0.0)
        return t_.combine({right}, span, [&](const auto& c) { return is_least(c[0], span); });
    return t_.combine({left, right}, span, [&](const auto& c) {
        const auto limit = [&](std::int64_t end) {
            return make_binary(op == BinaryOp::Add ? BinaryOp::Sub : BinaryOp::Add, make_integer(end), c[1], span);
        };
        const auto beyond = [&](CompareOp sign, CompareOp side, std::int64_t end) {
            return make_expression(
                BoolExpr{true, {make_compare(c[1], sign, make_integer(0), span), make_compare(c[0], side, limit(end), span)}},
                span);
        };
        const CompareOp rises = op == BinaryOp::Add ? CompareOp::Gt : CompareOp::Lt,
                        falls = op == BinaryOp::Add ? CompareOp::Lt : CompareOp::Gt;
        return make_expression(BoolExpr{false, {beyond(rises, CompareOp::Gt, kLargest), beyond(falls, CompareOp::Lt, -kLargest)}},
                               span);
    });
}

/// The power or product is surely too large: by the exponent or base where the other one is known.
Value Overflow::leaves(const BinaryExpr& n, const Value& left, const Value& right, const Span& span) {
    const auto beyond = [&](const Value& one, std::int64_t limit) {
        return t_.combine({one}, span, [&](const auto& c) {
            return make_compare(make_call("abs", {c[0]}, span), CompareOp::Gt, make_integer(limit), span);
        });
    };
    const auto base = constant_of(left.code), exponent = constant_of(right.code);
    const double bits = 63 - 1e-9;
    const auto whole = [](double real) { return static_cast<std::int64_t>(std::floor(real)); };
    if (base && n.op == BinaryOp::Pow) return beyond(right, whole(bits / std::log2(std::abs(*base))));
    if (base && n.op == BinaryOp::ShiftLeft) return beyond(right, whole(bits - std::log2(std::abs(*base))));
    if (exponent && n.op == BinaryOp::Pow && *exponent > 0) return beyond(left, whole(std::exp2(bits / *exponent)));
    if (n.op == BinaryOp::Add || n.op == BinaryOp::Sub) return sum_leaves(n.op, left, right, span);
    if (n.op == BinaryOp::FloorDiv)
        return t_.combine({left, right}, span, [&](const auto& c) {
            return make_expression(
                BoolExpr{true, {is_least(c[0], span), make_compare(c[1], CompareOp::Eq, make_integer(-1), span)}}, span);
        });
    for (const auto& [factor, other] : {std::pair(base, right), std::pair(exponent, left)})
        if (factor && std::abs(*factor) == 1 && n.op == BinaryOp::Mul)
            return t_.combine({other}, span, [&](const auto& c) { return is_least(c[0], span); });
        else if (factor && std::abs(*factor) > 1 && n.op == BinaryOp::Mul)
            return beyond(other, std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(std::abs(*factor)));
    return t_.combine({left, right}, span, [&](const auto& c) {
        const auto real = [&](const ExprPtr& one) { return make_binary(BinaryOp::Mul, make_real(1.0, span), one, span); };
        const ExprPtr by = n.op == BinaryOp::ShiftLeft ? make_binary(BinaryOp::Pow, make_real(2.0, span), c[1], span)
                           : n.op == BinaryOp::Pow     ? c[1]
                                                       : real(c[1]);
        const ExprPtr same = make_binary(n.op == BinaryOp::ShiftLeft ? BinaryOp::Mul : n.op, real(c[0]), by, span);
        return too_large(same, span);
    });
}

void Overflow::require_small(const Value& real, const Span& span) {
    const Value large = t_.combine({real}, span, [&](const auto& c) {
        return make_compare(make_call("abs", {c[0]}, span), CompareOp::Gt, make_real(kMostSummed, span), span);
    });
    Domain(t_).require_none(large, kMessage, span);
}

void Overflow::require_exact(const Value& number, const Span& span) {
    std::vector<Type> types = number.other_types;
    types.push_back(number.type);
    const auto is_real = [](const Type& type) { return code::is_floating(type.dtype.scalar); };
    const auto constant = integer_of(number.code);
    const bool exact = constant && std::llabs(*constant) <= static_cast<std::int64_t>(kExact);
    if (exact || std::ranges::all_of(types, is_real) || Domain(t_).place() == Domain::Place::Nowhere) return;
    const auto too_large = [&](const ExprPtr& code) {
        return make_compare(make_call("abs", {code}, span), CompareOp::Gt, make_integer(std::int64_t(kExact)), span);
    };
    Value wrong = t_.combine({number}, span, [&](const auto& c) { return too_large(c[0]); });
    if (number.which)
        wrong = t_.combine({*number.which, wrong}, span, [&](const auto& c) {
            const ExprPtr whole =
                make_compare(make_binary(BinaryOp::BitAnd, c[0], make_integer(1), span), CompareOp::Eq, make_integer(0), span);
            return std::make_shared<const code::Expr>(code::Expr{BoolExpr{true, {whole, c[1]}}, span});
        });
    wrong.other_types.clear(), wrong.which = nullptr;
    Domain(t_).require_none(wrong, kMessage, span);
}

void Overflow::check_sum(const Value& numbers, const Span& span) {
    if (!(numbers.type.dtype == DType(Scalar::Int64)) || numbers.is_symbolic() || Domain(t_).place() == Domain::Place::Nowhere)
        return;
    const Reduction all{.axes = {0}, .keepdims = false, .initial = {}, .where = {}, .dtype = {}};
    require_small(t_.reduce(t_.cast(numbers, Scalar::Float64, span), "sum", all, span), span);
}

void Overflow::check_sum(const std::vector<Value>& numbers, const Span& span) {
    double most = 0;
    int several = 0;
    for (const Value& one : numbers)
        if (const double size = is_python_integer(one) ? Magnitudes(t_).most(one) : 0; size > 0) most += size, ++several;
    if (most < kMostSummed || several < 2 || Domain(t_).place() == Domain::Place::Nowhere) return;
    Value total = t_.cast(integer(0), Scalar::Float64, span);
    for (const Value& one : numbers)
        if (is_python_integer(one))
            total = t_.combine({total, t_.cast(one, Scalar::Float64, span)}, span,
                               [&](const auto& c) { return make_binary(BinaryOp::Add, c[0], c[1], span); });
    require_small(total, span);
}

/// Whether `added` is too large for a sum of as many as the loops around add.
std::optional<Value> Overflow::leaves_sum(const BinaryExpr& n, const Value& left, const Value& added, const Span& span) const {
    const bool sums = (n.op == BinaryOp::Add || n.op == BinaryOp::Sub) && t_.frame_ && t_.enclosing_loop_;
    const auto is_wide = [&](const auto& operand) { return code::size_in_bytes(operand.second.dtype) == 8; };
    const bool counted = std::ranges::all_of(t_.trips_, [](const auto& trips) { return trips.has_value(); });
    if (!sums || !counted || Domain(t_).place() == Domain::Place::Nowhere || !std::ranges::any_of(added.operands, is_wide) ||
        !carried(n.left, *t_.enclosing_loop_) || Magnitudes(t_).starts_wide(left))
        return std::nullopt;
    const auto bindings = t_.context_.bindings.find(std::string(name_of(n.left)));
    Expr times = t_.written_out_ * std::max(1, bindings == t_.context_.bindings.end() ? 1 : bindings->second - 1);
    for (const auto& trips : t_.trips_) times = times * *trips;
    return t_.combine({added, symbolic_value(times, span)}, span, [&](const auto& c) {
        const ExprPtr size = make_call("abs", {make_binary(BinaryOp::Mul, make_real(1.0, span), c[0], span)}, span);
        return make_compare(make_binary(BinaryOp::Mul, size, c[1], span), CompareOp::Gt, make_real(kMost, span), span);
    });
}

void Overflow::check(const BinaryExpr& n, const Value& left, const Value& right, const Span& span) {
    if (!may_be_python_integer(left) || !may_be_python_integer(right) || (constant_of(left.code) && constant_of(right.code)))
        return;
    if (t_.lazy_) return;
    if (n.op == BinaryOp::Mul && (integer_of(left.code) == 1 || integer_of(right.code) == 1)) return;
    const auto require_none = [&](Value wrong, const char* message) {
        for (const Value* one : {&left, &right})  // NumPy's wrap.
            if (one->which)
                wrong = t_.combine({*one->which, wrong}, span, [&](const auto& c) {
                    return make_expression(BoolExpr{true, {make_compare(c[0], CompareOp::Eq, make_integer(0), span), c[1]}}, span);
                });
        wrong.other_types.clear(), wrong.which = nullptr;
        Domain(t_).require_none(wrong, message, span);
    };
    if (may_grow(n)) return require_none(leaves(n, left, right, span), kMessage);
    if (const auto wrong = leaves_sum(n, left, right, span))
        return require_none(*wrong, "OverflowError: a sum of integers of Python's may not fit into 64 bits");
    const bool by_data = grows_by_data(n.op, left, right) && Domain(t_).place() != Domain::Place::Nowhere;
    if (!by_data && !Magnitudes(t_).may_leave(n, left, right)) return;
    if (!by_data && n.op != BinaryOp::FloorDiv && Magnitudes(t_).left_to_loop(n, left, right, span)) return;
    require_none(leaves(n, left, right, span), kMessage);
}

void Overflow::check_negation(const ExprPtr& operand, const Value& value, const Span& span) {
    const Value zero = integer(0);
    check(BinaryExpr{BinaryOp::Sub, zero.code, operand}, zero, value, span);
}

void Overflow::refuse_constants(BinaryOp op, const Value& left, const Value& right, const Span& span) const {
    if (!is_python_integer(left) || !is_python_integer(right)) return;
    const auto a = integer_of(left.code), b = integer_of(right.code);
    if (!a || !b) return;
    std::int64_t exact = 0;
    const double value = op == BinaryOp::Pow ? std::pow(static_cast<double>(*a), static_cast<double>(*b))
                         : op == BinaryOp::ShiftLeft
                             ? std::ldexp(static_cast<double>(*a), static_cast<int>(std::clamp<std::int64_t>(*b, 0, 64)))
                             : 0.0;
    const bool leaves = op == BinaryOp::Add        ? __builtin_add_overflow(*a, *b, &exact)
                        : op == BinaryOp::Sub      ? __builtin_sub_overflow(*a, *b, &exact)
                        : op == BinaryOp::Mul      ? __builtin_mul_overflow(*a, *b, &exact)
                        : op == BinaryOp::FloorDiv ? *a == kLeast && *b == -1
                                                   : std::abs(value) > kMost;
    if (leaves) refuse("F009", "this integer does not fit into 64 bits", span, "write it as a real number, 2.0**70");
}

/// What an integer type holds of Python's integers of 64 bits; nullopt if all of them, and for other types.
std::optional<Overflow::Range> Overflow::range_of(const DType& type) {
    if (type == DType(Scalar::Bool) || type.lanes > 1 || !code::is_integer(type.scalar) || type == DType(Scalar::Int64))
        return std::nullopt;
    const auto bits = static_cast<int>(8 * code::size_in_bytes(type));
    if (bits == 64) return Range{0, std::numeric_limits<std::int64_t>::max()};
    const std::int64_t half = std::int64_t(1) << (bits - 1);
    return code::is_signed(type.scalar) ? Range{-half, half - 1} : Range{0, 2 * half - 1};
}

/// What the integer type of `numpy` holds, where `python` has to fit into it.
std::optional<Overflow::Range> Overflow::range_to_fit(const Value& python, const Value& numpy) {
    if (!is_python_integer(python) || !numpy.is_elements() || numpy.type.weak) return std::nullopt;
    return range_of(numpy.type.dtype);
}

void Overflow::require_fits(const Value& left, const Value& right, const Span& span) {
    for (const auto& [python, numpy] : {std::pair(left, right), std::pair(right, left)})
        if (range_to_fit(python, numpy)) require_fits(python, numpy.type.dtype, span);
}

void Overflow::require_fits(const Value& python, const DType& type, const Span& span) {
    const auto range = range_of(type);
    if (!range || !is_python_integer(python) || !t_.prelude_prefix_.empty()) return;
    const std::string message = "an integer of Python's does not fit into " + code::to_string(type);
    if (const auto known = constant_of(python.code)) {
        if (*known < static_cast<double>(range->least) || *known > static_cast<double>(range->most))
            refuse("F009", message, span, "convert it, or the other operand, to a wider type");
        return;
    }
    if (Domain(t_).place() == Domain::Place::Nowhere) return;
    if (const auto value = t_.as_integer(python)) {
        const auto sure = [&](const Expr& condition) { return symbolic::is_yes(symbolic::decide(condition, t_.assumptions_)); };
        if (sure(symbolic::less_equal(range->least, *value)) && sure(symbolic::less_equal(*value, range->most))) return;
    }
    const Value outside = t_.combine({python}, span, [&](const auto& c) {
        return std::make_shared<const code::Expr>(
            code::Expr{BoolExpr{false,
                                {make_compare(c[0], CompareOp::Lt, make_integer(range->least), span),
                                 make_compare(c[0], CompareOp::Gt, make_integer(range->most), span)}},
                       span});
    });
    Domain(t_).require_none(outside, "OverflowError: " + message, span);
}

/// A float becomes an element of integers as int() makes it one.
void Overflow::require_stored(const Value& value, const DType& type, const Span& span, Floats which) {
    require_fits(value, type, span);
    const bool counts = value.type.weak || (which == Floats::All && code::is_signed(type.scalar) && !value.of_rank_0);
    if (!counts || !value.is_scalar() || !code::is_floating(value.type.dtype.scalar) || !code::is_integer(type.scalar) ||
        type == DType(Scalar::Bool) || type.lanes > 1 || !t_.prelude_prefix_.empty())
        return;
    const int bits = static_cast<int>(8 * code::size_in_bytes(type)) - (code::is_signed(type.scalar) ? 1 : 0);
    const double end = std::ldexp(1.0, bits), least = code::is_signed(type.scalar) ? -end : 0.0;
    const double below = bits == 63 ? std::nextafter(least, -HUGE_VAL) : least - 1;
    const std::string nan = "cannot convert float NaN to integer", outside = "a float does not fit into " + code::to_string(type);
    if (const auto known = literal_value(value)) {
        if (!(*known > below && *known < end))
            refuse("F009", std::isnan(*known) ? nan : outside, span, "store a number that the array's type has");
        return;
    }
    if (Domain(t_).place() == Domain::Place::Nowhere) return;
    const auto where = [&](const std::function<ExprPtr(const ExprPtr&)>& condition) {
        return t_.combine({value}, span, [&](const auto& c) { return condition(c[0]); });
    };
    Domain(t_).require_none(where([&](const ExprPtr& v) { return make_compare(v, CompareOp::Ne, v, span); }), "ValueError: " + nan,
                            span);
    Domain(t_).require_none(where([&](const ExprPtr& v) {
                                return make_expression(BoolExpr{false,
                                                                {make_compare(v, CompareOp::Le, make_real(below, span), span),
                                                                 make_compare(v, CompareOp::Ge, make_real(end, span), span)}},
                                                       span);
                            }),
                            "OverflowError: " + outside, span);
}

void Overflow::assign(const Target& place, const Value& value, const std::string& label, Floats which) {
    require_stored(value, place.view.dtype, t_.where_, place.scatter ? Floats::Pythons : which);
    t_.assign(place, value, label);
}

std::vector<Value> Overflow::fitting_operands(const std::string& function, const std::vector<Value>& operands, const Span& span) {
    static constexpr std::string_view kComparisons[] = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"};
    if (operands.size() != 2 || function.starts_with("logical_")) return operands;
    if (std::ranges::find(kComparisons, function) != std::end(kComparisons)) return comparable(operands, span);
    require_fits(operands[0], operands[1], span);
    return operands;
}

Value Overflow::clipping_bound(const Value& bound, const Value& array, bool lowest, const Span& span) {
    const auto range = range_to_fit(bound, array);
    if (!range) return bound;
    const auto known = constant_of(bound.code);
    if (known && *known >= static_cast<double>(range->least) && *known <= static_cast<double>(range->most)) return bound;
    Value within = t_.combine({bound}, span, [&](const auto& c) {
        return lowest ? make_call("max", {c[0], make_integer(range->least)}, span)
                      : make_call("min", {c[0], make_integer(range->most)}, span);
    });
    within.type = bound.type;
    require_fits(within, array.type.dtype, span);
    return within;
}

std::vector<Value> Overflow::comparable(std::vector<Value> operands, const Span& span) {
    std::vector<Value> result = operands;
    for (std::size_t at = 0; at + 1 < operands.size(); ++at)
        for (const auto& [one, other] : {std::pair(at, at + 1), std::pair(at + 1, at)}) {
            const auto range = range_to_fit(operands[one], operands[other]);
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

std::optional<Value> Overflow::compared_exactly(CompareOp op, const Value& left, const Value& right, const Span& span) const {
    const auto is_real = [](const Value& one) {
        const auto known = literal_value(one);
        return one.is_scalar() && one.type.weak && one.type.dtype == DType(Scalar::Float64) &&
               !(known && std::abs(*known) < kExact);
    };
    const bool turned = is_python_integer(right);
    const Value &whole = turned ? right : left, &real = turned ? left : right;
    if (!is_python_integer(whole) || !is_real(real) || Magnitudes(t_).most(whole) < kExact) return std::nullopt;
    Value result = t_.combine({whole, real}, span, [&](const auto& c) {
        const auto compared = [&](const ExprPtr& one, const ExprPtr& other) {
            return turned ? make_compare(other, op, one, span) : make_compare(one, op, other, span);
        };
        const auto is = [&](CompareOp how, double bound) { return make_compare(c[1], how, make_real(bound, span), span); };
        const ExprPtr rounded = make_binary(BinaryOp::Mul, make_real(1.0, span), c[0], span);
        const ExprPtr far = make_compare(make_call("abs", {c[1]}, span), CompareOp::Ge, make_real(kExact, span), span);
        const ExprPtr equal = make_expression(BoolExpr{true, {make_compare(rounded, CompareOp::Eq, c[1], span), far}}, span);
        const ExprPtr exact = make_conditional(is(CompareOp::Ge, std::ldexp(1.0, 63)), compared(make_integer(0), make_integer(1)),
                                               compared(c[0], make_call("int64", {c[1]}, span)));
        return make_conditional(equal, exact, compared(rounded, c[1]));
    });
    result.type.weak = true;
    return result;
}

}  // namespace sluice::frontend
