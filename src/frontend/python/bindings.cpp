#include "frontend/python/bindings.h"

#include <cmath>
#include <numbers>

#include "code/parse.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

const Binding* find(const Bindings& bindings, const std::string& name) {
    const auto at = bindings.find(name);
    return at == bindings.end() ? nullptr : &at->second;
}

std::string canonical_module(const std::string& name) {
    if (name == "dace" || name.starts_with("dace.")) return "sluice" + name.substr(4);
    if (name == "mpi4py.MPI" || name.starts_with("mpi4py.MPI.")) return "sluice.comm" + name.substr(10);
    return name;
}

}  // namespace

std::string qualified_name(const code::Expr& e, const Bindings& bindings) {
    if (const auto* name = std::get_if<NameExpr>(&e.node)) {
        const Binding* binding = find(bindings, name->id);
        if (!binding) return {};
        if (const auto* module = std::get_if<ModuleBinding>(binding)) return canonical_module(module->name);
        if (const auto* function = std::get_if<FunctionBinding>(binding)) return canonical_module(function->qualified_name);
        return {};
    }
    if (const auto* attribute = std::get_if<AttributeExpr>(&e.node)) {
        const std::string object = qualified_name(*attribute->object, bindings);
        return object.empty() ? object : object + "." + attribute->name;
    }
    return {};
}

// ---- numbers ------------------------------------------------------------------------------------------------------------
namespace {

double as_double(const NumberBinding& number) {
    return std::visit(
        [](const auto& v) -> double {
            if constexpr (requires { v.first; })
                return v.first;
            else
                return static_cast<double>(v);
        },
        number.value);
}

std::optional<std::int64_t> as_integer(const NumberBinding& number) {
    if (const auto* integer = std::get_if<std::int64_t>(&number.value)) return *integer;
    if (const auto* boolean = std::get_if<bool>(&number.value)) return *boolean ? 1 : 0;
    return std::nullopt;
}

bool is_complex(const NumberBinding& number) {
    return std::holds_alternative<std::pair<double, double>>(number.value);
}

std::optional<NumberBinding> integer_arithmetic(BinaryOp op, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    switch (op) {
        case BinaryOp::Add:
            return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(NumberBinding{result, {}});
        case BinaryOp::Sub:
            return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(NumberBinding{result, {}});
        case BinaryOp::Mul:
            return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(NumberBinding{result, {}});
        case BinaryOp::Pow: {
            if (b < 0) return NumberBinding{std::pow(static_cast<double>(a), static_cast<double>(b)), {}};
            result = 1;
            for (; b > 0; --b)
                if (__builtin_mul_overflow(result, a, &result)) return std::nullopt;
            return NumberBinding{result, {}};
        }
        case BinaryOp::Div:
            if (b == 0) return std::nullopt;
            return NumberBinding{static_cast<double>(a) / static_cast<double>(b), {}};
        case BinaryOp::FloorDiv:
        case BinaryOp::Mod: {
            if (b == 0 || b == -1) return std::nullopt;
            const std::int64_t quotient = a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
            return NumberBinding{op == BinaryOp::FloorDiv ? quotient : a - quotient * b, {}};
        }
        default:
            return std::nullopt;
    }
}

std::optional<NumberBinding> real_arithmetic(BinaryOp op, double a, double b) {
    switch (op) {
        case BinaryOp::Add:
            return NumberBinding{a + b, {}};
        case BinaryOp::Sub:
            return NumberBinding{a - b, {}};
        case BinaryOp::Mul:
            return NumberBinding{a * b, {}};
        case BinaryOp::Div:
            if (b == 0) return std::nullopt;
            return NumberBinding{a / b, {}};
        case BinaryOp::Pow:
            if (a < 0 && b != std::floor(b)) return std::nullopt;
            return NumberBinding{std::pow(a, b), {}};
        case BinaryOp::FloorDiv:
            if (b == 0) return std::nullopt;
            return NumberBinding{std::floor(a / b), {}};
        default:
            return std::nullopt;
    }
}

std::optional<NumberBinding> named_constant(const std::string& name) {
    const std::string last = name.substr(name.rfind('.') + 1);
    if (!name.starts_with("math.") && !name.starts_with("cmath.") && !name.starts_with("numpy.") &&
        !name.starts_with("sluice.math."))
        return std::nullopt;
    if (last == "pi") return NumberBinding{std::numbers::pi, {}};
    if (last == "e") return NumberBinding{std::numbers::e, {}};
    if (last == "tau") return NumberBinding{2 * std::numbers::pi, {}};
    if (last == "inf" || last == "infty" || last == "Inf") return NumberBinding{HUGE_VAL, {}};
    if (last == "nan" || last == "NaN") return NumberBinding{std::nan(""), {}};
    return std::nullopt;
}

std::optional<NumberBinding> called_constant(const CallExpr& call, const Bindings& bindings) {
    if (call.arguments.size() != 1 || !call.keywords.empty()) return std::nullopt;
    const auto argument = constant_value(*call.arguments[0], bindings);
    if (!argument || is_complex(*argument)) return std::nullopt;
    if (const auto type = dtype_of(*call.function, bindings)) {
        const bool python_type = !name_of(call.function).empty() && !bindings.contains(std::string(name_of(call.function)));
        NumberBinding cast = *argument;
        if (code::is_integer(type->scalar)) cast.value = static_cast<std::int64_t>(as_double(*argument));
        if (code::is_integer(type->scalar) && as_integer(*argument)) cast.value = *as_integer(*argument);
        if (code::is_floating(type->scalar)) cast.value = as_double(*argument);
        if (*type == DType(Scalar::Bool)) cast.value = as_double(*argument) != 0;
        if (!python_type) cast.dtype = *type;
        return cast;
    }
    const std::string function = qualified_name(*call.function, bindings);
    const bool numpys = function.starts_with("numpy.");
    if (numpys && argument->dtype) return std::nullopt;
    const std::optional<DType> type = numpys ? std::optional(DType(Scalar::Float64)) : std::nullopt;
    if (!numpys && !(as_double(*argument) > 0)) return std::nullopt;  // It may raise.
    if (function == "math.sqrt" || function == "numpy.sqrt") return NumberBinding{std::sqrt(as_double(*argument)), type};
    if (function == "math.exp" || function == "numpy.exp") return NumberBinding{std::exp(as_double(*argument)), type};
    if (function == "math.log" || function == "numpy.log") return NumberBinding{std::log(as_double(*argument)), type};
    return std::nullopt;
}

}  // namespace

