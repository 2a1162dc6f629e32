// Solve: `_x` with _a @ _x == _b. `_singular` becomes 1 where elimination with partial pivoting meets a pivot of 0, and then `_x`
// holds nothing of use; otherwise 0.
#include <algorithm>
#include <complex>

#include "library/extern_call.h"
#include "library/shared/blas.h"

namespace sluice::library {

namespace {

std::size_t columns_of(const ir::Operand& b) {
    return b.shape.size() > 1 ? static_cast<std::size_t>(b.shape[1]) : 1;
}

/// Gauss and Jordan: the extended matrix becomes [identity, x] by exchanging, scaling and adding rows.
void define_solve(ReferenceCall& call) {
    const ir::Operand &a = call.input("_a"), &b = call.input("_b");
    const auto n = static_cast<std::size_t>(a.shape[0]), m = columns_of(b);
    std::vector<std::vector<std::complex<double>>> rows(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) rows[i].push_back(a.values[i * n + j].complex());
        for (std::size_t j = 0; j < m; ++j) rows[i].push_back(b.values[i * m + j].complex());
    }
    bool singular = false;
    for (std::size_t k = 0; k < n && !singular; ++k) {
        const auto smaller = [k](const auto& x, const auto& y) { return std::abs(x[k]) < std::abs(y[k]); };
        std::swap(rows[k], *std::max_element(rows.begin() + static_cast<std::ptrdiff_t>(k), rows.end(), smaller));
        const std::complex<double> pivot = rows[k][k];
        singular = pivot == 0.0;
        for (std::complex<double>& value : rows[k]) value /= pivot;
        for (std::size_t i = 0; i < n; ++i) {
            const std::complex<double> factor = rows[i][k];
            for (std::size_t j = 0; j < n + m && i != k; ++j) rows[i][j] -= factor * rows[k][j];
        }
    }
    const bool real = !code::is_complex(b.type);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j) {
            const std::complex<double> value = rows[i][n + j];
            call.output("_x").values[i * m + j] = real ? ir::Number(value.real()) : ir::Number(value);
        }
    call.output("_singular").values[0] = singular ? 1.0 : 0.0;
}

/// A diagonal that outweighs the rest of its row.
void make_regular(ir::Operands& operands) {
    ir::Operand& a = operands.at("_a");
    const auto n = static_cast<std::size_t>(a.shape[0]);
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 1;
        for (std::size_t j = 0; j < n; ++j) sum += std::abs(a.values[i * n + j].complex());
        a.values[i * n + i] = sum;
    }
}

void become_solve(NodeDraft& draft, const std::string& environment, const std::string& function) {
    const Binding binding = bind(draft);
    const BoundOperand &a = binding.input("_a"), &b = binding.input("_b"), &x = binding.output("_x"),
                       &singular = binding.output("_singular");
    const bool vector = b.sizes.size() == 1;
    ExternCall call{.environment = environment,
                    .function = function,
                    .arguments = {binding.sizes.at("N"), vector ? ir::Expr(1) : binding.sizes.at("M")}};
    for (const BoundOperand* one : {&a, &b, &x}) {
        call.arguments.emplace_back(ExternCall::Address{one->connector});
        const std::size_t rank = one->sizes.size();
        for (std::size_t dim = 0; dim < rank; ++dim) call.arguments.emplace_back(ExternCall::Stride{one->connector, dim, rank});
        if (rank == 1) call.arguments.emplace_back(ir::Expr(1));
    }
    call.arguments.emplace_back(ExternCall::Address{"_singular"});
    become_call(draft, call, {{a.edge, "_a"}, {b.edge, "_b"}}, {{x.edge, "_x"}, {singular.edge, "_singular"}}, false);
}

/// A call of LAPACK's gesv: whose LAPACK it is, the environment says.
Expansion lapack_solve(const std::string& name, const std::string& environment, std::vector<std::string> aliases) {
    return {.name = name,
            .summary = "A call of gesv.",
            .aliases = std::move(aliases),
            .requirement = {environment, true},
            .why_not = [](const NodeContext& context) { return why_not_blas_operands(bind(context)); },
            .expand = [environment](NodeDraft& draft) { become_solve(draft, environment, "sluice::lapack::solve"); }};
}

}  // namespace

Operation solve() {
    using enum code::Scalar;
    return {.name = "Solve",
            .classpath = {},
            .summary = "_x with _a @ _x == _b; _singular tells whether there is none.",
            .forms = {form("_a[N, N], _b[N, M] -> _x[N, M], _singular"), form("_a[N, N], _b[N] -> _x[N], _singular")},
            .types = {Float64, Float32, Complex128, Complex64},
            .one_type = true,
            .make_valid = make_regular,
            .flops =
                [](const Form& form) {
                    return std::string(form.inputs[1].sizes.size() > 1 ? "2*N**3/3 + 2*M*N**2" : "2*N**3/3 + 2*N**2");
                },
            .reference = define_solve,
            .expansions = {lapack_solve("NumPy", "numpy_lapack", {}),
                           lapack_solve("LAPACKE", "lapacke", {"OpenBLAS"}),
                           lapack_solve("MKL", "mkl", {}),
                           {.name = "native",
                            .summary = "Gaussian elimination with partial pivoting, of the runtime.",
                            .aliases = {"pure"},
                            .requirement = {"elimination", false},
                            .expand = [](NodeDraft& draft) { become_solve(draft, "elimination", "sluice::elimination::solve"); }}}};
}

}  // namespace sluice::library
