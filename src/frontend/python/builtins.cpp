// Python's own functions and those of math: numbers as Python computes them, where NumPy's functions of the same name differ.
#include <algorithm>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/domain.h"
#include "frontend/python/lazy.h"
#include "frontend/python/lists.h"
#include "frontend/python/numbers.h"
#include "frontend/python/overflow.h"
#include "frontend/python/prelude.h"
#include "frontend/python/texts.h"
#include "frontend/python/translator.h"
#include "frontend/python/types_by_path.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr std::size_t kMostChained = 64;  ///< Operations of one expression: the parser of code/ takes some hundreds.

/// The one of two that Python's min or max keeps: the first, unless the second is beyond it.
ExprPtr kept_of(const ExprPtr& first, const ExprPtr& second, bool largest, const Span& span) {
    return make_conditional(make_compare(second, largest ? CompareOp::Gt : CompareOp::Lt, first, span), second, first, span);
}

}  // namespace

/// `int(x)`, `np.float32(x)`: a number of Python adapts to what it meets, one of NumPy does not.
Value Translator::convert(const Value& value, const DType& type, bool of_python, const Span& span) {
    if (of_python && value.rank() > 0) refuse("F005", "a number cannot be made of an array", span, "convert it: x.astype(...)");
    Value result = cast(value, type, span);
    result.type.weak = of_python && result.rank() == 0;
    result.of_rank_0 = false;
    if (of_python && type == DType(Scalar::Int64) && !as_integer(result)) Domain(*this).check_integer(value, span);
    return result;
}

/// round(x, n): Python rounds the decimal number, NumPy what it makes of the product.
Value Translator::round_to_digits(const Value& value, const ExprPtr& digits, const Span& span) {
    if (Numbers(*this).is_open(value))
        refuse("F008", "a rounded number that is an integer or a float of Python's", span, "write round(float(x), n)");
    const bool whole = code::is_integer(value.type.dtype.scalar), numpys = !value.type.weak;
    const std::string own = inline_prefix_ + "__rounded" + std::to_string(span.line) + "_" + std::to_string(span.column);
    const char* module = numpys ? "numpy" : "math";
    bindings_.emplace(std::string("__") + module, ModuleBinding{module});
    bind(own, settled(value));
    const char* function = numpys ? "round" : whole ? "_round_integer" : "_round_real";
    const ExprPtr name = make_attribute(make_name(std::string("__") + module, span), function, span);
    Value result =
        evaluate(std::make_shared<const code::Expr>(code::Expr{CallExpr{name, {make_name(own, span), digits}, {}}, span}));
    variables_.erase(own);
    result.type.weak = !numpys;
    return result;
}

Value Translator::extreme_of(const std::vector<Value>& values, bool largest, const Span& span) {
    if (values.empty()) refuse("F005", "min and max need values", span, "pass at least one");
    Value result = values[0];
    for (const Value& value : values) refuse_array_truth(value, span);
    for (std::size_t at = 1; at < values.size(); ++at) {
        if (at > 3 && !flat_) result = settled(result);  // Each step reads the one before it twice.
        result = combine({result, values[at]}, span, [&](const auto& c) { return kept_of(c[0], c[1], largest, span); });
    }
    TypesByPath(*this).add_choice(result, values, span);
    return result;
}

/// Whether one of the values is true, or all are.
Value Translator::any_of(const std::vector<Value>& values, bool all, const Span& span) {
    Value result = number(make_boolean(all, span), {Scalar::Bool, false});
    for (const Value& value : values) {
        refuse_array_truth(value, span);
        result = combine({result, value}, span, [&](const auto& c) {
            return std::make_shared<const code::Expr>(code::Expr{BoolExpr{all, {c[0], c[1]}}, span});
        });
        result.other_types.clear();
    }
    return result;
}

