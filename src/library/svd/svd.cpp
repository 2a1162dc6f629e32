// Svd: the K largest singular values of `_a`, descending, in `_s`, with orthonormal columns of `_u` and rows of `_v` that belong to
// them: _a == _u @ diag(_s) @ _v for K = min(M, N). What lies beyond is 0. `_failed` becomes 1 where `_a` holds NaN, and then the
// others hold nothing of use; otherwise 0.
#include "library/shared/lapack.h"

namespace sluice::library {

namespace {

bool has_vectors(const Binding& binding) {
    return binding.outputs.size() > 2;
}

void define_svd(ReferenceCall& call) {
    const auto n = static_cast<std::size_t>(call.input("_a").shape[1]);
    const std::size_t k = call.output("_s").values.size();
    const SingularSystem system = singular_system_of(matrix_of(call.input("_a")), n, k);
    for (std::size_t at = 0; at < k; ++at) set_element(call.output("_s"), at, system.s[at]);
    if (call.form.outputs.size() > 2) {
        for (std::size_t at = 0; at < system.u.size() * k; ++at) set_element(call.output("_u"), at, system.u[at / k][at % k]);
        for (std::size_t at = 0; at < k * n; ++at) set_element(call.output("_v"), at, system.v[at / n][at % n]);
    }
    set_element(call.output("_failed"), 0, 0);
}

/// Equal singular values would leave the vectors open.
void make_distinct(ir::Operands& operands) {
    ir::Operand& a = operands.at("_a");
    const auto m = static_cast<std::size_t>(a.shape[0]), n = static_cast<std::size_t>(a.shape[1]);
    for (std::size_t i = 0; i < m && i < n; ++i) {
        ir::Number& value = a.values[i * n + i];
        value = value + ir::Number(static_cast<double>(20 * (i + 1)));
    }
}

}  // namespace

Operation svd() {
    using enum code::Scalar;
    return {.name = "Svd",
            .classpath = {},
            .summary = "Singular values and vectors of a matrix; _failed tells whether it holds NaN.",
            .forms = {form("_a[M, N] -> _u[M, K], _s[K], _v[K, N], _failed"), form("_a[M, N] -> _s[K], _failed")},
            .types = {Float64, Float32, Complex128, Complex64},
            .one_type = true,
            .up_to_phase = {"_u", "_v"},
            .make_valid = make_distinct,
            .flops = [](const Form& form) { return std::string(form.outputs.size() > 2 ? "14*M*N*K" : "4*M*N*K"); },
            .reference = define_svd,
            .expansions = lapack_expansions(
                {.name = [](const Binding& binding) { return has_vectors(binding) ? "singular" : "singular_values"; },
                 .sizes = {"M", "N", "K"},
                 .routine = "gesdd",
                 .header = "jacobi",
                 .method = "Jacobi's rotations, of the runtime."})};
}

}  // namespace sluice::library
