// Library nodes: MatMul of products, where an inner product is accumulated where it is computed.
#include <algorithm>
#include <numeric>

#include "frontend/array/array_program.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/products.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;
using symbolic::Subset;

bool is_in_order(const Value& value) {
    const Operand* view = as_view(value);
    if (!view || view->index.size() != value.rank()) return false;
    const auto subset = subset_of_view(*view, value.shape);
    if (!subset) return false;
    for (std::size_t dim = 0; dim < value.rank(); ++dim)
        if (!subset->dims[dim].step.is_integer(1) ||
            (!value.shape[dim].is_integer(1) && !symbolic::depends_on(view->index[dim], iteration_of(dim, value.rank()).name())))
            return false;
    return true;
}

/// An operand that a library node can read.
Value ArrayProgram::matrix_operand(const Value& value, const std::string& base) {
    return is_in_order(value) ? value : materialise(value, base);
}

/// A library node over operands that lie in memory (matrix_operand), into places.
void ArrayProgram::run_operation(const std::string& operation, const std::string& classpath, const NamedValues& operands,
                                 const NamedValues& results, const Span& span,
                                 const std::map<std::string, ir::Property>& properties) {
    ir::LibraryNode node;
    node.operation = operation;
    node.classpath = classpath;
    node.label = operation == "MatMul" ? "product" : operation;
    node.properties = properties;
    PlannedCode code{node, {}, {}, span};
    const auto whole = [&](const Value& v) { return subset_memlet(as_view(v)->data, *subset_of_view(*as_view(v), v.shape)); };
    for (const auto& [connector, operand] : operands) code.in.push_back({connector, whole(operand)});
    for (const auto& [connector, place] : results) code.out.push_back({connector, whole(place)});
    emit_state(node.label, {std::move(code)});
}

Value ArrayProgram::product(const Value& left, const Value& right, const Span& span) {
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
    // BLAS reads a matrix along either dimension.
    const auto transposed = [&](const Value& value) {
        std::vector<std::int64_t> axes(value.rank());
        std::iota(axes.begin(), axes.end(), 0);
        std::swap(axes[value.rank() - 2], axes[value.rank() - 1]);
        return transpose(value, axes, span);
    };
    const auto turned = [&](const Value& value) {
        return value.rank() >= 2 && !is_in_order(value) && is_in_order(transposed(value));
    };
    const bool turn_left = turned(left), turn_right = turned(right);
    const Value a = turn_left ? transposed(left) : matrix_operand(left, "left");
    const Value b = turn_right ? transposed(right) : matrix_operand(right, "right");
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
    if (!is_in_order(place)) {
        hint_.reset();
        place = result_place("product", type, shape, {a, b});
    }
    run_operation("MatMul", "dace.libraries.blas.nodes.matmul.MatMul", {{"_a", a}, {"_b", b}}, {{"_c", place}}, span,
                  {{"transA", turn_left}, {"transB", turn_right}});
    return place;
}
}  // namespace sluice::frontend
