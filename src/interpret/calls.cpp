// Calls in expressions: functions of the table, casts, methods of numbers.
#include "code/walk.h"
#include "interpret/code.h"

namespace sluice::interpret {

namespace {

code::Type promoted(const std::vector<Value>& arguments, std::size_t first = 0) {
    code::Type type = arguments[first].type();
    for (std::size_t at = first + 1; at < arguments.size(); ++at) type = code::promote(type, arguments[at].type());
    return type;
}

const std::map<std::string_view, code::CompareOp>& comparisons() {
    using code::CompareOp;
    static const std::map<std::string_view, CompareOp> by_name = {{"equal", CompareOp::Eq},   {"not_equal", CompareOp::Ne},
                                                                  {"less", CompareOp::Lt},    {"less_equal", CompareOp::Le},
                                                                  {"greater", CompareOp::Gt}, {"greater_equal", CompareOp::Ge}};
    return by_name;
}

}  // namespace

// `float(x)` is a Python number, hence weak; `np.float64(x)` is not.
Value CodeCompiler::cast(const DType& type, const std::vector<Value>& arguments, bool python) {
    Value result;
    if (arguments.empty()) {
        result = convert(constant(Scalar::Int64, cell<std::int64_t>(0), true), type);
    } else if (arguments.size() == 2 && is_complex(type.scalar)) {
        const Value i = constant(Scalar::Complex128, cell(Complex128(0, 1)), true);
        const Value imaginary = binary(code::BinaryOp::Mul, convert(arguments[1], type), convert(i, type), {});
        result = binary(code::BinaryOp::Add, convert(arguments[0], type), imaginary, {});
    } else {
        const auto lanes = static_cast<std::uint32_t>(arguments[0].registers.size());
        result = convert(arguments[0], DType(type.scalar, lanes));
    }
    result.weak = python;
    return result;
}

Value CodeCompiler::apply(std::string_view name, const std::vector<Value>& arguments, const code::Type& result, const Span& where) {
    const Operation operation = function(name, arguments.size(), arguments[0].scalar);
    if (!operation) refuse("`" + std::string(name) + "` does not take " + code::to_string(arguments[0].type().dtype), where);
    Value value = fresh(result.dtype, result.weak);
    const auto lane_of = [&](std::size_t argument, std::size_t lane) {
        if (argument >= arguments.size()) return 0u;
        const auto& registers = arguments[argument].registers;
        return registers[registers.size() == 1 ? 0 : lane];
    };
    for (std::size_t lane = 0; lane < value.registers.size(); ++lane)
        emit(operation, value.registers[lane], lane_of(0, lane), lane_of(1, lane), lane_of(2, lane));
    return value;
}

std::optional<Value> CodeCompiler::method(const code::CallExpr& e) {
    const auto* attribute = std::get_if<code::AttributeExpr>(&e.function->node);
    if (!attribute) return std::nullopt;
    if (attribute->name == "astype" && e.arguments.size() == 1)
        if (const auto type = code::cast_target(code::dotted_name(*e.arguments[0])))
            return cast(*type, {expression(*attribute->object)}, false);
    if (attribute->name == "item") {
        Value value = expression(*attribute->object);
        value.weak = true;
        return value;
    }
    if (attribute->name != "conj" && attribute->name != "conjugate") return std::nullopt;
    const Value object = expression(*attribute->object);
    return apply("conj", {object}, object.type(), e.function->span);
}

Value CodeCompiler::call(const code::CallExpr& e, const code::Expr& whole) {
    const std::string name = code::dotted_name(*e.function);
    if (name == "len" && e.arguments.size() == 1)
        if (const auto length = names_.length(*this, code::dotted_name(*e.arguments[0]))) return *length;
    const auto target = code::cast_target(name);
    const code::Function* known = code::find_function(name);
    if (!name.empty() && !target && !known)
        if (const auto found = method(e)) return *found;
    if (name.empty() || !e.keywords.empty()) refuse("this form of call has no value in a computation", whole.span);
    std::vector<Value> arguments;
    for (const code::ExprPtr& argument : e.arguments) {
        const auto* literal = std::get_if<code::ConstantExpr>(&argument->node);
        const auto* text = literal && target ? std::get_if<std::string>(&literal->value) : nullptr;
        if (const auto number = text ? code::named_constant(*text) : std::nullopt)
            arguments.push_back(constant(Scalar::Float64, cell(*number), true));
        else
            arguments.push_back(expression(*argument));
    }
    if (target) return cast(*target, arguments, name == "int" || name == "float" || name == "complex" || name == "bool");
    const bool minimum = name == "min" || name == "Min", maximum = name == "max" || name == "Max";
    if ((minimum || maximum || (known && (known->name == "minimum" || known->name == "maximum"))) && !arguments.empty()) {
        const code::Type type = promoted(arguments);
        const std::string_view which = minimum || (known && known->name == "minimum") ? "minimum" : "maximum";
        Value result = convert(arguments[0], type.dtype);
        for (std::size_t at = 1; at < arguments.size(); ++at)
            result = apply(which, {result, convert(arguments[at], type.dtype)}, type, whole.span);
        return result;
    }
    if (!known) refuse("`" + name + "` is not a function known here", whole.span);
    if (known->op && arguments.size() == 2) return binary(*known->op, arguments[0], arguments[1], whole.span);
    if (const auto op = comparisons().find(known->name); op != comparisons().end() && arguments.size() == 2)
        return compare(op->second, arguments[0], arguments[1], whole.span);
    std::map<std::string, code::Type> types;
    code::CallExpr shape{e.function, {}, {}};
    for (std::size_t at = 0; at < arguments.size(); ++at) {
        const std::string argument = "argument " + std::to_string(at);
        types.emplace(argument, arguments[at].type());
        shape.arguments.push_back(std::make_shared<const code::Expr>(code::Expr{code::NameExpr{argument}, e.arguments[at]->span}));
    }
    Result<code::Type> type = code::infer(code::Expr{std::move(shape), whole.span}, [&](const std::string& argument) {
        const auto found = types.find(argument);
        return found == types.end() ? std::nullopt : std::optional(found->second);
    });
    if (!type) {
        Diagnostic diagnostic = type.error();
        if (diagnostic.path.empty()) diagnostic.path = path_;
        fail(std::move(diagnostic));
    }
    if (known->name == "where") {
        const Value which = truth(arguments[0]), yes = convert(arguments[1], type->dtype), no = convert(arguments[2], type->dtype);
        const Value result = fresh(type->dtype, type->weak);
        for (std::size_t lane = 0; lane < result.registers.size(); ++lane) {
            emit(move(), result.registers[lane], yes.registers[lane]);
            const std::size_t keep = emit(jump_if(), 0, which.registers[which.registers.size() == 1 ? 0 : lane]);
            emit(move(), result.registers[lane], no.registers[lane]);
            land(keep);
        }
        return result;
    }
    using Rule = code::Function::ResultRule;
    const auto lanes = type->dtype.lanes;
    DType operand = known->result == Rule::Same || known->result == Rule::Float ? type->dtype : promoted(arguments).dtype;
    if (known->name == "angle" && is_complex(arguments[0].scalar)) operand = arguments[0].type().dtype;
    operand.lanes = lanes;
    for (Value& argument : arguments) argument = convert(argument, operand);
    return apply(known->name, arguments, *type, whole.span);
}

}  // namespace sluice::interpret
