// Reduce: folds dimensions of its input with a two-argument lambda.
//     input (one edge, no connector needed) [d0, d1, ...]  ->  output without the dimensions in `axes`
// Its definition is the rule `reduce` of the semantics (interpret/reduce.cpp).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ir/query.h"
#include "library/contract.h"
#include "library/reduce/reduce.h"

namespace sluice::library {

using ir::Expr;
using symbolic::Range;

std::string reduce_identity(const ir::LibraryNode& node) {
    const auto at = node.properties.find("identity");
    if (at == node.properties.end()) return {};
    const auto real = [](double v) -> std::string {
        if (std::isnan(v)) return "math.nan";
        if (std::isinf(v)) return v > 0 ? "math.inf" : "-math.inf";
        const std::string text = fmt::format("{}", v);
        return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
    };
    if (const auto* v = std::get_if<bool>(&at->second)) return *v ? "True" : "False";
    if (const auto* v = std::get_if<std::int64_t>(&at->second)) return std::to_string(*v);
    if (const auto* v = std::get_if<double>(&at->second)) return real(*v);
    if (const auto* v = std::get_if<std::string>(&at->second)) return *v;
    if (const auto* v = std::get_if<Expr>(&at->second)) return symbolic::to_string(*v);
    return {};
}

namespace {

std::vector<bool> reduced_dims(const NodeContext& context, std::size_t rank) {
    const ir::Property* property = context.property("axes");
    if (std::holds_alternative<std::monostate>(*property)) return std::vector<bool>(rank, true);
    std::vector<std::int64_t> axes = context.axes("axes");
    if (const auto* one = std::get_if<std::int64_t>(property)) axes = {*one};
    std::vector<bool> reduced(rank, false);
    for (const std::int64_t axis : axes) {
        const std::int64_t dim = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
        if (dim < 0 || dim >= static_cast<std::int64_t>(rank))
            context.refuse("B003", fmt::format("axis {} of an input of {} dimensions", axis, rank),
                           "use an axis that the input has");
        reduced[static_cast<std::size_t>(dim)] = true;
    }
    return reduced;
}

/// The two ends of the node.
struct Ends {
    ir::EdgeId in, out;
};
Ends ends_of(const NodeContext& context) {
    Ends ends;
    for (const auto& [id, edge] : context.state.edges) {
        if (edge.dst == context.node && !edge.memlet.empty()) ends.in = id;
        if (edge.src == context.node && !edge.memlet.empty()) ends.out = id;
    }
    if (!ends.in.valid() || !ends.out.valid())
        context.refuse("B002", "a Reduce node needs one input and one output", "connect both");
    return ends;
}

/// What the loops run over, and the elements they touch.
struct ReducePlan {
    ir::MapRanges outer, inner, kept;  ///< Loops around the reduced dimensions, loops along them, dimensions of the output.
    ir::Memlet source, target;
};
ReducePlan plan_loops(const std::vector<Expr>& shape, const std::vector<bool>& reduced, bool has_output_dims) {
    ReducePlan plan;
    const bool keeps = std::ranges::count(reduced, false) > 0;
    std::vector<Expr> in_index, out_index;
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        const std::string param = "__i" + std::to_string(dim);
        const Range range = Range::extent(shape[dim]);
        (reduced[dim] && keeps ? plan.inner : plan.outer).emplace_back(param, range);
        in_index.push_back(symbolic::symbol(param));
        if (reduced[dim]) continue;
        out_index.push_back(symbolic::symbol(param));
        plan.kept.emplace_back(param, range);
    }
    if (out_index.empty() && has_output_dims) out_index.emplace_back(0);
    plan.source = ir::memlet("_in", ir::Subset::indices(in_index));
    plan.target = out_index.empty() ? ir::memlet("_out") : ir::memlet("_out", ir::Subset::indices(out_index));
    return plan;
}

/// The output begins at the identity.
void add_identity(ir::Sdfg& body, const ReducePlan& plan, const std::string& identity, ir::BlockId& last) {
    ir::StateBuilder start = ir::add_state(body.body, "start", &last);
    if (!plan.kept.empty()) {
        start.mapped_tasklet("identity", plan.kept, {}, "__o = " + identity, {{"__o", plan.target}});
        return;
    }
    const ir::NodeId task = start.tasklet("identity", {}, {{"__o", code::DType()}}, "__o = " + identity);
    start.edge(task, "__o", start.access("_out"), "", plan.target);
}

void add_fold(ir::StateBuilder fold, const ReducePlan& plan, const ir::Resolution& wcr, ir::Schedule schedule) {
    std::vector<ir::NodeId> in_path{fold.access("_in")}, out_path{fold.access("_out")};
    std::vector<std::pair<ir::NodeId, ir::NodeId>> scopes;
    if (!plan.outer.empty()) scopes.push_back(fold.map("reduce", plan.outer, schedule));
    if (!plan.inner.empty()) scopes.push_back(fold.map("reduce_along", plan.inner, ir::Schedule::Sequential));
    const ir::NodeId task = fold.tasklet("reduce", {{"__i", code::DType()}}, {{"__o", code::DType()}}, "__o = __i");
    for (const auto& scope : scopes) in_path.push_back(scope.first);
    for (const auto& scope : scopes) out_path.push_back(scope.second);
    in_path.push_back(task);
    out_path.push_back(task);
    std::ranges::reverse(out_path);
    fold.memlet_path(in_path, "", "__i", plan.source);
    ir::Memlet update = plan.target;
    update.wcr = wcr;
    fold.memlet_path(out_path, "__o", "", update);
}

/// One map over what is kept and then what is folded: threads of a device share its dimensions as they find best.
void add_fold_of_points(ir::StateBuilder fold, const ReducePlan& plan, const ir::Resolution& wcr, ir::Schedule schedule) {
    ReducePlan points = plan;
    points.outer.insert(points.outer.end(), plan.inner.begin(), plan.inner.end());
    points.inner.clear();
    add_fold(fold, points, wcr, schedule);
}

/// Row by row: blocks of the last dimension around the reduced ones, and its elements innermost, where they are neighbours.
void add_fold_of_rows(ir::StateBuilder fold, const ReducePlan& plan, const ir::Resolution& wcr, ir::Schedule schedule) {
    ir::MapRanges outer = plan.outer;
    const auto [last, range] = outer.back();
    const Expr block = symbolic::symbol("__block"), end = range.value.end;
    outer.back() = {"__block", Range{0, end, kRowBlock}};
    const auto blocks = fold.map("reduce", outer, schedule);
    const auto along = fold.map("reduce_along", plan.inner, ir::Schedule::Sequential);
    const auto row =
        fold.map("reduce_row", {{last, Range{block, symbolic::minimum(block + kRowBlock, end)}}}, ir::Schedule::Sequential);
    const ir::NodeId task = fold.tasklet("reduce", {{"__i", code::DType()}}, {{"__o", code::DType()}}, "__o = __i");
    ir::Memlet update = plan.target;
    update.wcr = wcr;
    update.wcr_nonatomic = true;  // blocks are apart, and one thread walks over the rows of each
    fold.memlet_path({fold.access("_in"), blocks.first, along.first, row.first, task}, "", "__i", plan.source);
    fold.memlet_path({task, row.second, along.second, blocks.second, fold.access("_out")}, "__o", "", update);
}

std::vector<Form> forms_of_reduction(const NodeContext& context) {
    const auto [in, out] = ends_of(context);
    const std::size_t rank = context.subset(in).rank();
    const std::vector<bool> reduced = reduced_dims(context, rank);
    FormOperand from{context.state.edges[in].dst_connector, {}}, to{context.state.edges[out].src_connector, {}};
    for (std::size_t dim = 0; dim < rank; ++dim) {
        from.sizes.push_back("D" + std::to_string(dim));
        if (!reduced[dim]) to.sizes.push_back(from.sizes.back());
    }
    return {{.inputs = {from}, .outputs = {to}}};
}

std::string why_no_rows(const NodeContext& context) {
    const std::vector<bool> reduced = reduced_dims(context, context.subset(ends_of(context).in).rank());
    if (reduced.empty() || reduced.back()) return "the last dimension is folded";
    return std::ranges::count(reduced, true) == 0 ? "no dimension is folded" : "";
}

std::string why_rather_not_rows(const NodeContext& context) {
    const ir::EdgeId in = ends_of(context).in;
    const ir::Memlet& memlet = context.state.edges[in].memlet;
    const ir::Container* container = ir::find_container(context.sdfg, memlet.data);
    const auto* array = container ? std::get_if<ir::Array>(&container->kind) : nullptr;
    const symbolic::Range last = context.subset(in).dims.back();
    if (!array || !last.step.is_integer(1) || (!array->strides.empty() && !array->strides.back().is_integer(1)))
        return "elements of a row are no neighbours";
    const auto length = symbolic::count(last).constant();
    return length && *length < kShortRow ? "rows are short" : "";
}

template <class AddFold> void expand_with(NodeDraft& draft, const AddFold& add) {
    const Binding binding = bind(draft);
    const auto* wcr = draft.property("wcr") ? std::get_if<std::string>(draft.property("wcr")) : nullptr;
    if (!wcr) draft.refuse("B002", "a Reduce node needs a conflict resolution", "set its wcr, for example lambda a, b: a + b");
    const BoundOperand &in = binding.inputs[0], &out = binding.outputs[0];
    ir::Sdfg body{.name = "reduce"};
    declare_operand(draft, body, "_in", in.edge, in.dims);
    declare_operand(draft, body, "_out", out.edge, out.dims);
    const ReducePlan plan = plan_loops(body.containers.at("_in").shape, reduced_dims(draft, in.sizes.size()), !out.dims.empty());
    const std::string identity = reduce_identity(draft.library());
    ir::BlockId last;
    if (!identity.empty()) add_identity(body, plan, identity, last);
    add(last.valid() ? ir::add_state_after(body.body, last, "fold") : ir::add_state(body.body, "fold"), plan, *wcr,
        draft.library().schedule);
    replace_by(draft, std::move(body), {{in.edge, "_in"}}, {{out.edge, "_out"}});
}
void expand_folds(NodeDraft& draft) {
    expand_with(draft, add_fold);
}
void expand_points(NodeDraft& draft) {
    expand_with(draft, add_fold_of_points);
}
void expand_rows(NodeDraft& draft) {
    expand_with(draft, add_fold_of_rows);
}

}  // namespace

