// Axpy: _res = a * _x + _y.
#include "library/shared/blas.h"
#include "library/shared/element_wise.h"
#include "library/typed_number.h"

namespace sluice::library {

namespace {

void define_axpy(ReferenceCall& call) {
    const ir::Operand &x = call.input("_x"), &y = call.input("_y");
    ir::Operand& result = call.output("_res");
    for (std::size_t i = 0; i < result.values.size(); ++i)
        result.values[i] = (factor(call, "a") * element(x, i) + element(y, i)).value;
}

void expand_map(NodeDraft& draft) {
    expand_element_wise(draft, "__o = (" + draft.factor("a", "a") + ") * __x + __y");
}

}  // namespace

Operation axpy() {
    return {.name = "Axpy",
            .classpath = "dace.libraries.blas.nodes.axpy.Axpy",
            .summary = "_res = a * _x + _y.",
            .forms = {form("_x[N], _y[N] -> _res[N]")},
            .properties = {{"a", symbolic::symbol("a"), "The factor."}},
            .element_wise = true,
            .flops = multiply_and_add,
            .reference = define_axpy,
            .expansions = {streaming(expand_map),
                           {.name = "native", .summary = "One map.", .aliases = {"pure"}, .expand = expand_map},
                           blas_axpy("NumPy", "numpy"),
                           blas_axpy("OpenBLAS", "openblas"),
                           blas_axpy("MKL", "mkl")}};
}

}  // namespace sluice::library
