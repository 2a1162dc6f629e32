// Lists that slices and sums make of lists whose length the run decides: the comprehensions that say the same. What lists are
// compared by, and where an element is. Arrays that they are joined to.
//     xs[a:b:c]  ->  [xs[i] for i in range(begin, end, c)]          xs + ys  ->  new = [x for x in xs]; new.extend(ys)
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/list_parts.h"
#include "frontend/python/lists.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

ComprehensionExpr each(ExprPtr element, const ExprPtr& target, ExprPtr iterable) {
    return {std::move(element), {{target, std::move(iterable), {}}}, true};
}

}  // namespace

Value Lists::of_array(const Value& array, const Span& span) {
    const Scalar scalar = array.type.dtype.scalar;
    const bool truth = array.type.dtype == DType(Scalar::Bool);
    if (array.rank() == 0 || array.rank() > 2 || scalar == Scalar::UInt64)
        unsupported("tolist of this array", span, "use the array");
    const std::string own = t_.inline_prefix_ + "__array" + std::to_string(span.line) + "_" + std::to_string(span.column);
    t_.bind(own, t_.settled(array));
    const ExprPtr item = make_name("item", span), row = make_name("row", span);
    const std::string python = truth ? "bool" : code::is_complex(scalar) ? "complex" : code::is_integer(scalar) ? "int" : "float";
    const ExprPtr number = make_call(python, {item}, span);
    const bool matrix = array.rank() == 2;
    const ExprPtr list = std::make_shared<const code::Expr>(code::Expr{each(number, item, row), span});
    const Value result = matrix ? comprehension(each(list, row, make_name(own, span)), span, "__rows")
                                : comprehension(each(number, item, make_name(own, span)), span, "__tolist");
    t_.variables_.erase(own);
    return result;
}

/// A bound of a slice as Python takes it: from the end if it is negative, and inside of the list; `least`, `most`: where that is.
Expr Lists::slice_bound(const ExprPtr& bound, const Expr& length, const Expr& least, const Expr& most) {
    const Expr given = t_.integer_of(bound);
    const Expr wrapped =
        symbolic::select(symbolic::less(given, 0), symbolic::maximum(least, given + length), symbolic::minimum(given, most));
    return t_.integer_of(symbolic_value(wrapped, bound->span), bound->span, "bound");
}

void Lists::require_positive_step(const Expr& step, const Value& list, const Span& span) {
    if (step.is_integer() && step.integer() < 1) refuse_as_array(list, span);
    t_.require_positive(step, "the step of a slice, whose sign only the run knows, is not positive", span);
}

Value Lists::part(const Value& list, const ExprPtr& index, const Span& span) {
    const auto& slice = std::get<SliceExpr>(index->node);
    const auto step = slice.step ? constant_value(*slice.step, t_.bindings_) : std::nullopt;
    const auto* by = step ? std::get_if<std::int64_t>(&step->value) : nullptr;
    if (by && *by == 0) refuse_as_array(list, span);
    const bool down = by && *by < 0;
    const Expr stride = by ? Expr(*by) : slice.step ? t_.integer_of(slice.step) : Expr(1);
    if (slice.step && !by) require_positive_step(stride, list, span);
    const Expr length = list.shape[0];
    const Expr least = down ? -1 : 0, most = down ? length - 1 : length;
    const std::string own =
        t_.inline_prefix_ + "__part" + std::to_string(index->span.line) + "_" + std::to_string(index->span.column);
    const auto bound = [&](const char* name, const ExprPtr& given, const Expr& without) {
        t_.bind(own + name, symbolic_value(given ? slice_bound(given, length, least, most) : without, span));
        return make_name(own + name, span);
    };
    const ExprPtr begin = bound("begin", slice.begin, down ? most : least), end = bound("end", slice.end, down ? least : most);
    t_.bind(own, list);
    const ExprPtr item = make_name("item", span);
    const Value result = comprehension(each(make_subscript(make_name(own, span), {item}, span), item,
                                            make_call("range", {begin, end, bound("step", nullptr, stride)}, span)),
                                       index->span, "__slice");
    for (const char* name : {"", "begin", "end", "step"}) t_.variables_.erase(own + name);
    return result;
}