std::optional<NumberBinding> constant_value(const code::Expr& e, const Bindings& bindings) {
    if (const auto* constant = std::get_if<ConstantExpr>(&e.node)) {
        if (const auto* v = std::get_if<std::int64_t>(&constant->value)) return NumberBinding{*v, {}};
        if (const auto* v = std::get_if<double>(&constant->value)) return NumberBinding{*v, {}};
        if (const auto* v = std::get_if<bool>(&constant->value)) return NumberBinding{*v, {}};
        if (const auto* v = std::get_if<ImaginaryValue>(&constant->value)) return NumberBinding{std::pair(0.0, v->value), {}};
        return std::nullopt;
    }
    if (const auto* name = std::get_if<NameExpr>(&e.node)) {
        const Binding* binding = find(bindings, name->id);
        if (binding)
            if (const auto* number = std::get_if<NumberBinding>(binding)) return *number;
    }
    if (const std::string name = qualified_name(e, bindings); !name.empty()) return named_constant(name);
    if (const auto* unary = std::get_if<UnaryExpr>(&e.node)) {
        auto operand = constant_value(*unary->operand, bindings);
        if (!operand || is_complex(*operand)) return std::nullopt;
        if (unary->op == UnaryOp::Plus) return operand;
        if (unary->op != UnaryOp::Minus) return std::nullopt;
        if (const auto integer = as_integer(*operand)) return NumberBinding{-*integer, operand->dtype};
        return NumberBinding{-as_double(*operand), operand->dtype};
    }
    if (const auto* binary = std::get_if<BinaryExpr>(&e.node)) {
        const auto left = constant_value(*binary->left, bindings), right = constant_value(*binary->right, bindings);
        if (!left || !right || is_complex(*left) || is_complex(*right) || left->dtype || right->dtype) return std::nullopt;
        const auto a = as_integer(*left), b = as_integer(*right);
        return a && b ? integer_arithmetic(binary->op, *a, *b) : real_arithmetic(binary->op, as_double(*left), as_double(*right));
    }
    if (const auto* call = std::get_if<CallExpr>(&e.node)) return called_constant(*call, bindings);
    return std::nullopt;
}

