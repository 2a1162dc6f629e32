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

/// For targets that call no library.
void expand_by_loops(NodeDraft& draft) {
    const Binding binding = bind(draft);
    const BoundOperand &a = binding.inputs[0], &b = binding.outputs[0];
    ir::Sdfg body{.name = "count"};
    for (const BoundOperand* one : {&a, &b}) declare_operand(draft, body, one->connector, one->edge, one->dims);
    const std::vector<ir::Expr> place(body.containers.at("_b").shape.size(), ir::Expr(0));
    const ir::Memlet total = ir::memlet("_b", ir::Subset::indices(place));
    ir::BlockId begin, count;
    ir::StateBuilder first = ir::add_state(body.body, "begin", &begin);
    first.edge(first.tasklet("begin", {}, {{"__o", ir::DType()}}, "__o = 0"), "__o", first.access("_b"), "", total);
    ir::add_state(body.body, "count", &count)
        .mapped_tasklet("count", {{"__i", symbolic::Range::extent(binding.sizes.at("N"))}},
                        {{"__a", ir::memlet("_a", ir::Subset::indices({symbolic::symbol("__i")}))}}, "__o = 1 if __a else 0",
                        {{"__o", total}}, "lambda x, y: x + y", draft.library().schedule);
    ir::add_transition(body.body, begin, count);
    replace_by(draft, std::move(body), {{a.edge, "_a"}}, {{b.edge, "_b"}});
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
                            .expand = expand_count_true},
                           {.name = "loops", .summary = "A map that updates the sum.", .expand = expand_by_loops}}};
}

}  // namespace sluice::library
