// Numbers are checked in front of what they are used in, where a check costs nothing: outside of loops, and in `while`, which has
// an order. A check in a `for` would keep its iterations apart: they note that something is wrong, which vectors and threads can do
// as well, and the error is raised behind the outermost loop, or in front of a return in it. In maps nothing is checked.
//     for i in range(n): s += 1 / (i - k)   ->   for i in 0:n { wrong |= (i - k == 0); s += 1 / (i - k) }; assert wrong == 0
#include "frontend/python/domain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/types_by_path.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

bool is_python_real(const Value& value) {
    return value.is_scalar() && value.type.weak && !code::is_complex(value.type.dtype.scalar);
}

/// The same on some path that leads here.
bool may_be_python_real(const Value& value) {
    const auto is_weak = [](const Type& type) { return type.weak && !code::is_complex(type.dtype.scalar); };
    return value.is_scalar() && (is_weak(value.type) || std::ranges::any_of(value.other_types, is_weak));
}

bool divides(BinaryOp op) {
    return op == BinaryOp::Div || op == BinaryOp::FloorDiv || op == BinaryOp::Mod;
}

std::optional<double> constant_of(const Value& value) {
    const auto constant = constant_value(*value.code, {});
    if (!constant) return std::nullopt;
    if (const auto* integer = std::get_if<std::int64_t>(&constant->value)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&constant->value)) return *real;
    return std::nullopt;
}

constexpr std::int64_t kCodesOfPython = 2;          ///< type_code: those of numbers of Python's are less.
constexpr double kLargest = 9223372036854775808.0;  // 2**63 and above are no integers of 64 bits.

/// Arguments outside of a function's domain: x `op` bound.
struct Outside {
    std::string_view function;
    CompareOp op;
    double bound;
};
constexpr double kLargestReal = std::numeric_limits<double>::max();
constexpr double kLargestExponent = 709.782712893384, kLargestOfSinh = 710.4758600739439;  // exp and sinh of more are no float64.
constexpr Outside kOutside[] = {{"sqrt", CompareOp::Lt, 0},
                                {"log", CompareOp::Le, 0},
                                {"log2", CompareOp::Le, 0},
                                {"log10", CompareOp::Le, 0},
                                {"log1p", CompareOp::Le, -1},
                                {"acos", CompareOp::Lt, -1},
                                {"acos", CompareOp::Gt, 1},
                                {"asin", CompareOp::Lt, -1},
                                {"asin", CompareOp::Gt, 1},
                                {"acosh", CompareOp::Lt, 1},
                                {"atanh", CompareOp::Le, -1},
                                {"atanh", CompareOp::Ge, 1},
                                {"exp", CompareOp::Gt, kLargestExponent},
                                {"expm1", CompareOp::Gt, kLargestExponent},
                                {"sinh", CompareOp::Gt, kLargestOfSinh},
                                {"sinh", CompareOp::Lt, -kLargestOfSinh},
                                {"cosh", CompareOp::Gt, kLargestOfSinh},
                                {"cosh", CompareOp::Lt, -kLargestOfSinh},
                                {"sin", CompareOp::Gt, kLargestReal},
                                {"sin", CompareOp::Lt, -kLargestReal},
                                {"cos", CompareOp::Gt, kLargestReal},
                                {"cos", CompareOp::Lt, -kLargestReal},
                                {"tan", CompareOp::Gt, kLargestReal},
                                {"tan", CompareOp::Lt, -kLargestReal}};

/// math's functions of finite numbers that are no floats.
bool leaves_range(std::string_view function) {
    return function == "exp" || function == "expm1" || function == "sinh" || function == "cosh";
}

bool holds(CompareOp op, double value, double bound) {
    return op == CompareOp::Lt   ? value < bound
           : op == CompareOp::Le ? value <= bound
           : op == CompareOp::Gt ? value > bound
                                 : value >= bound;
}

}  // namespace

bool Domain::outside_of_loops() const {
    return place() == Place::AtOnce && !t_.enclosing_loop_;
}

Domain::Place Domain::place() const {
    if (t_.flat_ || t_.lazy_ || t_.parent_ || !t_.map_params_.empty() || !t_.prelude_prefix_.empty()) return Place::Nowhere;
    if (!t_.frame_) return t_.enclosing_loop_ ? Place::Nowhere : Place::AtOnce;
    return std::holds_alternative<WhileStmt>(t_.frame_->statement->node) ? Place::AtOnce : Place::BehindLoops;
}