ExprPtr literal_of(const NumberBinding& number, const Span& span) {
    if (const auto* v = std::get_if<bool>(&number.value)) return make_boolean(*v, span);
    if (const auto* v = std::get_if<std::int64_t>(&number.value)) return make_integer(*v, span);
    if (const auto* v = std::get_if<double>(&number.value)) {
        const auto member = [&](const char* name) {
            return std::make_shared<const code::Expr>(code::Expr{AttributeExpr{make_name("math", span), name}, span});
        };
        if (std::isnan(*v)) return member("nan");
        if (std::isinf(*v)) return *v > 0 ? member("inf") : make_unary(UnaryOp::Minus, member("inf"), span);
        return make_real(*v, span);
    }
    const auto& [re, im] = std::get<std::pair<double, double>>(number.value);
    ExprPtr imaginary = std::make_shared<const code::Expr>(code::Expr{ConstantExpr{ImaginaryValue{im}}, span});
    return re == 0 ? imaginary : make_binary(BinaryOp::Add, make_real(re, span), imaginary, span);
}

// ---- types --------------------------------------------------------------------------------------------------------------
std::optional<DType> dtype_of(const code::Expr& e, const Bindings& bindings) {
    if (const auto* name = std::get_if<NameExpr>(&e.node)) {
        if (const Binding* binding = find(bindings, name->id)) {
            if (const auto* type = std::get_if<TypeBinding>(binding))
                return type->type.shape ? std::nullopt : std::optional(type->type.dtype);
        } else if (name->id == "int" || name->id == "float" || name->id == "bool") {
            return parse_dtype(name->id);
        } else if (name->id == "complex") {
            return DType(Scalar::Complex128);
        }
    }
    if (const auto* text = std::get_if<ConstantExpr>(&e.node))
        if (const auto* string = std::get_if<std::string>(&text->value)) return parse_dtype(*string);
    if (const auto* call = std::get_if<CallExpr>(&e.node)) {
        if (qualified_name(*call->function, bindings) != "sluice.vector" || call->arguments.size() != 2) return std::nullopt;
        const auto base = dtype_of(*call->arguments[0], bindings);
        const auto lanes = constant_value(*call->arguments[1], bindings);
        if (base && lanes && as_integer(*lanes)) return DType(base->scalar, static_cast<std::uint32_t>(*as_integer(*lanes)));
        return std::nullopt;
    }
    const std::string name = qualified_name(e, bindings);
    if (!name.starts_with("sluice.") && !name.starts_with("numpy.")) return std::nullopt;
    std::string last = name.substr(name.find('.') + 1);
    if (last.starts_with("dtypes.")) last = last.substr(7);
    if (last == "MPI_Request" || last == "comm.MPI_Request") last = "int64";
    if (last == "double") last = "float64";
    if (last == "single") last = "float32";
    if (last == "bool8") last = "bool";
    if (last == "float_") last = "float64";
    if (last == "int_" || last == "intp") last = "int64";
    return parse_dtype(last);
}

symbolic::Expr size_of(const ExprPtr& e, const Bindings& bindings) {
    const ExprPtr folded = replace_names(e, [&](const NameExpr& name) -> ExprPtr {
        const Binding* binding = find(bindings, name.id);
        if (!binding)
            refuse("F002", "the name " + name.id + " is not known", e->span,
                   "declare it as a symbol: " + name.id + " = sluice.symbol('" + name.id + "')");
        if (const auto* symbol = std::get_if<SymbolBinding>(binding)) return make_name(symbol->name, e->span);
        if (const auto* number = std::get_if<NumberBinding>(binding)) return literal_of(*number, e->span);
        if (const auto* expression = std::get_if<ExpressionBinding>(binding)) return ir::to_code(expression->value);
        return nullptr;
    });
    const auto size = ir::to_symbolic(*folded);
    if (!size.ok())
        refuse("F010", "a size must be an integer expression of symbols", e->span, "use symbols, integers and + - * // only");
    return *size;
}