/// The comprehension that `map` and `filter` stand for.
static ExprPtr comprehension_of(const std::string& name, const Arguments& arguments, const std::string& prefix) {
    const Span& span = arguments.span();
    const std::string own = prefix + "__" + name + std::to_string(span.line) + "_" + std::to_string(span.column) + "_";
    const auto made = [&](auto node) { return std::make_shared<const code::Expr>(code::Expr{std::move(node), span}); };
    const ExprPtr function = arguments.given("function");
    const std::vector<ExprPtr> iterables = name == "map" ? arguments.more() : std::vector{arguments.at("iterable")};
    if (iterables.empty()) refuse("F005", "map() must have at least two arguments.", span, "pass what the function is applied to");
    std::vector<ExprPtr> items;
    for (std::size_t at = 0; at < iterables.size(); ++at) items.push_back(make_name(own + std::to_string(at), span));
    const ExprPtr applied = is_none(function) ? items[0] : made(CallExpr{function, items, {}});
    const bool several = items.size() > 1;
    ComprehensionClause clause{several ? made(TupleExpr{items}) : items[0],
                               several ? made(CallExpr{make_name("zip", span), iterables, {}}) : iterables[0],
                               {}};
    if (name == "filter") clause.conditions.push_back(applied);
    return made(ComprehensionExpr{name == "map" ? applied : items[0], {clause}, false});
}