bool Domain::is_limited(std::string_view function) {
    static constexpr std::string_view kOthers[] = {"pow", "fmod", "floor", "ceil", "trunc"};
    return std::ranges::find(kOthers, function) != std::end(kOthers) ||
           std::ranges::any_of(kOutside, [&](const Outside& one) { return one.function == function; });
}

void Domain::note(const Value& wrong, const std::string& message, const Span& span) {
    const auto [known, added] = t_.notes_.try_emplace({span.line, message}, Translator::Note{{}, span, false});
    Translator::Note& note = known->second;
    if (added) {
        note.data = t_.fresh_container("wrong");
        ir::add_scalar(t_.sdfg_, note.data, Scalar::Int64, true).metadata.where = span;
    }
    note.pending = true;
    const Value before = t_.read_container(note.data);
    const Value now = t_.combine({before, t_.cast(wrong, Scalar::Int64, span)}, span,
                                 [&](const auto& c) { return make_binary(BinaryOp::BitOr, c[0], c[1], span); });
    t_.assign(t_.target_of(before, span), now, "note");
}

void Domain::raise_noted() {
    for (auto& [key, note] : t_.notes_) {
        if (!note.pending) continue;
        const Expr found = t_.integer_of(t_.read_container(note.data), note.span, "wrong");
        t_.require(make_compare(ir::to_code(found), CompareOp::Eq, make_integer(0), note.span), key.second, note.span,
                   {"raised", {}});
        note.pending = place() == Place::BehindLoops;
    }
}

void Domain::forget_notes() {
    std::vector<std::pair<std::string, Span>> noted;
    for (const auto& [key, note] : t_.notes_) noted.emplace_back(note.data, note.span);
    for (const std::string& flag : t_.flags_) noted.emplace_back(flag, t_.container(flag).metadata.where);
    for (const auto& [data, span] : noted) {
        const ir::BlockId next = t_.sdfg_.body.start;
        const ir::BlockId first =
            ir::add_block(t_.sdfg_.body, ir::Block{.label = t_.fresh_label("begin"), .kind = Cow<ir::State>(), .metadata = {}});
        emit(ir::edit_state(t_.sdfg_.body, first),
             t_.elementwise_plan(t_.target_of(t_.read_container(data), span), integer(0), "note"), t_.view_of_);
        ir::add_transition(t_.sdfg_.body, first, next, {}, {});
        t_.sdfg_.body.start = first;
    }
}

void Domain::require_none(const Value& wrong, const std::string& message, const Span& span) {
    if (place() == Place::BehindLoops) return note(wrong, message, span);
    if (wrong.is_symbolic()) return t_.require(make_unary(UnaryOp::Not, wrong.code, span), message, span, {"raised", {}});
    const Expr found = t_.integer_of(t_.cast(wrong, Scalar::Int64, span), span, "wrong");
    t_.require(make_compare(ir::to_code(found), CompareOp::Eq, make_integer(0), span), message, span, {"raised", {}});
}

namespace {

/// What Python says of a divisor that is 0.
std::string division_by_zero(BinaryOp op, bool real) {
    if (op == BinaryOp::Div) return real ? "float division by zero" : "division by zero";
    if (op == BinaryOp::FloorDiv) return real ? "float floor division by zero" : "integer division or modulo by zero";
    return real ? "float modulo" : "integer modulo by zero";
}

}  // namespace