std::optional<ArgumentType> type_of_annotation(const ExprPtr& e, const Bindings& bindings) {
    if (const auto* name = std::get_if<NameExpr>(&e->node))
        if (const Binding* binding = find(bindings, name->id))
            if (const auto* type = std::get_if<TypeBinding>(binding)) return type->type;
    if (const auto dtype = dtype_of(*e, bindings)) {
        const std::string_view name = name_of(e);
        return ArgumentType{*dtype, std::nullopt, name == "int" || name == "float" || name == "complex" || name == "bool"};
    }
    if (const auto* constant = std::get_if<ConstantExpr>(&e->node))
        if (const auto* quoted = std::get_if<std::string>(&constant->value))
            if (const auto parsed = code::parse_expr(*quoted)) return type_of_annotation(*parsed, bindings);
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) {
        const auto dtype = dtype_of(*subscript->object, bindings);
        if (!dtype) return std::nullopt;
        ArgumentType type{*dtype, std::vector<symbolic::Expr>()};
        for (const ExprPtr& extent : elements_of(subscript->index)) type.shape->push_back(size_of(extent, bindings));
        return type;
    }
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node); binary && binary->op == BinaryOp::MatMul) {
        const std::string storage = qualified_name(*binary->right, bindings);
        const std::string name = storage.substr(storage.rfind('.') + 1);
        if (name != "Default" && name != "CPU_Heap")
            refuse("F003", "an argument cannot lie in this storage", binary->right->span,
                   "leave the storage out: arguments lie where the caller has them");
        return type_of_annotation(binary->left, bindings);
    }
    return std::nullopt;
}

bool names_storage(const BinaryExpr& e, const Bindings& bindings) {
    if (e.op != BinaryOp::MatMul) return false;
    const std::string name = qualified_name(*e.right, bindings);
    return name.starts_with("sluice.StorageType.") || name.starts_with("sluice.dtypes.StorageType.");
}

bool declares_type(const code::Expr& annotation, const Bindings& bindings) {
    if (const auto* subscript = std::get_if<SubscriptExpr>(&annotation.node)) return declares_type(*subscript->object, bindings);
    if (const auto* binary = std::get_if<BinaryExpr>(&annotation.node)) return declares_type(*binary->left, bindings);
    if (const auto* call = std::get_if<CallExpr>(&annotation.node)) return declares_type(*call->function, bindings);
    if (const auto* constant = std::get_if<ConstantExpr>(&annotation.node)) {
        const auto* quoted = std::get_if<std::string>(&constant->value);
        if (!quoted) return false;
        const auto parsed = code::parse_expr(*quoted);
        return parsed && declares_type(**parsed, bindings);
    }
    if (const auto* name = std::get_if<NameExpr>(&annotation.node))
        if (const Binding* binding = find(bindings, name->id))
            if (const auto* type = std::get_if<TypeBinding>(binding)) return type->declares;
    return qualified_name(annotation, bindings).starts_with("sluice.");
}

ExprPtr constant_argument(const std::string& parameter, const ExprPtr& e, const Bindings& bindings) {
    if (parameter == "dtype") return e;
    if (const auto* constant = std::get_if<ConstantExpr>(&e->node); constant) return e;
    if (const auto number = constant_value(*e, bindings)) return number->dtype ? nullptr : literal_of(*number, e->span);
    const auto* several = std::get_if<TupleExpr>(&e->node);
    if (!several) return nullptr;
    std::vector<ExprPtr> elements;
    for (const ExprPtr& element : several->elements) {
        const ExprPtr known = constant_argument({}, element, bindings);
        if (!known) return nullptr;
        elements.push_back(known);
    }
    return std::make_shared<const code::Expr>(code::Expr{TupleExpr{std::move(elements)}, e->span});
}

}  // namespace sluice::frontend
