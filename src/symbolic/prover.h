// Lower bounds of polynomials under assumptions: the engine behind decide(). Private to the room.
//
// Facts are polynomials known to be at least 0. A lower bound of p is sought by subtracting non-negative multiples of facts from p,
// each chosen to cancel one term, until the constant bounds of the atoms suffice: a bounded depth-first search in the manner of
// Fourier-Motzkin elimination, over monomials instead of variables. Atoms such as a // c bring their defining inequalities along.
// Everything found is sound; when the budget ends the answer is "not known".
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "symbolic/assumptions.h"
#include "symbolic/polynomial.h"

namespace sluice::symbolic {

/// Exponents by atom index, sorted. Few factors, as nearly all monomials have, take no memory of their own.
class Monomial {
public:
    using Factor = std::pair<std::uint32_t, std::int64_t>;
    Monomial() = default;
    Monomial(std::uint32_t atom, std::int64_t exponent) : size_(1), few_{{{atom, exponent}}} {}

    const Factor* begin() const { return many_.empty() ? few_.data() : many_.data(); }
    const Factor* end() const { return begin() + size_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const Factor& operator[](std::size_t i) const { return begin()[i]; }
    void push_back(Factor factor);
    bool operator==(const Monomial& other) const;
    bool operator<(const Monomial& other) const;
    std::size_t hash() const;

private:
    std::uint32_t size_ = 0;
    std::array<Factor, 3> few_;
    std::vector<Factor> many_;  ///< All of them, where `few_` has not room for all.
};

/// Coefficients other than 0 by monomial, sorted: one block of memory, which the prover copies thousands of times.
class SortedPolynomial {
public:
    using Term = std::pair<Monomial, Number>;
    auto begin() const { return terms_.begin(); }
    auto end() const { return terms_.end(); }
    std::size_t size() const { return terms_.size(); }
    void reserve(std::size_t size) { terms_.reserve(size); }
    void add(const Monomial& monomial, const Number& coefficient);
    bool operator==(const SortedPolynomial&) const = default;
    struct Hash {
        std::size_t operator()(const SortedPolynomial& polynomial) const;
    };

private:
    std::vector<Term> terms_;
};

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
    using Polynomial = SortedPolynomial;
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
        std::unordered_set<Polynomial, Polynomial::Hash> seen;
        std::deque<const Polynomial*> open;
        bool reached() const { return best && target && best->compare(*target) >= 0; }
    };

    std::uint32_t atom(const Expr& e);
    Polynomial polynomial(const Expr& e);
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