/// What a function of the prelude says of the elements of a list and a value: Python's equality.
Value Lists::of_equal(const char* function, const Value& left, const Value& right, const Span& span) {
    const std::string own = t_.inline_prefix_ + "__equal" + std::to_string(span.line) + "_" + std::to_string(span.column);
    t_.bindings_.emplace("__numpy", ModuleBinding{"numpy"});
    for (const auto& [name, value] : {std::pair(own + "left", left), std::pair(own + "right", right)}) {
        const bool list = !value.list.empty();
        if (list) require_known(value, span);
        if (value.kind == Value::Kind::Rows || value.of_keys || (value.is_elements() && value.rank() > (list ? 1 : 0)))
            unsupported("a comparison with elements that are no numbers", span, "compare numbers in a loop");
        Value array = list ? plain(value, 0) : value.kind == Value::Kind::Tuple ? t_.as_array(value, span) : value;
        if (!array.is_elements() || array.rank() > 1) unsupported("a comparison with this value", span, "compare numbers");
        t_.bind(name, std::move(array));
    }
    const ExprPtr call =
        std::make_shared<const code::Expr>(code::Expr{CallExpr{make_attribute(make_name("__numpy", span), function, span),
                                                               {make_name(own + "left", span), make_name(own + "right", span)},
                                                               {}},
                                                      span});
    Value result = t_.settled(t_.evaluate(call));
    for (const char* name : {"left", "right"}) t_.variables_.erase(own + name);
    result.type.weak = true;
    return result;
}

Value Lists::equal(const Value& left, const Value& right, const Span& span) {
    const auto is_list = [](const Value& one) { return !one.list.empty() || (one.kind == Value::Kind::Tuple && one.of_list); };
    if (!is_list(left) || !is_list(right)) refuse_as_array(left.list.empty() ? right : left, span);
    for (const auto& [one, other] : {std::pair(left, right), std::pair(right, left)})  // NumPy knows no type of no elements.
        if (one.kind == Value::Kind::Tuple && one.elements.empty())
            return t_.combine({symbolic_value(other.shape[0], span)}, span,
                              [&](const auto& c) { return make_compare(c[0], CompareOp::Eq, make_integer(0), span); });
    return of_equal("_same_elements", left, right, span);
}

/// Of the first element that equals it.
Value Lists::place_of(const Value& list, const Value& wanted, const std::string& missing, const Span& span) {
    const Expr at = t_.integer_of(of_equal("_place_of", list, wanted, span), span, "at");
    std::vector<ExprPtr> values;  // Of the integer that the message names.
    if (missing.find("{}") != std::string::npos)
        values.push_back(ir::to_code(t_.integer_of(t_.cast(wanted, Scalar::Int64, span), span, "wanted")));
    t_.require(make_compare(ir::to_code(at), CompareOp::Lt, ir::to_code(list.shape[0]), span), missing, span, {"raised", values});
    return symbolic_value(at, span);
}

Value Lists::sum(const Value& left, const Value& right, const Span& place) {
    if (left.rank() > 1 && !left.list.empty() && !right.list.empty())
        unsupported("a sum of two lists of lists or arrays", place, "append copies of the elements");
    const std::string own = t_.inline_prefix_ + "__sum" + std::to_string(place.line) + "_" + std::to_string(place.column);
    t_.bind(own + "left", left);
    t_.bind(own + "right", right);
    const ExprPtr item = make_name("item", place);
    const Value copy = comprehension(each(item, item, make_name(own + "left", place)), place, "__sum");
    extend(copy, make_name(own + "right", place), place);
    t_.variables_.erase(own + "left");
    t_.variables_.erase(own + "right");
    return whole(copy.list);
}

Value Lists::stacked(const Value& list, std::int64_t axis, const Span& span) {
    require_known(list, span);
    t_.require(make_compare(ir::to_code(list.shape[0]), CompareOp::Gt, make_integer(0), span),
               "ValueError: need at least one array to stack", span, {"raised", {}});
    return t_.materialise(t_.move_axes(plain(list, 0), {0}, {axis}, span), "stack");  // The list may change.
}

Value Lists::concatenated(const Value& list, std::int64_t axis, const Span& span) {
    const Value stack = stacked(list, axis, span);
    std::vector<Expr> shape = stack.shape;
    const auto place = shape.begin() + axis;
    *place = *place * *(place + 1);
    shape.erase(place + 1);
    return t_.reshape(stack, shape, span);
}

}  // namespace sluice::frontend
