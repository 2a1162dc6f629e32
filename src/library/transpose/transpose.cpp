// Transpose: the rows of _out are the columns of _inp.
#include "library/shared/sum_of_products.h"

namespace sluice::library {

Operation transpose() {
    return {.name = "Transpose",
            .classpath = "dace.libraries.linalg.nodes.transpose.Transpose",
            .summary = "The rows of _out are the columns of _inp.",
            .forms = {form("_inp[M, N] -> _out[N, M]")},
            .flops = [](const Form&) { return std::string("0"); },
            .reference = sum_of_products,
            .expansions = {native_sum_of_products()}};
}

}  // namespace sluice::library
