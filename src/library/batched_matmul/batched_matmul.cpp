// BatchedMatMul: _c = alpha * _a @ _b + beta * _c for every index of the leading dimensions, which broadcast.
#include "library/shared/product_forms.h"
#include "library/shared/sum_of_products.h"

namespace sluice::library {

Operation batched_matmul() {
    return {.name = "BatchedMatMul",
            .classpath = "dace.libraries.blas.nodes.batched_matmul.BatchedMatMul",
            .summary = "_c = alpha * _a @ _b + beta * _c for every index of the leading dimensions.",
            .forms = {form("_a[B, M, K], _b[B, K, N] -> _c[B, M, N]"), form("_a[B, M, K], _b[K, N] -> _c[B, M, N]"),
                      form("_a[M, K], _b[B, K, N] -> _c[B, M, N]"), form("_a[B, M, K], _b[1, K, N] -> _c[B, M, N]"),
                      form("_a[B, C, M, K], _b[C, K, N] -> _c[B, C, M, N]")},
            .forms_of = product_forms,
            .properties = {{"alpha", std::int64_t{1}, "Factor of the product."},
                           {"beta", std::int64_t{0}, "Factor of what the output holds before."},
                           {"transA", false, "The left matrices are transposed."},
                           {"transB", false, "The right matrices are transposed."}},
            .connector_aliases = {{"_cin", "_c"}},
            .update_factor = "beta",
            .flops = multiply_and_add,
            .reference = sum_of_products,
            .expansions = {native_sum_of_products({.innermost = "N"})}};
}

}  // namespace sluice::library
