#include "library/transpose/transpose.h"

#include "library/contraction/contraction.h"

namespace sluice::library {

void expand_transpose(NodeContext& context) {
    if (context.library().operation == "Transpose")
        return expand_contraction(context, {{{context.input("_inp"), "ij"}}, {context.output("_out"), "ji"}, "1", "0"});
    const std::vector<std::int64_t> axes = context.axes("axes");
    std::string in, out;
    for (std::size_t d = 0; d < axes.size(); ++d) in += static_cast<char>('a' + d);
    for (const std::int64_t axis : axes) {
        if (axis < 0 || axis >= static_cast<std::int64_t>(axes.size()) ||
            out.find(in[static_cast<std::size_t>(axis)]) != std::string::npos)
            context.refuse("B003", "the axes of TensorTranspose are no permutation", "name every dimension once");
        out += in[static_cast<std::size_t>(axis)];
    }
    expand_contraction(context, {{{context.input("_inp_tensor"), in}},
                                 {context.output("_out_tensor"), out},
                                 context.factor("alpha", "1"),
                                 context.factor("beta", "0")});
}

}  // namespace sluice::library
