// Evaluation in 64-bit integers. Sums and products are computed as exact 128-bit fractions and narrowed once at each node, so a
// canonical form that is longer than what the user wrote does not overflow earlier; real constants compute in double.
#include <cmath>
#include <limits>

#include "symbolic/expr_node.h"

namespace sluice::symbolic {

namespace {

using Wide = __int128;

struct Value {
    Wide numerator = 0;
    Wide denominator = 1;
    double real = 0;
    bool is_real = false;

    static Value of(Wide value) { return {value, 1, 0, false}; }
    static Value of_real(double value) { return {0, 1, value, true}; }
    double as_double() const { return is_real ? real : static_cast<double>(numerator) / static_cast<double>(denominator); }
    bool is_zero() const { return is_real ? real == 0 : numerator == 0; }
};

[[noreturn]] void overflow(const Expr& e) {
    fail({.code = "S001", .message = "the value of '" + to_string(e) + "' does not fit 64 bits", .remedy = "use smaller sizes"});
}
[[noreturn]] void division_by_zero(const Expr& e) {
    fail({.code = "S002",
          .message = "division by zero in '" + to_string(e) + "'",
          .remedy = "give the divisor a value other than 0"});
}
[[noreturn]] void not_an_integer(const Expr& e) {
    fail({.code = "S004",
          .message = "the value of '" + to_string(e) + "' is not an integer",
          .remedy = "round it with // or floor"});
}
[[noreturn]] void unknown_function(const Expr& e, const std::string& name) {
    fail({.code = "S005",
          .message = "the function '" + name + "' in '" + to_string(e) + "' cannot be evaluated",
          .remedy = "use only functions of integers that are known here"});
}

class Evaluator {
public:
    explicit Evaluator(const Environment& environment) : environment_(environment) {}

    std::int64_t integer(const Expr& e) { return narrowed(value(e), e); }

    Value value(const Expr& e) {
        const auto operands = e.operands();
        switch (e.kind()) {
            case Kind::Integer:
            case Kind::Boolean:
                return Value::of(e.integer());
            case Kind::Rational:
                return {e.integer(), e.denominator(), 0, false};
            case Kind::Real:
                return Value::of_real(e.real());
            case Kind::Symbol:
                return Value::of(symbol(e));
            case Kind::Add:
            case Kind::Multiply:
                return checked(wide(e), e);
            case Kind::Power:
                return checked(power(e), e);
            case Kind::FloorDivide:
                return checked(floor_quotient(value(operands[0]), value(operands[1]), e), e);
            case Kind::Modulo:
                return modulo(e);
            case Kind::Minimum:
            case Kind::Maximum:
                return extremum(e);
            case Kind::Equal:
                return Value::of(compare(e) == 0);
            case Kind::Less:
                return Value::of(compare(e) < 0);
            case Kind::LessEqual:
                return Value::of(compare(e) <= 0);
            case Kind::And:
                for (const Expr& operand : operands)
                    if (value(operand).is_zero()) return Value::of(0);
                return Value::of(1);
            case Kind::Or:
                for (const Expr& operand : operands)
                    if (!value(operand).is_zero()) return Value::of(1);
                return Value::of(0);
            case Kind::Not:
                return Value::of(value(operands[0]).is_zero());
            case Kind::Select:
                return value(value(operands[0]).is_zero() ? operands[2] : operands[1]);
            case Kind::Call:
                return called(e);
        }
        return {};
    }

private:
    // A sum or product before narrowing.
    Value wide(const Expr& e) {
        if (is_opaque(e) || (e.kind() != Kind::Add && e.kind() != Kind::Multiply)) {
            if (!is_opaque(e)) return e.kind() == Kind::Power ? power(e) : value(e);
            return checked(folded(e), e);
        }
        return folded(e);
    }
    Value folded(const Expr& e) {
        Value result = Value::of(e.kind() == Kind::Add ? 0 : 1);
        for (const Expr& operand : e.operands())
            result = e.kind() == Kind::Add ? add(result, wide(operand), e) : multiply(result, wide(operand), e);
        return result;
    }

