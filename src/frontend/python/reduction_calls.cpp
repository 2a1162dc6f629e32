// Calls of reductions: what their arguments ask for.
#include <algorithm>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;

std::vector<std::int64_t> Translator::axes_of(const ExprPtr& e, std::size_t rank) {
    const bool literal = std::holds_alternative<TupleExpr>(e->node) || std::holds_alternative<ListExpr>(e->node);
    const auto constant = literal ? std::nullopt : constant_value(*e, bindings_);
    const Value value = constant ? integer(0) : evaluate(e);
    std::vector<std::optional<std::int64_t>> given;
    if (value.kind == Value::Kind::Tuple)
        for (const Value& one : value.elements) {
            const auto axis = as_integer(one);
            given.push_back(axis ? axis->constant() : std::nullopt);
        }
    else
        given.push_back(known_integer(e));
    std::vector<std::int64_t> axes;
    for (const auto& axis : given) {
        if (!axis) refuse("F005", "an axis must be a constant", e->span, "use a number");
        const std::int64_t position = *axis < 0 ? *axis + static_cast<std::int64_t>(rank) : *axis;
        if (position < 0 || position >= static_cast<std::int64_t>(rank))
            refuse("F007", "axis " + std::to_string(*axis) + " of an array of " + std::to_string(rank) + " dimensions", e->span,
                   "use an axis that the array has");
        axes.push_back(position);
    }
    return axes;
}

/// What the arguments of a reduction ask for; nullopt if every element is asked for and none is given an axis of its own.
std::optional<Reduction> Translator::reduction_of(const std::string& operation, const Value& value, const Arguments& arguments) {
    Reduction how;
    if (const ExprPtr axis = arguments.find("axis")) {
        const auto only = value.rank() == 0 ? known_integer(axis) : std::nullopt;  // NumPy takes a number for a vector here.
        if (!only || (*only != 0 && *only != -1)) how.axes = axes_of(axis, value.rank());
        for (std::size_t at = 0; at < how.axes.size(); ++at)
            if (std::ranges::count(how.axes, how.axes[at]) > 1)
                refuse("F005", "an axis is given twice", axis->span, "name each axis once");
    } else {
        for (std::size_t dim = 0; dim < value.rank(); ++dim) how.axes.push_back(static_cast<std::int64_t>(dim));
    }
    how.keepdims = flag(arguments, "keepdims", false);
    const bool typed = operation != "max" && operation != "min" && operation != "any" && operation != "all";
    if (typed && arguments.find("dtype")) how.dtype = creation_type(arguments, Scalar::Float64);
    const bool starts = operation == "sum" || operation == "prod" || operation == "max" || operation == "min";
    if (const ExprPtr initial = starts ? arguments.find("initial") : nullptr) {
        how.initial = evaluate(initial);
        refuse_array_truth(*how.initial, initial->span);
    }
    if (const ExprPtr where = arguments.find("where")) {
        how.where = evaluate(where);
        if (!how.where->is_elements() || !(how.where->type.dtype == DType(Scalar::Bool)))
            refuse("F005", "where must be an array of booleans", where->span, "write a comparison");
        if ((operation == "max" || operation == "min") && !how.initial)
            refuse("F005", operation + " with where needs an initial value", where->span, "pass initial=...");
    }
    return how;
}

std::optional<Value> Translator::call_reduction(const std::string& name, const Arguments& arguments) {
    if (!name.starts_with("numpy.")) return std::nullopt;
    const std::string operation = name.substr(6);
    const Span& span = arguments.span();
    const bool position = operation == "argmax" || operation == "argmin";
    const bool statistic_of = operation == "mean" || operation == "var" || operation == "std";
    if (!is_reduction(operation) && !position && !statistic_of) return std::nullopt;
    const Value value = array_of(arguments, "a");
    if (!value.is_elements()) refuse("F005", name + " needs an array", span, "pass an array");
    const std::optional<Target> hint = hint_;
    const std::string wanted = name_;
    if (position) {
        const ExprPtr axis = arguments.find("axis");
        if (axis && axes_of(axis, value.rank()).size() != 1) refuse("F005", name + " takes one axis", axis->span, "pass a number");
        const Value result =
            arg_reduce(value, operation == "argmax", axis ? std::optional(axes_of(axis, value.rank())[0]) : std::nullopt,
                       flag(arguments, "keepdims", false), span);
        const Value placed = into_out(arguments, result, Fit::Shape);
        if (!code::is_integer(placed.type.dtype.scalar))
            refuse("F009", name + " finds integers", arguments.at("out")->span, "pass an array of integers");
        return placed;
    }
    const Reduction how = *reduction_of(operation, value, arguments);
    hint_ = hint;
    name_ = wanted;
    if ((operation == "max" || operation == "min") && !how.initial)
        require_elements(value, how.axes, "zero-size array to reduction operation " + operation + "imum which has no identity",
                         span);
    if (!statistic_of) return into_out(arguments, reduce(value, operation, how, span), Fit::Shape);
    Value lost = integer(0);
    if (operation != "mean") {
        const ExprPtr ddof = arguments.find("ddof"), correction = arguments.find("correction");
        if (ddof && correction) refuse("F005", "ddof and correction are the same", span, "give one of them");
        if (ddof || correction) lost = evaluate(ddof ? ddof : correction);
        refuse_array_truth(lost, span);
    }
    return into_out(arguments, statistic(value, operation, how, lost, span), Fit::Shape);
}
}  // namespace sluice::frontend
