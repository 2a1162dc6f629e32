// What only the run can tell is checked once, in front of what relies on it: a state with one tasklet, `assert N == M, "..."`. It
// ends the program with the sentence and the line (A009). What is known already needs no check, what is known to be wrong is
// refused.
#include <algorithm>

#include "code/print.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/syntax.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

ExprPtr text_literal(const std::string& text, const Span& span) {
    return std::make_shared<const code::Expr>(code::Expr{ConstantExpr{text}, span});
}

std::string in_words(const Expr& size) {
    return symbolic::to_string(size);
}

}  // namespace

/// `condition` is code over symbols.
void Translator::require(const ExprPtr& condition, const std::string& message, const Span& span) {
    refuse_flat();
    const std::pair<std::string, std::set<std::string>> made{code::to_string(*condition), ir::free_names(*condition)};
    if (std::ranges::find(checks_made_, made) != checks_made_.end()) return;
    const Body body{std::make_shared<const Stmt>(Stmt{AssertStmt{condition, text_literal(message, span)}, span})};
    std::string text = code::to_string(body);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    ir::Tasklet tasklet = python_tasklet("check", text);
    tasklet.side_effects = true;
    need_symbols(ir::free_names(*condition));
    const Restored place(where_, span);
    emit_state("check", {PlannedCode{std::move(tasklet), {}, {}, span}});
    checks_made_.push_back(made);
}

/// The sizes are equal, or the program ends: whoever goes on may take one for the other.
void Translator::require_equal(const Expr& a, const Expr& b, const std::string& what, const Span& span) {
    if (same_size(a, b)) return;
    const std::string message = what + ": sizes " + in_words(a) + " and " + in_words(b) + " differ";
    if (symbolic::is_no(symbolic::decide(symbolic::equal(a, b), assumptions_)))
        refuse("F004", message, span, "make both sizes the same expression");
    require(make_compare(ir::to_code(a), CompareOp::Eq, ir::to_code(b), span), message, span);
    checked_.emplace_back(a, b);
}

/// The index lies in its dimension, counted from its end where it is negative.
void Translator::require_inside(const Expr& at, const Expr& size, const Span& span) {
    if (at.is_integer() && size.is_integer()) return;
    const ExprPtr index = ir::to_code(at), extent = ir::to_code(size);
    const ExprPtr inside = std::make_shared<const code::Expr>(
        code::Expr{CompareExpr{{CompareOp::Le, CompareOp::Lt}, {make_unary(UnaryOp::Minus, extent, span), index, extent}}, span});
    require(inside, "index " + in_words(at) + " lies outside of a dimension of size " + in_words(size), span);
}

void Translator::require_inside(const Value& indices, const Expr& size, const Span& span) {
    const Value outside = combine({indices, symbolic_value(size, span)}, span, [&](const auto& c) {
        const ExprPtr below = make_compare(c[0], CompareOp::Lt, make_unary(UnaryOp::Minus, c[1], span), span);
        return std::make_shared<const code::Expr>(
            code::Expr{BoolExpr{false, {below, make_compare(c[0], CompareOp::Ge, c[1], span)}}, span});
    });
    Reduction all;
    for (std::size_t dim = 0; dim < indices.rank(); ++dim) all.axes.push_back(static_cast<std::int64_t>(dim));
    const Expr found = integer_of(cast(reduce(outside, "any", all, span), Scalar::Int64, span), span, "outside");
    require(make_compare(ir::to_code(found), CompareOp::Eq, make_integer(0), span),
            "an index lies outside of a dimension of size " + in_words(size), span);
}

/// The size is not 0. A symbol of the caller's counts as positive elsewhere, but an array may be empty.
void Translator::require_positive(const Expr& size, const std::string& what, const Span& span) {
    if (size.is_integer()) {
        if (!size.is_integer(0)) return;
        refuse("F004", what, span, "pass an array with elements");
    }
    require(make_compare(ir::to_code(size), CompareOp::Gt, make_integer(0), span), what, span);
}

/// An integer to a negative power is no integer: NumPy raises an error.
void Translator::require_whole_power(const Value& base, const Value& power, const Span& span) {
    const auto integral = [](const Value& value) { return value.is_elements() && code::is_integer(value.type.dtype.scalar); };
    if (!integral(base) || !integral(power) || !code::is_signed(power.type.dtype.scalar) || flat_) return;
    const std::string message = "an integer to a negative power";
    if (power.rank() > 0) {
        const Value negative =
            combine({power}, span, [&](const auto& c) { return make_compare(c[0], CompareOp::Lt, make_integer(0), span); });
        Reduction all;
        for (std::size_t dim = 0; dim < power.rank(); ++dim) all.axes.push_back(static_cast<std::int64_t>(dim));
        const Expr found = integer_of(cast(reduce(negative, "any", all, span), Scalar::Int64, span), span, "negative");
        return require(make_compare(ir::to_code(found), CompareOp::Eq, make_integer(0), span), message, span);
    }
    const Expr exponent = integer_of(power, span, "power");
    if (symbolic::is_yes(symbolic::decide(symbolic::less_equal(0, exponent), assumptions_))) return;
    require(make_compare(ir::to_code(exponent), CompareOp::Ge, make_integer(0), span), message, span);
}

}  // namespace sluice::frontend
