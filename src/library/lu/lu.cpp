// Lu: the triangular factors of `_a` with its rows exchanged so that each pivot is the largest of its column, both in `_b`: the
// lower factor without its diagonal of ones, and the upper one. `_sign` is 1, or -1 where the number of exchanges is odd.
#include <algorithm>

#include "library/shared/lapack.h"

namespace sluice::library {

namespace {

/// Row by row (Doolittle), as the sums of the products say: b[i, j] = a[i, j] - sum over k < min(i, j) of b[i, k] * b[k, j].
void define_lu(ReferenceCall& call) {
    Matrix a = matrix_of(call.input("_a"));
    const std::size_t n = a.size();
    double sign = 1;
    const auto size = [](std::complex<double> x) { return std::abs(x.real()) + std::abs(x.imag()); };
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = k; i < n; ++i)
            for (std::size_t j = 0; j < k; ++j) a[i][k] -= a[i][j] * a[j][k];
        const auto pivot = std::max_element(a.begin() + static_cast<std::ptrdiff_t>(k), a.end(),
                                            [&](const auto& x, const auto& y) { return size(x[k]) < size(y[k]); });
        if (pivot != a.begin() + static_cast<std::ptrdiff_t>(k)) {
            std::swap(*pivot, a[k]);
            sign = -sign;
        }
        for (std::size_t j = k + 1; j < n; ++j)
            for (std::size_t i = 0; i < k; ++i) a[k][j] -= a[k][i] * a[i][j];
        for (std::size_t i = k + 1; i < n && a[k][k] != 0.0; ++i) a[i][k] /= a[k][k];
    }
    for (std::size_t at = 0; at < n * n; ++at) set_element(call.output("_b"), at, a[at / n][at % n]);
    set_element(call.output("_sign"), 0, sign);
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
