// Functions that put arrays beside each other, and methods of ufuncs.
#include <algorithm>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/lists.h"
#include "frontend/python/prelude.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;

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
    const bool stacks = name == "numpy.stack";
    if (stacks || name == "numpy.concatenate" || name == "numpy.vstack" || name == "numpy.hstack" || name == "numpy.column_stack") {
        const bool plain = stacks || name == "numpy.concatenate";
        const bool flat = plain && !stacks && arguments.given("axis") && !arguments.find("axis");  // axis=None
        const Value given = value_of(arguments, plain ? "arrays" : "tup");
        if (!given.list.empty() && given.rank() > 1) {
            const std::size_t rank = given.rank() - 1;
            if (stacks) return Lists(*this).stacked(given, axis_of("axis", rank + 1, 0), span);
            if (rank == 1 && name == "numpy.vstack") return Lists(*this).stacked(given, 0, span);
            if (rank == 1 && name == "numpy.column_stack") return Lists(*this).stacked(given, 1, span);
            const bool rows = name == "numpy.vstack" || rank == 1;
            if (flat && rank > 1) unsupported("concatenate with axis=None of a list that grows", span, "reshape its rows");
            return Lists(*this).concatenated(given, plain && !flat ? axis_of("axis", rank, 0) : rows ? 0 : 1, span);
        }
        if (given.kind != Value::Kind::Tuple || given.elements.empty())
            unsupported(name + " of this value", span, "pass a tuple or list of arrays");
        std::vector<Value> values = given.elements;
        for (Value& value : values) {
            value = as_array(value, span);
            if (!value.is_elements() || (value.rank() == 0 && plain && !stacks))
                unsupported(name + " of these values", span, "pass arrays");
            if (flat) value = reshape(value, {Expr(-1)}, span);
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
        const Value result = joined(values, flat ? 0 : static_cast<std::size_t>(axis_of("axis", values[0].rank(), 0)), span);
        return stacks ? result : into_out(arguments, result, Fit::Shape);
    }
    if (name == "numpy.append") {
        std::vector<Value> values = evaluate_all({arguments.at("arr"), arguments.at("values")});
        const bool flat = !arguments.find("axis");
        for (Value& value : values) {
            value = as_array(value, span);
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
    const bool of_prelude = find_in_prelude(ufunc) != nullptr;
    if (!of_prelude && (!function || function->arity != 2)) return std::nullopt;
    if (method == "outer" && function) {
        static const CallSignature kOuter{
            "outer", {{CallParameter::Kind::PositionalOnly, "A", {}}, {CallParameter::Kind::PositionalOnly, "B", {}}}, {}, "F005"};
        const Arguments arguments(kOuter, CallExpr{node.function, node.arguments, {}}, span);
        std::vector<Value> both = evaluate_all({arguments.at("A"), arguments.at("B")});
        const std::size_t inner = both[1].rank();
        for (std::size_t at = 0; at < inner; ++at) both[0] = with_axis(both[0], both[0].rank());
        bindings_.emplace("__numpy", ModuleBinding{"numpy"});
        CallExpr spread{make_attribute(make_name("__numpy", span), ufunc.substr(6), span), {}, node.keywords};
        for (std::size_t at = 0; at < both.size(); ++at) {
            const std::string operand =
                "__outer" + std::to_string(span.line) + "_" + std::to_string(span.column) + "_" + std::to_string(at);
            bind(operand, std::move(both[at]));
            spread.arguments.push_back(make_name(operand, span));
        }
        const Value result = call_elementwise(ufunc, *function, spread, span);
        for (const ExprPtr& operand : spread.arguments) variables_.erase(std::string(name_of(operand)));
        return result;
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
    bindings_.emplace("__numpy", ModuleBinding{"numpy"});
    const auto table = kNamed.find(method);
    if (table == kNamed.end() || !table->second.contains(ufunc)) {
        if (method != "reduce" && method != "accumulate" && method != "at" && method != "reduceat") return std::nullopt;
        CallExpr general = node;
        const ExprPtr itself = make_attribute(make_name("__numpy", span), ufunc.substr(6), span);
        general.arguments.insert(general.arguments.begin(), itself);
        general.function = make_attribute(make_name("__numpy", span), "_" + method, span);
        return call(std::make_shared<const code::Expr>(code::Expr{general, span}), general);
    }
    if (node.arguments.size() > 2)
        refuse("F005", name + " takes an array and an axis by position", span, "pass the others by keyword");
    CallExpr called = node;
    called.function = make_attribute(make_name("__numpy", span), table->second.at(ufunc), span);
    const bool given = node.arguments.size() > 1 ||
                       std::ranges::any_of(node.keywords, [](const Keyword& keyword) { return keyword.name == "axis"; });
    if (!given) called.keywords.push_back(Keyword{"axis", make_integer(0, span)});
    const ExprPtr e = std::make_shared<const code::Expr>(code::Expr{called, span});
    return call(e, called);
}
}  // namespace sluice::frontend
