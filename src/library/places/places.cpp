// Places: the indices of the first K elements of a mask that hold, in order; N where there are fewer.
#include <algorithm>

#include "library/contract.h"
#include "library/extern_call.h"

namespace sluice::library {

namespace {

void define_places(ReferenceCall& call) {
    const ir::Operand& mask = call.input("_a");
    ir::Operand& places = call.output("_b");
    std::fill(places.values.begin(), places.values.end(), ir::Number(mask.shape[0]));
    std::size_t k = 0;
    for (std::size_t i = 0; i < mask.values.size() && k < places.values.size(); ++i)
        if (mask.values[i].integer != 0) places.values[k++] = static_cast<std::int64_t>(i);
}

void expand_places(NodeDraft& draft) {
    const Binding binding = bind(draft);
    const ExternCall call{.environment = "selection",
                          .function = "sluice::selection::places",
                          .arguments = {binding.sizes.at("N"), ExternCall::Address{"_a"}, ExternCall::Stride{"_a", 0, 1},
                                        binding.sizes.at("K"), ExternCall::Address{"_b"}, ExternCall::Stride{"_b", 0, 1}}};
    become_call(draft, call, {{binding.inputs[0].edge, "_a"}}, {{binding.outputs[0].edge, "_b"}}, false);
}

}  // namespace

Operation places() {
    return {.name = "Places",
            .classpath = {},
            .summary = "The indices of the first elements of a mask that hold, the mask's size where there are fewer.",
            .forms = {form("_a[N] -> _b[K]")},
            .types = {code::Scalar::Bool, code::Scalar::Int64},
            .flops = [](const Form&) { return std::string("N"); },
            .reference = define_places,
            .expansions = {{.name = "native",
                            .summary = "A loop of the runtime that branches for eight elements at once.",
                            .aliases = {"pure"},
                            .requirement = {"selection", false},
                            .expand = expand_places}}};
}

}  // namespace sluice::library
