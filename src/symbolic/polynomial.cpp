// Sums, products and powers in canonical form.
//
// A product of sums is expanded while it yields at most kExpansionLimit term products; beyond that it is kept as a product of
// primitive sums (content pulled out), so that printing and parsing it again yields the same object.
#include "symbolic/polynomial.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/check.h"

namespace sluice::symbolic {

namespace {

constexpr std::int64_t kExpansionLimit = 128;

bool is_sum(const Expr& e) {
    return e.kind() == Kind::Add && !is_opaque(e);
}
bool is_integer_power(const Expr& e) {
    return e.kind() == Kind::Power && !is_opaque(e) && e.operands()[1].is_integer();
}

Expr opaque(Kind kind, const Expr& a, const Expr& b) {
    const bool swapped = kind != Kind::Power && canonical_less(b, a);
    const Expr operands[] = {swapped ? b : a, swapped ? a : b};
    return intern(NodeKey{.kind = kind, .opaque = true, .operands = operands});
}

std::int64_t degree(const Expr& monomial) {
    std::int64_t total = 0;
    for (const Factor& factor : factors_of(monomial)) total += factor.exponent;
    return total;
}

Factor factor_of(const Expr& e) {
    if (is_integer_power(e)) return {e.operands()[0], e.operands()[1].integer()};
    return {e, 1};
}

// Adds a constant without taking the sum apart: the most frequent operation by far.
Expr plus_constant(const Expr& e, const Number& value) {
    if (is_number(e)) return constant(number_of(e) + value);
    if (value.is_zero()) return e;
    std::vector<Expr> operands;
    if (!is_sum(e)) return intern(Kind::Add, constant(value), e);
    const auto old = e.operands();
    const bool has_constant = is_number(old[0]);
    const Number sum = has_constant ? number_of(old[0]) + value : value;
    if (sum.is_zero() && old.size() == 2) return old[1];
    operands.reserve(old.size() + 1);
    if (!sum.is_zero()) operands.push_back(constant(sum));
    operands.insert(operands.end(), old.begin() + has_constant, old.end());
    return intern(Kind::Add, operands);
}

Expr sum(const Expr& a, const Expr& b) {
    if (is_number(b)) return plus_constant(a, number_of(b));
    if (is_number(a)) return plus_constant(b, number_of(a));
    Terms terms = terms_of(a);
    for (const Term& term : terms_of(b)) terms.push_back(term);
    return sum_of(std::move(terms));
}

// A product taken apart: coefficient * powers of atoms * powers of sums.
struct Parts {
    Number coefficient = 1;
    Factors atoms;
    Factors sums;

