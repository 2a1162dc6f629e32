// Functions that move dimensions or put arrays beside each other.
#include <algorithm>

#include "code/walk.h"
#include "frontend/python/bindings.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/syntax.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;

/// The value with a dimension at another place.
Value Translator::move_axis(const Value& value, std::int64_t from, std::int64_t to, const Span& span) {
    std::vector<std::int64_t> axes;
    for (std::int64_t dim = 0; dim < static_cast<std::int64_t>(value.rank()); ++dim)
        if (dim != from) axes.push_back(dim);
    axes.insert(axes.begin() + to, from);
    return transpose(value, axes, span);
}

/// The arrays one behind the other along an axis, in an array of their own.
Value Translator::joined(const std::vector<Value>& values, std::size_t axis, const Span& span) {
    Type type{DType(Scalar::Bool), true};
    Expr total = 0;
    for (const Value& value : values) {
        if (!value.is_elements() || value.rank() == 0 || value.rank() != values[0].rank())
            refuse("F004", "all the input arrays must have the same number of dimensions, one at least", span,
                   "give them the same number of dimensions");
        type = code::promote(type, Type{value.type.dtype, false});
        total = total + value.shape[axis];
    }
    std::vector<Expr> shape = values[0].shape;
    for (const Value& value : values)
        for (std::size_t dim = 0; dim < shape.size(); ++dim)
            if (dim != axis)
                require_equal(shape[dim], value.shape[dim], "the arrays agree in all dimensions but the one they are joined along",
                              span);
    shape[axis] = total;
    const Value place = result_place("joined", type.dtype, shape, values);
    Expr begin = 0;
    for (const Value& value : values) {
        Value part = substitute(place, {{iteration_of(axis, shape.size()).name(), iteration_of(axis, shape.size()) + begin}});
        part.shape = shape;
        part.shape[axis] = value.shape[axis];
        Value fitted = value;
        for (std::size_t dim = 0; dim < shape.size(); ++dim)
            if (dim != axis) fitted.shape[dim] = shape[dim];
        assign(target_of(part, span), fitted, "join");
        begin = begin + value.shape[axis];
    }
    return place;
}

std::optional<Value> Translator::call_joining(const std::string& name, const Arguments& arguments) {
    const Span& span = arguments.span();
    const auto axis_of = [&](const std::string& parameter, std::size_t rank, std::int64_t otherwise) {
        const std::int64_t axis = constant_integer(arguments, parameter, otherwise);
        const auto size = static_cast<std::int64_t>(rank);
        if (axis < -size || axis >= size)
            refuse("F007", "axis " + std::to_string(axis) + " of an array of " + std::to_string(rank) + " dimensions", span,
                   "use an axis that the array has");
        return axis < 0 ? axis + size : axis;
    };
    if (name == "numpy.moveaxis" || name == "numpy.swapaxes") {
        const Value value = value_of(arguments, "a");
        const bool swaps = name == "numpy.swapaxes";
        const std::int64_t from = axis_of(swaps ? "axis1" : "source", value.rank(), 0);
        const std::int64_t to = axis_of(swaps ? "axis2" : "destination", value.rank(), 0);
        if (!swaps) return move_axis(value, from, to, span);
        std::vector<std::int64_t> axes(value.rank());
        for (std::size_t dim = 0; dim < axes.size(); ++dim) axes[dim] = static_cast<std::int64_t>(dim);
        std::swap(axes[static_cast<std::size_t>(from)], axes[static_cast<std::size_t>(to)]);
        return transpose(value, axes, span);
    }
    if (name == "numpy.broadcast_to") {
        const Value value = value_of(arguments, "array");
        const std::vector<Expr> shape = shape_argument(arguments.at("shape"));
        if (!(broadcast({shape, value.shape}, span) == shape))
            refuse("F004", "the array does not broadcast to this shape", span, "use sizes of the array, or 1");
        Value result = broadcast_to(value, shape, span);
        result.copied = true;
        return result;
    }
    if (name == "numpy.diagonal") {
        const Value value = value_of(arguments, "a");
        if (value.rank() != 2) unsupported("the diagonal of this array", span, "pass a matrix");
        const Expr offset = arguments.find("offset") ? integer_of(arguments.find("offset")) : Expr(0);
        const Expr row = symbolic::maximum(Expr(0) - offset, 0), column = symbolic::maximum(offset, 0);
        const Expr length = symbolic::maximum(symbolic::minimum(value.shape[0] - row, value.shape[1] - column), 0);
        Value result = substitute(value, {{iteration_name(1), iteration(0) + row}, {iteration_name(0), iteration(0) + column}});
        result.shape = {length};
        result.copied = true;
        return result;
    }
    const bool stacks = name == "numpy.stack";
    if (stacks || name == "numpy.concatenate" || name == "numpy.vstack" || name == "numpy.hstack" || name == "numpy.column_stack") {
        const bool plain = stacks || name == "numpy.concatenate";
        const Value given = value_of(arguments, plain ? "arrays" : "tup");
        if (given.kind != Value::Kind::Tuple || given.elements.empty())
            unsupported(name + " of this value", span, "pass a tuple or list of arrays");
        std::vector<Value> values = given.elements;
        for (Value& value : values) {
            if (!value.is_elements() || (value.rank() == 0 && plain)) unsupported(name + " of these values", span, "pass arrays");
            if (plain) continue;
            if (value.rank() == 0) value.shape = {Expr(1)};
            if (name == "numpy.vstack" && value.rank() == 1) value = with_axis(value, 0);
            if (name == "numpy.column_stack" && value.rank() == 1) value = with_axis(value, 1);
        }
        if (stacks) {
            const auto axis = static_cast<std::size_t>(axis_of("axis", values[0].rank() + 1, 0));
            for (Value& value : values) value = with_axis(value, std::min(axis, value.rank()));
            return joined(values, axis, span);
        }
        if (name == "numpy.vstack") return joined(values, 0, span);
        if (name != "numpy.concatenate") return joined(values, values[0].rank() == 1 ? 0 : 1, span);
        return joined(values, static_cast<std::size_t>(axis_of("axis", values[0].rank(), 0)), span);
    }
    if (name == "numpy.append") {
        std::vector<Value> values = evaluate_all({arguments.at("arr"), arguments.at("values")});
        const bool flat = !arguments.find("axis");
        for (Value& value : values) {
            if (!value.is_elements()) unsupported("append of this value", span, "append arrays and numbers");
            if (flat && value.rank() == 0) value.shape = {Expr(1)};
            if (flat && value.rank() > 1) value = reshape(value, {Expr(-1)}, span);
        }
        return joined(values, flat ? 0 : static_cast<std::size_t>(axis_of("axis", values[0].rank(), 0)), span);
    }
    return std::nullopt;
}

