// Lu: the triangular factors of `_a` with its rows exchanged so that each pivot is the largest of its column, both in `_b`: the
// lower factor without its diagonal of ones, and the upper one. `_sign` is 1, or -1 where the number of exchanges is odd.
#include "library/shared/lapack.h"

namespace sluice::library {

namespace {

void define_lu(ReferenceCall& call) {
    const TriangularFactors factors = triangular_factors_of(matrix_of(call.input("_a")));
    const std::size_t n = factors.both.size();
    for (std::size_t at = 0; at < n * n; ++at) set_element(call.output("_b"), at, factors.both[at / n][at % n]);
    set_element(call.output("_sign"), 0, factors.sign);
}

}  // namespace

Operation lu() {
    using enum code::Scalar;
    return {.name = "Lu",
            .classpath = {},
            .summary = "The triangular factors of a matrix with its rows exchanged, and the sign of the exchanges.",
            .forms = {form("_a[N, N] -> _b[N, N], _sign")},
            .types = {Float64, Float32, Complex128, Complex64},
            .one_type = true,
            .flops = [](const Form&) { return std::string("2*N**3/3"); },
            .reference = define_lu,
            .expansions = lapack_expansions({.name = [](const Binding&) { return "factor"; },
                                             .sizes = {"N"},
                                             .routine = "getrf",
                                             .header = "elimination",
                                             .method = "Gaussian elimination with partial pivoting, of the runtime."})};
}

}  // namespace sluice::library