Operation reduce() {
    const auto sum = [](std::vector<std::int64_t> axes) {
        return std::map<std::string, ir::Property>{
            {"wcr", std::string("lambda a, b: a + b")}, {"identity", 0.0}, {"axes", std::move(axes)}};
    };
    return {
        .name = "Reduce",
        .classpath = "dace.libraries.standard.nodes.reduce.Reduce",
        .summary = "Folds dimensions of its input with a two-argument lambda.",
        .forms = {form("_in[A, B] -> _out[A]", sum({1})), form("_in[A, B] -> _out[B]", sum({0})),
                  form("_in[A, B, C] -> _out[B]", sum({0, -1})), form("_in[A, B] -> _out", sum({0, 1})),
                  form("_in[A, B] -> _out[A]",
                       {{"wcr", std::string("lambda a, b: a * b")}, {"axes", std::vector<std::int64_t>{1}}})},
        .forms_of = forms_of_reduction,
        .properties = {{"wcr", std::string(), "The lambda: `lambda a, b: a + b`."},
                       {"axes", std::monostate(), "Dimensions that are folded; missing: all."},
                       {"identity", std::monostate(), "What the fold begins with; missing: what the output holds before."}},
        .flops =
            [](const Form& form) {
                return form.inputs[0].sizes.empty() ? std::string("1") : fmt::format("{}", fmt::join(form.inputs[0].sizes, "*"));
            },
        .expansions = {{.name = "rows",
                        .summary = "Folds leading dimensions row by row, in blocks of the last dimension, which fill vector lanes.",
                        .why_not = why_no_rows,
                        .why_rather_not = why_rather_not_rows,
                        .expand = expand_rows},
                       {.name = "native",
                        .summary = "Fills with the identity, then a map over what is kept around a sequential map over the rest.",
                        .aliases = {"pure", "pure-seq", "OpenMP"},
                        .expand = expand_folds},
                       {.name = "GPU",
                        .summary = "Fills with the identity, then one map over all points.",
                        .why_rather_not = [](const NodeContext&) { return "it is for a device with blocks of threads"; },
                        .expand = expand_points}}};
}

}  // namespace sluice::library
