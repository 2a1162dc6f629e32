#include "lower/calls.h"

#include "code/walk.h"
#include "lower/element_types.h"

namespace sluice::lower {

using code::Scalar;

namespace {

ValuePtr make(const DType& type, decltype(loop::Value::node) node) {
    return std::make_shared<const loop::Value>(loop::Value{type, std::move(node)});
}

// `float(x)` is a Python number, hence weak; `np.float64(x)` is not.
Typed cast_call(const DType& type, const std::vector<Typed>& arguments, const std::string& spelled) {
    const bool python = spelled == "int" || spelled == "float" || spelled == "complex" || spelled == "bool";
    if (arguments.empty()) return {convert(loop::integer_value(0), type), python};
    if (arguments.size() == 2 && is_complex(type.scalar)) {
        const DType part = type.scalar == Scalar::Complex64 ? Scalar::Float32 : Scalar::Float64;
        const ValuePtr i = make(type, loop::FloatLiteral{0, 1});
        const ValuePtr imaginary = loop::binary(loop::BinaryOp::Mul, convert(convert(arguments[1].value, part), type), i);
        return {loop::binary(loop::BinaryOp::Add, convert(convert(arguments[0].value, part), type), imaginary), python};
    }
    const DType& given = arguments[0].value->type;
    if (given.is_vector()) return {convert(arguments[0].value, DType(type.scalar, given.lanes)), false};
    if (type.scalar == Scalar::Bool) return {truth_of(arguments[0].value), python};
    return {convert(arguments[0].value, type), python};
}

// The type that the call has when its arguments have theirs, as code/infer.h decides it.
code::Type inferred_type(const code::CallExpr& node, const code::Expr& e, const std::vector<Typed>& arguments,
                         const Meaning& meaning) {
    code::CallExpr shape{node.function, {}, {}};
    for (std::size_t at = 0; at < arguments.size(); ++at)
        shape.arguments.push_back(std::make_shared<const code::Expr>(
            code::Expr{code::NameExpr{"argument " + std::to_string(at)}, node.arguments[at]->span}));
    const code::Expr call{std::move(shape), e.span};
    Result<code::Type> type = code::infer(call, [&](const std::string& name) -> std::optional<code::Type> {
        if (!name.starts_with("argument ")) return std::nullopt;
        return arguments[std::stoul(name.substr(9))].type();
    });
    if (type) return *type;
    Diagnostic diagnostic = type.error();
    if (!diagnostic.where.known()) diagnostic.where = e.span;
    if (diagnostic.path.empty()) diagnostic.path = meaning.path;
    fail(std::move(diagnostic));
}

code::Type promoted(const std::vector<Typed>& arguments, std::size_t first = 0) {
    code::Type type = arguments[first].type();
    for (std::size_t at = first + 1; at < arguments.size(); ++at) type = code::promote(type, arguments[at].type());
    return type;
}

// `min(a, b, c)` folds pairs.
Typed extremum(const std::string& function, const std::vector<Typed>& arguments) {
    const code::Type type = promoted(arguments);
    ValuePtr result = convert(arguments[0].value, type.dtype);
    for (std::size_t at = 1; at < arguments.size(); ++at)
        result = loop::call(function, {result, convert(arguments[at].value, type.dtype)}, type.dtype);
    return {result, type.weak};
}

// Comparisons and logic under their NumPy names.
std::optional<Typed> logical_call(std::string_view name, const std::vector<Typed>& arguments) {
    using loop::BinaryOp;
    static const std::pair<std::string_view, BinaryOp> comparisons[] = {
        {"equal", BinaryOp::Equal},          {"not_equal", BinaryOp::NotEqual}, {"less", BinaryOp::Less},
        {"less_equal", BinaryOp::LessEqual}, {"greater", BinaryOp::Greater},    {"greater_equal", BinaryOp::GreaterEqual}};
    static const std::pair<std::string_view, BinaryOp> connectives[] = {
        {"logical_and", BinaryOp::LogicalAnd}, {"logical_or", BinaryOp::LogicalOr}, {"logical_xor", BinaryOp::NotEqual}};
    if (name == "logical_not" && arguments.size() == 1)
        return Typed{loop::unary(loop::UnaryOp::LogicalNot, truth_of(arguments[0].value)), false};
    if (arguments.size() != 2) return std::nullopt;
    const DType type = promoted(arguments).dtype;
    for (const auto& [spelling, op] : comparisons)
        if (name == spelling)
            return Typed{loop::binary(op, convert(arguments[0].value, type), convert(arguments[1].value, type)), false};
    for (const auto& [spelling, op] : connectives)
        if (name == spelling) return Typed{loop::binary(op, truth_of(arguments[0].value), truth_of(arguments[1].value)), false};
    return std::nullopt;
}

// `x.astype(float32)`, `x.conj()`, `x.item()`
std::optional<Typed> method_call(const code::CallExpr& node, const Meaning& meaning) {
    const auto* method = std::get_if<code::AttributeExpr>(&node.function->node);
    if (!method) return std::nullopt;
    if (method->name == "astype" && node.arguments.size() == 1) {
        const auto type = code::cast_target(code::dotted_name(*node.arguments[0]));
        if (type) {
            require_computable(*type, "a conversion", node.function->span, meaning.path);
            return cast_call(*type, {lower_expression(*method->object, meaning)}, {});
        }
    }
    if (method->name == "item") return Typed{lower_expression(*method->object, meaning).value, true};
    if (method->name != "conj" && method->name != "conjugate") return std::nullopt;
    const Typed object = lower_expression(*method->object, meaning);
    if (!is_complex(object.value->type.scalar)) return object;
    return Typed{loop::call("conj", {object.value}, object.value->type), object.weak};
}

}  // namespace

Typed lower_call(const code::CallExpr& node, const code::Expr& e, const Meaning& meaning) {
    const std::string name = code::dotted_name(*node.function);
    if (name == "len" && node.arguments.size() == 1 && meaning.length)
        if (const auto length = meaning.length(code::dotted_name(*node.arguments[0]))) return *length;
    if (!name.empty() && !code::cast_target(name) && !code::find_function(name))
        if (const auto method = method_call(node, meaning)) return *method;
    std::vector<Typed> arguments;
    for (const code::ExprPtr& argument : node.arguments) {
        const auto* constant = std::get_if<code::ConstantExpr>(&argument->node);
        const auto* text = constant && code::cast_target(name) ? std::get_if<std::string>(&constant->value) : nullptr;
        if (const auto number = text ? code::named_constant(*text) : std::nullopt)
            arguments.push_back({loop::float_value(*number), true});
        else
            arguments.push_back(lower_expression(*argument, meaning));
    }
    if (name.empty() || !node.keywords.empty())
        refuse({"L010", "this form of call has no value in a computation", e.span, meaning.path,
                "call a function by its name, without keywords"});
    if ((name == "min" || name == "max" || name == "Min" || name == "Max") && !arguments.empty())
        return extremum(name == "min" || name == "Min" ? "minimum" : "maximum", arguments);
    if ((name == "int_floor" || name == "int_ceil") && arguments.size() == 2) {
        const DType type = Scalar::Int64;
        const ValuePtr a = convert(arguments[0].value, type), b = convert(arguments[1].value, type);
        if (name == "int_floor") return {loop::call("floor_divide", {a, b}, type), true};
        const ValuePtr negated = loop::unary(loop::UnaryOp::Negate, a);
        return {loop::unary(loop::UnaryOp::Negate, loop::call("floor_divide", {negated, b}, type)), true};
    }
    if (const auto type = code::cast_target(name)) {
        require_computable(*type, "a conversion", e.span, meaning.path);
        return cast_call(*type, arguments, name);
    }
    const code::Function* function = code::find_function(name);
    if (!function)
        refuse({"L010", "`" + name + "` is not a function known here", e.span, meaning.path,
                "use a function of NumPy or math, or write a C++ tasklet"});
    if (function->op && arguments.size() == 2) return lower_binary(*function->op, arguments[0], arguments[1], meaning.path);
    if (const auto logical = logical_call(function->name, arguments)) return *logical;
    const code::Type type = inferred_type(node, e, arguments, meaning);
    if (function->name == "where" && arguments.size() == 3)
        return {make(type.dtype, loop::Select{truth_of(arguments[0].value), convert(arguments[1].value, type.dtype),
                                              convert(arguments[2].value, type.dtype)}),
                type.weak};
    const bool same = function->result == code::Function::ResultRule::Same || function->result == code::Function::ResultRule::Float;
    const DType operand = same ? type.dtype : promoted(arguments).dtype;
    std::vector<ValuePtr> values;
    for (const Typed& argument : arguments) values.push_back(convert(argument.value, operand));
    return {loop::call(std::string(function->name), std::move(values), type.dtype), type.weak};
}

Typed part_of_complex(const Typed& operand, bool imaginary) {
    const DType& type = operand.value->type;
    if (!is_complex(type.scalar)) return imaginary ? Typed{convert(loop::integer_value(0), type), operand.weak} : operand;
    const DType part = type.scalar == Scalar::Complex64 ? Scalar::Float32 : Scalar::Float64;
    return {loop::call(imaginary ? "imag" : "real", {operand.value}, part), operand.weak};
}

}  // namespace sluice::lower
