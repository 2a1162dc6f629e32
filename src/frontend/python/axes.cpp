// Functions that say what dimensions an array has, or move, add, remove and repeat them: views, but for none of their elements.
#include <algorithm>
#include <cmath>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/reshape.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// The sizes of an array, or of a list that stands for one.
std::vector<Expr> shape_of(const Value& value) {
    if (value.kind != Value::Kind::Tuple) return value.shape;
    std::vector<Expr> shape{Expr(static_cast<std::int64_t>(value.elements.size()))};
    if (value.elements.empty()) return shape;
    const std::vector<Expr> inner = shape_of(value.elements[0]);
    shape.insert(shape.end(), inner.begin(), inner.end());
    return shape;
}

/// The result of a function whose elements NumPy does not let be assigned.
Value read_only(Value value) {
    value.read_only = true;
    return value;
}

/// How many points a step stands for: `5j`, `n * 1j`, `1j * n`, `complex(0, n)`; null for a distance.
ExprPtr points_of(const ExprPtr& step, const Bindings& bindings) {
    const auto imaginary = [&](const ExprPtr& e) -> std::optional<double> {
        const auto constant = constant_value(*e, bindings);
        const auto* pair = constant ? std::get_if<std::pair<double, double>>(&constant->value) : nullptr;
        return pair && pair->first == 0 ? std::optional(pair->second) : std::nullopt;
    };
    const auto whole = [&](const ExprPtr& e) { return make_call("int", {make_call("abs", {e}, e->span)}, e->span); };
    if (const auto points = imaginary(step)) return make_integer(static_cast<std::int64_t>(std::abs(*points)), step->span);
    if (const auto* made = std::get_if<CallExpr>(&step->node); made && name_of(made->function) == "complex") {
        if (made->arguments.size() != 2 || !made->keywords.empty() || bindings.contains("complex")) return nullptr;
        const auto* real = std::get_if<ConstantExpr>(&made->arguments[0]->node);
        const bool none = real && real->value == ConstantExpr{std::int64_t{0}}.value;
        return none ? whole(made->arguments[1]) : nullptr;
    }
    const auto* product = std::get_if<BinaryExpr>(&step->node);
    if (!product || product->op != BinaryOp::Mul) return nullptr;
    for (const auto& [unit, count] : {std::pair(product->left, product->right), std::pair(product->right, product->left)})
        if (imaginary(unit) == 1.0) return whole(count);
    return nullptr;
}

}  // namespace

/// `np.mgrid[0:3, 0:4]`, `np.ogrid[...]`, `np.r_[...]`, `np.c_[...]`: a slice stands for an arange, or with a step `5j` for so many
/// points from its begin to its end.
Value Translator::coordinates(const std::string& maker, const ExprPtr& index, const Span& span) {
    const auto call_of = [&](const std::string& function, std::vector<ExprPtr> arguments) {
        bindings_.emplace("__numpy", ModuleBinding{"numpy"});
        return std::make_shared<const code::Expr>(
            code::Expr{CallExpr{make_attribute(make_name("__numpy", span), function, span), std::move(arguments), {}}, span});
    };
    std::vector<ExprPtr> items = {index};
    if (const auto* several = std::get_if<TupleExpr>(&index->node)) items = several->elements;
    std::vector<ExprPtr> axes;
    for (const ExprPtr& item : items) {
        const auto* range = std::get_if<SliceExpr>(&item->node);
        if (!range) {
            if (maker == "numpy.mgrid" || maker == "numpy.ogrid") refuse("F005", maker + " takes slices", item->span, "write a:b");
            axes.push_back(call_of("atleast_1d", {item}));
            continue;
        }
        if (!range->end) refuse("F005", "a range without an end", item->span, "write a:b");
        const ExprPtr begin = range->begin ? range->begin : make_integer(0, span),
                      step = range->step ? range->step : make_integer(1, span);
        const ExprPtr points = points_of(step, bindings_);
        axes.push_back(points ? call_of("linspace", {begin, range->end, points}) : call_of("arange", {begin, range->end, step}));
    }
    const ExprPtr all = std::make_shared<const code::Expr>(code::Expr{TupleExpr{std::move(axes)}, span});
    const std::map<std::string, std::string> kMakers{
        {"numpy.mgrid", "_mgrid"}, {"numpy.ogrid", "_ogrid"}, {"numpy.r_", "concatenate"}, {"numpy.c_", "column_stack"}};
    return evaluate(call_of(kMakers.at(maker), {all}));
}

