#include "lower/expressions.h"

#include "code/print.h"
#include "code/walk.h"
#include "lower/calls.h"

namespace sluice::lower {

using code::Scalar;
using loop::BinaryOp;
using loop::UnaryOp;

namespace {

ValuePtr make(const DType& type, decltype(loop::Value::node) node) {
    return std::make_shared<const loop::Value>(loop::Value{type, std::move(node)});
}

[[noreturn]] void refuse_expression(const code::Expr& e, const std::string& what, const Meaning& meaning) {
    refuse({"L010", what, e.span, meaning.path, "compute it with supported operations, or in a C++ tasklet"});
}

const Typed& known(const std::optional<Typed>& found, const code::Expr& e, const std::string& name, const Meaning& meaning) {
    if (!found)
        refuse({"L011", "`" + name + "` names nothing here", e.span, meaning.path,
                "pass it in through a connector, or declare it as a symbol or constant"});
    return *found;
}

std::optional<BinaryOp> direct_operator(code::BinaryOp op) {
    switch (op) {
        case code::BinaryOp::Add:
            return BinaryOp::Add;
        case code::BinaryOp::Sub:
            return BinaryOp::Sub;
        case code::BinaryOp::Mul:
            return BinaryOp::Mul;
        case code::BinaryOp::Div:
            return BinaryOp::Div;
        case code::BinaryOp::BitAnd:
            return BinaryOp::BitAnd;
        case code::BinaryOp::BitOr:
            return BinaryOp::BitOr;
        case code::BinaryOp::BitXor:
            return BinaryOp::BitXor;
        case code::BinaryOp::ShiftLeft:
            return BinaryOp::ShiftLeft;
        case code::BinaryOp::ShiftRight:
            return BinaryOp::ShiftRight;
        case code::BinaryOp::FloorDiv:
        case code::BinaryOp::Mod:
        case code::BinaryOp::Pow:
        case code::BinaryOp::MatMul:
            return std::nullopt;
    }
    return std::nullopt;
}

bool is_literal(const ValuePtr& value, double number) {
    if (const auto* integer = std::get_if<loop::IntegerLiteral>(&value->node)) return static_cast<double>(integer->value) == number;
    const auto* real = std::get_if<loop::FloatLiteral>(&value->node);
    return real && real->imaginary == 0 && real->real == number;
}

bool is_cheap(const ValuePtr& value) {
    if (const auto* cast = std::get_if<loop::Cast>(&value->node)) return is_cheap(cast->operand);
    return std::holds_alternative<loop::Variable>(value->node);
}

// Squares are products and half powers are roots, as in NumPy; the rest is a call.
ValuePtr power(const ValuePtr& base, const ValuePtr& exponent, const DType& type) {
    if (is_literal(exponent, 2) && is_cheap(base)) return loop::binary(BinaryOp::Mul, base, base);
    if (is_literal(exponent, 3) && is_cheap(base))
        return loop::binary(BinaryOp::Mul, loop::binary(BinaryOp::Mul, base, base), base);
    if (is_literal(exponent, 2) && is_floating(type.scalar)) return loop::call("square", {base}, type);
    if (is_literal(exponent, 1)) return base;
    if (is_literal(exponent, 0.5) && is_floating(type.scalar)) return loop::call("sqrt", {base}, type);
    return loop::call("power", {base, exponent}, type);
}

Typed literal(const code::ConstantExpr& constant, const code::Expr& e, const Meaning& meaning) {
    return std::visit(
        code::Overloaded{
            [&](code::NoneValue) -> Typed { refuse_expression(e, "None has no value in a computation", meaning); },
            [&](code::EllipsisValue) -> Typed { refuse_expression(e, "`...` has no value in a computation", meaning); },
            [&](bool value) {
                return Typed{loop::integer_value(value, Scalar::Bool), true};
            },
            [&](std::int64_t value) {
                return Typed{loop::integer_value(value), true};
            },
            [&](double value) {
                return Typed{loop::float_value(value), true};
            },
            [&](const code::ImaginaryValue& value) {
                return Typed{make(Scalar::Complex128, loop::FloatLiteral{0, value.value}), true};
            },
            [&](const std::string&) -> Typed { refuse_expression(e, "a string has no value in a computation", meaning); },
        },
        constant.value);
}

Typed unary(const code::UnaryExpr& node, const Meaning& meaning) {
    const Typed operand = lower_expression(*node.operand, meaning);
    const bool is_bool = operand.value->type.scalar == Scalar::Bool;
    switch (node.op) {
        case code::UnaryOp::Not:
            return {loop::unary(UnaryOp::LogicalNot, truth_of(operand.value)), operand.weak};
        case code::UnaryOp::Invert:
            return {loop::unary(is_bool ? UnaryOp::LogicalNot : UnaryOp::BitNot, operand.value), operand.weak};
        case code::UnaryOp::Plus:
            return operand;
        case code::UnaryOp::Minus:
            break;
    }
    if (const auto* integer = std::get_if<loop::IntegerLiteral>(&operand.value->node);
        integer && code::is_signed(operand.value->type.scalar))  // the others wrap
        return {loop::integer_value(-integer->value, operand.value->type), operand.weak};
    if (const auto* real = std::get_if<loop::FloatLiteral>(&operand.value->node))
        return {make(operand.value->type,
                     loop::FloatLiteral{-real->real, code::is_complex(operand.value->type.scalar) ? -real->imaginary : 0}),
                operand.weak};
    const ValuePtr value = is_bool ? convert(operand.value, Scalar::Int64) : operand.value;
    return {loop::unary(UnaryOp::Negate, value), operand.weak};
}

Typed compare_pair(code::CompareOp op, const Typed& left, const Typed& right, const code::Expr& e, const Meaning& meaning) {
    const DType type = code::promote(left.type(), right.type()).dtype;
    const ValuePtr a = convert(left.value, type), b = convert(right.value, type);
    const bool weak = left.weak && right.weak;
    switch (op) {
        case code::CompareOp::Eq:
        case code::CompareOp::Is:
            return {loop::binary(BinaryOp::Equal, a, b), weak};
        case code::CompareOp::Ne:
        case code::CompareOp::IsNot:
            return {loop::binary(BinaryOp::NotEqual, a, b), weak};
        case code::CompareOp::Lt:
            return {loop::binary(BinaryOp::Less, a, b), weak};
        case code::CompareOp::Le:
            return {loop::binary(BinaryOp::LessEqual, a, b), weak};
        case code::CompareOp::Gt:
            return {loop::binary(BinaryOp::Greater, a, b), weak};
        case code::CompareOp::Ge:
            return {loop::binary(BinaryOp::GreaterEqual, a, b), weak};
        case code::CompareOp::In:
        case code::CompareOp::NotIn:
            break;
    }
    refuse_expression(e, "`in` needs a tuple or list of values on its right", meaning);
}

Typed membership(bool negated, const Typed& left, const code::Expr& right, const code::Expr& e, const Meaning& meaning) {
    const std::vector<code::ExprPtr>* elements = nullptr;
    if (const auto* tuple = std::get_if<code::TupleExpr>(&right.node)) elements = &tuple->elements;
    if (const auto* list = std::get_if<code::ListExpr>(&right.node)) elements = &list->elements;
    if (!elements) refuse_expression(e, "`in` needs a tuple or list of values on its right", meaning);
    ValuePtr result;
    for (const code::ExprPtr& element : *elements) {
        const ValuePtr same = compare_pair(code::CompareOp::Eq, left, lower_expression(*element, meaning), e, meaning).value;
        result = result ? loop::binary(BinaryOp::LogicalOr, result, same) : same;
    }
    if (!result) result = loop::integer_value(0, Scalar::Bool);
    return {negated ? loop::unary(UnaryOp::LogicalNot, result) : result, false};
}

Typed comparison(const code::CompareExpr& node, const code::Expr& e, const Meaning& meaning) {
    ValuePtr result;
    bool weak = true;
    for (std::size_t at = 0; at < node.ops.size(); ++at) {
        const Typed left = lower_expression(*node.operands[at], meaning);
        const code::CompareOp op = node.ops[at];
        const bool contains = op == code::CompareOp::In || op == code::CompareOp::NotIn;
        const Typed one = contains ? membership(op == code::CompareOp::NotIn, left, *node.operands[at + 1], e, meaning)
                                   : compare_pair(op, left, lower_expression(*node.operands[at + 1], meaning), e, meaning);
        weak = weak && one.weak;
        result = result ? loop::binary(BinaryOp::LogicalAnd, result, one.value) : one.value;
    }
    return {result, weak};
}

Typed boolean(const code::BoolExpr& node, const Meaning& meaning) {
    ValuePtr result;
    bool weak = true;
    for (const code::ExprPtr& operand : node.operands) {
        const Typed next = lower_expression(*operand, meaning);
        weak = weak && next.weak;
        const ValuePtr holds = truth_of(next.value);
        result = result ? loop::binary(node.is_and ? BinaryOp::LogicalAnd : BinaryOp::LogicalOr, result, holds) : holds;
    }
    return {result, weak};
}

Typed conditional(const code::ConditionalExpr& node, const Meaning& meaning) {
    const Typed yes = lower_expression(*node.if_true, meaning), no = lower_expression(*node.if_false, meaning);
    const DType type = code::promote(yes.type(), no.type()).dtype;
    return {make(type, loop::Select{lower_condition(*node.condition, meaning), convert(yes.value, type), convert(no.value, type)}),
            yes.weak && no.weak};
}

Typed subscript(const code::SubscriptExpr& node, const code::Expr& e, const Meaning& meaning) {
    const std::string name = code::dotted_name(*node.object);
    if (name.empty()) refuse_expression(e, "only a named array can be indexed here", meaning);
    std::vector<ValuePtr> indices;
    const auto add = [&](const code::Expr& index) {
        if (std::holds_alternative<code::SliceExpr>(index.node))
            refuse_expression(index, "a slice cannot be used as a value here", meaning);
        indices.push_back(lower_expression(index, meaning).value);
    };
    if (const auto* tuple = std::get_if<code::TupleExpr>(&node.index->node))
        for (const code::ExprPtr& index : tuple->elements) add(*index);
    else
        add(*node.index);
    return known(meaning.element ? meaning.element(name, indices) : std::nullopt, e, name, meaning);
}

Typed attribute(const code::AttributeExpr& node, const code::Expr& e, const Meaning& meaning) {
    const std::string name = code::dotted_name(e);
    if (!name.empty()) {
        if (const auto found = meaning.name(name)) return *found;
        if (const auto number = code::named_constant(name)) return {loop::float_value(*number), true};
    }
    const Typed object = lower_expression(*node.object, meaning);
    if (node.name == "real" || node.name == "imag") return part_of_complex(object, node.name == "imag");
    if (object.value->type.compound && object.value->type.compound->kind == code::CompoundKind::Struct)
        for (const auto& [field, type] : object.value->type.compound->fields)
            if (field == node.name) return {make(type, loop::Member{object.value, node.name}), false};
    refuse_expression(e, "`." + node.name + "` is not an attribute known here", meaning);
}

}  // namespace

Typed lower_expression(const code::Expr& e, const Meaning& meaning) {
    return std::visit(
        code::Overloaded{
            [&](const code::NameExpr& node) {
                std::optional<Typed> found = meaning.name(node.id);
                if (const auto number = found ? std::nullopt : code::named_constant(node.id))
                    found = Typed{loop::float_value(*number), true};
                return known(std::move(found), e, node.id, meaning);
            },
            [&](const code::ConstantExpr& node) { return literal(node, e, meaning); },
            [&](const code::UnaryExpr& node) { return unary(node, meaning); },
            [&](const code::BinaryExpr& node) {
                return lower_binary(node.op, lower_expression(*node.left, meaning), lower_expression(*node.right, meaning),
                                    meaning.path);
            },
            [&](const code::BoolExpr& node) { return boolean(node, meaning); },
            [&](const code::CompareExpr& node) { return comparison(node, e, meaning); },
            [&](const code::ConditionalExpr& node) { return conditional(node, meaning); },
            [&](const code::CallExpr& node) { return lower_call(node, e, meaning); },
            [&](const code::AttributeExpr& node) { return attribute(node, e, meaning); },
            [&](const code::SubscriptExpr& node) { return subscript(node, e, meaning); },
            [&](const code::SliceExpr&) -> Typed { refuse_expression(e, "a slice cannot be used as a value here", meaning); },
            [&](const code::TupleExpr& node) -> Typed {
                if (node.elements.size() == 1) return lower_expression(*node.elements[0], meaning);
                refuse_expression(e, "a tuple cannot be used as a value here", meaning);
            },
            [&](const code::ListExpr&) -> Typed { refuse_expression(e, "a list cannot be used as a value here", meaning); },
            [&](const code::StarredExpr&) -> Typed { refuse_expression(e, "a starred expression is no value", meaning); },
            [&](const code::NamedExpr&) -> Typed { refuse_expression(e, "an assignment cannot be used as a value here", meaning); },
            [&](const code::DictExpr&) -> Typed { refuse_expression(e, "a dictionary cannot be used as a value here", meaning); },
            [&](const code::ComprehensionExpr&) -> Typed {
                refuse_expression(e, "a comprehension cannot be used as a value here", meaning);
            },
            [&](const code::LambdaExpr&) -> Typed { refuse_expression(e, "a lambda cannot be used as a value here", meaning); },
        },
        e.node);
}

ValuePtr truth_of(const ValuePtr& value) {
    if (value->type.scalar == Scalar::Bool) return value;
    return loop::binary(BinaryOp::NotEqual, value, convert(loop::integer_value(0), value->type));
}

ValuePtr lower_condition(const code::Expr& e, const Meaning& meaning) {
    return truth_of(lower_expression(e, meaning).value);
}

Typed lower_binary(code::BinaryOp op, const Typed& left, const Typed& right, const std::string& path) {
    Result<code::Type> inferred = code::infer_binary(op, left.type(), right.type());
    if (!inferred) {
        Diagnostic diagnostic = inferred.error();
        if (diagnostic.path.empty()) diagnostic.path = path;
        fail(std::move(diagnostic));
    }
    const DType type = inferred->dtype;
    const ValuePtr a = convert(left.value, type), b = convert(right.value, type);
    const auto direct = direct_operator(op);
    if (direct && type.scalar == Scalar::Bool && op == code::BinaryOp::Add)
        return {loop::binary(BinaryOp::LogicalOr, a, b), inferred->weak};
    if (direct && type.scalar == Scalar::Bool && op == code::BinaryOp::Mul)
        return {loop::binary(BinaryOp::LogicalAnd, a, b), inferred->weak};
    if (direct) return {loop::binary(*direct, a, b), inferred->weak};
    switch (op) {
        case code::BinaryOp::FloorDiv:
            return {loop::call("floor_divide", {a, b}, type), inferred->weak};
        case code::BinaryOp::Mod:
            return {loop::call("mod", {a, b}, type), inferred->weak};
        case code::BinaryOp::Pow:
            return {power(a, b, type), inferred->weak};
        default:
            refuse({"L010", "a matrix product is not an operation on single elements", {}, path, "use a MatMul library node"});
    }
}

ValuePtr convert(const ValuePtr& value, const DType& type) {
    if (value->type == type || type.is_void()) return value;
    if (type.is_scalar()) {
        const bool real = is_floating(type.scalar), complex = is_complex(type.scalar);
        if (const auto* integer = std::get_if<loop::IntegerLiteral>(&value->node)) {
            if (real || complex) return loop::float_value(static_cast<double>(integer->value), type);
            if (type.scalar == Scalar::Int64 || (is_integer(type.scalar) && integer->value >= 0 && integer->value < 128))
                return loop::integer_value(integer->value, type);
            if (type.scalar == Scalar::Bool) return loop::integer_value(integer->value != 0, type);
        }
        if (const auto* number = std::get_if<loop::FloatLiteral>(&value->node);
            number && (complex || (real && number->imaginary == 0)))
            return make(type, loop::FloatLiteral{number->real, number->imaginary});
    }
    return loop::cast(value, type);
}

std::optional<Expr> as_index(const loop::Value& value) {
    if (const auto* integer = std::get_if<loop::IntegerLiteral>(&value.node)) return Expr(integer->value);
    if (const auto* index = std::get_if<loop::Index>(&value.node)) return index->expr;
    if (value.type != DType(Scalar::Int64)) return std::nullopt;
    if (const auto* name = std::get_if<loop::Variable>(&value.node)) return symbolic::symbol(name->name);
    if (const auto* negated = std::get_if<loop::Unary>(&value.node); negated && negated->op == UnaryOp::Negate) {
        const auto operand = as_index(*negated->operand);
        return operand ? std::optional(-*operand) : std::nullopt;
    }
    const auto* both = std::get_if<loop::Binary>(&value.node);
    if (!both || (both->op != BinaryOp::Add && both->op != BinaryOp::Sub && both->op != BinaryOp::Mul)) return std::nullopt;
    const auto left = as_index(*both->left), right = as_index(*both->right);
    if (!left || !right) return std::nullopt;
    if (both->op == BinaryOp::Add) return *left + *right;
    return both->op == BinaryOp::Sub ? *left - *right : *left * *right;
}

ValuePtr flat_value(const Expr& base, const std::vector<ValuePtr>& indices, const std::vector<Expr>& strides) {
    check(indices.size() == strides.size(), "one stride for each index");
    Expr fixed = base;
    ValuePtr moving;
    for (std::size_t d = 0; d < indices.size(); ++d) {
        if (const auto index = as_index(*indices[d])) {
            fixed = fixed + *index * strides[d];
            continue;
        }
        ValuePtr term = convert(indices[d], Scalar::Int64);
        if (!strides[d].is_integer(1)) term = loop::binary(BinaryOp::Mul, term, loop::index_value(strides[d]));
        moving = moving ? loop::binary(BinaryOp::Add, moving, term) : term;
    }
    if (!moving) return loop::index_value(fixed);
    return fixed.is_integer(0) ? moving : loop::binary(BinaryOp::Add, loop::index_value(fixed), moving);
}

}  // namespace sluice::lower
