// Reductions. A whole container becomes a Reduce node; an element-wise value is accumulated where it is computed, so that no
// temporary is made: kept dimensions form the outer map, reduced ones the inner, sequential map.
#include <algorithm>
#include <cmath>
#include <limits>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/python/bindings.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/syntax.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;
using symbolic::Subset;

namespace {

struct Operation {
    std::string wcr;
    enum class Start { Zero, One, Lowest, Highest, False, True } start;
};

const std::map<std::string, Operation>& operations() {
    using Start = Operation::Start;
    static const std::map<std::string, Operation> kAll{
        {"sum", {"lambda a, b: a + b", Start::Zero}},       {"prod", {"lambda a, b: a * b", Start::One}},
        {"max", {"lambda a, b: max(a, b)", Start::Lowest}}, {"min", {"lambda a, b: min(a, b)", Start::Highest}},
        {"any", {"lambda a, b: a or b", Start::False}},     {"all", {"lambda a, b: a and b", Start::True}},
    };
    return kAll;
}

std::int64_t extreme(Scalar scalar, bool lowest) {
    const bool is_signed = code::is_signed(scalar);
    const auto bits = static_cast<unsigned>(8 * code::size_in_bytes(DType(scalar)));
    if (lowest)
        return is_signed ? (bits == 64 ? std::numeric_limits<std::int64_t>::min() + 1 : -(std::int64_t(1) << (bits - 1))) : 0;
    if (bits == 64) return std::numeric_limits<std::int64_t>::max();
    return (std::int64_t(1) << (is_signed ? bits - 1 : bits)) - 1;
}

/// The value that a reduction starts from.
Value start_value(Operation::Start start, const DType& type) {
    using Start = Operation::Start;
    const bool real = code::is_floating(type.scalar) || code::is_complex(type.scalar);
    const Type strong{type, false};
    switch (start) {
        case Start::Zero:
            return number(real ? make_real(0) : make_integer(0), strong);
        case Start::One:
            return number(real ? make_real(1) : make_integer(1), strong);
        case Start::False:
            return number(make_boolean(false), strong);
        case Start::True:
            return number(make_boolean(true), strong);
        case Start::Lowest:
        case Start::Highest:
            break;
    }
    const bool lowest = start == Start::Lowest;
    if (type == DType(Scalar::Bool)) return number(make_boolean(!lowest), strong);
    if (real) return number(literal_of(NumberBinding{lowest ? -HUGE_VAL : HUGE_VAL, {}}, {}), strong);
    return number(make_integer(extreme(type.scalar, lowest)), strong);
}

/// NumPy adds small integers and booleans in 64 bits.
DType accumulator(const std::string& operation, const DType& type) {
    if (operation == "any" || operation == "all") return Scalar::Bool;
    if (operation == "max" || operation == "min") return type;
    if (type == DType(Scalar::Bool)) return Scalar::Int64;
    if (code::is_integer(type.scalar)) return code::is_signed(type.scalar) ? Scalar::Int64 : Scalar::UInt64;
    return type;
}

}  // namespace

std::vector<std::int64_t> Translator::axes_of(const ExprPtr& e, std::size_t rank) {
    std::vector<std::int64_t> axes;
    for (const ExprPtr& one : elements_of(e)) {
        const auto constant = constant_value(*one, bindings_);
        const auto* axis = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
        if (!axis) refuse("F005", "an axis must be a constant", one->span, "use a number");
        const std::int64_t position = *axis < 0 ? *axis + static_cast<std::int64_t>(rank) : *axis;
        if (position < 0 || position >= static_cast<std::int64_t>(rank))
            refuse("F007", "axis " + std::to_string(*axis) + " of an array of " + std::to_string(rank) + " dimensions", one->span,
                   "use an axis that the array has");
        axes.push_back(position);
    }
    return axes;
}

std::optional<Value> Translator::call_reduction(const std::string& name, const Arguments& arguments, const Span& span) {
    if (!name.starts_with("numpy.")) return std::nullopt;
    std::string operation = name.substr(6);
    if (operation == "amax") operation = "max";
    if (operation == "amin") operation = "min";
    const bool position = operation == "argmax" || operation == "argmin";
    const bool statistic = operation == "mean" || operation == "var" || operation == "std";
    if (!operations().contains(operation) && !position && !statistic) return std::nullopt;
    const Value value = required(arguments, 0, "a", span);
    if (!value.is_elements()) refuse("F005", name + " needs an array", span, "pass an array");
    const ExprPtr axis = argument(arguments, 1, "axis");
    std::vector<std::int64_t> axes;
    const bool all = !axis || (std::holds_alternative<ConstantExpr>(axis->node) &&
                               std::holds_alternative<NoneValue>(std::get<ConstantExpr>(axis->node).value));
    if (!all) axes = axes_of(axis, value.rank());
    if (position) return arg_reduce(value, operation == "argmax", all ? std::nullopt : std::optional(axes.at(0)), span);
    if (all)
        for (std::size_t dim = 0; dim < value.rank(); ++dim) axes.push_back(static_cast<std::int64_t>(dim));
    const bool keepdims = flag(arguments, "keepdims");
    if (!statistic) return reduce(value, operation, axes, keepdims, span);
    Expr count = 1;
    for (const std::int64_t dim : axes) count = count * value.shape[static_cast<std::size_t>(dim)];
    const auto mean_of = [&](const Value& of, bool keep) {
        hint_.reset();
        const Value sum = reduce(of, "sum", axes, keep, span);
        return combine({sum, symbolic_value(count, span)}, span,
                       [&](const auto& c) { return make_binary(BinaryOp::Div, c[0], c[1], span); });
    };
    if (operation == "mean") return mean_of(value, keepdims);
    const Value mean = materialise(mean_of(value, true), "mean");
    const Value apart = combine({value, mean}, span, [&](const auto& c) { return make_binary(BinaryOp::Sub, c[0], c[1], span); });
    const Value variance = mean_of(call_ufunc("square", {apart}, span), keepdims);
    return operation == "var" ? variance : call_ufunc("sqrt", {variance}, span);
}

