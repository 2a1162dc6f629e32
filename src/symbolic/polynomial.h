// Terms: the view of an expression as a sum of coefficient * monomial. Private to the room.
//
// A monomial is a product of integer powers of atoms, itself an interned expression without coefficient; the constant term's
// monomial is 1. Terms are sorted: constant first, then by falling degree, then by factors.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "symbolic/expr_node.h"

namespace sluice::symbolic {

struct Term {
    Number coefficient;
    Expr monomial;
};
using Terms = std::vector<Term>;

struct Factor {
    Expr base;
    std::int64_t exponent;
};
using Factors = std::vector<Factor>;

/// The terms of a sum, or the one term of anything else; none for 0.
Terms terms_of(const Expr& e);
Term term_of(const Expr& e);
/// Sorts, merges equal monomials, drops zeros. Throws Overflow.
Expr sum_of(Terms terms);
Expr term_expr(const Number& coefficient, const Expr& monomial);
inline bool is_constant(const Term& term) {
    return term.monomial.is_integer(1);
}

/// Factors of a monomial, sorted by base.
Factors factors_of(const Expr& monomial);
Expr monomial_of(Factors factors);
/// t / m if every exponent stays at least 0.
std::optional<Expr> divide_monomial(const Expr& monomial, const Expr& divisor);
int compare_monomials(const Expr& a, const Expr& b);

/// Product of all, expanded if that is small. Throws Overflow.
Expr product_of(std::span<const Expr> factors);
/// Same, but never throws: an overflow stays unfolded.
Expr multiply_all(std::span<const Expr> factors);
/// Sum of coefficient-scaled terms. Throws Overflow.
Expr scaled(const Expr& e, const Number& by);

/// Largest c and monomial m such that every term is c * m * (term with integer coefficients without common divisor); the sign is
/// that of the leading term. Of 0: 1 and 1.
struct Content {
    Number coefficient = 1;
    Expr monomial = 1;
};
Content content_of(const Terms& terms);
Terms without_content(const Terms& terms, const Content& content);
/// The first term that is not constant, else the constant.
const Term& leading_term(const Terms& terms);
bool has_real(const Terms& terms);

/// dividend = quotient * divisor + remainder by leading terms; quotients of coefficients are integers if `integer_quotient`.
struct Division {
    Expr quotient;
    Expr remainder;
};
std::optional<Division> divide_polynomials(const Expr& dividend, const Expr& divisor, bool integer_quotient);

}  // namespace sluice::symbolic
