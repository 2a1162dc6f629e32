// Operators under NumPy 2: promotion of weak operands (NEP 50), and per operator what becomes of integers and bools.
#include <algorithm>

#include "code/operators.h"

namespace sluice::code {
namespace {

enum class Kind { None, Bool, Integer, Float, Complex };

Kind kind_of(const DType& type) {
    if (type.compound) return Kind::None;
    if (type.scalar == Scalar::Bool) return Kind::Bool;
    if (is_integer(type.scalar)) return Kind::Integer;
    if (is_floating(type.scalar)) return Kind::Float;
    return is_complex(type.scalar) ? Kind::Complex : Kind::None;
}

// The strong operand decides unless the Python literal is of a higher kind.
DType promote_weak(const DType& strong, const DType& weak) {
    if (kind_of(strong) == Kind::None || kind_of(weak) == Kind::None) return {};
    if (kind_of(weak) <= kind_of(strong)) return strong;
    if (kind_of(weak) == Kind::Complex && kind_of(strong) == Kind::Float)
        return DType(strong.scalar == Scalar::Float64 ? Scalar::Complex128 : Scalar::Complex64, strong.lanes);
    return DType(weak.scalar, strong.lanes);
}

bool is_pointer(const DType& type) {
    return type.compound && type.compound->kind == CompoundKind::Pointer;
}

DType with_scalar(const DType& type, Scalar scalar) {
    return DType(scalar, type.lanes);
}

// Where an operator computes bools as numbers: NumPy's narrowest integer, or Python's int if both are Python's.
Type number_of_bool(Type type) {
    if (kind_of(type.dtype) == Kind::Bool) type.dtype = with_scalar(type.dtype, type.weak ? Scalar::Int64 : Scalar::Int8);
    return type;
}

std::string both(const Type& a, const Type& b) {
    return to_string(a.dtype) + " and " + to_string(b.dtype);
}

}  // namespace

void refuse_types(const std::string& message, const std::string& remedy, const Span& where) {
    fail({"T002", message, where, {}, remedy, {}});
}

Type promote(const Type& a, const Type& b) {
    if (a == b) return a;
    if (a.weak == b.weak) {
        const bool higher = kind_of(a.dtype) < kind_of(b.dtype);
        return {a.weak ? (higher ? b.dtype : a.dtype) : promote(a.dtype, b.dtype), a.weak};
    }
    return {a.weak ? promote_weak(b.dtype, a.dtype) : promote_weak(a.dtype, b.dtype), false};
}

Type common_type(const Type& a, const Type& b, const Span& where) {
    const Type common = promote(a, b);
    if (common.dtype.is_void()) refuse_types(both(a, b) + " have no common type", "cast one of them to the other's type", where);
    return common;
}

Type unary_type(UnaryOp op, const Type& operand, const Span& where) {
    const Kind kind = kind_of(operand.dtype);
    if (op == UnaryOp::Not)
        return {with_scalar(operand.dtype.compound ? DType(Scalar::Bool) : operand.dtype, Scalar::Bool), operand.weak};
    if (kind == Kind::None) refuse_types("a value of type " + to_string(operand.dtype) + " has no sign", "use a number", where);
    if (kind == Kind::Bool && operand.weak) return {DType(Scalar::Int64), true};
    if (op == UnaryOp::Invert) {
        if (kind == Kind::Float || kind == Kind::Complex)
            refuse_types("`~` takes integers and bools, not " + to_string(operand.dtype), "cast the operand to an integer", where);
        return operand;
    }
    if (kind == Kind::Bool) refuse_types("a bool has no sign", "use `not`, or cast it to an integer", where);
    return operand;
}

Type binary_type(BinaryOp op, const Type& left, const Type& right, const Span& where) {
    if ((op == BinaryOp::Add || op == BinaryOp::Sub) && is_pointer(left.dtype) && kind_of(right.dtype) == Kind::Integer)
        return left;
    if (op == BinaryOp::Add && left.dtype.scalar == Scalar::String && right.dtype.scalar == Scalar::String) return left;
    if (kind_of(left.dtype) == Kind::None || kind_of(right.dtype) == Kind::None)
        refuse_types("no arithmetic on " + both(left, right), "use numbers", where);
    Type type = common_type(left, right, where);
    const Kind kind = kind_of(type.dtype);
    switch (op) {
        case BinaryOp::MatMul:
            return type;
        case BinaryOp::Add:
        case BinaryOp::Mul:
            return type.weak ? number_of_bool(type) : type;
        case BinaryOp::Sub:
            if (kind == Kind::Bool && !type.weak)
                refuse_types("bools cannot be subtracted", "use `^`, or cast them to integers", where);
            return number_of_bool(type);
        case BinaryOp::Div:
            if (kind <= Kind::Integer) type.dtype = with_scalar(type.dtype, Scalar::Float64);
            return type;
        case BinaryOp::Pow:
            return number_of_bool(type);
        case BinaryOp::FloorDiv:
        case BinaryOp::Mod:
            if (kind == Kind::Complex) refuse_types("`//` and `%` do not take complex numbers", "use `/`", where);
            return number_of_bool(type);
        case BinaryOp::BitAnd:
        case BinaryOp::BitOr:
        case BinaryOp::BitXor:
        case BinaryOp::ShiftLeft:
        case BinaryOp::ShiftRight:
            break;
    }
    if (kind > Kind::Integer)
        refuse_types("bit operations on " + both(left, right), "cast both operands to one integer type", where);
    return op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight ? number_of_bool(type) : type;
}

Result<Type> infer_binary(BinaryOp op, const Type& left, const Type& right) {
    return capture([&] { return binary_type(op, left, right, {}); });
}

namespace {

Scalar real_of(Scalar scalar) {
    return scalar == Scalar::Complex64 ? Scalar::Float32 : scalar == Scalar::Complex128 ? Scalar::Float64 : scalar;
}

// What a float function makes of an integer operand before it looks at the others: int8 and uint8 meet in float16.
Type float_of(const Type& type) {
    const Kind kind = kind_of(type.dtype);
    return kind == Kind::Bool || kind == Kind::Integer ? Type{with_scalar(type.dtype, float_for(type.dtype.scalar)), false} : type;
}

void check_operands(const Function& function, const Type& type, const Span& where) {
    const Kind kind = kind_of(type.dtype);
    const std::string name(function.name);
    if (kind == Kind::None) refuse_types("`" + name + "` does not take " + to_string(type.dtype), "use numbers", where);
    if (function.operands == Function::Operands::Real && kind == Kind::Complex)
        refuse_types("`" + name + "` does not take complex numbers", "take the real part, the imaginary part or the absolute value",
                     where);
    if (function.operands == Function::Operands::Integral && kind > Kind::Integer)
        refuse_types("`" + name + "` takes integers, not " + to_string(type.dtype), "cast the operands to integers", where);
}

Type result_type(const Function& function, Type type, const Span& where) {
    const Kind kind = kind_of(type.dtype);
    switch (function.result) {
        case Function::ResultRule::Same:
            if (kind != Kind::Bool || function.of_bool == Function::OfBool::Bool) return type;
            if (function.of_bool == Function::OfBool::Refused && !type.weak)
                refuse_types("`" + std::string(function.name) + "` does not take bools", "cast the operand to an integer", where);
            return number_of_bool(type);
        case Function::ResultRule::Float: {
            Scalar scalar = type.dtype.scalar;
            if (kind <= Kind::Integer) scalar = type.weak ? Scalar::Float64 : float_for(scalar);
            return {with_scalar(type.dtype, function.name == "angle" ? real_of(scalar) : scalar), type.weak};
        }
        case Function::ResultRule::Bool:
            return {with_scalar(type.dtype, Scalar::Bool), type.weak};
        case Function::ResultRule::RealOfComplex:
            return {with_scalar(type.dtype, real_of(type.dtype.scalar)), type.weak};
        case Function::ResultRule::Integer:
            return {DType(Scalar::Int64), true};
    }
    return type;
}

}  // namespace

Type call_type(const Function& function, std::string_view spelled, const std::vector<Type>& arguments, const Span& where) {
    const auto count = static_cast<int>(arguments.size());
    if (count < function.arity || count > function.max_arity)
        fail({"T004",
              "`" + std::string(spelled) + "` takes " + std::to_string(function.arity) +
                  (function.max_arity > function.arity ? " or more arguments, not "
                   : function.arity == 1               ? " argument, not "
                                                       : " arguments, not ") +
                  std::to_string(count),
              where,
              {},
              "give it the arguments it takes",
              {}});
    if (function.name == "len") return {DType(Scalar::Int64), true};
    Type type;
    if (function.op) {
        type = binary_type(*function.op, arguments[0], arguments[1], where);
    } else {
        const std::size_t first = function.name == "where" ? 1 : 0;
        type = arguments[first];
        for (std::size_t i = first + 1; i < arguments.size(); ++i) {
            const bool as_floats = function.result == Function::ResultRule::Float && !type.weak && !arguments[i].weak;
            type = as_floats ? common_type(float_of(type), float_of(arguments[i]), where) : common_type(type, arguments[i], where);
        }
        if (first == 1 && type.dtype.lanes == 1) type.dtype.lanes = arguments[0].dtype.lanes;
        check_operands(function, type, where);
        type = result_type(function, type, where);
    }
    // NumPy's functions return NumPy scalars; Python's return Python numbers where they got such.
    if (spelled.starts_with("np.") || spelled.starts_with("numpy.")) type.weak = false;
    return type;
}

}  // namespace sluice::code
