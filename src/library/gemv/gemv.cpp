// Gemv: _y = alpha * _A @ _x + beta * _y for a matrix, which may be given transposed, and vectors.
#include "library/shared/blas.h"
#include "library/shared/element_wise.h"
#include "library/shared/sum_of_products.h"

namespace sluice::library {

namespace {

/// A transposed matrix is walked along its rows: the sums of all elements grow together.
void expand_loops(NodeDraft& draft) {
    expand_sum_of_products(draft, {.innermost = draft.flag("transA") ? "M" : ""});
}

/// Each element of the result is pushed when its row is done with.
Expansion streaming_result() {
    Expansion expansion = streaming(expand_loops);
    expansion.summary = "Loops that push the result in the order of the rows.";
    expansion.why_not = [](const NodeContext& context) -> std::string {
        if (!has_stream(context)) return "no operand is a stream";
        const ir::EdgeId vector = context.input("_x");
        return context.operand(vector, context.dims(vector, 1)).is_stream ? "the vector is read once for each row" : "";
    };
    return expansion;
}

}  // namespace

Operation gemv() {
    Expansion native = native_sum_of_products();
    native.expand = expand_loops;
    return {.name = "Gemv",
            .classpath = "dace.libraries.blas.nodes.gemv.Gemv",
            .summary = "_y = alpha * _A @ _x + beta * _y for a matrix and vectors.",
            .forms = {form("_A[M, N], _x[N] -> _y[M]", {{"transA", false}}), form("_A[N, M], _x[N] -> _y[M]", {{"transA", true}})},
            .properties = {{"alpha", std::int64_t{1}, "Factor of the product."},
                           {"beta", std::int64_t{0}, "Factor of what the output holds before."},
                           {"transA", false, "_A is given transposed."}},
            .connector_aliases = {{"_a", "_A"}, {"_b", "_x"}, {"_c", "_y"}, {"_cin", "_y"}, {"_yin", "_y"}},
            .update_factor = "beta",
            .flops = multiply_and_add,
            .reference = sum_of_products,
            .expansions = {streaming_result(), blocked_gemv(), blas_gemv("NumPy", "numpy"), blas_gemv("OpenBLAS", "openblas"),
                           blas_gemv("MKL", "mkl"), native, sums_on_chip(), sums_in_blocks()}};
}

}  // namespace sluice::library
