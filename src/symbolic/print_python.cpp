// Python text with minimal parentheses; the parser reads it back as the same object.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "symbolic/print.h"

namespace sluice::symbolic {

Terms printing_order(const Expr& e) {
    Terms terms = terms_of(e);
    if (terms.size() > 1 && is_constant(terms[0])) std::rotate(terms.begin(), terms.begin() + 1, terms.end());
    const auto positive = std::find_if(terms.begin(), terms.end(), [](const Term& t) { return !is_negative(t.coefficient); });
    if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
    return terms;
}

bool is_negative(const Number& value) {
    return value.is_real() ? std::signbit(value.as_double()) : value.sign() < 0;
}

std::string real_text(double magnitude) {
    if (std::isinf(magnitude)) return "1e999";
    if (std::isnan(magnitude)) return "(1e999 - 1e999)";
    std::string text = fmt::format("{}", std::abs(magnitude));
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

std::string magnitude_text(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return std::to_string(value < 0 ? ~bits + 1 : bits);
}

namespace {

class PythonPrinter {
    enum Level : int { kSelect, kOr, kAnd, kNot, kCompare, kSum, kProduct, kUnary, kPower, kAtom };

public:
    std::string text(const Expr& e, Level least = kSelect) const {
        const std::string plain = bare(e);
        return level(e) < least ? "(" + plain + ")" : plain;
    }

private:
    static Level level(const Expr& e) {
        switch (e.kind()) {
            case Kind::Integer:
                return e.integer() < 0 ? kUnary : kAtom;
            case Kind::Real:
                return is_negative(number_of(e)) ? kUnary : kAtom;
            case Kind::Rational:
                return kProduct;
            case Kind::Add:
                return kSum;
            case Kind::Multiply:
            case Kind::FloorDivide:
            case Kind::Modulo:
                return kProduct;
            case Kind::Power:
                return !is_opaque(e) && e.operands()[1].is_integer() && e.operands()[1].integer() < 0 ? kProduct : kPower;
            case Kind::Equal:
            case Kind::Less:
            case Kind::LessEqual:
                return kCompare;
            case Kind::And:
                return kAnd;
            case Kind::Or:
                return kOr;
            case Kind::Not:
                return e.operands()[0].kind() == Kind::Equal ? kCompare : kNot;
            case Kind::Select:
                return kSelect;
            default:
                return kAtom;
        }
    }

    std::string bare(const Expr& e) const {
        const auto operands = e.operands();
        switch (e.kind()) {
            case Kind::Boolean:
                return e.integer() ? "True" : "False";
            case Kind::Symbol:
                return e.name();
            case Kind::Integer:
            case Kind::Rational:
            case Kind::Real:
                return signed_term({number_of(e), 1});
            case Kind::Add:
                return is_opaque(e) ? joined(operands, " + ", kProduct) : sum(e);
            case Kind::Multiply:
                return is_opaque(e) ? joined(operands, "*", kUnary) : signed_term(term_of(e));
            case Kind::Power:
                if (!is_opaque(e) && operands[1].is_integer()) return signed_term({1, e});
                return text(operands[0], kAtom) + "**" + text(operands[1], kUnary);
            case Kind::FloorDivide:
                return dividend(operands[0]) + "//" + text(operands[1], kUnary);
            case Kind::Modulo:
                return dividend(operands[0]) + "%" + text(operands[1], kUnary);
            case Kind::Minimum:
                return "min(" + joined(operands, ", ", kSelect) + ")";
            case Kind::Maximum:
                return "max(" + joined(operands, ", ", kSelect) + ")";
            case Kind::Equal:
                return compared(e, " == ", " == ");
            case Kind::Less:
                return compared(e, " < ", " > ");
            case Kind::LessEqual:
                return compared(e, " <= ", " >= ");
            case Kind::And:
                return joined(operands, " and ", kNot);
            case Kind::Or:
                return joined(operands, " or ", kAnd);
            case Kind::Not:
                if (operands[0].kind() == Kind::Equal) return compared(operands[0], " != ", " != ");
                return "not " + text(operands[0], kNot);
            case Kind::Select:
                return text(operands[1], kOr) + " if " + text(operands[0], kOr) + " else " + text(operands[2], kSelect);
            case Kind::Call:
                return called(e);
        }
        return {};
    }

    std::string joined(std::span<const Expr> operands, const char* separator, Level least) const {
        std::string result;
        for (const Expr& operand : operands) {
            if (!result.empty()) result += separator;
            result += text(operand, least);
        }
        return result;
    }

    // Constants stand on the right: i > 0 rather than 0 < i.
    std::string compared(const Expr& e, const char* operation, const char* mirrored) const {
        const auto operands = e.operands();
        const bool mirror = is_number(operands[0]);
        const Expr& left = operands[mirror ? 1 : 0];
        return text(left, kSum) + (mirror ? mirrored : operation) + text(operands[mirror ? 0 : 1], kSum);
    }

    std::string dividend(const Expr& e) const {
        const bool product = e.kind() == Kind::Multiply && !is_opaque(e) && !is_negative(term_of(e).coefficient);
        return text(e, product ? kProduct : kUnary);
    }

    std::string sum(const Expr& e) const {
        std::string result;
        for (const Term& term : printing_order(e)) {
            if (result.empty()) {
                result = signed_term(term, true);
            } else if (is_negative(term.coefficient) && term.coefficient.numerator() != std::numeric_limits<std::int64_t>::min()) {
                result += " - " + magnitude(term, false);
            } else {
                result += " + " + signed_term(term, true);
            }
        }
        return result;
    }

    std::string signed_term(const Term& term, bool in_sum = false) const {
        return is_negative(term.coefficient) ? "-" + magnitude(term, true) : magnitude(term, !in_sum);
    }

    // |coefficient| * monomial. A lone quotient needs parentheses behind a minus sign.
    std::string magnitude(const Term& term, bool is_operand) const {
        const Number& k = term.coefficient;
        const Factors factors = factors_of(term.monomial);
        const bool plain = !k.is_real() && magnitude_text(k.numerator()) == "1";
        const bool above = std::any_of(factors.begin(), factors.end(), [](const Factor& f) { return f.exponent > 0; });
        const bool lone = plain && k.denominator() == 1 && factors.size() == 1 && factors[0].exponent == 1;
        std::string result;
        if (!plain || !above) result = k.is_real() ? real_text(k.as_double()) : magnitude_text(k.numerator());
        for (const Factor& factor : factors) {
            if (factor.exponent <= 0) continue;
            if (!result.empty()) result += "*";
            result += factor.exponent == 1 ? text(factor.base, lone && !is_operand ? kProduct : kUnary)
                                           : text(factor.base, kAtom) + "**" + std::to_string(factor.exponent);
        }
        if (!k.is_real() && k.denominator() != 1) result += "/" + std::to_string(k.denominator());
        for (const Factor& factor : factors) {
            if (factor.exponent >= 0) continue;
            result += factor.exponent == -1 ? "/" + text(factor.base, kUnary)
                                            : "/" + text(factor.base, kAtom) + "**" + magnitude_text(factor.exponent);
        }
        return result;
    }

    std::string called(const Expr& e) const {
        const auto operands = e.operands();
        if (e.name() == "Subscript" && operands.size() > 1)
            return text(operands[0], kAtom) + "[" + joined(operands.subspan(1), ", ", kSelect) + "]";
        if (e.name() == "Attr" && operands.size() == 2 && operands[1].is_symbol())
            return text(operands[0], kAtom) + "." + operands[1].name();
        return e.name() + "(" + joined(operands, ", ", kSelect) + ")";
    }
};

}  // namespace

std::string to_string(const Expr& e) {
    return PythonPrinter().text(e);
}

}  // namespace sluice::symbolic
