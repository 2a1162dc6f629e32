// CountTrue: how many elements of a mask hold.
#include "library/contract.h"
#include "library/extern_call.h"

namespace sluice::library {

namespace {

void define_count_true(ReferenceCall& call) {
    std::int64_t count = 0;
    for (const ir::Number& one : call.input("_a").values) count += one.integer != 0 ? 1 : 0;
    call.output("_b").values[0] = count;
}

void expand_count_true(NodeDraft& draft) {
    const Binding binding = bind(draft);
    const ExternCall call{
        .environment = "selection",
        .function = "sluice::selection::count_true",
        .arguments = {binding.sizes.at("N"), ExternCall::Address{"_a"}, ExternCall::Stride{"_a", 0, 1}, ExternCall::Address{"_b"}}};
    become_call(draft, call, {{binding.inputs[0].edge, "_a"}}, {{binding.outputs[0].edge, "_b"}}, false);
}

}  // namespace

Operation count_true() {
    return {.name = "CountTrue",
            .classpath = {},
            .summary = "How many elements of a mask hold.",
            .forms = {form("_a[N] -> _b")},
            .types = {code::Scalar::Bool, code::Scalar::Int64},
            .flops = [](const Form&) { return std::string("N"); },
            .reference = define_count_true,
            .expansions = {{.name = "native",
                            .summary = "A loop of the runtime that counts in 8 bits.",
                            .aliases = {"pure"},
                            .requirement = {"selection", false},
                            .expand = expand_count_true}}};
}

}  // namespace sluice::library