void Domain::check(BinaryOp op, const Value& left, const Value& right, const Span& span) {
    if (op == BinaryOp::Div && left.summed && !left.type.weak && is_python_real(right)) {  // sum(xs) / len(xs)
        if (const auto divisor = constant_of(right); (divisor && *divisor != 0) || place() == Place::Nowhere) return;
        const Value wrong = t_.combine({right, symbolic_value(*left.summed, span)}, span, [&](const auto& c) {
            const ExprPtr zero = make_compare(c[0], CompareOp::Eq, make_integer(0), span);
            return make_conditional(make_compare(c[1], CompareOp::Eq, make_integer(0), span), zero, make_boolean(false), span);
        });
        return require_none(wrong, "ZeroDivisionError: division by zero", span);
    }
    // A divisor that may be zero. A size of the caller's may be.
    const auto may_be_zero = [&] {
        if (constant_of(right) || place() == Place::Nowhere) return false;
        const auto divisor = t_.as_integer(right);
        if (!divisor) return true;
        symbolic::Assumptions known = t_.assumptions_;
        if (outside_of_loops())
            for (const std::string& symbol : symbolic::free_symbols(*divisor))
                if (!t_.defined_symbols_.contains(symbol)) known.assume_any(symbol);
        return !symbolic::is_no(symbolic::decide(symbolic::equal(*divisor, 0), known));
    };
    if (!is_python_real(left) || !is_python_real(right)) {
        // `s = 0.0; for v in x: s += v; s / n`: Python's zero where nothing was added. The run knows whose numbers they are.
        if (!divides(op) || !may_be_python_real(left) || !may_be_python_real(right)) return;
        if (place() != Place::AtOnce || !may_be_zero()) return;
        std::vector<Value> asked{right};
        for (const Value* one : {&left, &right}) {
            if (is_python_real(*one)) continue;
            TypesByPath(t_).ask(*one, span);
            if (!one->which) return;  // A caller that takes all numbers for NumPy's.
            asked.push_back(*one->which);
        }
        const Value wrong = t_.combine(asked, span, [&](const auto& c) {
            ExprPtr all = make_compare(c[0], CompareOp::Eq, make_integer(0), span);
            for (std::size_t at = 1; at < c.size(); ++at)
                all = make_conditional(make_compare(c[at], CompareOp::Lt, make_integer(kCodesOfPython), span), all,
                                       make_boolean(false), span);
            return all;
        });
        const auto is_real = [](const Type& type) { return type.weak && code::is_floating(type.dtype.scalar); };
        const bool real = std::ranges::any_of(std::array{&left, &right}, [&](const Value* one) {
            return is_real(one->type) || std::ranges::any_of(one->other_types, is_real);
        });
        return require_none(wrong, "ZeroDivisionError: " + division_by_zero(op, real), span);
    }
    const auto a = constant_of(left), b = constant_of(right);
    const auto compare = [&](const Value& one, CompareOp how) {
        return t_.combine({one}, span, [&](const auto& c) { return make_compare(c[0], how, make_integer(0), span); });
    };
    if (divides(op)) {
        if (b && *b == 0) refuse("F009", "division by zero", span, "NumPy's numbers divide to inf: np.float64(x) / 0");
        if (!may_be_zero()) return;
        const bool real = code::is_floating(left.type.dtype.scalar) || code::is_floating(right.type.dtype.scalar);
        require_none(compare(right, CompareOp::Eq), "ZeroDivisionError: " + division_by_zero(op, real), span);
    } else if ((op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight) && !b) {
        if (const auto count = t_.as_integer(right);
            place() == Place::Nowhere ||
            (count && symbolic::is_yes(symbolic::decide(symbolic::less_equal(0, *count), t_.assumptions_))))
            return;
        require_none(compare(right, CompareOp::Lt), "ValueError: negative shift count", span);
    } else if (op == BinaryOp::Pow) {
        const auto is_floating = [](const Value& one) { return code::is_floating(one.type.dtype.scalar); };
        if (is_floating(right)) check_fractional_power(left, right, span);
        if ((is_floating(left) || is_floating(right)) && !(a && b) && place() != Place::Nowhere)
            check_real_power(left, right, span);
    }
}

void Domain::check_divmod(const Value& left, const Value& right, const Span& span) {
    const bool real = code::is_floating(left.type.dtype.scalar) || code::is_floating(right.type.dtype.scalar);
    if (!real || !is_python_real(left) || !is_python_real(right) || constant_of(right) || place() == Place::Nowhere) return;
    const Value zero =
        t_.combine({right}, span, [&](const auto& c) { return make_compare(c[0], CompareOp::Eq, make_integer(0), span); });
    require_none(zero, "ZeroDivisionError: float divmod()", span);
}

void Domain::check_fractional_power(const Value& left, const Value& right, const Span& span) {
    const auto a = constant_of(left), b = constant_of(right);
    const bool whole = b && *b == std::floor(*b);
    const std::string message = "a negative number to a fractional power is a complex number";
    if (a && b && *a < 0 && !whole) refuse("F009", message, span, "write complex(x)");
    if (whole || (a && *a >= 0) || place() == Place::Nowhere) return;
    const Value fractional = t_.combine({left, right}, span, [&](const auto& c) {
        const ExprPtr rest = make_compare(c[1], CompareOp::Ne, make_call("floor", {c[1]}, span), span);
        return make_conditional(make_compare(c[0], CompareOp::Lt, make_integer(0), span), rest, make_integer(0), span);
    });
    require_none(fractional, "NotImplementedError: " + message, span);
}