std::optional<Value> Translator::call_axes(const std::string& name, const Arguments& arguments) {
    const Span& span = arguments.span();
    const auto one_axis = [&](const std::string& parameter, std::size_t rank, std::int64_t otherwise) {
        const ExprPtr e = arguments.find(parameter);
        const auto axes = axes_of(e ? e : make_integer(otherwise, span), rank);
        if (axes.size() != 1) refuse("F005", parameter + " is one axis", span, "pass a number");
        return static_cast<std::size_t>(axes[0]);
    };
    if (name == "numpy.ndim" || name == "numpy.shape" || name == "numpy.size") {
        const std::vector<Expr> shape = shape_of(evaluate(arguments.given("a")));  // None is a number here.
        if (name == "numpy.ndim") return integer(static_cast<std::int64_t>(shape.size()));
        std::vector<Value> sizes;
        for (const Expr& extent : shape) sizes.push_back(symbolic_value(extent, span));
        if (name == "numpy.shape") return tuple(std::move(sizes));
        if (arguments.find("axis")) return sizes[one_axis("axis", shape.size(), 0)];
        Expr size = 1;
        for (const Expr& extent : shape) size = size * extent;
        return symbolic_value(size, span);
    }
    if (name == "numpy.broadcast_shapes") {
        std::vector<std::vector<Expr>> shapes;
        for (const ExprPtr& one : arguments.more()) shapes.push_back(shape_argument(one));
        std::vector<Value> sizes;
        for (const Expr& extent : broadcast(shapes, span)) sizes.push_back(symbolic_value(extent, span));
        return tuple(std::move(sizes));
    }
    if (name == "numpy.broadcast_arrays") {
        std::vector<Value> arrays;
        std::vector<std::vector<Expr>> shapes;
        for (const ExprPtr& one : arguments.more()) {
            arrays.push_back(as_array(evaluate(one), one->span));
            shapes.push_back(arrays.back().shape);
        }
        const std::vector<Expr> shape = broadcast(shapes, span);
        for (Value& one : arrays) one = read_only(broadcast_to(one, shape, span));
        return tuple(std::move(arrays));
    }
    if (name == "numpy.moveaxis") {
        const Value value = array_of(arguments, "a");
        return move_axes(value, axes_of(arguments.at("source"), value.rank()), axes_of(arguments.at("destination"), value.rank()),
                         span);
    }
    if (name == "numpy.swapaxes") {
        const Value value = array_of(arguments, "a");
        std::vector<std::int64_t> axes(value.rank());
        for (std::size_t dim = 0; dim < axes.size(); ++dim) axes[dim] = static_cast<std::int64_t>(dim);
        std::swap(axes[one_axis("axis1", value.rank(), 0)], axes[one_axis("axis2", value.rank(), 0)]);
        return transpose(value, axes, span);
    }
    if (name == "numpy.broadcast_to") {
        const Value value = array_of(arguments, "array");
        const std::vector<Expr> shape = shape_argument(arguments.at("shape"));
        for (const Expr& extent : shape) require_not_negative(extent, "all elements of broadcast shape must be non-negative", span);
        if (!(broadcast({shape, value.shape}, span) == shape))
            refuse("F004", "the array does not broadcast to this shape", span, "use sizes of the array, or 1");
        return read_only(broadcast_to(value, shape, span));
    }
    if (name == "numpy.diagonal") {
        const Value value = array_of(arguments, "a");
        if (value.rank() < 2) refuse("F005", "diag requires an array of at least two dimensions", span, "pass a matrix");
        const ExprPtr offset = arguments.find("offset");
        const std::size_t first = one_axis("axis1", value.rank(), 0), second = one_axis("axis2", value.rank(), 1);
        if (first == second) refuse("F005", "axis1 and axis2 cannot be the same", span, "name two axes");
        return read_only(diagonal(value, offset ? integer_of(offset) : Expr(0), first, second, span));
    }
    if (name == "numpy.lib.stride_tricks.sliding_window_view") {
        const Value value = array_of(arguments, "x");
        const ExprPtr axis = arguments.find("axis");
        const std::vector<Expr> window = shape_argument(arguments.at("window_shape"));
        std::vector<std::int64_t> axes;
        if (axis)
            axes = axes_of(axis, value.rank());
        else
            for (std::size_t dim = 0; dim < value.rank(); ++dim) axes.push_back(static_cast<std::int64_t>(dim));
        if (axes.size() != window.size())
            refuse("F005", "window_shape and axis have different lengths", span, "name an axis for each size");
        return read_only(Reshape(*this).windows(value, window, axes, span));
    }
    if (name == "numpy.squeeze") {
        const Value value = array_of(arguments, "a");
        const ExprPtr axis = arguments.find("axis");
        const Value squeezed = squeeze(value, axis ? std::optional(axes_of(axis, value.rank())) : std::nullopt, span);
        return value.rank() > 0 && squeezed.rank() == 0 ? without_dimensions(squeezed, span) : squeezed;
    }
    if (name == "numpy.expand_dims") {
        Value value = array_of(arguments, "a");
        std::vector<std::int64_t> axes = axes_of(arguments.at("axis"), value.rank() + elements_of(arguments.at("axis")).size());
        std::ranges::sort(axes);
        if (std::ranges::adjacent_find(axes) != axes.end()) refuse("F005", "repeated axis", span, "name each axis once");
        for (const std::int64_t axis : axes) value = with_axis(value, static_cast<std::size_t>(axis));
        return value;
    }
    return std::nullopt;
}

Value Translator::without_dimensions(Value value, const Span& span) const {
    if (const Operand* view = as_view(value); view && shared_with_others(view->data, {}))
        unsupported("a view without dimensions", span, "read the number: x.item()");
    value.of_rank_0 = true;
    return value;
}

}  // namespace sluice::frontend
