// Canonical expressions as DaCe prints them: constants first, exact rationals, floor division as `int_floor`.
#include <cmath>

#include "interchange/expression.h"
#include "interchange/expression_functions.h"
#include "interchange/text_writer.h"

namespace sluice::interchange {

namespace {

using symbolic::Kind;

class Printer {
    enum Strength { Lowest, Compare, Sum, Product, Unary, Power, Atom };

public:
    explicit Printer(const ExpressionStyle& style) : style_(style) {}

    std::string print(const Expr& e, Strength context = Lowest) const {
        Strength strength = Atom;
        std::string text = bare(e, strength);
        return strength < context ? "(" + text + ")" : text;
    }

private:
    std::string symbol(const std::string& name) const { return style_.dollar ? style_.symbol(name) : name; }

    std::string bare(const Expr& e, Strength& strength) const {
        switch (e.kind()) {
            case Kind::Integer:
                if (e.integer() < 0) strength = Unary;
                return std::to_string(e.integer());
            case Kind::Rational:
                strength = Product;
                return std::to_string(e.integer()) + "/" + std::to_string(e.denominator());
            case Kind::Real:
                return real(e.real(), strength);
            case Kind::Boolean:
                return e.integer() ? "True" : "False";
            case Kind::Symbol:
                return symbol(e.name());
            case Kind::Add:
                strength = Sum;
                return sum(e);
            case Kind::Multiply:
                strength = Product;
                return product(e);
            case Kind::Power:
                strength = Power;
                return print(e.operands()[0], Atom) + "**" + print(e.operands()[1], Atom);
            case Kind::FloorDivide:
                return list("int_floor", e.operands());
            case Kind::Modulo:
                return list("Mod", e.operands());
            case Kind::Minimum:
                return list("Min", e.operands());
            case Kind::Maximum:
                return list("Max", e.operands());
            case Kind::Equal:
                return list("Eq", e.operands());
            case Kind::Less:
                strength = Compare;
                return infix(e, " < ");
            case Kind::LessEqual:
                strength = Compare;
                return infix(e, " <= ");
            case Kind::And:
                return nested("AND", e.operands());
            case Kind::Or:
                return nested("OR", e.operands());
            case Kind::Not:
                return list("Not", e.operands());
            case Kind::Select:
                return list("IfExpr", e.operands());
            case Kind::Call:
                return call(e);
        }
        return {};
    }

    std::string real(double value, Strength& strength) const {
        if (value < 0) strength = Unary;
        if (std::isinf(value)) return value < 0 ? "-oo" : "oo";
        return real_text(value);
    }

    std::string sum(const Expr& e) const {
        std::string text;
        for (const Expr& term : e.operands()) {
            const std::string next = print(term, Product);
            if (text.empty())
                text = next;
            else if (next.starts_with("-"))
                text += " - " + next.substr(1);
            else
                text += " + " + next;
        }
        return text;
    }

    std::string product(const Expr& e) const {
        std::string text;
        for (const Expr& factor : e.operands()) {
            // Only a leading factor may show its sign or its fraction bar bare: a*(1/2), not a*1/2.
            if (text.empty() && factor.is_integer(-1)) {
                text = "-";
                continue;
            }
            const bool first = text.empty();
            text += (first || text == "-" ? "" : "*") + print(factor, first ? Product : Power);
        }
        return text;
    }

    std::string infix(const Expr& e, const char* op) const {
        return print(e.operands()[0], Sum) + op + print(e.operands()[1], Sum);
    }

    std::string list(const std::string& function, std::span<const Expr> operands) const {
        return function + "(" + joined(operands) + ")";
    }
    std::string joined(std::span<const Expr> operands) const {
        std::string text;
        for (std::size_t i = 0; i < operands.size(); ++i) text += (i ? ", " : "") + print(operands[i]);
        return text;
    }

    // AND and OR take exactly two operands in the format.
    std::string nested(const std::string& function, std::span<const Expr> operands) const {
        if (operands.size() <= 2) return list(function, operands);
        return function + "(" + print(operands[0]) + ", " + nested(function, operands.subspan(1)) + ")";
    }

    std::string call(const Expr& e) const {
        const std::string& name = e.name();
        const auto operands = e.operands();
        if (operands.empty()) {
            if (name == "UnknownSize") return style_.dollar ? "$?" : "?";
            return is_named_constant(name, true) ? name : name + "()";
        }
        if (name == "abs") return list("Abs", operands);
        if (name == "round") return list("ROUND", operands);
        if (style_.dollar && name == "imaginary") return print(operands[0]) + "j";
        if (style_.dollar && (name == "complex128" || name == "complex64")) return "(" + print(operands[0]) + ")c" + name.substr(7);
        if (style_.dollar && is_cast(name) && !name.ends_with("_t")) return list("dace." + name, operands);
        if (!style_.dollar && name == "Subscript" && operands[0].is_symbol())
            return operands[0].name() + "[" + joined(operands.subspan(1)) + "]";
        if (!style_.dollar && name == "Attr" && operands.size() == 2 && operands[1].is_symbol())
            return print(operands[0], Atom) + "." + operands[1].name();
        return list(name, operands);
    }

    const ExpressionStyle& style_;
};

}  // namespace

std::string print_expression(const Expr& e, const ExpressionStyle& style) {
    return Printer(style).print(e);
}

}  // namespace sluice::interchange