std::optional<Value> Translator::call_builtin(const std::string& name, const Arguments& arguments) {
    const Span& span = arguments.span();
    if (name == "map" || name == "filter") {
        refuse_kept_iterator(statement_, span);
        return evaluate(comprehension_of(name, arguments, inline_prefix_));
    }
    if (name == "len") {
        const Value value = value_of(arguments, "obj");
        if (value.kind == Value::Kind::Tuple) return integer(static_cast<std::int64_t>(value.elements.size()));
        if (!value.list.empty()) return symbolic_value(value.shape[0], span);
        if (value.kind == Value::Kind::Text)  // In UTF-8: bytes that begin a character.
            return integer(std::ranges::count_if(*text_of(value.code), [](char one) { return (one & 0xC0) != 0x80; }));
        Domain(*this).require_value(value, "TypeError: object of type 'NoneType' has no len()", span);
        if (!value.is_elements() || value.rank() == 0) refuse("F005", "len of a number", span, "pass an array");
        return symbolic_value(value.shape[0], span);
    }
    if (name == "ord") {
        const Value value = value_of(arguments, "c");
        if (const auto number = Texts::number_of(value)) return *number;
        unsupported("ord of this value", span, "pass a text of one character");
    }
    if (name == "min" || name == "max") {
        if (const ExprPtr key = arguments.given("key")) {
            const bool one = arguments.more().size() == 1;
            const ExprPtr all = std::make_shared<const code::Expr>(code::Expr{TupleExpr{arguments.more()}, span});
            return Lists(*this).extreme(one ? arguments.more()[0] : all, key, name == "max", span);
        }
        std::vector<Value> values = evaluate_all(arguments.more());
        if (values.size() == 1 && values[0].kind == Value::Kind::Tuple) values = std::vector<Value>(values[0].elements);
        if (values.size() != 1 || values[0].rank() == 0) return extreme_of(values, name == "max", span);
        Lists(*this).require_known(values[0], span);
        if (Lists(*this).element_type_codes(values[0]))
            return Lists(*this).extreme(arguments.more()[0], nullptr, name == "max", span);
        if (values[0].rank() != 1 || !values[0].is_elements() || code::is_complex(values[0].type.dtype.scalar))
            unsupported(name + " of this array", span, "use np." + name + ", which takes every dimension and keeps NaN");
        require(make_compare(ir::to_code(values[0].shape[0]), CompareOp::Gt, make_integer(0), span),
                "ValueError: " + name + "() iterable argument is empty", span, {"raised", {}});
        if (!code::is_floating(values[0].type.dtype.scalar)) {
            Value result = reduce(values[0], name, {.axes = {0}, .keepdims = false, .initial = {}, .where = {}, .dtype = {}}, span);
            result.type.weak = !values[0].list.empty() && values[0].type.weak;
            Lists(*this).add_types(result, values[0]);
            return result;
        }
        const bool open = Numbers(*this).is_open(values[0]);
        Value whole = values[0];
        whole.list.clear();
        const std::string own = "__extreme" + std::to_string(span.line) + "_" + std::to_string(span.column);
        bindings_.emplace("__numpy", ModuleBinding{"numpy"});
        bind(own, whole);
        Value result = evaluate(std::make_shared<const code::Expr>(
            code::Expr{CallExpr{make_attribute(make_name("__numpy", span), name == "max" ? "_largest" : "_smallest", span),
                                {make_name(own, span)},
                                {}},
                       span}));
        variables_.erase(own);
        result.type.weak = !values[0].list.empty() && values[0].type.weak;
        if (open) Numbers(*this).add_open(result = settled(result), values[0]);
        Lists(*this).add_types(result, values[0]);
        return result;
    }
    if (name == "list" || name == "sorted" || name == "tuple") {
        if (!arguments.find("iterable")) {
            Value empty = tuple({});
            if (name == "tuple") return empty;
            empty.of_list = true;
            empty.objects = {context_.new_object()};
            return empty;
        }
        if (name == "sorted")
            return Lists(*this).sorted(arguments.at("iterable"), arguments.given("key"), flag(arguments, "reverse", false), span);
        if (const auto* zipped = std::get_if<CallExpr>(&arguments.at("iterable")->node);
            name == "list" && zipped && name_of(zipped->function) == "zip" && !bindings_.contains("zip") &&
            !variables_.contains("zip"))
            return Lists(*this).listed(arguments.at("iterable"), span);
        if (const auto* call = std::get_if<CallExpr>(&arguments.at("iterable")->node); call && name == "list") {
            const std::string made(name_of(call->function));  // They make new lists themselves.
            if ((made == "map" || made == "filter") && !bindings_.contains(made) && !variables_.contains(made))
                return evaluate(arguments.at("iterable"));
        }
        const ExprPtr item =
            make_name(inline_prefix_ + "__item" + std::to_string(span.line) + "_" + std::to_string(span.column), span);
        const Value items = evaluate(std::make_shared<const code::Expr>(
            code::Expr{ComprehensionExpr{item, {{item, arguments.at("iterable"), {}}}, true}, span}));
        if (name == "list") return items;
        if (items.kind != Value::Kind::Tuple) unsupported("a tuple whose length the run decides", span, "keep the list");
        return tuple(items.elements);
    }
    if (name == "abs") {
        const Value value = value_of(arguments, "x");
        const bool truth = value.is_scalar() && value.type.weak && value.type.dtype == DType(Scalar::Bool);  // Python's is an int.
        if (truth) return convert(value, Scalar::Int64, true, span);
        Overflow(*this).check_negation(arguments.at("x"), value, span);
        return call_ufunc("abs", {value}, span);
    }
    if (name == "pow") {
        const std::vector<Value> both = evaluate_all({arguments.at("base"), arguments.at("exp")});
        Overflow(*this).check(BinaryExpr{BinaryOp::Pow, arguments.at("base"), arguments.at("exp")}, both[0], both[1], span);
        return binary(BinaryOp::Pow, both[0], both[1], span);
    }
    if (name == "round") {
        const Value value = value_of(arguments, "number");
        if (value.rank() > 0) refuse("F005", "an array cannot be rounded by Python's round", span, "use np.round(x, digits)");
        if (const ExprPtr digits = arguments.find("ndigits")) return round_to_digits(value, digits, span);
        if (code::is_integer(value.type.dtype.scalar)) return convert(value, Scalar::Int64, true, span);
        return convert(call_ufunc("rint", {value}, span), Scalar::Int64, true, span);
    }
    if (name == "divmod") {
        const std::vector<Value> both = evaluate_all({arguments.at("x"), arguments.at("y")});
        Overflow(*this).check(BinaryExpr{BinaryOp::FloorDiv, arguments.at("x"), arguments.at("y")}, both[0], both[1], span);
        Domain(*this).check_divmod(both[0], both[1], span);
        return tuple({binary(BinaryOp::FloorDiv, both[0], both[1], span), binary(BinaryOp::Mod, both[0], both[1], span)});
    }
    if (name == "any" || name == "all" || name == "sum") {
        const auto* list = std::get_if<ComprehensionExpr>(&arguments.at("iterable")->node);
        if (name != "sum" && !(list && list->is_list) && Lazy(*this).draws(arguments.at("iterable")))
            unsupported(name + " of random numbers, which Python draws until it knows", span, "draw them in a loop");
        if (const ExprPtr start = name == "sum" && list && !flat_ ? arguments.find("start") : nullptr;
            start && !Lazy(*this).draws(start))
            if (const Value first = evaluate(start); first.is_elements() && first.rank() > 0)
                return Numbers(*this).sum_of_arrays(*list, first, span);
        const Value value = value_of(arguments, "iterable");
        if (value.kind == Value::Kind::Tuple && !value.of_keys) {
            if (name != "sum") {
                Value truth = any_of(value.elements, name == "all", span);
                truth.type.weak = true;
                return truth;
            }
            const ExprPtr start = arguments.find("start");
            Value total = start ? evaluate(start) : integer(0);
            std::vector<Value> summands = value.elements;
            summands.push_back(total);
            Overflow(*this).check_sum(summands, span);
            std::size_t chained = 0;
            for (const Value& element : value.elements) {
                total = binary(BinaryOp::Add, total, element, span);
                if (++chained % kMostChained == 0) total = settled(total);
            }
            return total;
        }
        Lists(*this).require_known(value, span);
        if (value.kind == Value::Kind::Tuple || !value.is_elements() || value.rank() == 0)
            unsupported(name + " of this value", span, "pass an array");
        if (name != "sum" && value.rank() != 1) refuse_array_truth(value, span);
        const DType type = value.type.dtype == DType(Scalar::Bool) ? DType(Scalar::Int64) : value.type.dtype;
        const std::optional<DType> computed = name == "sum" ? std::optional(type) : std::nullopt;
        const ExprPtr start = name == "sum" ? arguments.find("start") : nullptr;
        const bool in_order = name == "sum" && Numbers(*this).adds_in_order(value);
        const bool some = value.shape[0].is_integer() && value.shape[0].integer() > 0;
        const std::optional<Value> first = in_order && start ? std::optional(evaluate(start)) : std::nullopt;
        if (first && !(first->type == Type{Scalar::Int64, true})) return Numbers(*this).sum_in_order(value, *first, span);
        const Reduction how{.axes = {0}, .keepdims = false, .initial = {}, .where = {}, .dtype = computed};
        Value result =
            in_order ? Numbers(*this).sum_in_order(value, first.value_or(integer(0)), span) : reduce(value, name, how, span);
        if (name != "sum") result.type.weak = true;
        if (name == "sum" && !value.list.empty()) {
            const ListColumn& column = context_.lists.at(value.list).columns.at(0);
            result.type.weak = value.type.weak || (column.of_python && !column.mixed);
            result.summed = value.shape[0];
            Numbers(*this).add_open(result, value);
            Lists(*this).tell_sum(result, value, span);
            if (!result.which && result.rank() == 0) Lists(*this).tell_sum_of_none(result, value.shape[0], span);
        }
        if (name == "sum" && result.type.weak) Overflow(*this).check_sum(value, span);
        if (name == "sum" && !start && !list && value.list.empty() && result.rank() == 0 && !some)  // Of nothing, it is Python's 0.
            TypesByPath(*this).add_choice(result, {result, integer(0)}, span);
        if (name == "sum" && result.rank() > 0 && !some && !start && !flat_)  // Of no arrays, it is Python's 0: choices.cpp.
            if (context_.inlined_calls.insert({span.line, span.column, inline_prefix_}).second) throw StartAgain{};
        if (name == "sum" && result.rank() > 0 && !some)
            require(make_compare(ir::to_code(value.shape[0]), CompareOp::Gt, make_integer(0), span),
                    "NotImplementedError: a sum of no arrays, which is a number", span, {"raised", {}});
        if (!start || first) return result;
        const Value begin = evaluate(start);
        Overflow(*this).check(BinaryExpr{BinaryOp::Add, start, arguments.at("iterable")}, begin, result, span);
        return binary(BinaryOp::Add, begin, result, span);
    }
    if (name == "complex") {
        const std::vector<Value> parts =
            evaluate_all({arguments.at("real"), arguments.find("imag") ? arguments.find("imag") : make_integer(0)});
        return combine(parts, span, [&](const auto& c) {
            const ExprPtr i = std::make_shared<const code::Expr>(code::Expr{ConstantExpr{ImaginaryValue{1}}, span});
            return make_binary(BinaryOp::Add, c[0], make_binary(BinaryOp::Mul, c[1], i, span), span);
        });
    }
    return std::nullopt;
}

