// Values of the loop IR: typed expressions over variables, buffers and index arithmetic.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "code/dtype.h"
#include "symbolic/expr.h"

namespace sluice::loop {

using code::DType;
using symbolic::Expr;

// ---- values -------------------------------------------------------------------------------------------------------------
struct Value;
using ValuePtr = std::shared_ptr<const Value>;

/// Bool and integer constants, of the Value's type.
struct IntegerLiteral {
    std::int64_t value;
};
/// Floating and complex constants; NaN and infinities included.
struct FloatLiteral {
    double real;
    double imaginary = 0;
};
/// A scalar variable: parameter, Declare, loop variable.
struct Variable {
    std::string name;
};
/// Integer arithmetic over 64-bit variables. `Subscript(A, i)` calls in it read element i (flat) of a buffer of integer type.
struct Index {
    Expr expr;
};
/// Element `index` (flat, in elements of the buffer) of a buffer. If the Value's type is a vector of the buffer's elements, the
/// `lanes` consecutive elements from `index` on; Store and Update do the same by the type of their value.
struct Load {
    std::string buffer;
    ValuePtr index;
};
/// Pointer to element `index` of a buffer.
struct Address {
    std::string buffer;
    ValuePtr index;
};
enum class UnaryOp : std::uint8_t { Negate, LogicalNot, BitNot };
struct Unary {
    UnaryOp op;
    ValuePtr operand;
};
/// Operators with C semantics on operands of one type (lowering inserts casts and turns Python's floor division, modulo and power
/// into calls). Comparisons yield Bool; LogicalAnd/Or do not evaluate their right side in vain.
enum class BinaryOp : std::uint8_t {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    LogicalAnd,
    LogicalOr,
};
struct Binary {
    BinaryOp op;
    ValuePtr left, right;
};
struct Select {
    ValuePtr condition, if_true, if_false;
};
/// Conversion to the Value's type.
struct Cast {
    ValuePtr operand;
};
/// A math function under its canonical name (code/infer.h: `sqrt`, `minimum`, `floor_divide`, ...).
struct Call {
    std::string function;
    std::vector<ValuePtr> arguments;
};
/// Field of a structure: `object.name`, or `object->name` where the object's type is a pointer. `address`: a pointer to the field.
struct Member {
    ValuePtr object;
    std::string name;
    bool address = false;
};
/// Number of elements waiting in a stream.
struct StreamSize {
    std::string stream;
    ValuePtr index;
};
struct Value {
    DType type;
    std::variant<IntegerLiteral, FloatLiteral, Variable, Index, Load, Address, Unary, Binary, Select, Cast, Call, Member,
                 StreamSize>
        node;
};

// ---- construction -------------------------------------------------------------------------------------------------------
ValuePtr integer_value(std::int64_t value, DType type = code::Scalar::Int64);
ValuePtr float_value(double value, DType type = code::Scalar::Float64);
ValuePtr variable(std::string name, DType type);
ValuePtr index_value(Expr expr);
ValuePtr load(std::string buffer, ValuePtr index, DType type);
ValuePtr address(std::string buffer, ValuePtr index, DType element_type);
ValuePtr binary(BinaryOp op, ValuePtr left, ValuePtr right);  ///< Type of the left operand, Bool for comparisons.
ValuePtr unary(UnaryOp op, ValuePtr operand);                 ///< Type of the operand, Bool for LogicalNot.
ValuePtr select(ValuePtr condition, ValuePtr if_true, ValuePtr if_false);
ValuePtr cast(ValuePtr operand, DType type);  ///< The operand itself if it has that type.
ValuePtr call(std::string function, std::vector<ValuePtr> arguments, DType type);

}  // namespace sluice::loop
