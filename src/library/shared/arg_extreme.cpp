#include "library/shared/arg_extreme.h"

#include <algorithm>
#include <cmath>

#include "library/contract.h"
#include "library/extern_call.h"

namespace sluice::library {

namespace {

/// A row is the last dimension of the input. Single indices in front of it count as no dimension, or as one of size 1.
std::vector<Form> forms_of_rows_with_a_place(const NodeContext& context) {
    const ir::Subset moved = context.subset(context.input("_a"));
    std::vector<Form> forms;
    for (const bool all : {false, true}) {
        std::vector<std::string> sizes;
        for (std::size_t dim = 0; dim + 1 < moved.rank(); ++dim)
            if (all || !moved.dims[dim].is_index()) sizes.push_back("B" + std::to_string(sizes.size()));
        forms.push_back({.inputs = {{"_a", sizes}}, .outputs = {{"_b", sizes}}});
        forms.back().inputs[0].sizes.emplace_back("N");
    }
    return forms;
}

void define_arg_extreme(ReferenceCall& call, bool largest) {
    const ir::Operand& a = call.input("_a");
    ir::Operand& b = call.output("_b");
    const auto n = static_cast<std::size_t>(a.shape.back());
    const auto value = [&](std::size_t at) { return a.values[at].complex().real(); };
    const auto less = [&](std::size_t x, std::size_t y) {
        if (a.type == code::Scalar::UInt64)
            return static_cast<std::uint64_t>(a.values[x].integer) < static_cast<std::uint64_t>(a.values[y].integer);
        if (a.values[x].integral && a.values[y].integral) return a.values[x].integer < a.values[y].integer;
        return value(x) < value(y);
    };
    if (n == 0) std::fill(b.values.begin(), b.values.end(), ir::Number(std::int64_t{0}));
    for (std::size_t row = 0; n > 0 && row < a.values.size(); row += n) {
        std::size_t best = row;
        for (std::size_t at = row + 1; at < row + n && !std::isnan(value(best)); ++at)
            if (std::isnan(value(at)) || (largest ? less(best, at) : less(at, best))) best = at;
        b.values[row / n] = ir::Number(static_cast<std::int64_t>(best - row));
    }
}

bool takes_rows(const NodeContext& context) {
    return bind(context).inputs[0].sizes.size() > 1;
}

/// A map over the leading dimensions, with the same operation on each row.
void expand_places_of_rows(NodeDraft& draft) {
    const Binding binding = bind(draft);
    const BoundOperand &a = binding.inputs[0], &b = binding.outputs[0];
    ir::Sdfg body{.name = "rows"};
    for (const BoundOperand* one : {&a, &b}) declare_operand(draft, body, one->connector, one->edge, one->dims);
    ir::MapRanges params;
    ir::Subset row, place;
    for (const std::string& size : b.sizes) {
        params.emplace_back("__" + size, symbolic::Range::extent(binding.sizes.at(size)));
        place.dims.push_back(symbolic::Range::index(symbolic::symbol("__" + size)));
    }
    row = place;
    row.dims.push_back(symbolic::Range::extent(binding.sizes.at("N")));
    ir::StateBuilder state = ir::add_state(body.body, "rows");
    const auto [entry, exit] = state.map("rows", params, draft.library().schedule);
    const ir::NodeId node = state.library(draft.operation->name, "row", {"_a"}, {"_b"}, draft.library().properties);
    std::get<ir::LibraryNode>(state.state().nodes[node].kind).implementation = draft.library().implementation;
    state.memlet_path({state.access("_a"), entry, node}, "", "_a", ir::memlet("_a", row));
    state.memlet_path({node, exit, state.access("_b")}, "_b", "", ir::memlet("_b", place));
    replace_by(draft, std::move(body), {{a.edge, "_a"}}, {{b.edge, "_b"}});
}

void expand_scan(NodeDraft& draft, bool largest) {
    const Binding binding = bind(draft);
    const ExternCall call{
        .environment = "selection",
        .function = largest ? "sluice::selection::place_of_largest" : "sluice::selection::place_of_smallest",
        .arguments = {binding.sizes.at("N"), ExternCall::Address{"_a"}, ExternCall::Stride{"_a", 0, 1}, ExternCall::Address{"_b"}}};
    become_call(draft, call, {{binding.inputs[0].edge, "_a"}}, {{binding.outputs[0].edge, "_b"}}, false);
}

/// The extreme first, then the least place that holds it.
void expand_in_two_passes(NodeDraft& draft, bool largest) {
    const Binding binding = bind(draft);
    const BoundOperand &a = binding.inputs[0], &b = binding.outputs[0];
    ir::Sdfg body{.name = "extreme"};
    for (const BoundOperand* one : {&a, &b}) declare_operand(draft, body, one->connector, one->edge, one->dims);
    const ir::MapRanges all{{"__i", symbolic::Range::extent(binding.sizes.at("N"))}};
    const auto schedule = draft.library().schedule;
    ir::add_scalar(body, "__best", a.operand.type, true);
    ir::BlockId start, pass;
    ir::StateBuilder first = ir::add_state(body.body, "start", &start);
    first.mapped_tasklet("first", {{"__i", symbolic::Range::extent(symbolic::minimum(binding.sizes.at("N"), 1))}},
                         {{"__x", "_a[__i]"}}, "__o = __x", {{"__o", ir::memlet("__best")}}, {}, ir::Schedule::Sequential);
    const ir::NodeId beyond =
        first.tasklet("beyond", {}, {{"__o", code::DType()}}, "__o = " + symbolic::to_string(binding.sizes.at("N")));
    first.edge(beyond, "__o", first.access("_b"), "", ir::memlet("_b"));
    ir::add_state_after(body.body, start, "extreme", &pass)
        .mapped_tasklet("extreme", all, {{"__x", "_a[__i]"}}, "__o = __x", {{"__o", ir::memlet("__best")}},
                        largest ? "lambda a, b: max(a, b)" : "lambda a, b: min(a, b)", schedule);
    ir::add_state_after(body.body, pass, "place")
        .mapped_tasklet("place", all, {{"__x", "_a[__i]"}, {"__y", ir::memlet("__best")}},
                        "__o = __i if __x == __y or __x != __x else " + symbolic::to_string(binding.sizes.at("N")),
                        {{"__o", ir::memlet("_b")}}, "lambda a, b: min(a, b)", schedule);
    replace_by(draft, std::move(body), {{a.edge, "_a"}}, {{b.edge, "_b"}});
}

std::string why_not_a_row(const NodeContext& context) {
    return takes_rows(context) ? "there are several rows" : "";
}

std::string why_one_row(const NodeContext& context) {
    return takes_rows(context) ? "" : "there is one row only";
}

}  // namespace

Operation arg_extreme(const std::string& name, bool largest) {
    using enum code::Scalar;
    return {
        .name = name,
        .classpath = {},
        .summary = std::string("The place of the ") + (largest ? "largest" : "smallest") +
                   " element of each row, the first of several; of NaN, where there is one.",
        .forms = {form("_a[N] -> _b"), form("_a[B0, N] -> _b[B0]"), form("_a[B0, B1, N] -> _b[B0, B1]")},
        .forms_of = forms_of_rows_with_a_place,
        .types = {Float64, Float32, Int64, Int32, Int16, Int8, UInt64, UInt32, UInt16, UInt8, Bool},
        .operand_types = {{"_b", Int64}},
        .reference = [largest](ReferenceCall& call) { define_arg_extreme(call, largest); },
        .expansions = {{.name = "rows", .summary = "A map over the rows.", .why_not = why_one_row, .expand = expand_places_of_rows},
                       {.name = "scan",
                        .summary = "A pass of the runtime, in blocks of which the best is searched.",
                        .requirement = {"selection", false},
                        .why_not = why_not_a_row,
                        .expand = [largest](NodeDraft& draft) { expand_scan(draft, largest); }},
                       {.name = "native",
                        .summary = "The extreme first, then the least place that holds it.",
                        .aliases = {"pure"},
                        .why_not = why_not_a_row,
                        .expand = [largest](NodeDraft& draft) { expand_in_two_passes(draft, largest); }}}};
}

}  // namespace sluice::library
