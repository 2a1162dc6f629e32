// Dot: _result = sum of _x * _y, without conjugation.
#include "library/shared/blas.h"
#include "library/shared/element_wise.h"
#include "library/shared/sum_of_products.h"

namespace sluice::library {

Operation dot() {
    return {.name = "Dot",
            .classpath = "dace.libraries.blas.nodes.dot.Dot",
            .summary = "_result = sum of _x * _y.",
            .forms = {form("_x[N], _y[N] -> _result")},
            .flops = multiply_and_add,
            .reference = sum_of_products,
            .expansions = {streaming([](NodeDraft& draft) { expand_sum_of_products(draft); }), native_sum_of_products(),
                           sums_on_chip(), blas_dot("NumPy", "numpy"), blas_dot("OpenBLAS", "openblas"), blas_dot("MKL", "mkl")}};
}

}  // namespace sluice::library
