// Comparisons, connectives and selection in canonical form.
//
// A comparison is decided by the difference of its sides alone, divided by its content: negative terms go to the left, positive
// ones to the right, so that all ways to write the same condition meet in one object. Over integers a < b and a + 1 <= b are the
// same; it is stored as Less if the difference right - left - 1 has no constant, and as LessEqual otherwise. Connectives are in
// negation normal form.
#include <algorithm>
#include <iterator>
#include <tuple>

#include "symbolic/connectives.h"
#include "symbolic/polynomial.h"

namespace sluice::symbolic {

namespace {

struct Sides {
    Terms left;
    Terms right;
};

// 0 <= sum of terms, written with positive coefficients.
Sides sides_of(const Terms& terms) {
    Sides sides;
    for (const Term& term : terms) {
        if (term.coefficient.sign() < 0)
            sides.left.push_back({-term.coefficient, term.monomial});
        else
            sides.right.push_back(term);
    }
    return sides;
}

Expr comparison(Kind kind, Sides sides) {
    return intern(kind, sum_of(std::move(sides.left)), sum_of(std::move(sides.right)));
}

Terms difference(const Expr& a, const Expr& b) {
    Terms terms = terms_of(a);
    for (const Term& term : terms_of(b)) terms.push_back({-term.coefficient, term.monomial});
    return terms_of(sum_of(std::move(terms)));
}

bool integral(const Terms& terms) {
    return std::all_of(terms.begin(), terms.end(), [](const Term& term) { return is_integral(term.monomial); });
}

// Divides by the content of all terms but the constant, so that the others are coprime integers. Positive factor only.
void normalise(Terms& terms) {
    if (has_real(terms)) return;
    Terms variable = terms;
    std::erase_if(variable, is_constant);
    Number content = content_of(variable).coefficient;
    if (content.sign() < 0) content = -content;
    for (Term& term : terms) term.coefficient = term.coefficient / content;
}

// 0 < terms or 0 <= terms.
Expr positive(Terms terms, bool strict) {
    if (terms.empty()) return boolean(!strict);
    if (terms.size() == 1 && is_constant(terms[0])) return boolean(terms[0].coefficient.sign() > (strict ? 0 : -1));
    normalise(terms);
    if (has_real(terms) || !integral(terms)) return comparison(strict ? Kind::Less : Kind::LessEqual, sides_of(terms));
    const bool has_constant = is_constant(terms[0]);
    Number bound = has_constant ? terms[0].coefficient : 0;
    if (has_constant) terms.erase(terms.begin());
    bound = strict && bound.is_integer() ? bound - 1 : Number(bound.floor());  // 0 <= terms + bound
    if (bound == Number(-1)) return comparison(Kind::Less, sides_of(terms));
    if (!bound.is_zero()) terms.push_back({bound, 1});
    return comparison(Kind::LessEqual, sides_of(terms));
}

Expr ordered(const Expr& a, const Expr& b, bool strict) {
    try {
        return positive(difference(b, a), strict);
    } catch (Overflow) {
        return intern(strict ? Kind::Less : Kind::LessEqual, a, b);
    }
}

Expr equal_checked(const Expr& a, const Expr& b) {
    Terms terms = difference(a, b);
    if (terms.empty()) return boolean(true);
    if (terms.size() == 1 && is_constant(terms[0])) return boolean(terms[0].coefficient.sign() == 0);
    normalise(terms);
    const bool exact = !has_real(terms);
    if (exact && integral(terms) && is_constant(terms[0]) && !terms[0].coefficient.is_integer()) return boolean(false);
    if (leading_term(terms).coefficient.sign() < 0)
        for (Term& term : terms) term.coefficient = -term.coefficient;
    Sides sides = sides_of(terms);
    if (exact && sides.right.size() > 1 && is_constant(sides.right[0]) &&
        sides.left.empty()) {  // N + 5 == 0 has the constant apart
        sides.left.push_back({-sides.right[0].coefficient, 1});
        sides.right.erase(sides.right.begin());
    }
    return intern(Kind::Equal, sum_of(std::move(sides.right)), sum_of(std::move(sides.left)));
}

// What a connective of the kind joins, sorted: the operand itself if it is none.
std::vector<Expr> joined_by(Kind kind, const Expr& e) {
    if (e.kind() != kind) return {e};
    return {e.operands().begin(), e.operands().end()};
}

Expr connective(Kind kind, const Expr& a, const Expr& b) {
    const bool neutral = kind == Kind::And;
    if (a.kind() == Kind::Boolean) return (a.integer() != 0) == neutral ? b : a;
    if (b.kind() == Kind::Boolean) return (b.integer() != 0) == neutral ? a : b;
    const std::vector<Expr> first = joined_by(kind, a), second = joined_by(kind, b);
    // Neither side contradicts itself: the operands of the shorter one are looked up in the other.
    const auto& [few, many] = first.size() < second.size() ? std::tie(first, second) : std::tie(second, first);
    for (const Expr& operand : few)
        if (std::binary_search(many.begin(), many.end(), logical_not(operand), canonical_less)) return boolean(!neutral);
    std::vector<Expr> operands;
    std::set_union(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(operands), canonical_less);
    return operands.size() == 1 ? operands[0] : intern(kind, operands);
}

// A number as a condition. Symbols and calls may stand for truth values and stay as they are.
Expr condition(const Expr& e) {
    if (is_truth_valued(e) || e.is_symbol() || e.kind() == Kind::Call) return e;
    if (is_number(e)) return boolean(number_of(e).compare(0) != 0);
    if (e.kind() == Kind::Select) return select(e.operands()[0], condition(e.operands()[1]), condition(e.operands()[2]));
    return not_equal(e, 0);
}

Expr negated(const Expr& e) {
    const auto operands = e.operands();
    switch (e.kind()) {
        case Kind::Boolean:
            return boolean(e.integer() == 0);
        case Kind::Less:
            return less_equal(operands[1], operands[0]);
        case Kind::LessEqual:
            return less(operands[1], operands[0]);
        case Kind::Not:
            return operands[0];
        case Kind::And:
        case Kind::Or: {
            std::vector<Expr> inverse;
            for (const Expr& operand : operands) inverse.push_back(negated(operand));
            return e.kind() == Kind::And ? logical_or(inverse) : logical_and(inverse);
        }
        case Kind::Select:
            return select(operands[0], negated(operands[1]), negated(operands[2]));
        default:
            return intern(Kind::Not, std::span(&e, 1));
    }
}

}  // namespace

Expr equal(const Expr& a, const Expr& b) {
    for (const auto& [truth, other] : {std::pair{a, b}, std::pair{b, a}})
        if (truth.kind() == Kind::Boolean && is_truth_valued(other)) return truth.integer() ? other : logical_not(other);
    try {
        return equal_checked(a, b);
    } catch (Overflow) {
        return canonical_less(b, a) ? intern(Kind::Equal, b, a) : intern(Kind::Equal, a, b);
    }
}

Expr not_equal(const Expr& a, const Expr& b) {
    return logical_not(equal(a, b));
}
Expr less(const Expr& a, const Expr& b) {
    return ordered(a, b, true);
}
Expr less_equal(const Expr& a, const Expr& b) {
    return ordered(a, b, false);
}
Expr logical_and(const Expr& a, const Expr& b) {
    return connective(Kind::And, condition(a), condition(b));
}
Expr logical_or(const Expr& a, const Expr& b) {
    return connective(Kind::Or, condition(a), condition(b));
}
Expr logical_and(std::span<const Expr> operands) {
    if (operands.size() == 1) return operands[0];
    const std::size_t half = operands.size() / 2;
    return logical_and(logical_and(operands.first(half)), logical_and(operands.subspan(half)));
}
Expr logical_or(std::span<const Expr> operands) {
    if (operands.size() == 1) return operands[0];
    const std::size_t half = operands.size() / 2;
    return logical_or(logical_or(operands.first(half)), logical_or(operands.subspan(half)));
}
Expr logical_not(const Expr& a) {
    return negated(condition(a));
}

Expr select(const Expr& condition_of, const Expr& if_true, const Expr& if_false) {
    const Expr test = condition(condition_of);
    if (test.kind() == Kind::Boolean) return test.integer() ? if_true : if_false;
    if (if_true == if_false) return if_true;
    if (test.kind() == Kind::Not) return select(test.operands()[0], if_false, if_true);
    if (if_true.kind() == Kind::Select && if_true.operands()[0] == test) return select(test, if_true.operands()[1], if_false);
    if (if_false.kind() == Kind::Select && if_false.operands()[0] == test) return select(test, if_true, if_false.operands()[2]);
    if (is_truth_valued(test) && if_true.kind() == Kind::Boolean && if_false.kind() == Kind::Boolean)
        return if_true.integer() ? test : logical_not(test);
    const Expr operands[] = {test, if_true, if_false};
    return intern(Kind::Select, operands);
}

}  // namespace sluice::symbolic
