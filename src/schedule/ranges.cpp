// Which values an index may have that data decide.
//     min(max(at[i], 0), N - 1): 0 <= e <= N - 1     at[i] % 4: 0 <= e <= 3     lut[image[i]] of bytes: 0 <= e <= 255
#include "schedule/ranges.h"

#include "code/print.h"
#include "code/walk.h"

namespace sluice::schedule {

using symbolic::Expr;

namespace {

const Expr kAny = symbolic::boolean(true);

/// What holds of an index that is at least, and at most, a value.
struct Sides {
    Expr lower = kAny, upper = kAny;
};

class Ranges {
public:
    Ranges(const AffineOf& affine, const TypeOf& type, const Expr& index) : affine_(affine), type_(type), index_(index) {}

    Sides of(const code::Expr& e, const Guards& guards) const {
        if (const auto value = affine_(e)) return {symbolic::less_equal(*value, index_), symbolic::less_equal(index_, *value)};
        Sides sides = structure(e, guards);
        for (const code::Expr* guard : guards) {
            const Sides known = fact(*guard, code::to_string(e));
            sides.lower = symbolic::logical_and(sides.lower, known.lower);
            sides.upper = symbolic::logical_and(sides.upper, known.upper);
        }
        return sides;
    }

private:
    Sides structure(const code::Expr& e, const Guards& guards) const {
        if (const auto* call = std::get_if<code::CallExpr>(&e.node)) return of_call(*call, guards);
        if (const auto* choice = std::get_if<code::ConditionalExpr>(&e.node)) {
            Guards within = guards;
            within.push_back(choice->condition.get());
            return either(of(*choice->if_true, within), of(*choice->if_false, guards));
        }
        if (const auto* operation = std::get_if<code::BinaryExpr>(&e.node); operation && operation->op == code::BinaryOp::Mod) {
            const auto divisor = affine_(*operation->right);
            if (divisor) {
                const Expr other = symbolic::less_equal(*divisor, 0);
                return {symbolic::logical_or(symbolic::less_equal(0, index_), other),
                        symbolic::logical_or(symbolic::less(index_, *divisor), other)};
            }
        }
        if (const auto* read = std::get_if<code::SubscriptExpr>(&e.node)) return of_type(type_(code::dotted_name(*read->object)));
        return {};
    }

    Sides of_call(const code::CallExpr& call, const Guards& guards) const {
        const std::string name = code::dotted_name(*call.function);
        if (!call.keywords.empty() || call.arguments.empty()) return {};
        if (name == "int" || name == "int64") return of(*call.arguments[0], guards);
        const bool least = name == "min";
        if (!least && name != "max") return {};
        Sides sides = of(*call.arguments[0], guards);
        for (std::size_t at = 1; at < call.arguments.size(); ++at) {
            const Sides other = of(*call.arguments[at], guards);
            const auto both = symbolic::logical_and, one = symbolic::logical_or;
            sides.lower = (least ? one : both)(sides.lower, other.lower);
            sides.upper = (least ? both : one)(sides.upper, other.upper);
        }
        return sides;
    }

    static Sides either(const Sides& a, const Sides& b) {
        return {symbolic::logical_or(a.lower, b.lower), symbolic::logical_or(a.upper, b.upper)};
    }

    Sides of_type(const std::optional<code::DType>& type) const {
        if (!type || !type->is_scalar()) return {};
        switch (type->scalar) {
            case code::Scalar::Bool:
                return {symbolic::less_equal(0, index_), symbolic::less_equal(index_, 1)};
            case code::Scalar::UInt8:
                return {symbolic::less_equal(0, index_), symbolic::less_equal(index_, 255)};
            case code::Scalar::UInt16:
                return {symbolic::less_equal(0, index_), symbolic::less_equal(index_, 65535)};
            case code::Scalar::UInt32:
                return {symbolic::less_equal(0, index_), kAny};
            default:
                return {};
        }
    }

    /// What a condition that holds says of the expression with this text.
    Sides fact(const code::Expr& condition, const std::string& text) const {
        if (const auto* all = std::get_if<code::BoolExpr>(&condition.node); all && all->is_and) {
            Sides sides;
            for (const code::ExprPtr& one : all->operands) {
                const Sides known = fact(*one, text);
                sides.lower = symbolic::logical_and(sides.lower, known.lower);
                sides.upper = symbolic::logical_and(sides.upper, known.upper);
            }
            return sides;
        }
        Sides sides;
        const auto* compare = std::get_if<code::CompareExpr>(&condition.node);
        for (std::size_t at = 0; compare && at < compare->ops.size(); ++at) {
            const code::Expr &left = *compare->operands[at], &right = *compare->operands[at + 1];
            const bool on_left = code::to_string(left) == text;
            if (!on_left && code::to_string(right) != text) continue;
            const auto bound = affine_(on_left ? right : left);
            if (!bound) continue;
            using code::CompareOp;
            const CompareOp op = compare->ops[at];
            const bool less = op == CompareOp::Lt || op == CompareOp::Le, greater = op == CompareOp::Gt || op == CompareOp::Ge;
            const Expr strict = op == CompareOp::Lt || op == CompareOp::Gt ? 1 : 0;
            if (op == CompareOp::Eq || (on_left ? greater : less))
                sides.lower = symbolic::logical_and(sides.lower, symbolic::less_equal(*bound + strict, index_));
            if (op == CompareOp::Eq || (on_left ? less : greater))
                sides.upper = symbolic::logical_and(sides.upper, symbolic::less_equal(index_, *bound - strict));
        }
        return sides;
    }

    const AffineOf& affine_;
    const TypeOf& type_;
    const Expr& index_;
};

}  // namespace

Expr range_of(const code::Expr& e, const Expr& index, const Guards& guards, const AffineOf& affine, const TypeOf& type) {
    const Sides sides = Ranges(affine, type, index).of(e, guards);
    return symbolic::logical_and(sides.lower, sides.upper);
}

}  // namespace sluice::schedule
