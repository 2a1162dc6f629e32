// Whether an expression in `try` raises, where only types tell (caught.cpp asks).
#include <cmath>
#include <limits>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/collections.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;

/// Whether the last operation of the expression raises the exception: a division of Python's numbers, or an index.
Value Translator::raises(const std::string& exception, const ExprPtr& e) {
    const Span& span = e->span;
    const auto known = [&](bool truth) { return number(make_boolean(truth, span), {Scalar::Bool, true}); };
    if (exception == "ValueError") {
        if (const Value whole = evaluate(e); whole.is_elements() && whole.rank() > 0)
            unsupported("arithmetic of arrays in `try`", span, "move it out of the try statement");
        return known(false);
    }
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node); binary && exception == "OverflowError") {
        const Value base = evaluate(binary->left);
        const auto power = known_integer(binary->right);
        if (!base.is_scalar() || !base.type.weak || !code::is_floating(base.type.dtype.scalar)) return known(false);
        if (!power || *power < 1) unsupported("such a power in `try`", span, "move it out of the try statement");
        const double bound = std::pow(std::numeric_limits<double>::max(), 1.0 / static_cast<double>(*power));
        Value wide = combine({base}, span, [&](const auto& c) {
            return make_compare(make_call("abs", {c[0]}, span), CompareOp::Gt, make_real(bound, span), span);
        });
        wide.type.weak = true;
        return wide;
    }
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node)) {
        const Value left = evaluate(binary->left), right = evaluate(binary->right);
        if (!left.is_scalar() || !right.is_scalar()) return known(false);  // Of NumPy's, or a list that is repeated.
        if (left.summed && right.type.weak) {                              // The sum of no elements is Python's 0.
            Value none = combine({right, symbolic_value(*left.summed, span)}, span, [&](const auto& c) {
                const auto is_zero = [&](const ExprPtr& one) {
                    return make_compare(one, CompareOp::Eq, make_integer(0, span), span);
                };
                const BoolExpr both{true, {is_zero(c[0]), left.type.weak ? make_boolean(true, span) : is_zero(c[1])}};
                return std::make_shared<const code::Expr>(code::Expr{both, span});
            });
            none.type.weak = true;
            return none;
        }
        if (!left.type.weak || !right.type.weak) return known(false);
        Value zero =
            combine({right}, span, [&](const auto& c) { return make_compare(c[0], CompareOp::Eq, make_integer(0, span), span); });
        zero.type.weak = true;
        return zero;
    }
    const auto& subscript = std::get<SubscriptExpr>(e->node);
    const Value object = evaluate(subscript.object);
    if (object.of_keys) {
        if (exception != "KeyError") return known(false);
        Value missing = Collections(*this).membership(subscript.index, subscript.object, span);
        missing = combine({missing}, span, [&](const auto& c) { return make_unary(UnaryOp::Not, c[0], span); });
        missing.type.weak = true;
        return missing;
    }
    if (exception != "IndexError") return known(false);
    const auto items = elements_of(subscript.index);
    std::vector<Value> outside;
    for (std::size_t at = 0; at < items.size(); ++at) {
        if (std::holds_alternative<SliceExpr>(items[at]->node)) continue;
        const Value index = evaluate(items[at]);
        const bool plain = index.is_scalar() && code::is_integer(index.type.dtype.scalar);
        std::optional<Expr> size;
        if (object.kind == Value::Kind::Tuple && items.size() == 1) size = Expr(static_cast<std::int64_t>(object.elements.size()));
        if ((object.is_elements() || object.kind == Value::Kind::Rows) && at < object.rank()) size = object.shape[at];
        if (!plain || !size) unsupported("such an index in `try`", span, "compare it with the size first");
        outside.push_back(combine({index, symbolic_value(*size, span)}, span, [&](const auto& c) {
            const ExprPtr inside = std::make_shared<const code::Expr>(code::Expr{
                CompareExpr{{CompareOp::Le, CompareOp::Lt}, {make_unary(UnaryOp::Minus, c[1], span), c[0], c[1]}}, span});
            return make_unary(UnaryOp::Not, inside, span);
        }));
    }
    Value result = any_of(outside, false, span);
    result.type.weak = true;
    return result;
}

}  // namespace sluice::frontend
