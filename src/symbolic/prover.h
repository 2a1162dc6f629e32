// Lower bounds of polynomials under assumptions: the engine behind decide(). Private to the room.
//
// Facts are polynomials known to be at least 0. A lower bound of p is sought by subtracting non-negative multiples of facts from p,
// each chosen to cancel one term, until the constant bounds of the atoms suffice: a bounded depth-first search in the manner of
// Fourier-Motzkin elimination, over monomials instead of variables. Atoms such as a // c bring their defining inequalities along.
// Everything found is sound; when the budget ends the answer is "not known".
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "symbolic/assumptions.h"
#include "symbolic/polynomial.h"

namespace sluice::symbolic {

class Prover {
public:
    explicit Prover(const Assumptions& assumptions);

    /// A constant not above any value of e. With `target` the search stops once the bound reaches it.
    std::optional<Number> lower(const Expr& e, std::optional<Number> target = std::nullopt);
    /// Is e >= 0 (or e > 0) whatever values the symbols take?
    bool non_negative(const Expr& e);
    bool positive(const Expr& e);
    void add_fact(const Expr& condition);

private:
    /// Exponents by atom index, sorted.
    using Monomial = std::vector<std::pair<std::uint32_t, std::int64_t>>;
    using Polynomial = std::map<Monomial, Number>;
    struct Interval {
        std::optional<Number> low, high;
    };
    struct Atom {
        Expr e;
        Interval bounds;
        bool bounded = false;   ///< bounds are computed
        bool bounding = false;  ///< being computed
    };
    /// Polynomials not above the one whose bound is sought, in the order of discovery.
    struct Search {
        std::optional<Number> best;
        std::optional<Number> target;
        std::set<Polynomial> seen;
        std::deque<const Polynomial*> open;
        bool reached() const { return best && target && best->compare(*target) >= 0; }
    };

    std::uint32_t atom(const Expr& e);
    Polynomial polynomial(const Expr& e);
    static void accumulate(Polynomial& into, const Monomial& monomial, const Number& coefficient);
    static Polynomial add_scaled(const Polynomial& a, const Polynomial& b, const Monomial& shift, const Number& by);
    static Monomial times(const Monomial& a, const Monomial& b);
    static std::optional<Monomial> quotient(const Monomial& a, const Monomial& b);

    void add_inequality(const Expr& at_least_zero);
    void tighten(const Polynomial& fact);
    void describe(const Expr& atom_expr);
    void describe_quotient(const Expr& quotient);
    const Interval& bounds(std::uint32_t index);
    Interval intrinsic_bounds(const Expr& e);
    Interval extremum_bounds(const Expr& e);
    Interval interval(const Expr& e);
    bool above(const Expr& e, std::int64_t limit);
    bool non_negative_monomial(const Monomial& monomial);

    std::optional<Number> constant_lower(const Polynomial& p);
    Polynomial shifted(const Polynomial& p);
    void search(Search& state);
    void reach(Polynomial p, Search& state);
    void cancel_terms(const Polynomial& p, bool negative, Search& state);
    std::optional<Number> lower_with_cases(const Expr& e, std::optional<Number> target, int splits);
    bool positive_by(const Expr& e, bool strict);

    Assumptions assumptions_;
    std::deque<Atom> atoms_;  ///< Grows while references into it are in use, as do the facts.
    std::unordered_map<Expr, std::uint32_t> index_;
    std::deque<Polynomial> facts_;
    int describing_ = 0;
};

}  // namespace sluice::symbolic