// ---- methods of ufuncs --------------------------------------------------------------------------------------------------
/// `np.add.outer(a, b)`, `np.maximum.reduce(a)`, `np.add.accumulate(a)`; nullopt if the name is none of these.
std::optional<Value> Translator::call_ufunc_method(const std::string& name, const CallExpr& node, const Span& span) {
    const std::size_t dot = name.rfind('.');
    if (!name.starts_with("numpy.") || dot <= 5) return std::nullopt;
    const std::string ufunc = name.substr(0, dot), method = name.substr(dot + 1);
    const Function* function = code::find_function(ufunc);
    if (!function || function->arity != 2) return std::nullopt;
    if (method == "outer") {
        static const CallSignature kOuter{
            "outer",
            {{CallParameter::Kind::PositionalOnly, "A", {}}, {CallParameter::Kind::PositionalOnly, "B", {}}},
            false,
            "F005"};
        const Arguments arguments(kOuter, node, span);
        std::vector<Value> both = evaluate_all({arguments.at("A"), arguments.at("B")});
        const std::size_t inner = both[1].rank();
        for (std::size_t at = 0; at < inner; ++at) both[0] = with_axis(both[0], both[0].rank());
        return call_function(ufunc, std::string(function->name), both, span);
    }
    // The same by the function that NumPy has for it; the axis is 0 where none is given.
    static const std::map<std::string, std::map<std::string, std::string>> kNamed{
        {"reduce",
         {{"numpy.add", "sum"},
          {"numpy.multiply", "prod"},
          {"numpy.maximum", "max"},
          {"numpy.minimum", "min"},
          {"numpy.logical_and", "all"},
          {"numpy.logical_or", "any"}}},
        {"accumulate", {{"numpy.add", "cumsum"}, {"numpy.multiply", "cumprod"}}}};
    const auto table = kNamed.find(method);
    if (table == kNamed.end() || !table->second.contains(ufunc)) return std::nullopt;
    if (node.arguments.size() > 2)
        refuse("F005", name + " takes an array and an axis by position", span, "pass the others by keyword");
    CallExpr called = node;
    const auto attribute = [&](const ExprPtr& object, const std::string& member) {
        return std::make_shared<const code::Expr>(code::Expr{AttributeExpr{object, member}, span});
    };
    bindings_.emplace("__numpy", ModuleBinding{"numpy"});
    called.function = attribute(make_name("__numpy", span), table->second.at(ufunc));
    const bool given = node.arguments.size() > 1 ||
                       std::ranges::any_of(node.keywords, [](const Keyword& keyword) { return keyword.name == "axis"; });
    if (!given) called.keywords.push_back(Keyword{"axis", make_integer(0, span)});
    const ExprPtr e = std::make_shared<const code::Expr>(code::Expr{called, span});
    return call(e, called);
}

}  // namespace sluice::frontend
