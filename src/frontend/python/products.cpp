// `@`, np.dot and np.matmul: a MatMul node; an inner product is accumulated where it is computed.
#include "frontend/python/diagnostics.h"
#include "frontend/python/syntax.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;
using symbolic::Subset;

/// An operand that a library node can read: a container, or a slice that keeps all its dimensions.
Value Translator::matrix_operand(const Value& value, const std::string& base) {
    if (const Operand* view = as_view(value); view && view->index.size() == value.rank()) {
        const auto subset = subset_of_view(*view, value.shape);
        bool ordered = subset.has_value();
        for (std::size_t dim = 0; ordered && dim < value.rank(); ++dim)
            ordered =
                subset->dims[dim].step.is_integer(1) &&
                (value.shape[dim].is_integer(1) || symbolic::depends_on(view->index[dim], iteration_of(dim, value.rank()).name()));
        if (ordered) return value;
    }
    return materialise(value, base);
}

Value Translator::product(const Value& left, const Value& right, const Span& span) {
    if (!left.is_elements() || !right.is_elements()) refuse("F009", "a product needs arrays", span, "multiply arrays");
    const auto multiply = [&](const Value& a, const Value& b) {
        return combine({a, b}, span, [&](const auto& c) { return make_binary(BinaryOp::Mul, c[0], c[1], span); });
    };
    if (left.rank() == 0 || right.rank() == 0) return multiply(left, right);
    const Expr inner = left.shape.back();
    const Expr other = right.rank() == 1 ? right.shape[0] : right.shape[right.rank() - 2];
    if (!same_size(inner, other) && (inner.is_integer(1) || other.is_integer(1) ||
                                     symbolic::is_no(symbolic::decide(symbolic::equal(inner, other), assumptions_))))
        refuse("F004", "inner sizes " + symbolic::to_string(inner) + " and " + symbolic::to_string(other) + " of a product differ",
               span, "transpose one operand or correct its shape");
    require_equal(inner, other, "a product", span);
    const DType type = code::promote(strong(left.type), strong(right.type));
    if (left.rank() == 1 && right.rank() == 1) {
        const bool truths = type == DType(Scalar::Bool);
        return reduce(multiply(left, right), truths ? "any" : "sum",
                      {.axes = {0}, .keepdims = false, .initial = {}, .where = {}, .dtype = type}, span);
    }
    const std::optional<Target> hint = std::exchange(hint_, std::nullopt);
    const std::string name = std::exchange(name_, {});
    const Value a = matrix_operand(left, "left"), b = matrix_operand(right, "right");
    hint_ = hint;
    name_ = name;
    std::vector<Expr> shape;
    if (left.rank() > 2 || right.rank() > 2) {
        const auto outer = [](const Value& v) {
            return v.rank() > 2 ? std::vector<Expr>(v.shape.begin(), v.shape.end() - 2) : std::vector<Expr>();
        };
        shape = broadcast({outer(left), outer(right)}, span);
    }
    if (left.rank() > 1) shape.push_back(left.shape[left.rank() - 2]);
    if (right.rank() > 1) shape.push_back(right.shape.back());
    Value place = result_place("product", type, shape, {a, b});
    if (as_view(place)->index.size() != shape.size()) {
        hint_.reset();
        place = result_place("product", type, shape, {a, b});
    }
    const auto subset = subset_of_view(*as_view(place), shape);
    ir::LibraryNode node;
    node.operation = "MatMul";
    node.classpath = "dace.libraries.blas.nodes.matmul.MatMul";
    node.label = "product";
    PlannedCode code{node, {}, {}, span};
    const auto whole = [&](const Value& v) { return subset_memlet(as_view(v)->data, *subset_of_view(*as_view(v), v.shape)); };
    code.in.push_back({"_a", whole(a)});
    code.in.push_back({"_b", whole(b)});
    code.out.push_back({"_c", subset_memlet(as_view(place)->data, *subset)});
    emit_state("product", {std::move(code)});
    return place;
}

}  // namespace sluice::frontend
