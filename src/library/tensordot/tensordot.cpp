#include "library/tensordot/tensordot.h"

#include <algorithm>

#include "library/contraction/contraction.h"

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

}  // namespace

void expand_tensordot(NodeContext& context) {
    const std::vector<std::int64_t> left_axes = context.axes("left_axes"), right_axes = context.axes("right_axes"),
                                    permutation = context.axes("permutation");
    if (left_axes.size() != right_axes.size())
        context.refuse("B003", "left_axes and right_axes of TensorDot differ in length", "pair every axis");
    const ir::EdgeId left = context.input("_left_tensor"), right = context.input("_right_tensor");
    const std::size_t left_rank = context.subset(left).rank(), right_rank = context.subset(right).rank();
    std::string a, b, rest;
    char next = 'a';
    for (std::size_t d = 0; d < left_rank; ++d) a += next++;
    for (std::size_t d = 0; d < right_rank; ++d) b += next++;
    for (std::size_t k = 0; k < left_axes.size(); ++k)
        b[dimension(context, right_axes[k], right_rank)] = a[dimension(context, left_axes[k], left_rank)];
    for (const char letter : a)
        if (b.find(letter) == std::string::npos) rest += letter;
    for (const char letter : b)
        if (a.find(letter) == std::string::npos) rest += letter;
    std::string out = rest;
    if (!permutation.empty()) {
        if (permutation.size() != rest.size())
            context.refuse("B003", "the permutation of TensorDot has another length than its output", "name every dimension once");
        for (std::size_t d = 0; d < rest.size(); ++d) out[d] = rest[dimension(context, permutation[d], rest.size())];
    }
    expand_contraction(
        context,
        {{{left, a}, {right, b}}, {context.output("_out_tensor"), out}, context.factor("alpha", "1"), context.factor("beta", "0")});
}

}  // namespace sluice::library
