// TensorTranspose: dimension d of _out_tensor is dimension axes[d] of _inp_tensor.
#include <algorithm>

#include "library/shared/sum_of_products.h"

namespace sluice::library {

namespace {

std::vector<Form> forms_of_transposition(const NodeContext& context) {
    FormOperand in{"_inp_tensor", {}}, out{"_out_tensor", {}};
    const std::vector<std::int64_t> axes = context.axes("axes");
    for (std::size_t dim = 0; dim < axes.size(); ++dim) in.sizes.push_back("D" + std::to_string(dim));
    for (const std::int64_t axis : axes) {
        const std::string size = "D" + std::to_string(axis);
        if (axis < 0 || axis >= static_cast<std::int64_t>(axes.size()) || std::ranges::count(out.sizes, size))
            context.refuse("B003", "the axes of TensorTranspose are no permutation", "name every dimension once");
        out.sizes.push_back(size);
    }
    return {{.inputs = {in}, .outputs = {out}}};
}

}  // namespace

Operation tensor_transpose() {
    return {.name = "TensorTranspose",
            .classpath = "dace.libraries.linalg.nodes.ttranspose.TensorTranspose",
            .summary = "Dimension d of _out_tensor is dimension axes[d] of _inp_tensor.",
            .forms = {form("_inp_tensor[A, B, C] -> _out_tensor[C, A, B]", {{"axes", std::vector<std::int64_t>{2, 0, 1}}}),
                      form("_inp_tensor[A, B] -> _out_tensor[B, A]", {{"axes", std::vector<std::int64_t>{1, 0}}})},
            .forms_of = forms_of_transposition,
            .properties = {{"axes", std::vector<std::int64_t>{}, "A permutation of the dimensions."},
                           {"alpha", std::int64_t{1}, "Factor of the input."},
                           {"beta", std::int64_t{0}, "Factor of what the output holds before."}},
            .connector_aliases = {{"_out", "_out_tensor"}},
            .update_factor = "beta",
            .flops = [](const Form&) { return std::string("0"); },
            .reference = sum_of_products,
            .expansions = {native_sum_of_products()}};
}

}  // namespace sluice::library