/// x ** y of floats: of 0.0 with y < 0, and what is beyond all floats.
void Domain::check_real_power(const Value& left, const Value& right, const Span& span) {
    const auto base = constant_of(left), exponent = constant_of(right);
    const auto where = [&](const std::function<ExprPtr(const ExprPtr&, const ExprPtr&)>& condition) {
        return t_.combine({left, right}, span, [&](const auto& c) { return condition(c[0], c[1]); });
    };
    const auto both = [&](const ExprPtr& one, const ExprPtr& other) { return make_expression(BoolExpr{true, {one, other}}, span); };
    const auto size = [&](const ExprPtr& e) { return make_call("abs", {e}, span); };
    const auto is = [&](const ExprPtr& e, CompareOp op, double bound) { return make_compare(e, op, make_real(bound, span), span); };
    constexpr double kMost = kLargestReal;
    if (base.value_or(0) == 0 && exponent.value_or(-1) < 0)
        require_none(
            where([&](const ExprPtr& x, const ExprPtr& y) { return both(is(x, CompareOp::Eq, 0), is(y, CompareOp::Lt, 0)); }),
            "ZeroDivisionError: 0.0 cannot be raised to a negative power", span);
    if ((exponent && *exponent >= 0 && *exponent <= 1) || base == 1.0) return;
    /// The last number on the way from `limit` outwards whose power is a float.
    const auto last = [&](double limit, const std::function<double(double)>& power) {
        const double outwards = std::copysign(std::numeric_limits<double>::infinity(), limit), inwards = 0.0;
        while (!std::isfinite(power(limit))) limit = std::nextafter(limit, inwards);
        while (std::isfinite(power(std::nextafter(limit, outwards)))) limit = std::nextafter(limit, outwards);
        return limit;
    };
    const Value leaves = where([&](const ExprPtr& x, const ExprPtr& y) {
        if (base && *base > 0) {
            const double limit = last(std::log(kMost) / std::log(*base), [&](double by) { return std::pow(*base, by); });
            return both(is(y, *base > 1 ? CompareOp::Gt : CompareOp::Lt, limit), is(size(y), CompareOp::Le, kMost));
        }
        if (!exponent) {
            const ExprPtr finite = both(is(size(x), CompareOp::Le, kMost), is(size(y), CompareOp::Le, kMost));
            return both(is(size(make_binary(BinaryOp::Pow, x, y, span)), CompareOp::Gt, kMost),
                        both(finite, is(x, CompareOp::Ne, 0)));
        }
        if (*exponent > 0) {
            const double limit = last(std::pow(kMost, 1 / *exponent), [&](double of) { return std::pow(of, *exponent); });
            return both(is(size(x), CompareOp::Gt, limit), is(size(x), CompareOp::Le, kMost));
        }
        const double limit = last(std::pow(kMost, -1 / *exponent), [&](double of) { return std::pow(1 / of, *exponent); });
        return both(is(size(x), CompareOp::Lt, 1 / limit), is(x, CompareOp::Ne, 0));
    });
    require_none(leaves, "OverflowError: (34, 'Numerical result out of range')", span);
}

void Domain::check(const std::string& function, const Value& argument, const Span& span) {
    if (!argument.is_scalar() || place() == Place::Nowhere) return;
    const auto known = constant_of(argument);
    for (const Outside& one : kOutside) {
        if (function != one.function || (known && !holds(one.op, *known, one.bound))) continue;
        const Value outside = t_.combine({argument}, span, [&](const auto& c) {
            const ExprPtr beyond = make_compare(c[0], one.op, make_real(one.bound), span);
            if (!leaves_range(function)) return beyond;
            const ExprPtr finite = make_compare(make_call("abs", {c[0]}, span), CompareOp::Le, make_real(kLargestReal), span);
            return make_expression(BoolExpr{true, {beyond, finite}}, span);
        });
        require_none(outside, leaves_range(function) ? "OverflowError: math range error" : "ValueError: math domain error", span);
    }
}

