// Select: the elements of each row that stand at some places once the row is in order.
#include <algorithm>
#include <cmath>

#include "library/contract.h"
#include "library/extern_call.h"

namespace sluice::library {

namespace {

void define_select(ReferenceCall& call) {
    const ir::Operand &a = call.input("_a"), &places = call.input("_at");
    ir::Operand& b = call.output("_b");
    const auto n = static_cast<std::ptrdiff_t>(a.shape.back());
    const auto before = [&](const ir::Number& x, const ir::Number& y) {
        if (a.type == code::Scalar::UInt64) return static_cast<std::uint64_t>(x.integer) < static_cast<std::uint64_t>(y.integer);
        if (x.integral && y.integral) return x.integer < y.integer;
        const double p = x.complex().real(), q = y.complex().real();
        return p < q || (std::isnan(q) && !std::isnan(p));
    };
    std::ranges::fill(b.values, ir::Number(std::int64_t{0}));
    std::size_t at = 0;
    for (auto row = a.values.begin(); n > 0 && row != a.values.end(); row += n) {
        std::vector<ir::Number> sorted(row, row + n);
        std::ranges::stable_sort(sorted, before);
        for (const ir::Number& place : places.values) b.values[at++] = sorted[static_cast<std::size_t>(place.integer)];
    }
}

bool has_rows(const NodeContext& context) {
    return bind(context).input("_a").sizes.size() > 1;
}

void expand_select_rows(NodeDraft& draft) {
    const Binding binding = bind(draft);
    const BoundOperand &a = binding.input("_a"), &at = binding.input("_at"), &b = binding.output("_b");
    ir::Sdfg body{.name = "rows"};
    for (const BoundOperand* one : {&a, &at, &b}) declare_operand(draft, body, one->connector, one->edge, one->dims);
    ir::StateBuilder state = ir::add_state(body.body, "rows");
    const auto [entry, exit] =
        state.map("rows", {{"__row", symbolic::Range::extent(binding.sizes.at("B"))}}, draft.library().schedule);
    const ir::NodeId node = state.library(draft.operation->name, "row", {"_a", "_at"}, {"_b"}, draft.library().properties);
    std::get<ir::LibraryNode>(state.state().nodes[node].kind).implementation = draft.library().implementation;
    const symbolic::Range row = symbolic::Range::index(symbolic::symbol("__row")),
                          all = symbolic::Range::extent(binding.sizes.at("N")),
                          places = symbolic::Range::extent(binding.sizes.at("K"));
    state.memlet_path({state.access("_a"), entry, node}, "", "_a", ir::memlet("_a", ir::Subset{{row, all}}));
    state.memlet_path({state.access("_at"), entry, node}, "", "_at", ir::memlet("_at", ir::Subset{{places}}));
    state.memlet_path({node, exit, state.access("_b")}, "_b", "", ir::memlet("_b", ir::Subset{{row, places}}));
    replace_by(draft, std::move(body), {{a.edge, "_a"}, {at.edge, "_at"}}, {{b.edge, "_b"}});
}

void expand_select(NodeDraft& draft) {
    const Binding binding = bind(draft);
    const ExternCall call{.environment = "sorting",
                          .function = "sluice::sorting::select",
                          .arguments = {binding.sizes.at("N"), ExternCall::Address{"_a"}, ExternCall::Stride{"_a", 0, 1},
                                        binding.sizes.at("K"), ExternCall::Address{"_at"}, ExternCall::Stride{"_at", 0, 1},
                                        ExternCall::Address{"_b"}, ExternCall::Stride{"_b", 0, 1}}};
    become_call(draft, call, {{binding.input("_a").edge, "_a"}, {binding.input("_at").edge, "_at"}},
                {{binding.output("_b").edge, "_b"}}, false);
}

void make_places(ir::Operands& operands) {
    const std::int64_t n = operands.at("_a").shape.back();
    for (ir::Number& one : operands.at("_at").values) one = n > 0 ? (one.integer % n + n) % n : 0;
}

}  // namespace

Operation select() {
    using enum code::Scalar;
    return {
        .name = "Select",
        .classpath = {},
        .summary = "The elements of each row that stand at some places once it is in order, NaN last.",
        .forms = {form("_a[N], _at[K] -> _b[K]"), form("_a[B, N], _at[K] -> _b[B, K]")},
        .types = {Float64, Float32, Int64, Int32, Int16, Int8, UInt64, UInt32, UInt16, UInt8, Bool},
        .operand_types = {{"_at", Int64}},
        .one_type = true,
        .make_valid = make_places,
        .reference = define_select,
        .expansions = {
            {.name = "rows",
             .summary = "A map over the rows.",
             .why_not = [](const NodeContext& context) -> std::string { return has_rows(context) ? "" : "there is one row only"; },
             .expand = expand_select_rows},
            {.name = "native",
             .summary = "Partitions of the runtime, which go on where one of the places lies.",
             .aliases = {"pure"},
             .requirement = {"sorting", false},
             .why_not = [](const NodeContext& context) -> std::string { return has_rows(context) ? "there are several rows" : ""; },
             .expand = expand_select}}};
}

}  // namespace sluice::library
