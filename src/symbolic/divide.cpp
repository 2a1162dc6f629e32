// Floor division and modulo in canonical form, with Python's semantics: a == b * (a // b) + a % b, the remainder has the sign of b.
//
// Both first clear denominators and cancel what dividend and divisor have in common. Then, for q with integer value,
//     (q*d + r) // d = q + r // d        (q*d + r) % d = r % d
// moves whole multiples out; by a constant c > 0 also
//     (a // b) // c = a // (b*c)         (-a) // c = -((a + c - 1) // c)        (a % (k*c)) % c = a % c
// Everything holds for every sign of every symbol; only divisors are taken to be different from 0.
#include <algorithm>
#include <cmath>

#include "symbolic/polynomial.h"

namespace sluice::symbolic {

namespace {

struct Fraction {
    Expr dividend;
    Expr divisor;
    Expr scale = 1;  ///< dividend and divisor were divided by it
};

Expr times(const Expr& a, const Expr& b) {
    const Expr factors[] = {a, b};
    return product_of(factors);
}
Expr plus(const Expr& a, const Expr& b) {
    Terms terms = terms_of(a);
    for (const Term& term : terms_of(b)) terms.push_back(term);
    return sum_of(std::move(terms));
}

// The least product of denominators (of coefficients and of negative powers) that makes both polynomial with integer coefficients.
Expr common_denominator(const Expr& a, const Expr& b) {
    std::int64_t denominator = 1;
    Factors factors;
    for (const Expr& e : {a, b})
        for (const Term& term : terms_of(e)) {
            const std::int64_t own = term.coefficient.denominator();
            denominator = checked_multiply(denominator, own / greatest_common_divisor(denominator, own));
            for (const Factor& factor : factors_of(term.monomial)) {
                if (factor.exponent >= 0) continue;
                bool present = false;
                for (Factor& known : factors)
                    if (known.base == factor.base) {
                        known.exponent = std::max(known.exponent, -factor.exponent);
                        present = true;
                    }
                if (!present) factors.push_back({factor.base, -factor.exponent});
            }
        }
    Expr product = denominator;
    for (const Factor& factor : factors) product = times(product, power(factor.base, Expr(factor.exponent)));
    return product;
}

Fraction reduced(const Expr& dividend, const Expr& divisor) {
    Fraction result{dividend, divisor};
    const Expr denominator = common_denominator(dividend, divisor);
    if (!denominator.is_integer(1)) {
        result = {times(dividend, denominator), times(divisor, denominator), power(denominator, -1)};
    }
    const Terms above = terms_of(result.dividend), below = terms_of(result.divisor);
    Terms all = above;
    all.insert(all.end(), below.begin(), below.end());
    Content common = content_of(all);
    if (common.coefficient.sign() < 0) common.coefficient = -common.coefficient;
    if (leading_term(below).coefficient.sign() < 0) common.coefficient = -common.coefficient;
    if (common.coefficient.is_one() && common.monomial.is_integer(1)) return result;
    result.dividend = sum_of(without_content(above, common));
    result.divisor = sum_of(without_content(below, common));
    result.scale = times(result.scale, term_expr(common.coefficient, common.monomial));
    return result;
}

// Sum of quotients to take out, and what stays.
struct Split {
    Terms quotient;
    Terms remainder;
};

Split split_by_constant(const Terms& terms, std::int64_t divisor, bool reduce_to_positive) {
    Split split;
    for (const Term& term : terms) {
        const std::int64_t k = term.coefficient.numerator();
        if (!is_constant(term) && !is_integral(term.monomial)) {
            split.remainder.push_back(term);
            continue;
        }
        const bool floored = is_constant(term) || reduce_to_positive;
        const std::int64_t quotient = floored ? floor_quotient(k, divisor) : k / divisor;
        const std::int64_t remainder = floored ? floor_remainder(k, divisor) : k % divisor;
        if (quotient != 0) split.quotient.push_back({quotient, term.monomial});
        if (remainder != 0) split.remainder.push_back({remainder, term.monomial});
    }
    return split;
}

bool integral_terms(const Terms& terms) {
    for (const Term& term : terms)
        if (!is_integral(term.monomial)) return false;
    return true;
}

// Divides by the common divisor of the divisor and all coefficients but the constant, whose remainder is returned.
std::int64_t cancel_common(Terms& terms, std::int64_t& divisor, std::int64_t& common) {
    common = divisor;
    for (const Term& term : terms)
        if (!is_constant(term)) common = greatest_common_divisor(common, term.coefficient.numerator());
    std::int64_t rest = 0;
    for (Term& term : terms) {
        const std::int64_t k = term.coefficient.numerator();
        if (is_constant(term)) rest = floor_remainder(k, common);
        term.coefficient = floor_quotient(k, common);
    }
    std::erase_if(terms, [](const Term& term) { return term.coefficient.is_zero(); });
    divisor /= common;
    return rest;
}

// The values an expression can take whatever its symbols are, for sums of remainders.
bool within(const Terms& terms, std::int64_t below) {
    std::int64_t low = 0, high = 0;
    for (const Term& term : terms) {
        const std::int64_t k = term.coefficient.numerator();
        std::int64_t largest = 0;
        if (is_constant(term)) {
            low = checked_add(low, k);
            high = checked_add(high, k);
            continue;
        }
        if (term.monomial.kind() == Kind::Modulo && term.monomial.operands()[1].is_integer() &&
            term.monomial.operands()[1].integer() > 0 && is_integral(term.monomial))
            largest = term.monomial.operands()[1].integer() - 1;
        else if (is_truth_valued(term.monomial))
            largest = 1;
        else
            return false;
        (k < 0 ? low : high) = checked_add(k < 0 ? low : high, checked_multiply(k, largest));
    }
    return low >= 0 && high < below;
}

Expr divide_by_constant(const Expr& dividend, std::int64_t divisor);

Expr divide_remainder(Terms terms, std::int64_t divisor) {
    if (integral_terms(terms)) {
        std::int64_t common;
        cancel_common(terms, divisor, common);
        if (divisor == 1) return sum_of(std::move(terms));
        if (terms.empty() || within(terms, divisor)) return 0;
        if (!is_constant(leading_term(terms)) && leading_term(terms).coefficient.sign() < 0) {
            Terms flipped;
            for (const Term& term : terms) flipped.push_back({-term.coefficient, term.monomial});
            flipped.push_back({checked_add(divisor, -1), 1});
            return scaled(divide_by_constant(sum_of(std::move(flipped)), divisor), -1);
        }
    }
    const Term& lead = leading_term(terms);
    const bool nested =
        lead.monomial.kind() == Kind::FloorDivide && lead.coefficient.is_one() &&
        (terms.size() == 1 || (terms.size() == 2 && is_constant(terms[0]) && lead.monomial.operands()[1].is_integer()));
    if (nested) {
        const Expr inner = lead.monomial.operands()[1];
        Expr above = lead.monomial.operands()[0];
        if (terms.size() == 2) above = plus(above, scaled(inner, terms[0].coefficient));
        return floor_divide(above, scaled(inner, divisor));
    }
    return intern(Kind::FloorDivide, sum_of(std::move(terms)), Expr(divisor));
}

Expr divide_by_constant(const Expr& dividend, std::int64_t divisor) {
    if (divisor == 1 && is_integral(dividend)) return dividend;
    const Terms terms = terms_of(dividend);
    Split split = split_by_constant(terms, divisor, false);
    const Expr quotient = sum_of(std::move(split.quotient));
    if (split.remainder.empty()) return quotient;
    return plus(quotient, divide_remainder(std::move(split.remainder), divisor));
}

// Takes out whole multiples of a divisor that is no constant. The remainder comes back unchanged if nothing divides.
Division divide_by_polynomial(const Expr& dividend, const Expr& divisor) {
    const Terms below = terms_of(divisor);
    if (!is_integral(divisor)) return {0, dividend};
    const auto division = divide_polynomials(dividend, divisor, true);
    if (!division) return {0, dividend};
    const bool shorter = terms_of(division->remainder).size() < terms_of(dividend).size();
    return below.size() == 1 || shorter ? *division : Division{0, dividend};
}

Expr floor_divide_checked(const Expr& a, const Expr& b) {
    const Fraction fraction = reduced(a, b);
    if (const auto divisor = fraction.divisor.constant()) return divide_by_constant(fraction.dividend, *divisor);
    const Division division = divide_by_polynomial(fraction.dividend, fraction.divisor);
    if (division.remainder.is_integer(0)) return division.quotient;
    if (division.remainder == fraction.dividend) return intern(Kind::FloorDivide, fraction.dividend, fraction.divisor);
    return plus(division.quotient, floor_divide(division.remainder, fraction.divisor));
}

Expr modulo_by_constant(const Expr& dividend, std::int64_t divisor) {
    Split split = split_by_constant(terms_of(dividend), divisor, true);
    Terms& terms = split.remainder;
    if (terms.empty()) return 0;
    if (!integral_terms(terms)) return intern(Kind::Modulo, sum_of(std::move(terms)), Expr(divisor));
    std::int64_t common;
    const Expr rest = cancel_common(terms, divisor, common);
    Terms unfolded;
    bool changed = false;
    for (const Term& term : terms) {
        const bool nested = term.monomial.kind() == Kind::Modulo && term.monomial.operands()[1].is_integer() &&
                            term.monomial.operands()[1].integer() % divisor == 0;
        changed |= nested;
        const Expr inner = nested ? term.monomial.operands()[0] : term.monomial;
        for (const Term& part : terms_of(scaled(inner, term.coefficient))) unfolded.push_back(part);
    }
    Expr remainder = 0;
    if (changed)
        remainder = modulo_by_constant(sum_of(std::move(unfolded)), divisor);
    else if (within(terms, divisor))
        remainder = sum_of(std::move(terms));
    else if (divisor != 1)
        remainder = intern(Kind::Modulo, sum_of(std::move(terms)), Expr(divisor));
    return plus(scaled(remainder, common), rest);
}

Expr modulo_checked(const Expr& a, const Expr& b) {
    const Fraction fraction = reduced(a, b);
    Expr remainder = 0;
    if (const auto divisor = fraction.divisor.constant()) {
        remainder = modulo_by_constant(fraction.dividend, *divisor);
    } else {
        const Division division = divide_by_polynomial(fraction.dividend, fraction.divisor);
        if (division.remainder.is_integer(0)) return 0;
        remainder = division.remainder == fraction.dividend ? intern(Kind::Modulo, fraction.dividend, fraction.divisor)
                                                            : modulo(division.remainder, fraction.divisor);
    }
    return times(remainder, fraction.scale);
}

// Folds two constants of which one is real.
std::optional<Expr> divide_reals(const Expr& a, const Expr& b, bool remainder) {
    if (!is_number(a) || !is_number(b) || (a.kind() != Kind::Real && b.kind() != Kind::Real)) return std::nullopt;
    const double x = number_of(a).as_double(), y = number_of(b).as_double(), quotient = std::floor(x / y);
    if (remainder) return real(x - quotient * y);
    if (!(std::abs(quotient) < 0x1p62)) return std::nullopt;
    return Expr(static_cast<std::int64_t>(quotient));
}

bool is_zero_constant(const Expr& e) {
    return is_number(e) && number_of(e).compare(0) == 0;
}

}  // namespace

Expr floor_divide(const Expr& a, const Expr& b) {
    if (is_zero_constant(b)) return intern(Kind::FloorDivide, a, b);
    if (const auto folded = divide_reals(a, b, false)) return *folded;
    if (has_real(terms_of(a)) || has_real(terms_of(b))) return intern(Kind::FloorDivide, a, b);
    if (is_zero_constant(a)) return 0;
    try {
        return floor_divide_checked(a, b);
    } catch (Overflow) {
        return intern(Kind::FloorDivide, a, b);
    }
}

Expr modulo(const Expr& a, const Expr& b) {
    if (is_zero_constant(b)) return intern(Kind::Modulo, a, b);
    if (const auto folded = divide_reals(a, b, true)) return *folded;
    if (has_real(terms_of(a)) || has_real(terms_of(b))) return intern(Kind::Modulo, a, b);
    if (is_zero_constant(a)) return 0;
    try {
        return modulo_checked(a, b);
    } catch (Overflow) {
        return intern(Kind::Modulo, a, b);
    }
}

Expr ceil_divide(const Expr& a, const Expr& b) {
    return -floor_divide(-a, b);
}

}  // namespace sluice::symbolic