void Domain::check(const std::string& function, const Value& first, const Value& second, const Span& span) {
    if (!first.is_scalar() || !second.is_scalar() || place() == Place::Nowhere || (function != "power" && function != "fmod"))
        return;
    const auto both = [&](const ExprPtr& one, const ExprPtr& other) { return make_expression(BoolExpr{true, {one, other}}, span); };
    const auto either = [&](const ExprPtr& one, const ExprPtr& other) {
        return make_expression(BoolExpr{false, {one, other}}, span);
    };
    const auto is = [&](const ExprPtr& e, CompareOp op, double bound) { return make_compare(e, op, make_real(bound, span), span); };
    const auto infinite = [&](const ExprPtr& e) { return is(make_call("abs", {e}, span), CompareOp::Gt, kLargestReal); };
    const auto no_nan = [&](const ExprPtr& e) { return make_compare(e, CompareOp::Eq, e, span); };
    const auto check_where = [&](const std::function<ExprPtr(const ExprPtr&, const ExprPtr&)>& wrong, const char* message) {
        require_none(t_.combine({first, second}, span, [&](const auto& c) { return wrong(c[0], c[1]); }), message, span);
    };
    if (function == "fmod")
        return check_where(
            [&](const ExprPtr& x, const ExprPtr& y) {
                return either(both(is(y, CompareOp::Eq, 0), no_nan(x)), both(infinite(x), no_nan(y)));
            },
            "ValueError: math domain error");
    check_where(
        [&](const ExprPtr& x, const ExprPtr& y) {
            const ExprPtr fractional = both(make_compare(y, CompareOp::Ne, make_call("floor", {y}, span), span), no_nan(y));
            return either(both(both(is(x, CompareOp::Lt, 0), is(x, CompareOp::Ge, -kLargestReal)), fractional),
                          both(is(x, CompareOp::Eq, 0), both(is(y, CompareOp::Lt, 0), is(y, CompareOp::Ge, -kLargestReal))));
        },
        "ValueError: math domain error");
    check_where(
        [&](const ExprPtr& x, const ExprPtr& y) {
            const ExprPtr left = make_expression(BoolExpr{false, {infinite(x), infinite(y), is(x, CompareOp::Eq, 0)}}, span);
            return both(infinite(make_binary(BinaryOp::Pow, x, y, span)), make_unary(UnaryOp::Not, left, span));
        },
        "OverflowError: math range error");
}

void Domain::require_whole_power(const Value& base, const Value& power, const Span& span) {
    const auto integral = [](const Value& value) { return value.is_elements() && code::is_integer(value.type.dtype.scalar); };
    if (!integral(base) || !integral(power) || !code::is_signed(power.type.dtype.scalar) || t_.flat_) return;
    const std::string message = "an integer to a negative power";
    if (power.rank() > 0) {
        const Value negative =
            t_.combine({power}, span, [&](const auto& c) { return make_compare(c[0], CompareOp::Lt, make_integer(0), span); });
        Reduction all;
        for (std::size_t dim = 0; dim < power.rank(); ++dim) all.axes.push_back(static_cast<std::int64_t>(dim));
        const Expr found = t_.integer_of(t_.cast(t_.reduce(negative, "any", all, span), Scalar::Int64, span), span, "negative");
        return t_.require(make_compare(ir::to_code(found), CompareOp::Eq, make_integer(0), span), message, span);
    }
    const Expr exponent = t_.integer_of(power, span, "power");
    if (symbolic::is_yes(symbolic::decide(symbolic::less_equal(0, exponent), t_.assumptions_))) return;
    t_.require(make_compare(ir::to_code(exponent), CompareOp::Ge, make_integer(0), span), message, span);
}

void Domain::check_integer(const Value& given, const Span& span) {
    if (!given.is_scalar() || !code::is_floating(given.type.dtype.scalar) || constant_of(given) || place() == Place::Nowhere)
        return;
    const Value real = t_.cast(given, Scalar::Float64, span);  // The limits are no numbers of narrower types.
    require_none(t_.combine({real}, span, [&](const auto& c) { return make_compare(c[0], CompareOp::Ne, c[0], span); }),
                 "ValueError: cannot convert float NaN to integer", span);
    const Value infinite = t_.combine({real}, span, [&](const auto& c) {
        return make_compare(make_call("abs", {c[0]}, span), CompareOp::Gt, make_real(kLargestReal), span);
    });
    require_none(infinite, "OverflowError: cannot convert float infinity to integer", span);
    const Value wide = t_.combine({real}, span, [&](const auto& c) {
        return make_compare(make_call("abs", {c[0]}, span), CompareOp::Ge, make_real(kLargest), span);
    });
    require_none(wide, "OverflowError: an integer of Python's does not fit into 64 bits", span);
}

bool Domain::may_end_path() const {
    const bool in_a_head = t_.statement_ && (std::holds_alternative<WhileStmt>(t_.statement_->node) ||
                                             std::holds_alternative<ForStmt>(t_.statement_->node));
    return !in_a_head && !t_.flat_ && !t_.lazy_ && !t_.parent_ && t_.map_params_.empty() && t_.prelude_prefix_.empty();
}

void Domain::require_value(const Value& value, const std::string& error, const Span& span) {
    const bool on_a_path = t_.translating_again_ || !t_.which_.empty();
    if (value.kind != Value::Kind::None || !on_a_path || !may_end_path()) return;
    t_.require(make_boolean(false, span), error, span, {"raised", {}});
    throw PathEnds{};
}

}  // namespace sluice::frontend
