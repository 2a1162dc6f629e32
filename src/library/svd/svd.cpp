// Svd: the K largest singular values of `_a`, descending, in `_s`, with orthonormal columns of `_u` and rows of `_v` that belong to
// them: _a == _u @ diag(_s) @ _v for K = min(M, N). What lies beyond is 0. `_failed` becomes 1 where `_a` holds NaN, and then the
// others hold nothing of use; otherwise 0.
#include <cmath>

#include "library/shared/lapack.h"

namespace sluice::library {

namespace {

bool has_vectors(const Binding& binding) {
    return binding.outputs.size() > 2;
}

/// The eigenvectors of [[0, a], [a^H, 0]] for its positive eigenvalues are (u, v) / sqrt(2).
void define_svd(ReferenceCall& call) {
    const Matrix a = matrix_of(call.input("_a"));
    const auto m = static_cast<std::size_t>(call.input("_a").shape[0]), n = static_cast<std::size_t>(call.input("_a").shape[1]);
    ir::Operand& s = call.output("_s");
    const std::size_t k = s.values.size();
    Matrix both(m + n, std::vector<std::complex<double>>(m + n));
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            both[i][m + j] = a[i][j];
            both[m + j][i] = std::conj(a[i][j]);
        }
    const Eigensystem system = eigensystem_of(both);
    const bool vectors = call.form.outputs.size() > 2;
    for (std::size_t at = 0; at < k; ++at) {
        const bool beyond = at >= std::min(m, n);
        const std::size_t column = beyond ? 0 : m + n - 1 - at;
        set_element(s, at, beyond ? 0 : system.values[column]);
        for (std::size_t i = 0; vectors && i < m; ++i)
            set_element(call.output("_u"), i * k + at, beyond ? 0 : std::sqrt(2) * system.vectors[i][column]);
        for (std::size_t i = 0; vectors && i < n; ++i)
            set_element(call.output("_v"), at * n + i, beyond ? 0 : std::sqrt(2) * std::conj(system.vectors[m + i][column]));
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
