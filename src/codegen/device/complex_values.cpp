// Complex numbers in kernels: languages without operators of structures call functions.
#include <algorithm>
#include <array>
#include <string_view>

#include "codegen/c_like/types.h"
#include "codegen/device/kernel_printer.h"

namespace sluice::codegen {

using code::DType;
using code::ReductionType;
using code::Scalar;

namespace {

bool is_complex(const loop::ValuePtr& v) {
    return v->type.lanes == 1 && code::is_complex(v->type.scalar);
}

DType part_of(const DType& type) {
    return type.scalar == Scalar::Complex64 ? Scalar::Float32 : Scalar::Float64;
}

/// What runtime/kernel_complex.h has of NumPy's functions.
constexpr std::array<std::string_view, 24> kFunctions{"true_divide", "divide",     "negative", "positive",   "real",    "imag",
                                                      "conj",        "conjugate",  "abs",      "absolute",   "angle",   "isnan",
                                                      "isinf",       "isfinite",   "square",   "reciprocal", "minimum", "maximum",
                                                      "logical_and", "logical_or", "exp",      "log",        "sqrt",    "power"};

}  // namespace

std::string KernelPrinter::real(double value, double imaginary, const DType& t) {
    if (!code::is_complex(t.scalar)) return CDialectPrinter::real(value, imaginary, t);
    type(t);
    const std::string both = CDialectPrinter::real(value, 0, part_of(t)) + ", " + CDialectPrinter::real(imaginary, 0, part_of(t));
    return in_table_ ? "{" + both + "}" : by_type("make", t) + "(" + both + ")";
}

std::string KernelPrinter::truth(const loop::ValuePtr& v) {
    return is_complex(v) ? by_type("truth", v->type) + "(" + value(v) + ")" : value(v, Level::Unary);
}

Text KernelPrinter::binary_of_complex(const loop::Binary& n) {
    using loop::BinaryOp;
    const auto call = [&](const char* name, const loop::ValuePtr& a, const loop::ValuePtr& b) {
        return by_type(name, n.left->type) + "(" + value(a) + ", " + value(b) + ")";
    };
    switch (n.op) {
        case BinaryOp::Add:
            return {call("add", n.left, n.right)};
        case BinaryOp::Sub:
            return {call("subtract", n.left, n.right)};
        case BinaryOp::Mul:
            return {call("multiply", n.left, n.right)};
        case BinaryOp::Div:
            return {call("divide", n.left, n.right)};
        case BinaryOp::Equal:
            return {call("equal", n.left, n.right)};
        case BinaryOp::NotEqual:
            return {"!" + call("equal", n.left, n.right), Level::Unary};
        case BinaryOp::Less:
            return {call("less", n.left, n.right)};
        case BinaryOp::LessEqual:
            return {call("less_equal", n.left, n.right)};
        case BinaryOp::Greater:
            return {call("less", n.right, n.left)};
        case BinaryOp::GreaterEqual:
            return {call("less_equal", n.right, n.left)};
        case BinaryOp::LogicalAnd:
            return {truth(n.left) + " && " + truth(n.right), Level::And};
        case BinaryOp::LogicalOr:
            return {truth(n.left) + " || " + truth(n.right), Level::Or};
        default:
            refuse("an operator of integers on complex numbers in a kernel");
    }
}

Text KernelPrinter::print_unary(const loop::Value& v, const loop::Unary& n) {
    if (!is_complex(n.operand)) return CDialectPrinter::print_unary(v, n);
    if (n.op == loop::UnaryOp::LogicalNot) return {"!" + truth(n.operand), Level::Unary};
    return {by_type("negative", v.type) + "(" + value(n.operand) + ")"};
}

Text KernelPrinter::print_cast(const loop::Value& v, const loop::Cast& n) {
    const bool to = v.type.lanes == 1 && code::is_complex(v.type.scalar), from = is_complex(n.operand);
    if (!to && !from) return CDialectPrinter::print_cast(v, n);
    if (v.type == n.operand->type) return print_value(*n.operand);
    const std::string operand = "(" + value(n.operand) + ")";
    if (to && from) return {(v.type.scalar == Scalar::Complex128 ? "sluice_wide_complex64" : "sluice_narrow_complex128") + operand};
    if (to) return {by_type("make", v.type) + "(" + converted(type(part_of(v.type)), value(n.operand)) + ", 0)"};
    if (v.type == DType(Scalar::Bool)) return {truth(n.operand)};
    return {converted(type(v.type), by_type("real", n.operand->type) + operand), Level::Unary};
}

Text KernelPrinter::print_call(const loop::Value& v, const loop::Call& n) {
    const bool takes = std::ranges::any_of(n.arguments, is_complex);
    if (!takes && !code::is_complex(v.type.scalar)) return CDialectPrinter::print_call(v, n);
    const bool alike = std::ranges::all_of(n.arguments, [&](const auto& one) { return one->type == n.arguments.front()->type; });
    if (!takes || !alike || std::ranges::find(kFunctions, n.function) == kFunctions.end())
        refuse("the function `" + n.function + "` of complex numbers in a kernel");
    std::string arguments;
    for (const loop::ValuePtr& argument : n.arguments) arguments += (arguments.empty() ? "" : ", ") + value(argument);
    return {by_type(n.function, n.arguments.front()->type) + "(" + arguments + ")"};
}

std::string KernelPrinter::combined(const loop::Update& s, const std::string& before, const std::string& incoming) {
    if (!is_complex(s.value)) return CDialectPrinter::combined(s, before, incoming);
    const auto call = [&](const char* name) { return combined_by_function(name, s.value->type, before, incoming); };
    switch (s.op) {
        case ReductionType::Sum:
            return call("add");
        case ReductionType::Sub:
            return call("subtract");
        case ReductionType::Product:
            return call("multiply");
        case ReductionType::Div:
            return call("divide");
        case ReductionType::Min:
            return call("minimum");
        case ReductionType::Max:
            return call("maximum");
        case ReductionType::LogicalAnd:
            return call("logical_and");
        case ReductionType::LogicalOr:
            return call("logical_or");
        case ReductionType::LogicalXor:
            return call("logical_xor");
        case ReductionType::Exchange:
            return incoming;
        case ReductionType::Custom:
            return value(s.combine);
        default:
            refuse("an operator of integers on complex numbers in a kernel");
    }
}

void KernelPrinter::update_complex(const loop::Update& s, const std::string& place, loop::Space space) {
    const DType& of = s.value->type;
    const bool alone = s.conflict == loop::Conflict::None || space == loop::Space::Own;
    const bool custom = s.op == ReductionType::Custom, wide = of.scalar == Scalar::Complex128;
    const std::string before = custom ? s.old_name : own("before"), incoming = custom ? s.new_name : own("incoming");
    if (custom) scope_[before] = scope_[incoming] = {of};
    out_.open("{");
    out_.line("const " + type(of) + " " + incoming + " = " + value(s.value) + ";");
    if (alone) {
        out_.line("const " + type(of) + " " + before + " = " + place + ";");
        out_.line(place + " = " + combined(s, before, incoming) + ";");
    } else if (!wide) {
        out_.line(std::string("SLUICE_UPDATE_8(") + word(space) + ", complex64, " + type(of) + ", &" + place + ", " + before +
                  ", (" + combined(s, before, incoming) + "))");
    } else if (s.op == ReductionType::Sum || s.op == ReductionType::Sub) {  // Nobody looks at both parts in between.
        for (const char* part : {".real", ".imag"})
            out_.line(std::string("SLUICE_UPDATE_8(") + word(space) + ", float64, double, &" + place + part + ", " + before +
                      ", (" + before + (s.op == ReductionType::Sum ? " + " : " - ") + incoming + part + "))");
    } else {
        refuse("an update of complex128 by several threads that is no sum");
    }
    out_.close();
}

}  // namespace sluice::codegen
