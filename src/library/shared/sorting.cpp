#include "library/shared/sorting.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "library/contract.h"
#include "library/extern_call.h"

namespace sluice::library {

namespace {

/// A row is the last dimension. Single indices in front of it count as no dimension, or as one of size 1.
std::vector<Form> forms_of_rows(const NodeContext& context) {
    const ir::Subset moved = context.subset(context.input("_a"));
    std::size_t leading = 0;
    for (std::size_t dim = 0; dim + 1 < moved.rank(); ++dim) leading += moved.dims[dim].is_index() ? 0 : 1;
    std::vector<Form> forms;
    for (const std::size_t outer : {leading, std::max<std::size_t>(moved.rank(), 1) - 1}) {
        std::vector<std::string> sizes;
        for (std::size_t dim = 0; dim < outer; ++dim) sizes.push_back("B" + std::to_string(dim));
        sizes.emplace_back("N");
        forms.push_back({.inputs = {{"_a", sizes}}, .outputs = {{"_b", sizes}}});
    }
    return forms;
}

/// By the definition: equal elements keep their order, NaN comes last.
void define(ReferenceCall& call, bool places) {
    const ir::Operand& a = call.input("_a");
    ir::Operand& b = call.output("_b");
    const auto n = static_cast<std::size_t>(a.shape.back());
    const auto value = [&](std::size_t at) { return a.values[at].complex().real(); };
    const auto before = [&](std::size_t x, std::size_t y) {
        if (a.type == code::Scalar::UInt64)
            return static_cast<std::uint64_t>(a.values[x].integer) < static_cast<std::uint64_t>(a.values[y].integer);
        if (a.values[x].integral && a.values[y].integral) return a.values[x].integer < a.values[y].integer;
        return value(x) < value(y) || (std::isnan(value(y)) && !std::isnan(value(x)));
    };
    std::vector<std::size_t> order(n);
    for (std::size_t row = 0; n > 0 && row < a.values.size(); row += n) {
        std::iota(order.begin(), order.end(), row);
        std::stable_sort(order.begin(), order.end(), before);
        for (std::size_t at = 0; at < n; ++at)
            b.values[row + at] = places ? ir::Number(static_cast<std::int64_t>(order[at] - row)) : a.values[order[at]];
    }
}

std::string why_not_one_row(const NodeContext& context) {
    return bind(context).inputs[0].sizes.size() > 1 ? "there are several rows" : "";
}

std::string why_not_rows(const NodeContext& context) {
    return bind(context).inputs[0].sizes.size() > 1 ? "" : "there is one row only";
}

/// A map over the leading dimensions, with the same operation on each row.
void expand_rows(NodeDraft& draft) {
    const Binding binding = bind(draft);
    const BoundOperand &a = binding.inputs[0], &b = binding.outputs[0];
    ir::Sdfg body{.name = "rows"};
    for (const BoundOperand* one : {&a, &b}) declare_operand(draft, body, one->connector, one->edge, one->dims);
    ir::MapRanges params;
    ir::Subset one_row;
    for (std::size_t dim = 0; dim + 1 < a.sizes.size(); ++dim) {
        const std::string param = "__" + a.sizes[dim];
        params.emplace_back(param, symbolic::Range::extent(binding.sizes.at(a.sizes[dim])));
        one_row.dims.push_back(symbolic::Range::index(symbolic::symbol(param)));
    }
    one_row.dims.push_back(symbolic::Range::extent(binding.sizes.at("N")));
    ir::StateBuilder state = ir::add_state(body.body, "rows");
    const auto [entry, exit] = state.map("rows", params, draft.library().schedule);
    const ir::NodeId node = state.library(draft.operation->name, "row", {"_a"}, {"_b"}, draft.library().properties);
    std::get<ir::LibraryNode>(state.state().nodes[node].kind).implementation = draft.library().implementation;
    state.memlet_path({state.access("_a"), entry, node}, "", "_a", ir::memlet("_a", one_row));
    state.memlet_path({node, exit, state.access("_b")}, "_b", "", ir::memlet("_b", one_row));
    replace_by(draft, std::move(body), {{a.edge, "_a"}}, {{b.edge, "_b"}});
}

/// Each element is put where as many precede it: n * n comparisons, all at the same time.
void expand_by_counting(NodeDraft& draft, bool places) {
    const Binding binding = bind(draft);
    const BoundOperand &a = binding.inputs[0], &b = binding.outputs[0];
    ir::Sdfg body{.name = "sort"};
    for (const BoundOperand* one : {&a, &b}) declare_operand(draft, body, one->connector, one->edge, one->dims);
    const symbolic::Range all = symbolic::Range::extent(binding.sizes.at("N"));
    ir::add_transient(body, "__place", code::Scalar::Int64, {binding.sizes.at("N")});
    const auto schedule = draft.library().schedule;
    ir::BlockId start, count;
    ir::add_state(body.body, "start", &start)
        .mapped_tasklet("start", {{"__i", all}}, {}, "__o = 0", {{"__o", "__place[__i]"}}, {}, schedule);
    ir::add_state_after(body.body, start, "count", &count)
        .mapped_tasklet("count", {{"__i", all}, {"__j", all}}, {{"__x", "_a[__i]"}, {"__y", "_a[__j]"}},
                        "__o = 1 if __y < __x or (__x != __x and __y == __y) or "
                        "(__j < __i and (__y == __x or (__x != __x and __y != __y))) else 0",
                        {{"__o", "__place[__i]"}}, "lambda a, b: a + b", schedule);
    ir::add_state_after(body.body, count, "put")
        .mapped_tasklet("put", {{"__i", all}}, {{"__x", "_a[__i]"}, {"__p", "__place[__i]"}},
                        places ? "__o[__p] = __i" : "__o[__p] = __x", {{"__o", ir::memlet("_b", ir::Subset{{all}})}}, {}, schedule);
    replace_by(draft, std::move(body), {{a.edge, "_a"}}, {{b.edge, "_b"}});
}

Expansion merge(const std::string& function) {
    Expansion expansion{.name = "merge",
                        .summary = "A stable sort of the runtime, n * log(n) comparisons.",
                        .requirement = {"sorting", false},
                        .why_not = why_not_one_row,
                        .expand = {}};
    expansion.expand = [function](NodeDraft& draft) {
        const Binding binding = bind(draft);
        const BoundOperand &a = binding.inputs[0], &b = binding.outputs[0];
        const ExternCall call{.environment = "sorting",
                              .function = function,
                              .arguments = {binding.sizes.at("N"), ExternCall::Address{"_a"}, ExternCall::Stride{"_a", 0, 1},
                                            ExternCall::Address{"_b"}, ExternCall::Stride{"_b", 0, 1}}};
        become_call(draft, call, {{a.edge, "_a"}}, {{b.edge, "_b"}}, false);
    };
    return expansion;
}

}  // namespace

Operation sorting(const SortResult& result) {
    using enum code::Scalar;
    return {.name = result.name,
            .classpath = {},
            .summary = result.summary,
            .forms = {form("_a[N] -> _b[N]"), form("_a[B, N] -> _b[B, N]"), form("_a[B, C, N] -> _b[B, C, N]")},
            .forms_of = forms_of_rows,
            .types = {Float64, Float32, Int64, Int32, Int16, Int8, UInt64, UInt32, UInt16, UInt8, Bool},
            .one_type = !result.places,
            .reference = [places = result.places](ReferenceCall& call) { define(call, places); },
            .expansions = {{.name = "rows", .summary = "A map over the rows.", .why_not = why_not_rows, .expand = expand_rows},
                           merge(result.function),
                           {.name = "native",
                            .summary = "Each element is put where as many precede it.",
                            .aliases = {"pure"},
                            .why_not = why_not_one_row,
                            .expand = [places = result.places](NodeDraft& draft) { expand_by_counting(draft, places); }}}};
}

}  // namespace sluice::library