    void add(const Expr& e) {
        if (is_sum(e)) {
            sums.push_back({e, 1});
            return;
        }
        const Term term = term_of(e);
        coefficient = coefficient * term.coefficient;
        for (const Factor& factor : factors_of(term.monomial)) add(factor);
    }
    void add(const Factor& factor) { (is_sum(factor.base) && factor.exponent > 0 ? sums : atoms).push_back(factor); }
};

void merge_factors(Factors& factors) {
    std::sort(factors.begin(), factors.end(),
              [](const Factor& a, const Factor& b) { return canonical_compare(a.base, b.base) < 0; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (kept > 0 && factors[kept - 1].base == factors[i].base)
            factors[kept - 1].exponent = checked_add(factors[kept - 1].exponent, factors[i].exponent);
        else
            factors[kept++] = factors[i];
    }
    factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(kept), factors.end());
    std::erase_if(factors, [](const Factor& factor) { return factor.exponent == 0; });
}

void pull_out_contents(Parts& parts) {
    for (Factor& factor : parts.sums) {
        const Terms terms = terms_of(factor.base);
        const Content content = content_of(terms);
        parts.coefficient = parts.coefficient * *power(content.coefficient, factor.exponent);
        for (Factor common : factors_of(content.monomial)) {
            common.exponent = checked_multiply(common.exponent, factor.exponent);
            parts.atoms.push_back(common);
        }
        factor.base = sum_of(without_content(terms, content));
    }
}

// S * S**-k: cancels only against the primitive form in which denominators are kept.
void cancel_denominators(Parts& parts) {
    const bool has_denominator =
        std::any_of(parts.atoms.begin(), parts.atoms.end(), [](const Factor& f) { return is_sum(f.base); });
    if (!has_denominator || parts.sums.empty()) return;
    pull_out_contents(parts);
    Factors all = parts.atoms;
    all.insert(all.end(), parts.sums.begin(), parts.sums.end());
    merge_factors(all);
    parts.atoms.clear();
    parts.sums.clear();
    for (const Factor& factor : all) parts.add(factor);
}

std::int64_t expansion_size(const Factors& sums) {
    std::int64_t size = 1;
    for (const Factor& factor : sums)
        for (std::int64_t i = 0; i < factor.exponent; ++i) {
            size *= static_cast<std::int64_t>(factor.base.operands().size());
            if (size > kExpansionLimit) return sums.size() == 1 && factor.exponent == 1 ? 1 : size;
        }
    return size;
}

Terms multiply_terms(const Terms& a, const Terms& b) {
    Terms product;
    product.reserve(a.size() * b.size());
    for (const Term& left : a)
        for (const Term& right : b) {
            const Number coefficient = left.coefficient * right.coefficient;
            if (is_constant(left) || is_constant(right)) {
                product.push_back({coefficient, is_constant(left) ? right.monomial : left.monomial});
                continue;
            }
            const Expr monomials[] = {left.monomial, right.monomial};
            for (const Term& term : terms_of(product_of(monomials)))
                product.push_back({coefficient * term.coefficient, term.monomial});
        }
    return product;
}

Expr expand(const Parts& parts) {
    Terms terms = {{parts.coefficient, monomial_of(parts.atoms)}};
    for (const Factor& factor : parts.sums)
        for (std::int64_t i = 0; i < factor.exponent; ++i) terms = terms_of(sum_of(multiply_terms(terms, terms_of(factor.base))));
    return sum_of(std::move(terms));
}

}  // namespace

Term term_of(const Expr& e) {
    if (is_number(e)) return {number_of(e), 1};
    if (e.kind() == Kind::Multiply && !is_opaque(e) && e.node()->monomial)
        return {number_of(e.operands()[0]), Expr(e.node()->monomial)};
    return {1, e};
}

Terms terms_of(const Expr& e) {
    Terms terms;
    if (is_sum(e)) {
        terms.reserve(e.operands().size() + 2);
        for (const Expr& operand : e.operands()) terms.push_back(term_of(operand));
    } else if (!e.is_integer(0) && !(e.kind() == Kind::Boolean && e.integer() == 0)) {
        terms.push_back(term_of(e));
    }
    return terms;
}

Factors factors_of(const Expr& monomial) {
    Factors factors;
    if (monomial.is_integer(1)) return factors;
    if (monomial.kind() == Kind::Multiply && !is_opaque(monomial)) {
        for (const Expr& operand : monomial.operands()) factors.push_back(factor_of(operand));
    } else {
        factors.push_back(factor_of(monomial));
    }
    return factors;
}

Expr monomial_of(Factors factors) {
    merge_factors(factors);
    std::vector<Expr> operands;
    for (const Factor& factor : factors)
        operands.push_back(factor.exponent == 1 ? factor.base : intern(Kind::Power, factor.base, Expr(factor.exponent)));
    if (operands.empty()) return 1;
    return operands.size() == 1 ? operands[0] : intern(Kind::Multiply, operands);
}

int compare_monomials(const Expr& a, const Expr& b) {
    if (a == b) return 0;
    if (a.is_integer(1) || b.is_integer(1)) return a.is_integer(1) ? -1 : 1;
    if (a.is_symbol() && b.is_symbol()) return canonical_compare(a, b);
    const std::int64_t degree_a = degree(a), degree_b = degree(b);
    if (degree_a != degree_b) return degree_a > degree_b ? -1 : 1;
    const Factors left = factors_of(a), right = factors_of(b);
    for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
        if (const int by_base = canonical_compare(left[i].base, right[i].base)) return by_base;
        if (left[i].exponent != right[i].exponent) return left[i].exponent > right[i].exponent ? -1 : 1;
    }
    return left.size() < right.size() ? -1 : 1;
}

std::optional<Expr> divide_monomial(const Expr& monomial, const Expr& divisor) {
    if (divisor.is_integer(1)) return monomial;
    Factors factors = factors_of(monomial);
    for (const Factor& wanted : factors_of(divisor)) {
        const auto at = std::find_if(factors.begin(), factors.end(), [&](const Factor& f) { return f.base == wanted.base; });
        if (at == factors.end() || wanted.exponent < 0 || at->exponent < wanted.exponent) return std::nullopt;
        at->exponent -= wanted.exponent;
    }
    return monomial_of(std::move(factors));
}

