// Gemm: _c = alpha * _a @ _b + beta * _c for matrices, either of which may be given transposed.
#include "library/shared/blas.h"
#include "library/shared/sum_of_products.h"

namespace sluice::library {

Operation gemm() {
    return {.name = "Gemm",
            .classpath = "dace.libraries.blas.nodes.gemm.Gemm",
            .summary = "_c = alpha * _a @ _b + beta * _c for matrices.",
            .forms = {form("_a[M, K], _b[K, N] -> _c[M, N]", {{"transA", false}, {"transB", false}}),
                      form("_a[K, M], _b[K, N] -> _c[M, N]", {{"transA", true}, {"transB", false}}),
                      form("_a[M, K], _b[N, K] -> _c[M, N]", {{"transA", false}, {"transB", true}}),
                      form("_a[K, M], _b[N, K] -> _c[M, N]", {{"transA", true}, {"transB", true}})},
            .properties = {{"alpha", std::int64_t{1}, "Factor of the product."},
                           {"beta", std::int64_t{0}, "Factor of what the output holds before."},
                           {"transA", false, "_a is given transposed."},
                           {"transB", false, "_b is given transposed."}},
            .connector_aliases = {{"_cin", "_c"}},
            .update_factor = "beta",
            .flops = multiply_and_add,
            .reference = sum_of_products,
            .expansions = {blas_gemm("NumPy", "numpy"), blas_gemm("OpenBLAS", "openblas"), blas_gemm("MKL", "mkl"), small_gemm(),
                           native_sum_of_products({.innermost = "N"}), sums_in_blocks()}};
}

}  // namespace sluice::library
