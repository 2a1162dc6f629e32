// Operands that Python may leave unevaluated: the parts of conditional expressions, `and` and `or` behind the first.
#pragma once

#include "frontend/python/translator.h"

namespace sluice::frontend {

class Lazy {
public:
    explicit Lazy(Translator& translator) : t_(translator) {}
    /// Whether evaluating the operand does more than combine numbers that are there: it changes something, may raise, or computes
    /// in states of its own. Such an operand stands in a branch. The elements that others read are read where the choice is made
    /// (Translator::index).
    bool must_wait(const code::ExprPtr& e) const;
    /// Whether the index may lie outside and is read only where a condition chooses it: the element is taken there, not in front.
    bool reads_at_choice(const symbolic::Expr& at, const symbolic::Expr& size) const;
    /// Whether evaluating the expression, or what it calls, may draw from a generator of random numbers.
    bool draws(const code::ExprPtr& e) const;
    /// Whether the index lies in a dimension of this size, also where the caller's array is empty.
    bool surely_inside(const symbolic::Expr& at, const symbolic::Expr& size) const;

private:
    bool draws(const code::ExprPtr& e, std::set<const code::Stmt*>& entered) const;
    bool acts(const code::ExprPtr& e) const;
    bool call_acts(const code::CallExpr& call) const;
    bool may_raise(const code::BinaryExpr& n) const;
    bool is_array(const code::ExprPtr& e) const;
    bool is_numpys(const code::ExprPtr& e) const;

    Translator& t_;
};

}  // namespace sluice::frontend
