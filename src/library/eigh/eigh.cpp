// Eigh: `_w`, ascending, and orthonormal columns of `_v` with _a @ _v == _v @ diag(_w), for a Hermitian `_a` of which the lower
// triangle is read. `_failed` becomes 1 where `_a` holds NaN, and then the others hold nothing of use; otherwise 0.
#include "library/shared/lapack.h"

namespace sluice::library {

namespace {

bool has_vectors(const Binding& binding) {
    return binding.outputs.size() > 2;
}

void define_eigh(ReferenceCall& call) {
    const Eigensystem system = eigensystem_of(matrix_of(call.input("_a")));
    const std::size_t n = system.values.size();
    for (std::size_t i = 0; i < n; ++i) set_element(call.output("_w"), i, system.values[i]);
    if (call.form.outputs.size() > 2)
        for (std::size_t at = 0; at < n * n; ++at) set_element(call.output("_v"), at, system.vectors[at / n][at % n]);
    set_element(call.output("_failed"), 0, 0);
}

/// Equal eigenvalues would leave the vectors open.
void make_distinct(ir::Operands& operands) {
    ir::Operand& a = operands.at("_a");
    const auto n = static_cast<std::size_t>(a.shape[0]);
    for (std::size_t i = 0; i < n; ++i) a.values[i * n + i] = a.values[i * n + i] + ir::Number(static_cast<double>(5 * i));
}

}  // namespace

Operation eigh() {
    using enum code::Scalar;
    return {.name = "Eigh",
            .classpath = {},
            .summary = "Eigenvalues and eigenvectors of a Hermitian matrix; _failed tells whether it holds NaN.",
            .forms = {form("_a[N, N] -> _w[N], _v[N, N], _failed"), form("_a[N, N] -> _w[N], _failed")},
            .types = {Float64, Float32, Complex128, Complex64},
            .one_type = true,
            .up_to_phase = {"_v"},
            .make_valid = make_distinct,
            .flops = [](const Form& form) { return std::string(form.outputs.size() > 2 ? "9*N**3" : "4*N**3/3"); },
            .reference = define_eigh,
            .expansions =
                lapack_expansions({.name = [](const Binding& binding) { return has_vectors(binding) ? "eigen" : "eigenvalues"; },
                                   .sizes = {"N"},
                                   .routine = "syevd",
                                   .header = "jacobi",
                                   .method = "Jacobi's rotations, of the runtime."})};
}

}  // namespace sluice::library
