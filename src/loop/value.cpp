// Constructors of Values.
#include "loop/value.h"

#include "support/check.h"

namespace sluice::loop {

namespace {

template <class Node> ValuePtr make(DType type, Node node) {
    return std::make_shared<const Value>(Value{std::move(type), std::move(node)});
}

bool is_comparison(BinaryOp op) {
    switch (op) {
        case BinaryOp::Equal:
        case BinaryOp::NotEqual:
        case BinaryOp::Less:
        case BinaryOp::LessEqual:
        case BinaryOp::Greater:
        case BinaryOp::GreaterEqual:
            return true;
        default:
            return false;
    }
}

}  // namespace

ValuePtr integer_value(std::int64_t value, DType type) {
    return make(std::move(type), IntegerLiteral{value});
}

ValuePtr float_value(double value, DType type) {
    return make(std::move(type), FloatLiteral{value});
}

ValuePtr variable(std::string name, DType type) {
    return make(std::move(type), Variable{std::move(name)});
}

ValuePtr index_value(Expr expr) {
    return make(code::Scalar::Int64, Index{expr});
}

ValuePtr load(std::string buffer, ValuePtr index, DType type) {
    return make(std::move(type), Load{std::move(buffer), std::move(index)});
}

ValuePtr address(std::string buffer, ValuePtr index, DType element_type) {
    return make(DType::pointer(std::move(element_type)), Address{std::move(buffer), std::move(index)});
}

ValuePtr unary(UnaryOp op, ValuePtr operand) {
    check(operand != nullptr, "an operator without operand");
    DType type = op == UnaryOp::LogicalNot ? DType(code::Scalar::Bool, operand->type.lanes) : operand->type;
    return make(std::move(type), Unary{op, std::move(operand)});
}

ValuePtr binary(BinaryOp op, ValuePtr left, ValuePtr right) {
    check(left && right, "a binary operator lacks an operand");
    const bool yields_bool = is_comparison(op) || op == BinaryOp::LogicalAnd || op == BinaryOp::LogicalOr;
    DType type = yields_bool ? DType(code::Scalar::Bool, left->type.lanes) : left->type;
    return make(std::move(type), Binary{op, std::move(left), std::move(right)});
}

ValuePtr select(ValuePtr condition, ValuePtr if_true, ValuePtr if_false) {
    check(condition && if_true && if_false, "a selection lacks an operand");
    DType type = if_true->type;
    return make(std::move(type), Select{std::move(condition), std::move(if_true), std::move(if_false)});
}

ValuePtr cast(ValuePtr operand, DType type) {
    check(operand != nullptr, "a cast without operand");
    if (operand->type == type) return operand;
    return make(std::move(type), Cast{std::move(operand)});
}

ValuePtr call(std::string function, std::vector<ValuePtr> arguments, DType type) {
    return make(std::move(type), Call{std::move(function), std::move(arguments)});
}

}  // namespace sluice::loop
