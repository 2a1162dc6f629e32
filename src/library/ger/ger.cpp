// Ger: _res = _A + alpha * outer(_x, _y).
#include "library/shared/blas.h"
#include "library/shared/element_wise.h"
#include "library/typed_number.h"

namespace sluice::library {

namespace {

void define_ger(ReferenceCall& call) {
    const ir::Operand &x = call.input("_x"), &y = call.input("_y"), &a = call.input("_A");
    ir::Operand& result = call.output("_res");
    for (std::size_t i = 0; i < x.values.size(); ++i)
        for (std::size_t j = 0; j < y.values.size(); ++j) {
            const std::size_t at = i * y.values.size() + j;
            result.values[at] = (element(a, at) + factor(call, "alpha") * element(x, i) * element(y, j)).value;
        }
}

}  // namespace

Operation ger() {
    return {.name = "Ger",
            .classpath = "dace.libraries.blas.nodes.ger.Ger",
            .summary = "_res = _A + alpha * outer(_x, _y).",
            .forms = {form("_x[M], _y[N], _A[M, N] -> _res[M, N]")},
            .properties = {{"alpha", std::int64_t{1}, "Factor of the outer product."}},
            .element_wise = true,
            .flops = [](const Form&) { return std::string("3*M*N"); },
            .reference = define_ger,
            .expansions = {{.name = "native",
                            .summary = "One map over the matrix.",
                            .aliases = {"pure"},
                            .expand =
                                [](NodeDraft& draft) {
                                    expand_element_wise(draft, "__o = __A + (" + draft.factor("alpha", "1") + ") * __x * __y");
                                }},
                           blas_ger("NumPy", "numpy"),
                           blas_ger("OpenBLAS", "openblas"),
                           blas_ger("MKL", "mkl")}};
}

}  // namespace sluice::library
