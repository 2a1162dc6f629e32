#include "code/reduction.h"

#include <optional>
#include <string_view>

namespace sluice::code {

namespace {

bool is_name(const Expr& e, std::string_view name) {
    const auto* found = std::get_if<NameExpr>(&e.node);
    return found && found->id == name;
}

/// The lambda `lambda a, b: body`.
struct Pattern {
    std::string_view a, b;

    bool is_pair(const Expr& x, const Expr& y) const {
        return (is_name(x, a) && is_name(y, b)) || (is_name(x, b) && is_name(y, a));
    }
    bool in_order(const Expr& x, const Expr& y) const { return is_name(x, a) && is_name(y, b); }

    ReductionType operator()(const NameExpr& e) const { return e.id == b ? ReductionType::Exchange : ReductionType::Custom; }
    ReductionType operator()(const BinaryExpr& e) const {
        using enum BinaryOp;
        if (e.op == Sub) return in_order(*e.left, *e.right) ? ReductionType::Sub : ReductionType::Custom;
        if (e.op == Div) return in_order(*e.left, *e.right) ? ReductionType::Div : ReductionType::Custom;
        if (!is_pair(*e.left, *e.right)) return ReductionType::Custom;
        switch (e.op) {
            case Add:
                return ReductionType::Sum;
            case Mul:
                return ReductionType::Product;
            case BitAnd:
                return ReductionType::BitwiseAnd;
            case BitOr:
                return ReductionType::BitwiseOr;
            case BitXor:
                return ReductionType::BitwiseXor;
            case Sub:
            case Div:
            case FloorDiv:
            case Mod:
            case Pow:
            case MatMul:
            case ShiftLeft:
            case ShiftRight:
                break;
        }
        return ReductionType::Custom;
    }
    ReductionType operator()(const BoolExpr& e) const {
        if (e.operands.size() != 2) return ReductionType::Custom;
        const Expr &left = *e.operands[0], &right = *e.operands[1];
        if (is_pair(left, right)) return e.is_and ? ReductionType::LogicalAnd : ReductionType::LogicalOr;
        if (e.is_and) return ReductionType::Custom;
        const auto first = one_without_other(left), second = one_without_other(right);
        return first && second && *first != *second ? ReductionType::LogicalXor : ReductionType::Custom;
    }
    /// `bool(a) != bool(b)`.
    ReductionType operator()(const CompareExpr& e) const {
        if (e.ops.size() != 1 || e.ops[0] != CompareOp::Ne) return ReductionType::Custom;
        const Expr *left = as_bool(*e.operands[0]), *right = as_bool(*e.operands[1]);
        return left && right && is_pair(*left, *right) ? ReductionType::LogicalXor : ReductionType::Custom;
    }
    /// `a if a < b else b` and its kin.
    ReductionType operator()(const ConditionalExpr& e) const {
        const auto* test = std::get_if<CompareExpr>(&e.condition->node);
        if (!test || test->ops.size() != 1 || !is_pair(*e.if_true, *e.if_false) || !is_pair(*test->operands[0], *test->operands[1]))
            return ReductionType::Custom;
        const bool less = test->ops[0] == CompareOp::Lt || test->ops[0] == CompareOp::Le;
        const bool greater = test->ops[0] == CompareOp::Gt || test->ops[0] == CompareOp::Ge;
        if (!less && !greater) return ReductionType::Custom;
        const bool same_order = is_name(*test->operands[0], a) == is_name(*e.if_true, a);
        return less == same_order ? ReductionType::Min : ReductionType::Max;
    }
    ReductionType operator()(const CallExpr& e) const {
        if (e.arguments.size() != 2 || !e.keywords.empty() || !is_pair(*e.arguments[0], *e.arguments[1]))
            return ReductionType::Custom;
        const std::string_view name = function_name(*e.function);
        if (name == "min" || name == "Min" || name == "minimum") return ReductionType::Min;
        if (name == "max" || name == "Max" || name == "maximum") return ReductionType::Max;
        if (name == "logical_and") return ReductionType::LogicalAnd;
        if (name == "logical_or") return ReductionType::LogicalOr;
        if (name == "logical_xor") return ReductionType::LogicalXor;
        return ReductionType::Custom;
    }
    template <class Other> ReductionType operator()(const Other&) const { return ReductionType::Custom; }

private:
    /// The last part of `np.minimum`.
    static std::string_view function_name(const Expr& e) {
        if (const auto* name = std::get_if<NameExpr>(&e.node)) return name->id;
        if (const auto* attribute = std::get_if<AttributeExpr>(&e.node)) return attribute->name;
        return {};
    }
    static const Expr* as_bool(const Expr& e) {
        const auto* call = std::get_if<CallExpr>(&e.node);
        return call && call->arguments.size() == 1 && is_name(*call->function, "bool") ? &*call->arguments[0] : nullptr;
    }
    /// `a and not b` in either order: is it `a` that stands alone?
    std::optional<bool> one_without_other(const Expr& e) const {
        const auto* both = std::get_if<BoolExpr>(&e.node);
        if (!both || !both->is_and || both->operands.size() != 2) return std::nullopt;
        for (int at : {0, 1}) {
            const auto* negated = std::get_if<UnaryExpr>(&both->operands[1 - at]->node);
            if (negated && negated->op == UnaryOp::Not && is_pair(*both->operands[at], *negated->operand))
                return is_name(*both->operands[at], a);
        }
        return std::nullopt;
    }
};

}  // namespace

ReductionType reduction_type(const Expr& e) {
    const auto* lambda = std::get_if<LambdaExpr>(&e.node);
    if (!lambda || lambda->parameters.size() != 2) return ReductionType::Custom;
    return std::visit(Pattern{lambda->parameters[0], lambda->parameters[1]}, lambda->body->node);
}

bool is_commutative(ReductionType operation) {
    using enum ReductionType;
    return operation != Custom && operation != Sub && operation != Div && operation != Exchange;
}

bool updates_commute(ReductionType operation) {
    return is_commutative(operation) || operation == ReductionType::Sub || operation == ReductionType::Div;
}

Identity identity_of(ReductionType operation, const DType& type) {
    if (!type.is_scalar()) return Identity::None;
    const bool is_bool = type.scalar == Scalar::Bool, complex = is_complex(type.scalar);
    switch (operation) {
        case ReductionType::Sum:
        case ReductionType::BitwiseOr:
        case ReductionType::BitwiseXor:
            return Identity::Zero;
        case ReductionType::Product:
            return Identity::One;
        case ReductionType::LogicalOr:
        case ReductionType::LogicalXor:
            return is_bool ? Identity::Zero : Identity::None;
        case ReductionType::LogicalAnd:
            return is_bool ? Identity::One : Identity::None;
        case ReductionType::BitwiseAnd:
            return is_bool ? Identity::One : is_integer(type.scalar) ? Identity::AllOnes : Identity::None;
        case ReductionType::Min:
            return complex || type.scalar == Scalar::UInt64 ? Identity::None : Identity::Largest;
        case ReductionType::Max:
            return complex ? Identity::None : Identity::Smallest;
        case ReductionType::Sub:
        case ReductionType::Div:
        case ReductionType::Exchange:
        case ReductionType::Custom:
            return Identity::None;
    }
    return Identity::None;
}

}  // namespace sluice::code