Expr term_expr(const Number& coefficient, const Expr& monomial) {
    if (monomial.is_integer(1) || coefficient.is_zero()) return constant(coefficient);
    if (coefficient.is_one()) return monomial;
    std::vector<Expr> operands = {constant(coefficient)};
    if (monomial.kind() == Kind::Multiply && !is_opaque(monomial))
        operands.insert(operands.end(), monomial.operands().begin(), monomial.operands().end());
    else
        operands.push_back(monomial);
    return intern(NodeKey{.kind = Kind::Multiply, .operands = operands, .monomial = monomial.node()});
}

Expr sum_of(Terms terms) {
    for (Term& term : terms)  // 0.0 * N is the constant 0.0
        if (term.coefficient.is_real() && term.coefficient.as_double() == 0) term.monomial = 1;
    std::sort(terms.begin(), terms.end(),
              [](const Term& a, const Term& b) { return compare_monomials(a.monomial, b.monomial) < 0; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        if (kept > 0 && terms[kept - 1].monomial == terms[i].monomial)
            terms[kept - 1].coefficient = terms[kept - 1].coefficient + terms[i].coefficient;
        else
            terms[kept++] = terms[i];
    }
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(kept), terms.end());
    std::erase_if(terms, [](const Term& term) { return term.coefficient.is_zero(); });
    for (const Term& term : terms)
        if (!is_constant(term) && term.coefficient.is_real() && term.coefficient.as_double() == 0) return sum_of(std::move(terms));
    if (terms.empty()) return 0;
    std::vector<Expr> operands;
    operands.reserve(terms.size());
    for (const Term& term : terms) operands.push_back(term_expr(term.coefficient, term.monomial));
    return operands.size() == 1 ? operands[0] : intern(Kind::Add, operands);
}

Expr scaled(const Expr& e, const Number& by) {
    if (by.is_one() && !is_number(e)) return e;
    Terms terms = terms_of(e);
    for (Term& term : terms) term.coefficient = term.coefficient * by;
    return sum_of(std::move(terms));
}

Expr product_of(std::span<const Expr> factors) {
    Parts parts;
    for (const Expr& factor : factors) parts.add(factor);
    if (parts.coefficient.is_zero()) return 0;
    cancel_denominators(parts);
    if (parts.sums.empty()) return sum_of({{parts.coefficient, monomial_of(std::move(parts.atoms))}});
    if (expansion_size(parts.sums) <= kExpansionLimit) return expand(parts);
    pull_out_contents(parts);
    parts.atoms.insert(parts.atoms.end(), parts.sums.begin(), parts.sums.end());
    return sum_of({{parts.coefficient, monomial_of(std::move(parts.atoms))}});
}

const Term& leading_term(const Terms& terms) {
    return terms.size() > 1 && is_constant(terms[0]) ? terms[1] : terms[0];
}

bool has_real(const Terms& terms) {
    return std::any_of(terms.begin(), terms.end(), [](const Term& term) { return term.coefficient.is_real(); });
}

Content content_of(const Terms& terms) {
    if (terms.empty() || has_real(terms)) return {};
    std::int64_t numerator = 0, denominator = 1;
    for (const Term& term : terms) {
        numerator = greatest_common_divisor(numerator, term.coefficient.numerator());
        const std::int64_t other = term.coefficient.denominator();
        denominator = checked_multiply(denominator, other / greatest_common_divisor(denominator, other));
    }
    if (leading_term(terms).coefficient.sign() < 0) numerator = checked_multiply(numerator, -1);
    Factors common = factors_of(terms[0].monomial);
    for (const Term& term : terms) {
        const Factors own = factors_of(term.monomial);
        for (Factor& factor : common) {
            const auto at = std::find_if(own.begin(), own.end(), [&](const Factor& f) { return f.base == factor.base; });
            factor.exponent =
                at == own.end() ? std::min<std::int64_t>(factor.exponent, 0) : std::min(factor.exponent, at->exponent);
        }
    }
    std::erase_if(common, [](const Factor& factor) { return factor.exponent <= 0; });
    return {Number::ratio(numerator, denominator), monomial_of(std::move(common))};
}