/// NumPy's functions return NumPy's numbers.
Value Translator::of_numpy(const Value& value) {
    if (!value.type.weak) return value;
    Value result = cast(value, value.type.dtype, where_);
    for (const code::Type& type : value.other_types) add_types_of(result, number(value.code, {type.dtype, false}));
    result.type_sources = value.type_sources;
    return result;
}

/// An element-wise function as its module defines it.
Value Translator::call_function(const std::string& spelled, const std::string& canonical, const std::vector<Value>& operands,
                                const Span& span) {
    const auto as_float = [&](const Value& value) {
        const Value result = call_ufunc("sqrt", {value}, span);
        return strong(result.type) == strong(value.type) ? value : cast(value, strong(result.type), span);
    };
    if (spelled.starts_with("cmath.")) {
        std::vector<Value> numbers;
        for (const Value& operand : operands) {
            if (operand.rank() > 0) refuse("F005", spelled + " takes one number", span, "use NumPy's function for arrays");
            numbers.push_back(cast(operand, Scalar::Complex128, span));
        }
        Value result = call_function("numpy." + std::string(canonical), canonical, numbers, span);
        result.type.weak = true;
        return result;
    }
    if (canonical == "angle") {  // The argument of a complex number, 0 or pi of a real one.
        const Value z = code::is_complex(operands[0].type.dtype.scalar) ? operands[0] : as_float(operands[0]);
        const Value angle = call_ufunc("atan2", {call_ufunc("imag", {z}, span), call_ufunc("real", {z}, span)}, span);
        return spelled.starts_with("numpy.") ? of_numpy(angle) : angle;
    }
    if (spelled == "numpy.fabs") {
        if (code::is_complex(operands[0].type.dtype.scalar)) refuse("F009", "fabs of a complex value", span, "use np.abs");
        return call_ufunc("abs", {as_float(operands[0])}, span);
    }
    if (!spelled.starts_with("math.")) {
        const std::vector<Value> together = Overflow(*this).fitting_operands(canonical, operands, span);
        const bool to_left = canonical == "left_shift", shifts = to_left || canonical == "right_shift";
        const Value result = shifts ? shifted(to_left ? BinaryOp::ShiftLeft : BinaryOp::ShiftRight, together[0], together[1], span)
                                    : call_ufunc(canonical, together, span);
        return spelled.starts_with("numpy.") && canonical != "real" && canonical != "imag" ? of_numpy(result) : result;
    }
    const bool rounds = canonical == "floor" || canonical == "ceil" || canonical == "trunc";
    std::vector<Value> numbers;
    for (const Value& operand : operands) {
        if (operand.rank() > 0) refuse("F005", spelled + " takes one number", span, "use NumPy's function for arrays");
        const bool whole = code::is_integer(operand.type.dtype.scalar) && rounds;
        numbers.push_back(whole || code::is_complex(operand.type.dtype.scalar) ? operand : cast(operand, Scalar::Float64, span));
    }
    if (numbers.size() == 1) Domain(*this).check(canonical, numbers[0], span);
    if (numbers.size() == 2) Domain(*this).check(canonical, numbers[0], numbers[1], span);
    if (rounds) Domain(*this).check_integer(numbers[0], span);
    Value result = call_ufunc(canonical, numbers, span);
    if (rounds) result = cast(result, Scalar::Int64, span);
    if (result.type.dtype == DType(Scalar::Float64) || result.type.dtype == DType(Scalar::Int64)) result.type.weak = true;
    return result;
}
}  // namespace sluice::frontend
