#include "library/shared/blas.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "library/extern_call.h"
#include "runtime/cached_matrix.h"

namespace sluice::library {

std::optional<double> number_in(const std::string& text) {
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    return status == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

namespace {

using ir::Expr;
using Argument = ExternCall::Argument;

/// Shape and strides of an operand as a matrix; a vector is one column.
struct MatrixLayout {
    Expr rows, columns, row_stride, column_stride;
    Argument row, column;  ///< The strides as arguments of a call.

    MatrixLayout transposed() const { return {columns, rows, column_stride, row_stride, column, row}; }
    bool has_unit_stride() const { return row_stride.is_integer(1) || column_stride.is_integer(1); }
};
MatrixLayout layout_of(const BoundOperand& one, bool transposed = false) {
    const std::vector<Expr>&shape = one.operand.shape, &strides = one.operand.strides;
    const auto stride = [&](std::size_t dim) { return ExternCall::Stride{one.connector, dim, shape.size()}; };
    if (shape.size() == 1) return {shape[0], 1, strides[0], 1, stride(0), Expr(1)};
    const MatrixLayout layout{shape[0], shape[1], strides[0], strides[1], stride(0), stride(1)};
    return transposed ? layout.transposed() : layout;
}

void add_matrix(std::vector<Argument>& arguments, const std::string& connector, const MatrixLayout& layout) {
    arguments.insert(arguments.end(), {ExternCall::Address{connector}, layout.rows, layout.columns, layout.row, layout.column});
}

/// The product as BLAS sees it: _c = alpha * left @ right + beta * _c.
struct BlasProduct {
    const BoundOperand *left, *right, *result;
    MatrixLayout a, b, c;
};
BlasProduct product_of_matrices(const NodeContext& context, const Binding& binding) {
    const BoundOperand &a = binding.input("_a"), &b = binding.input("_b"), &c = binding.output("_c");
    return {&a, &b, &c, layout_of(a, context.flag("transA")), layout_of(b, context.flag("transB")), layout_of(c)};
}
BlasProduct product_with_vector(const NodeContext& context, const Binding& binding) {
    const BoundOperand &a = binding.input("_A"), &x = binding.input("_x"), &y = binding.output("_y");
    return {&a, &x, &y, layout_of(a, context.flag("transA")), layout_of(x), layout_of(y)};
}

bool old_values_elsewhere(const NodeContext& context, const Binding& binding) {
    return context.updates() && std::ranges::any_of(binding.old_values, [&](const auto& old) {
               const ir::EdgeId out = binding.output(old.first).edge;
               return context.state.edges[old.second].memlet.data != context.state.edges[out].memlet.data ||
                      !(context.subset(old.second) == context.subset(out));
           });
}

std::string why_not_product(const NodeContext& context, const Binding& binding, const BlasProduct& product, bool vector) {
    if (std::string why = why_not_blas_operands(binding); !why.empty()) return why;
    for (const char* factor : {"alpha", "beta"})
        if (!number_in(context.factor(factor, "0"))) return fmt::format("its factor {} is no number", factor);
    if (old_values_elsewhere(context, binding)) return "what the output holds before comes from elsewhere";
    const bool fits =
        product.a.has_unit_stride() && (vector || (product.b.has_unit_stride() && product.c.column_stride.is_integer(1)));
    return fits ? "" : "neither rows nor columns of a matrix are contiguous";
}

/// Empty: the product is large, or its size is not known.
std::string why_rather_not(const BlasProduct& product) {
    std::int64_t multiplications = 1;
    for (const Expr& size : {product.a.rows, product.a.columns, product.b.columns}) {
        if (!size.is_integer() || size.integer() > kSmallProduct) return "";
        multiplications *= std::max<std::int64_t>(size.integer(), 1);
    }
    return multiplications <= kSmallProduct ? "loops are faster for so small a product" : "";
}

void call_product(NodeDraft& draft, const Binding& binding, const BlasProduct& product, const std::string& environment,
                  const char* function) {
    const code::Scalar type = product.result->operand.type.scalar;
    const auto constant = [&](const char* name) {
        return ExternCall::Constant{type, number_in(draft.factor(name, "0")).value_or(0.0)};
    };
    ExternCall call{.environment = environment, .function = function, .arguments = {constant("alpha")}};
    add_matrix(call.arguments, product.left->connector, product.a);
    add_matrix(call.arguments, product.right->connector, product.b);
    call.arguments.emplace_back(constant("beta"));
    add_matrix(call.arguments, product.result->connector, product.c);
    std::vector<Lead> inputs{{product.left->edge, product.left->connector}, {product.right->edge, product.right->connector}};
    if (draft.updates())
        for (const auto& [connector, edge] : binding.old_values) inputs.push_back({edge, connector});
    become_call(draft, call, inputs, {{product.result->edge, product.result->connector}}, draft.updates());
}

Expansion call_of(const std::string& name, const std::string& environment) {
    return {.name = name, .summary = "A call of the library.", .requirement = {environment, true}, .expand = {}};
}

}  // namespace

std::string why_not_blas_operands(const Binding& binding, bool with_complex) {
    std::optional<code::DType> type;
    for (const auto* operands : {&binding.inputs, &binding.outputs})
        for (const BoundOperand& one : *operands) {
            if (!one.operand.in_memory) return one.connector + " is no array";
            if (type && !(*type == one.operand.type)) return "the operands differ in type";
            type = one.operand.type;
        }
    const code::Scalar scalar = type->scalar;
    const bool real = scalar == code::Scalar::Float32 || scalar == code::Scalar::Float64;
    const bool complex = scalar == code::Scalar::Complex64 || scalar == code::Scalar::Complex128;
    return type->is_scalar() && (real || (with_complex && complex)) ? "" : "it has no routine for " + code::to_string(*type);
}

Expansion blas_gemm(const std::string& name, const std::string& environment) {
    Expansion expansion = call_of(name, environment);
    expansion.why_not = [](const NodeContext& context) {
        const Binding binding = bind(context);
        return why_not_product(context, binding, product_of_matrices(context, binding), false);
    };
    expansion.why_rather_not = [](const NodeContext& context) {
        return why_rather_not(product_of_matrices(context, bind(context)));
    };
    expansion.expand = [environment](NodeDraft& draft) {
        const Binding binding = bind(draft);
        call_product(draft, binding, product_of_matrices(draft, binding), environment, "sluice::blas::multiply");
    };
    return expansion;
}

Expansion small_gemm() {
    return {.name = "Small",
            .summary = "Loops of constant sizes whose sums lie in registers.",
            .requirement = {"small_product", false},
            .why_not = [](const NodeContext& context) -> std::string {
                const Binding binding = bind(context);
                if (std::string why = why_not_blas_operands(binding, false); !why.empty()) return why;
                const BlasProduct product = product_of_matrices(context, binding);
                if (why_rather_not(product).empty()) return "the matrices are large, or their sizes are not known";
                if (!product.b.column_stride.is_integer(1)) return "the rows of the right matrix are not contiguous";
                return why_not_product(context, binding, product, false);
            },
            .expand =
                [](NodeDraft& draft) {
                    const Binding binding = bind(draft);
                    call_product(draft, binding, product_of_matrices(draft, binding), "small_product",
                                 "sluice::small_product::multiply");
                }};
}

Expansion blas_gemv(const std::string& name, const std::string& environment) {
    Expansion expansion = call_of(name, environment);
    expansion.why_not = [](const NodeContext& context) {
        const Binding binding = bind(context);
        return why_not_product(context, binding, product_with_vector(context, binding), true);
    };
    expansion.why_rather_not = [](const NodeContext& context) {
        return why_rather_not(product_with_vector(context, bind(context)));
    };
    expansion.expand = [environment](NodeDraft& draft) {
        const Binding binding = bind(draft);
        call_product(draft, binding, product_with_vector(draft, binding), environment, "sluice::blas::multiply_vector");
    };
    return expansion;
}

Expansion blocked_gemv() {
    return {.name = "Blocked",
            .summary = "One thread, four rows or columns of the matrix at a time.",
            .requirement = {"matrix_vector", false},
            .why_not = [](const NodeContext& context) -> std::string {
                const Binding binding = bind(context);
                if (code::is_complex(binding.output("_y").operand.type.scalar)) return "it has no routine for complex numbers";
                return why_not_product(context, binding, product_with_vector(context, binding), true);
            },
            .why_rather_not = [](const NodeContext& context) -> std::string {
                const Binding binding = bind(context);
                const BlasProduct product = product_with_vector(context, binding);
                const std::string small = why_rather_not(product);
                const auto rows = product.a.rows.constant(), columns = product.a.columns.constant();
                if (!small.empty()) return small;
                if (context.around.parallel) return "";  // No library's threads are asked inside of a team.
                if (!rows || !columns) return "the size of the matrix is not known";
                const auto bytes = static_cast<std::int64_t>(code::size_in_bytes(product.left->operand.type));
                const bool cached = matrix_vector::stays_in_cache(*rows, *columns, bytes);
                return cached ? "" : "the matrix does not stay in a cache";
            },
            .expand =
                [](NodeDraft& draft) {
                    const Binding binding = bind(draft);
                    call_product(draft, binding, product_with_vector(draft, binding), "matrix_vector",
                                 "sluice::matrix_vector::multiply");
                }};
}

Expansion blas_dot(const std::string& name, const std::string& environment) {
    Expansion expansion = call_of(name, environment);
    expansion.why_not = [](const NodeContext& context) { return why_not_blas_operands(bind(context)); };
    expansion.expand = [environment](NodeDraft& draft) {
        const Binding binding = bind(draft);
        const BoundOperand &x = binding.input("_x"), &y = binding.input("_y"), &result = binding.output("_result");
        const ExternCall call{.environment = environment,
                              .function = "sluice::blas::dot",
                              .arguments = {x.operand.shape[0], ExternCall::Address{"_x"}, ExternCall::Stride{"_x"},
                                            ExternCall::Address{"_y"}, ExternCall::Stride{"_y"}, ExternCall::Address{"_result"}}};
        become_call(draft, call, {{x.edge, "_x"}, {y.edge, "_y"}}, {{result.edge, "_result"}}, false);
    };
    return expansion;
}

namespace {

/// Operands that a routine takes, and a factor that is a number.
std::function<std::string(const NodeContext&)> why_not_scaled(const char* factor) {
    return [factor](const NodeContext& context) -> std::string {
        if (std::string why = why_not_blas_operands(bind(context)); !why.empty()) return why;
        return number_in(context.factor(factor, "1")) ? "" : fmt::format("its factor {} is no number", factor);
    };
}

/// The factor as an argument of the operands' type.
Argument factor_argument(const NodeContext& context, const Binding& binding, const char* factor) {
    return ExternCall::Constant{binding.outputs[0].operand.type.scalar, number_in(context.factor(factor, "1")).value_or(1.0)};
}

void add_strided(std::vector<Argument>& arguments, const BoundOperand& one) {
    arguments.emplace_back(ExternCall::Address{one.connector});
    const std::size_t rank = one.operand.shape.size();
    for (std::size_t dim = 0; dim < rank; ++dim) arguments.emplace_back(ExternCall::Stride{one.connector, dim, rank});
}

void become_call_on(NodeDraft& draft, const Binding& binding, const ExternCall& call) {
    std::vector<Lead> inputs;
    for (const BoundOperand& one : binding.inputs) inputs.push_back({one.edge, one.connector});
    become_call(draft, call, inputs, {{binding.outputs[0].edge, binding.outputs[0].connector}}, false);
}

}  // namespace

Expansion blas_axpy(const std::string& name, const std::string& environment) {
    Expansion expansion = call_of(name, environment);
    expansion.why_not = why_not_scaled("a");
    expansion.expand = [environment](NodeDraft& draft) {
        const Binding binding = bind(draft);
        ExternCall call{.environment = environment,
                        .function = "sluice::blas::add_scaled",
                        .arguments = {binding.sizes.at("N"), factor_argument(draft, binding, "a")}};
        for (const BoundOperand* one : {&binding.input("_x"), &binding.input("_y"), &binding.output("_res")})
            add_strided(call.arguments, *one);
        become_call_on(draft, binding, call);
    };
    return expansion;
}

Expansion blas_ger(const std::string& name, const std::string& environment) {
    Expansion expansion = call_of(name, environment);
    expansion.why_not = why_not_scaled("alpha");
    expansion.expand = [environment](NodeDraft& draft) {
        const Binding binding = bind(draft);
        ExternCall call{.environment = environment,
                        .function = "sluice::blas::add_outer",
                        .arguments = {binding.sizes.at("M"), binding.sizes.at("N"), factor_argument(draft, binding, "alpha")}};
        for (const BoundOperand* one : {&binding.input("_x"), &binding.input("_y"), &binding.input("_A"), &binding.output("_res")})
            add_strided(call.arguments, *one);
        become_call_on(draft, binding, call);
    };
    return expansion;
}

}  // namespace sluice::library