Value Translator::reduce(const Value& value, const std::string& operation, const std::vector<std::int64_t>& axes, bool keepdims,
                         const Span& span) {
    const Operation& how = operations().at(operation);
    const DType type = accumulator(operation, strong(value.type));
    std::vector<bool> reduced(value.rank(), false);
    for (const std::int64_t axis : axes) reduced[static_cast<std::size_t>(axis)] = true;
    std::vector<Expr> kept, shape;
    for (std::size_t dim = 0; dim < value.rank(); ++dim) {
        if (!reduced[dim]) kept.push_back(value.shape[dim]);
        if (!reduced[dim]) shape.push_back(value.shape[dim]);
        if (reduced[dim] && keepdims) shape.emplace_back(1);
    }
    const std::size_t removed = static_cast<std::size_t>(std::ranges::count(reduced, true));
    if (removed == 0) return value;
    const bool same_shape = kept == shape;
    if (!same_shape) hint_.reset();
    const Value place = result_place(operation, type, shape, {value});
    Value start = start_value(how.start, type);
    assign(target_of(place, span), start, operation + "_start");
    // The accumulation addresses the result in the iteration symbols of the operand.
    Target target = target_of(place, span);
    target.shape = value.shape;
    symbolic::Substitution to_operand;
    std::size_t at = 0;
    for (std::size_t dim = 0; dim < value.rank(); ++dim) {
        if (reduced[dim] && !keepdims) continue;
        to_operand.emplace(iteration_of(at, shape.size()).name(), reduced[dim] ? Expr(0) : iteration_of(dim, value.rank()));
        ++at;
    }
    for (Expr& index : target.view.index) index = symbolic::substitute(index, to_operand);
    const Operand* whole = as_view(value);
    const bool complete = whole && is_identity(*whole, value.rank()) && container(whole->data).shape == value.shape && !keepdims &&
                          as_view(place) && is_identity(*as_view(place), place.rank()) && strong(value.type) == type &&
                          container(as_view(place)->data).shape == shape;
    if (complete) {
        ir::LibraryNode node;
        node.operation = "Reduce";
        node.classpath = "dace.libraries.standard.nodes.reduce.Reduce";
        node.label = operation;
        node.properties["wcr"] = how.wcr;
        if (removed < value.rank()) node.properties["axes"] = axes;
        PlannedCode code{node, {}, {}, span};
        code.in.push_back({"", subset_memlet(whole->data, Subset::extents(value.shape))});
        code.out.push_back({"", subset_memlet(as_view(place)->data, Subset::extents(shape))});
        emit_state(operation, {std::move(code)});
        return place;
    }
    emit_state(operation, reduction_plan(target, value, reduced, how.wcr, operation));
    return place;
}

Plan Translator::reduction_plan(const Target& target, const Value& value, const std::vector<bool>& reduced, const std::string& wcr,
                                const std::string& label) {
    ir::MapEntry outer, inner;
    symbolic::Substitution iteration;
    std::set<std::string> used;
    const bool full = std::ranges::all_of(reduced, [](bool r) { return r; });
    for (std::size_t dim = 0; dim < reduced.size(); ++dim) {
        const std::string param = fresh_param(used);
        ir::MapEntry& map = reduced[dim] && !full ? inner : outer;
        map.params.push_back(param);
        map.range.dims.push_back(symbolic::Range::extent(value.shape[dim]));
        iteration.emplace(iteration_name(reduced.size() - 1 - dim), symbolic::symbol(param));
    }
    Wired wired = wire(value, iteration);
    std::vector<Expr> index;
    for (const Expr& e : target.view.index) index.push_back(symbolic::substitute(e, iteration));
    std::string out = "out";
    for (int suffix = 0; name_taken(out); ++suffix) out = "out_" + std::to_string(suffix);
    PlannedCode tasklet{python_tasklet(label, out + " = " + code::to_string(*wired.code)), std::move(wired.in), {}, where_};
    ir::Memlet memlet = element_memlet(target.view.data, std::move(index));
    memlet.wcr = wcr;
    tasklet.out.push_back({out, std::move(memlet)});
    PlanItem body = std::move(tasklet);
    if (!inner.params.empty()) {
        inner.label = label + "_along";
        inner.schedule = ir::Schedule::Sequential;
        body = PlannedScope{std::move(inner), {}, {std::move(body)}, {}, where_};
    }
    if (!outer.params.empty()) {
        outer.label = label;
        body = PlannedScope{std::move(outer), {}, {std::move(body)}, {}, where_};
    }
    return {std::move(body)};
}