Terms without_content(const Terms& terms, const Content& content) {
    Terms result;
    for (const Term& term : terms)
        result.push_back({term.coefficient / content.coefficient, *divide_monomial(term.monomial, content.monomial)});
    return result;
}

std::optional<Division> divide_polynomials(const Expr& dividend, const Expr& divisor, bool integer_quotient) {
    const Terms divisor_terms = terms_of(divisor);
    const Term lead = leading_term(divisor_terms);
    Expr quotient = 0, remainder = dividend;
    for (int step = 0; step < 32; ++step) {
        Terms terms = terms_of(remainder);
        bool found = false;
        for (const Term& term : terms) {
            const Number ratio = term.coefficient / lead.coefficient;
            const std::optional<Expr> monomial = divide_monomial(term.monomial, lead.monomial);
            if (!monomial || (integer_quotient && !(ratio.is_integer() && is_integral(*monomial)))) continue;
            const Expr part = term_expr(ratio, *monomial);
            const Expr factors[] = {part, divisor};
            quotient = sum(quotient, part);
            remainder = sum(remainder, scaled(product_of(factors), -1));
            found = true;
            break;
        }
        if (!found) return Division{quotient, remainder};
    }
    return std::nullopt;
}

Expr operator+(const Expr& a, const Expr& b) {
    try {
        return sum(a, b);
    } catch (Overflow) {
        return opaque(Kind::Add, a, b);
    }
}

Expr operator-(const Expr& a) {
    return Expr(-1) * a;
}

Expr operator-(const Expr& a, const Expr& b) {
    if (a == b && !is_number(a)) return 0;
    if (b.is_integer() && b.integer() != std::numeric_limits<std::int64_t>::min()) return a + Expr(-b.integer());
    try {
        return sum(a, scaled(b, -1));
    } catch (Overflow) {
        return opaque(Kind::Add, a, -b);
    }
}

Expr operator*(const Expr& a, const Expr& b) {
    const Expr factors[] = {a, b};
    try {
        if (is_number(a) && !number_of(a).is_zero()) return scaled(b, number_of(a));
        if (is_number(b) && !number_of(b).is_zero()) return scaled(a, number_of(b));
        return product_of(factors);
    } catch (Overflow) {
        return opaque(Kind::Multiply, a, b);
    }
}

Expr multiply_all(std::span<const Expr> factors) {
    try {
        return product_of(factors);
    } catch (Overflow) {
        Expr product = factors[0];
        for (const Expr& factor : factors.subspan(1)) product = product * factor;
        return product;
    }
}

Expr true_divide(const Expr& a, const Expr& b) {
    if (b.kind() == Kind::Add && !is_opaque(b)) {
        try {
            const Terms terms = terms_of(b);
            if (!has_real(terms) && !has_real(terms_of(a)))
                if (const auto division = divide_polynomials(a, b, false); division && division->remainder.is_integer(0))
                    return division->quotient;
        } catch (Overflow) {
        }
    }
    return a * power(b, -1);
}

Expr power(const Expr& base, const Expr& exponent) {
    if (exponent.kind() == Kind::Boolean) return power(base, Expr(exponent.integer()));
    if (base.kind() == Kind::Real && is_number(exponent) && !exponent.is_integer())
        return real(std::pow(base.real(), number_of(exponent).as_double()));
    if (!exponent.is_integer()) return base.is_integer(1) ? base : intern(Kind::Power, base, exponent);
    const std::int64_t count = exponent.integer();
    if (count == 0) return 1;
    if (count == 1) return base;
    try {
        if (is_number(base)) {
            const std::optional<Number> value = power(number_of(base), count);
            return value ? constant(*value) : opaque(Kind::Power, Expr(0), exponent);
        }
        Parts parts;
        parts.add(base);
        if (count < 0) pull_out_contents(parts);
        const std::optional<Number> coefficient = power(parts.coefficient, count);
        if (!coefficient) return opaque(Kind::Power, base, exponent);
        std::vector<Expr> factors = {constant(*coefficient)};
        for (Factors* group : {&parts.atoms, &parts.sums})
            for (const Factor& factor : *group) {
                const std::int64_t power_of = checked_multiply(factor.exponent, count);
                factors.push_back(power_of == 1 ? factor.base : intern(Kind::Power, factor.base, Expr(power_of)));
            }
        return product_of(factors);
    } catch (Overflow) {
        return opaque(Kind::Power, base, exponent);
    }
}

}  // namespace sluice::symbolic
