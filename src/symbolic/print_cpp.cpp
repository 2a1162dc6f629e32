// C++ text in 64-bit integers. A sum with rational coefficients has integer values where it is used as an index, so it prints over
// its common denominator, an exact division: N*N/2 - N/2 is (N * N - N) / 2. Expressions with real constants, negative powers or
// real functions print in double.
#include <algorithm>
#include <array>
#include <limits>

#include "symbolic/assumptions.h"
#include "symbolic/print.h"

namespace sluice::symbolic {

namespace {

constexpr std::int64_t kLongestProduct = 4;

bool is_real_function(std::string_view name) {
    constexpr std::array names = {"sqrt", "cbrt", "exp",  "log",  "log2", "log10", "sin", "cos",
                                  "tan",  "asin", "acos", "atan", "sinh", "cosh",  "tanh"};
    if (const auto dot = name.rfind('.'); dot != std::string_view::npos) name = name.substr(dot + 1);
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Must be computed in double.
bool is_real_valued(const Expr& e) {
    switch (e.kind()) {
        case Kind::Real:
            return true;
        case Kind::Call:
            return is_real_function(e.name()) || (e.name() == "abs" && is_real_valued(e.operands()[0]));
        case Kind::Power:
            if (e.operands()[1].is_integer() ? e.operands()[1].integer() < 0 : e.operands()[1].kind() == Kind::Rational)
                return true;
            break;
        case Kind::Add:
        case Kind::Multiply:
        case Kind::Minimum:
        case Kind::Maximum:
        case Kind::Modulo:
        case Kind::Select:
            break;
        default:
            return false;
    }
    return std::any_of(e.operands().begin(), e.operands().end(), is_real_valued);
}

class CppPrinter {
    enum Level : int { kSelect, kOr, kAnd, kEqual, kCompare, kSum, kProduct, kUnary, kAtom };

    struct Printed {
        std::string text;
        Level level;
    };

public:
    explicit CppPrinter(const Assumptions& assumptions) : assumptions_(assumptions) {}

    std::string text(const Expr& e, Level least = kSelect) const {
        const Printed printed = print(e);
        return printed.level < least ? "(" + printed.text + ")" : printed.text;
    }

private:
    Printed print(const Expr& e) const {
        const auto operands = e.operands();
        switch (e.kind()) {
            case Kind::Boolean:
                return {e.integer() ? "true" : "false", kAtom};
            case Kind::Symbol:
                return {e.name(), kAtom};
            case Kind::Integer:
                return number(e.integer());
            case Kind::Real:
                return {real_literal(e.real()), is_negative(number_of(e)) ? kUnary : kAtom};
            case Kind::Rational:
                return {literal(e.integer()) + ".0 / " + literal(e.denominator()), kProduct};
            case Kind::Add:
                return is_opaque(e) ? Printed{joined(operands, " + ", kProduct), kSum} : sum(e);
            case Kind::Multiply:
                return is_opaque(e) ? Printed{joined(operands, " * ", kUnary), kProduct} : sum(e);
            case Kind::Power:
                return is_opaque(e) || !operands[1].is_integer() ? raised(e) : sum(e);
            case Kind::FloorDivide:
                return divided(e, " / ", "sluice_floor_div");
            case Kind::Modulo:
                return divided(e, " % ", "sluice_floor_mod");
            case Kind::Minimum:
                return {nested(operands, is_real_valued(e) ? "__builtin_fmin" : "sluice_min"), kAtom};
            case Kind::Maximum:
                return {nested(operands, is_real_valued(e) ? "__builtin_fmax" : "sluice_max"), kAtom};
            case Kind::Equal:
                return {text(operands[0], kCompare) + " == " + text(operands[1], kCompare), kEqual};
            case Kind::Less:
                return compared(e, " < ", " > ");
            case Kind::LessEqual:
                return compared(e, " <= ", " >= ");
            case Kind::And:
                return {joined(operands, " && ", kEqual), kAnd};
            case Kind::Or:
                return {joined(operands, " || ", kEqual), kOr};
            case Kind::Not:
                if (operands[0].kind() != Kind::Equal) return {"!" + text(operands[0], kUnary), kUnary};
                return {text(operands[0].operands()[0], kCompare) + " != " + text(operands[0].operands()[1], kCompare), kEqual};
            case Kind::Select:
                return {text(operands[0], kOr) + " ? " + text(operands[1], kOr) + " : " + text(operands[2], kSelect), kSelect};
            case Kind::Call:
                return {called(e), kAtom};
        }
        return {};
    }

    static std::string literal(std::int64_t value) {
        const bool wide = value > std::numeric_limits<std::int32_t>::max() || value <= std::numeric_limits<std::int32_t>::min();
        return std::to_string(value) + (wide ? "LL" : "");
    }
    static Printed number(std::int64_t value) {
        if (value == std::numeric_limits<std::int64_t>::min()) return {"(-9223372036854775807LL - 1)", kAtom};
        return {literal(value), value < 0 ? kUnary : kAtom};
    }
    static std::string real_literal(double value) {
        if (value != value) return "(0.0 / 0.0)";
        return (is_negative(Number::real(value)) ? "-" : "") + real_text(value);
    }

    std::string joined(std::span<const Expr> operands, const char* separator, Level least) const {
        std::string result;
        for (const Expr& operand : operands) {
            if (!result.empty()) result += separator;
            result += text(operand, least);
        }
        return result;
    }
    std::string nested(std::span<const Expr> operands, const std::string& function) const {
        std::string result = text(operands[0]);
        for (const Expr& operand : operands.subspan(1)) result = function + "(" + result + ", " + text(operand) + ")";
        return result;
    }
    Printed compared(const Expr& e, const char* operation, const char* mirrored) const {
        const auto operands = e.operands();
        const bool mirror = is_number(operands[0]);
        return {text(operands[mirror ? 1 : 0], kSum) + (mirror ? mirrored : operation) + text(operands[mirror ? 0 : 1], kSum),
                kCompare};
    }

    Printed divided(const Expr& e, const char* operation, const char* function) const {
        const Expr& a = e.operands()[0];
        const Expr& b = e.operands()[1];
        if (is_real_valued(a) || is_real_valued(b)) return divided_reals(e, a, b);
        const bool plain = is_yes(decide(less_equal(0, a), assumptions_)) && is_yes(decide(less(0, b), assumptions_));
        if (plain) return {text(a, kProduct) + operation + text(b, kUnary), kProduct};
        return {std::string(function) + "(" + text(a) + ", " + text(b) + ")", kAtom};
    }

    Printed divided_reals(const Expr& e, const Expr& a, const Expr& b) const {
        const std::string quotient = b.is_integer(1) ? text(a) : "static_cast<double>(" + text(a) + ") / " + text(b, kUnary);
        const std::string floor = "__builtin_floor(" + quotient + ")";
        if (e.kind() == Kind::FloorDivide) return {"static_cast<int64_t>(" + floor + ")", kAtom};
        return {text(a, kSum) + " - " + text(b, kUnary) + " * " + floor, kSum};
    }

    Printed raised(const Expr& e) const {
        const char* function = is_real_valued(e) ? "__builtin_pow(" : "sluice_ipow(";
        return {function + text(e.operands()[0]) + ", " + text(e.operands()[1]) + ")", kAtom};
    }

    Printed sum(const Expr& e) const {
        bool real = is_real_valued(e);
        Terms terms = printing_order(e);
        std::int64_t denominator = 1;
        try {
            if (!real) denominator = clear_denominators(terms);
        } catch (Overflow) {
            real = true;
        }
        std::string result;
        for (const Term& term : terms) {
            if (result.empty()) {
                result = (is_negative(term.coefficient) && !is_smallest(term) ? "-" : "") + magnitude(term, real);
            } else {
                result += (is_negative(term.coefficient) && !is_smallest(term) ? " - " : " + ") + magnitude(term, real);
            }
        }
        if (denominator != 1) return {(terms.size() > 1 ? "(" + result + ")" : result) + " / " + literal(denominator), kProduct};
        return {result, terms.size() > 1 ? kSum : kProduct};
    }

    static std::int64_t clear_denominators(Terms& terms) {
        std::int64_t denominator = 1;
        for (const Term& term : terms) {
            const std::int64_t own = term.coefficient.denominator();
            denominator = checked_multiply(denominator, own / greatest_common_divisor(denominator, own));
        }
        Terms cleared = terms;
        for (Term& term : cleared) term.coefficient = term.coefficient * denominator;
        terms = std::move(cleared);
        return denominator;
    }

    static bool is_smallest(const Term& term) {
        return !term.coefficient.is_real() && term.coefficient.numerator() == std::numeric_limits<std::int64_t>::min();
    }

    std::string coefficient_text(const Number& k, bool real) const {
        if (k.is_real()) return real_text(k.as_double());
        if (k.numerator() == std::numeric_limits<std::int64_t>::min()) return number(k.numerator()).text;
        const std::string numerator = literal(k.sign() < 0 ? -k.numerator() : k.numerator());
        if (!real || k.denominator() == 1) return numerator;
        return "(" + numerator + ".0 / " + literal(k.denominator()) + ")";
    }

    std::string magnitude(const Term& term, bool real) const {
        const Number& k = term.coefficient;
        const Factors factors = factors_of(term.monomial);
        std::vector<std::string> above, below;
        if (k.is_real() || k.denominator() != 1 || magnitude_text(k.numerator()) != "1") above.push_back(coefficient_text(k, real));
        for (const Factor& factor : factors) add_power(factor.exponent > 0 ? above : below, factor);
        if (above.empty()) above.push_back(below.empty() ? "1" : "1.0");
        std::string result;
        for (const std::string& each : above) result += (result.empty() ? "" : " * ") + each;
        if (below.empty()) return result;
        if (above.size() > 1 || above[0] != "1.0") result = "static_cast<double>(" + result + ")";
        for (const std::string& each : below) result += " / " + each;
        return result;
    }

    void add_power(std::vector<std::string>& list, const Factor& factor) const {
        const std::int64_t exponent = factor.exponent < 0 ? -factor.exponent : factor.exponent;
        const bool repeated = exponent == 1 || (exponent <= kLongestProduct && factor.base.is_symbol());
        if (repeated) {
            list.insert(list.end(), static_cast<std::size_t>(exponent), text(factor.base, kUnary));
        } else {
            list.push_back((is_real_valued(factor.base) ? "__builtin_pow(" : "sluice_ipow(") + text(factor.base) + ", " +
                           std::to_string(exponent) + ")");
        }
    }

    std::string called(const Expr& e) const {
        const auto operands = e.operands();
        const std::string& name = e.name();
        if (name == "Subscript" && operands.size() > 1) {
            std::string result = text(operands[0], kAtom);
            for (const Expr& index : operands.subspan(1)) result += "[" + text(index) + "]";
            return result;
        }
        if (name == "Attr" && operands.size() == 2 && operands[1].is_symbol())
            return text(operands[0], kAtom) + "." + operands[1].name();
        if (name == "abs") return (is_real_valued(e) ? "__builtin_fabs(" : "sluice_abs(") + text(operands[0]) + ")";
        if (name == "int" && operands.size() == 1) return "static_cast<int64_t>(" + text(operands[0]) + ")";
        for (const auto& [function, operation] :
             {std::pair{"bitwise_and", " & "}, std::pair{"bitwise_or", " | "}, std::pair{"bitwise_xor", " ^ "},
              std::pair{"left_shift", " << "}, std::pair{"right_shift", " >> "}})
            if (name == function && operands.size() == 2) return "(" + joined(operands, operation, kUnary) + ")";
        const auto dot = name.rfind('.');
        return (dot == std::string::npos ? name : name.substr(dot + 1)) + "(" + joined(operands, ", ", kSelect) + ")";
    }

    const Assumptions& assumptions_;
};

}  // namespace

std::string to_cpp(const Expr& e, const Assumptions& assumptions) {
    return CppPrinter(assumptions).text(e);
}

}  // namespace sluice::symbolic