Value Translator::arg_reduce(const Value& value, bool maximum, std::optional<std::int64_t> axis, const Span& span) {
    Value operand = value;
    if (!axis && value.rank() > 1) operand = reshape(value, {Expr(-1)}, span);
    const std::size_t dim = static_cast<std::size_t>(axis.value_or(0));
    hint_.reset();
    name_.clear();
    // The first position that holds the extreme value: the least among those that do.
    const Value best = reduce(operand, maximum ? "max" : "min", {static_cast<std::int64_t>(dim)}, true, span);
    Value position = symbolic_value(iteration_of(dim, operand.rank()), span);
    position.shape = operand.shape;
    position.type = {Scalar::Int64, false};
    const Value beyond = symbolic_value(operand.shape[dim], span);
    const Value where_best = combine({operand, best, position, beyond}, span, [&](const auto& c) {
        return make_conditional(make_compare(c[0], CompareOp::Eq, c[1], span), c[2], c[3], span);
    });
    return reduce(where_best, "min", {static_cast<std::int64_t>(dim)}, false, span);
}

std::string Translator::reduction_text(const ExprPtr& e) const {
    if (std::holds_alternative<LambdaExpr>(e->node)) return code::to_string(*e);
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node)) {
        const std::map<BinaryOp, std::string> kOperators{{BinaryOp::Add, "+"},    {BinaryOp::Sub, "-"},   {BinaryOp::Mul, "*"},
                                                         {BinaryOp::BitAnd, "&"}, {BinaryOp::BitOr, "|"}, {BinaryOp::BitXor, "^"},
                                                         {BinaryOp::Div, "/"}};
        const auto at = kOperators.find(binary->op);
        return at == kOperators.end() ? std::string() : "lambda a, b: a " + at->second + " b";
    }
    return {};
}

Value Translator::explicit_reduce(const CallExpr& node, const Span& span) {
    const Arguments arguments{node.arguments, node.keywords, std::nullopt};
    const ExprPtr function = argument(arguments, 0, "op"), in = argument(arguments, 1, "in_array"),
                  out = argument(arguments, 2, "out_array");
    if (!function || !in || reduction_text(function).empty())
        refuse("F005", "reduce takes a lambda, an input and an output", span,
               "write sluice.reduce(lambda a, b: a + b, A, B, axis=0, identity=0)");
    const Value value = materialise(evaluate(in), "operand");
    ir::LibraryNode library;
    library.operation = "Reduce";
    library.classpath = "dace.libraries.standard.nodes.reduce.Reduce";
    library.label = "reduce";
    library.properties["wcr"] = reduction_text(function);
    std::vector<bool> reduced(value.rank(), true);
    if (const ExprPtr axis = argument(arguments, 3, "axis")) {
        const auto axes = axes_of(axis, value.rank());
        reduced.assign(value.rank(), false);
        for (const std::int64_t one : axes) reduced[static_cast<std::size_t>(one)] = true;
        library.properties["axes"] = axes;
    }
    std::vector<Expr> shape;
    for (std::size_t dim = 0; dim < value.rank(); ++dim)
        if (!reduced[dim]) shape.push_back(value.shape[dim]);
    if (const ExprPtr identity = argument(arguments, out ? 4 : 3, "identity")) {
        const auto constant = constant_value(*identity, bindings_);
        if (!constant) refuse("F005", "the identity of a reduction must be a constant", identity->span, "use a number");
        if (const auto* v = std::get_if<std::int64_t>(&constant->value)) library.properties["identity"] = *v;
        if (const auto* v = std::get_if<double>(&constant->value)) library.properties["identity"] = *v;
        if (const auto* v = std::get_if<bool>(&constant->value)) library.properties["identity"] = *v;
    }
    const Value place = out ? evaluate(out) : result_place("reduced", strong(value.type), shape, {value});
    const Target target = target_of(place, span);
    const auto subset = subset_of_view(target.view, target.shape);
    if (!subset) unsupported("a reduction into this target", span, "reduce into an array or a regular slice");
    if (!out && !library.properties.contains("identity"))
        assign(target, start_value(Operation::Start::Zero, strong(value.type)), "reduce_start");
    PlannedCode code{library, {}, {}, span};
    code.in.push_back({"", subset_memlet(as_view(value)->data, Subset::extents(value.shape))});
    code.out.push_back({"", subset_memlet(target.view.data, *subset)});
    emit_state("reduce", {std::move(code)});
    return place;
}

}  // namespace sluice::frontend
