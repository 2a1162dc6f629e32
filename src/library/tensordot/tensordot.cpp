// TensorDot: sums products over pairs of dimensions, as numpy.tensordot. The output has the dimensions left over, in order or
// permuted.
#include <algorithm>

#include "library/shared/sum_of_products.h"

namespace sluice::library {

namespace {

/// The dimension that an axis means, counted from the end where it is negative.
std::size_t dimension(const NodeContext& context, std::int64_t axis, std::size_t rank) {
    const std::int64_t dim = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
    if (dim < 0 || dim >= static_cast<std::int64_t>(rank))
        context.refuse("B003", "axis " + std::to_string(axis) + " of an operand of " + std::to_string(rank) + " dimensions",
                       "use an axis that the operand has");
    return static_cast<std::size_t>(dim);
}

std::vector<Form> forms_of_tensordot(const NodeContext& context) {
    const std::vector<std::int64_t> left_axes = context.axes("left_axes"), right_axes = context.axes("right_axes"),
                                    permutation = context.axes("permutation");
    if (left_axes.size() != right_axes.size())
        context.refuse("B003", "left_axes and right_axes of TensorDot differ in length", "pair every axis");
    FormOperand left{"_left_tensor", {}}, right{"_right_tensor", {}}, out{"_out_tensor", {}};
    for (std::size_t d = 0; d < context.subset(context.input("_left_tensor")).rank(); ++d)
        left.sizes.push_back("L" + std::to_string(d));
    for (std::size_t d = 0; d < context.subset(context.input("_right_tensor")).rank(); ++d)
        right.sizes.push_back("R" + std::to_string(d));
    std::vector<std::string> rest;
    std::vector<bool> summed(left.sizes.size(), false);
    for (std::size_t k = 0; k < left_axes.size(); ++k) {
        const std::size_t axis = dimension(context, left_axes[k], left.sizes.size());
        right.sizes[dimension(context, right_axes[k], right.sizes.size())] = left.sizes[axis];
        summed[axis] = true;
    }
    for (std::size_t d = 0; d < left.sizes.size(); ++d)
        if (!summed[d]) rest.push_back(left.sizes[d]);
    for (const std::string& size : right.sizes)
        if (size[0] == 'R') rest.push_back(size);
    out.sizes = rest;
    if (!permutation.empty()) {
        if (permutation.size() != rest.size())
            context.refuse("B003", "the permutation of TensorDot has another length than its output", "name every dimension once");
        for (std::size_t d = 0; d < rest.size(); ++d) out.sizes[d] = rest[dimension(context, permutation[d], rest.size())];
    }
    return {{.inputs = {left, right}, .outputs = {out}}};
}

std::vector<std::int64_t> axes(std::initializer_list<std::int64_t> list) {
    return list;
}

}  // namespace

Operation tensordot() {
    return {.name = "TensorDot",
            .classpath = "dace.libraries.linalg.nodes.tensordot.TensorDot",
            .summary = "Sums products over pairs of dimensions.",
            .forms = {form("_left_tensor[A, B, C], _right_tensor[B, C, D] -> _out_tensor[A, D]",
                           {{"left_axes", axes({1, 2})}, {"right_axes", axes({0, 1})}}),
                      form("_left_tensor[A, B], _right_tensor[D, B] -> _out_tensor[D, A]",
                           {{"left_axes", axes({1})}, {"right_axes", axes({-1})}, {"permutation", axes({1, 0})}})},
            .forms_of = forms_of_tensordot,
            .properties = {{"left_axes", axes({}), "Dimensions of the left operand that are summed."},
                           {"right_axes", axes({}), "Their partners in the right one."},
                           {"permutation", axes({}), "Order of the output's dimensions; empty: as they are left over."},
                           {"alpha", std::int64_t{1}, "Factor of the products."},
                           {"beta", std::int64_t{0}, "Factor of what the output holds before."}},
            .connector_aliases = {{"_out", "_out_tensor"}},
            .update_factor = "beta",
            .flops = multiply_and_add,
            .reference = sum_of_products,
            .expansions = {native_sum_of_products(), sums_in_blocks()}};
}

}  // namespace sluice::library