    Value reduced(Wide numerator, Wide denominator) {
        Wide a = numerator < 0 ? -numerator : numerator, b = denominator < 0 ? -denominator : denominator;
        while (b != 0) {
            const Wide rest = a % b;
            a = b;
            b = rest;
        }
        if (denominator < 0) a = -a;
        return {numerator / a, denominator / a, 0, false};
    }
    Value add(const Value& a, const Value& b, const Expr& e) {
        if (a.is_real || b.is_real) return Value::of_real(a.as_double() + b.as_double());
        Wide left, right, sum, denominator;
        if (__builtin_mul_overflow(a.numerator, b.denominator, &left) ||
            __builtin_mul_overflow(b.numerator, a.denominator, &right) || __builtin_add_overflow(left, right, &sum) ||
            __builtin_mul_overflow(a.denominator, b.denominator, &denominator))
            overflow(e);
        return denominator == 1 ? Value::of(sum) : reduced(sum, denominator);
    }
    Value multiply(const Value& a, const Value& b, const Expr& e) {
        if (a.is_real || b.is_real) return Value::of_real(a.as_double() * b.as_double());
        Wide numerator, denominator;
        if (__builtin_mul_overflow(a.numerator, b.numerator, &numerator) ||
            __builtin_mul_overflow(a.denominator, b.denominator, &denominator))
            overflow(e);
        return denominator == 1 ? Value::of(numerator) : reduced(numerator, denominator);
    }
    Value power(const Expr& e) {
        Value base = value(e.operands()[0]);
        const Value exponent = value(e.operands()[1]);
        if (base.is_real || exponent.is_real || exponent.denominator != 1)
            return Value::of_real(std::pow(base.as_double(), exponent.as_double()));
        Wide count = exponent.numerator;
        if (count < 0) {
            if (base.is_zero()) division_by_zero(e);
            base = reduced(base.denominator, base.numerator);
            count = -count;
        }
        Value result = Value::of(1);
        while (count != 0) {
            if (count & 1) result = multiply(result, base, e);
            count >>= 1;
            if (count != 0) base = multiply(base, base, e);
        }
        return result;
    }

    Value floor_quotient(const Value& a, const Value& b, const Expr& e) {
        if (b.is_zero()) division_by_zero(e);
        if (a.is_real || b.is_real) {
            const double quotient = std::floor(a.as_double() / b.as_double());
            if (!(std::abs(quotient) < 9.2e18)) overflow(e);
            return Value::of(static_cast<Wide>(quotient));
        }
        const Value quotient = multiply(a, reduced(b.denominator, b.numerator), e);
        Wide floor = quotient.numerator / quotient.denominator;
        if (quotient.numerator < 0 && quotient.numerator % quotient.denominator != 0) --floor;
        return Value::of(floor);
    }
    Value modulo(const Expr& e) {
        const Value a = value(e.operands()[0]), b = value(e.operands()[1]);
        if (a.is_real || b.is_real) {
            if (b.is_zero()) division_by_zero(e);
            return Value::of_real(a.as_double() - std::floor(a.as_double() / b.as_double()) * b.as_double());
        }
        const Value whole = multiply(floor_quotient(a, b, e), b, e);
        return add(a, {-whole.numerator, whole.denominator, 0, false}, e);
    }
    static int compare(const Value& a, const Value& b) {
        if (a.is_real || b.is_real) return a.as_double() < b.as_double() ? -1 : a.as_double() == b.as_double() ? 0 : 1;
        const Wide left = a.numerator * b.denominator, right = b.numerator * a.denominator;  // both below 2**126
        return left < right ? -1 : left > right ? 1 : 0;
    }
    int compare(const Expr& e) { return compare(value(e.operands()[0]), value(e.operands()[1])); }
    Value extremum(const Expr& e) {
        Value result = value(e.operands()[0]);
        for (const Expr& operand : e.operands().subspan(1)) {
            const Value other = value(operand);
            const int order = compare(other, result);
            if (e.kind() == Kind::Minimum ? order < 0 : order > 0) result = other;
        }
        return result;
    }

    std::int64_t symbol(const Expr& e) {
        const auto value = environment_.symbol ? environment_.symbol(e.name()) : std::nullopt;
        if (!value)
            fail({.code = "S003",
                  .message = "the symbol '" + e.name() + "' has no value",
                  .remedy = "pass a value for '" + e.name() + "'"});
        return *value;
    }

    Value called(const Expr& e) {
        const auto operands = e.operands();
        const std::string& name = e.name();
        if (name == "abs") {
            const Value a = value(operands[0]);
            if (a.is_real) return Value::of_real(std::abs(a.real));
            return checked({a.numerator < 0 ? -a.numerator : a.numerator, a.denominator, 0, false}, e);
        }
        if (name == "int" && operands.size() == 1) {
            const Value a = value(operands[0]);
            if (!a.is_real) return Value::of(a.numerator / a.denominator);
            if (!(std::abs(a.real) < 9.2e18)) overflow(e);
            return Value::of(static_cast<Wide>(a.real));
        }
        if (operands.size() == 2) {
            if (const auto bits = bitwise(e)) return *bits;
        }
        if (!environment_.call) unknown_function(e, name);
        const bool subscript = name == "Subscript" && !operands.empty() && operands[0].is_symbol();
        const bool attribute = name == "Attr" && operands.size() == 2 && operands[0].is_symbol() && operands[1].is_symbol();
        std::vector<std::int64_t> arguments;
        if (!attribute)
            for (const Expr& operand : operands.subspan(subscript ? 1 : 0)) arguments.push_back(integer(operand));
        const std::string target = attribute   ? operands[0].name() + "." + operands[1].name()
                                   : subscript ? operands[0].name()
                                               : name;
        const auto result = environment_.call(target, arguments);
        if (!result) unknown_function(e, target);
        return Value::of(*result);
    }
    std::optional<Value> bitwise(const Expr& e) {
        const std::string& name = e.name();
        const bool left = name == "left_shift", right = name == "right_shift";
        if (!left && !right && name != "bitwise_and" && name != "bitwise_or" && name != "bitwise_xor") return std::nullopt;
        const std::int64_t a = integer(e.operands()[0]), b = integer(e.operands()[1]);
        if (name == "bitwise_and") return Value::of(a & b);
        if (name == "bitwise_or") return Value::of(a | b);
        if (name == "bitwise_xor") return Value::of(a ^ b);
        if (b < 0 || (left && b > 63 && a != 0)) overflow(e);
        if (right) return Value::of(a >> (b > 63 ? 63 : b));
        return a == 0 ? Value::of(0) : checked(Value::of(Wide(a) << b), e);
    }

    static Value checked(const Value& value, const Expr& e) {
        if (value.is_real) return value;
        constexpr Wide kMax = std::numeric_limits<std::int64_t>::max(), kMin = std::numeric_limits<std::int64_t>::min();
        if (value.numerator > kMax || value.numerator < kMin || value.denominator > kMax) overflow(e);
        return value;
    }
    static std::int64_t narrowed(const Value& value, const Expr& e) {
        if (value.is_real) {
            if (std::floor(value.real) != value.real) not_an_integer(e);
            if (!(std::abs(value.real) < 9.2e18)) overflow(e);
            return static_cast<std::int64_t>(value.real);
        }
        if (value.denominator != 1) not_an_integer(e);
        return static_cast<std::int64_t>(checked(value, e).numerator);
    }

    const Environment& environment_;
};

}  // namespace

Result<std::int64_t> evaluate(const Expr& e, const Environment& environment) {
    return capture([&] { return Evaluator(environment).integer(e); });
}

Result<std::int64_t> evaluate(const Expr& e, const std::map<std::string, std::int64_t>& symbols) {
    Environment environment;
    environment.symbol = [&](const std::string& name) -> std::optional<std::int64_t> {
        const auto at = symbols.find(name);
        return at == symbols.end() ? std::nullopt : std::optional(at->second);
    };
    return evaluate(e, environment);
}

}  // namespace sluice::symbolic
