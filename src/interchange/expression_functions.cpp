#include "interchange/expression_functions.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "code/dtype.h"

namespace sluice::interchange {

using symbolic::Expr;

namespace {

using Binary = Expr (*)(const Expr&, const Expr&);

Expr greater(const Expr& a, const Expr& b) {
    return symbolic::less(b, a);
}
Expr greater_equal(const Expr& a, const Expr& b) {
    return symbolic::less_equal(b, a);
}

// Functions of two operands that fold; the first group takes any number.
const std::unordered_map<std::string_view, Binary>& folds() {
    static const std::unordered_map<std::string_view, Binary> kFolds = {
        {"Min", symbolic::minimum}, {"min", symbolic::minimum}, {"Max", symbolic::maximum}, {"max", symbolic::maximum},
        {"AND", symbolic::logical_and}, {"And", symbolic::logical_and}, {"OR", symbolic::logical_or}, {"Or", symbolic::logical_or},
        {"Add", symbolic::operator+ }, {"Mul", symbolic::operator* } };
    return kFolds;
}
const std::unordered_map<std::string_view, Binary>& pairs() {
    static const std::unordered_map<std::string_view, Binary> kPairs = {{"Mod", symbolic::modulo},
                                                                        {"int_floor", symbolic::floor_divide},
                                                                        {"__int_floor", symbolic::floor_divide},
                                                                        {"int_ceil", symbolic::ceil_divide},
                                                                        {"__int_ceil", symbolic::ceil_divide},
                                                                        {"Eq", symbolic::equal},
                                                                        {"Ne", symbolic::not_equal},
                                                                        {"Lt", symbolic::less},
                                                                        {"Le", symbolic::less_equal},
                                                                        {"Gt", greater},
                                                                        {"Ge", greater_equal},
                                                                        {"Pow", symbolic::power},
                                                                        {"pow", symbolic::power}};
    return kPairs;
}

}  // namespace

Expr binary_value(std::string_view op, const Expr& left, const Expr& right) {
    if (op == "+") return left + right;
    if (op == "-") return left - right;
    if (op == "*") return left * right;
    if (op == "/") return symbolic::true_divide(left, right);
    if (op == "//") return symbolic::floor_divide(left, right);
    if (op == "%") return symbolic::modulo(left, right);
    if (op == "<") return symbolic::less(left, right);
    if (op == "<=") return symbolic::less_equal(left, right);
    if (op == ">") return symbolic::less(right, left);
    if (op == ">=") return symbolic::less_equal(right, left);
    if (op == "==") return symbolic::equal(left, right);
    if (op == "!=") return symbolic::not_equal(left, right);
    if ((op == "&" || op == "|") && is_condition(left) && is_condition(right))
        return op == "&" ? symbolic::logical_and(left, right) : symbolic::logical_or(left, right);
    const std::string_view name = op == "&"    ? "bitwise_and"
                                  : op == "|"  ? "bitwise_or"
                                  : op == "^"  ? "bitwise_xor"
                                  : op == "<<" ? "left_shift"
                                  : op == ">>" ? "right_shift"
                                               : "matmul";
    return symbolic::call(name, {left, right});
}

Expr invert(const Expr& operand) {
    return is_condition(operand) ? symbolic::logical_not(operand) : symbolic::call("bitwise_invert", {operand});
}

bool is_condition(const Expr& e) {
    using enum symbolic::Kind;
    const symbolic::Kind kind = e.kind();
    return kind == Boolean || kind == Equal || kind == Less || kind == LessEqual || kind == And || kind == Or || kind == Not;
}

Expr function_value(const std::string& name, std::vector<Expr> arguments) {
    if (const auto fold = folds().find(name); fold != folds().end() && !arguments.empty()) {
        Expr value = arguments[0];
        for (std::size_t i = 1; i < arguments.size(); ++i) value = fold->second(value, arguments[i]);
        return value;
    }
    if (arguments.size() == 2)
        if (const auto pair = pairs().find(name); pair != pairs().end()) return pair->second(arguments[0], arguments[1]);
    if (arguments.size() == 1 && (name == "Not" || name == "NOT")) return symbolic::logical_not(arguments[0]);
    if (arguments.size() == 1 && (name == "Abs" || name == "abs")) return symbolic::call("abs", std::move(arguments));
    if (arguments.size() == 1 && name == "ceil") return symbolic::call("ceiling", std::move(arguments));
    if (arguments.size() == 1 && name == "ROUND") return symbolic::call("round", std::move(arguments));
    if (arguments.size() == 3 && name == "IfExpr") return symbolic::select(arguments[0], arguments[1], arguments[2]);
    if (arguments.size() == 2 && name == "SymExpr") return arguments[0];  // the second is an over-approximation
    if (name.starts_with("__bitwise_") || name == "__left_shift" || name == "__right_shift")
        return symbolic::call(name.substr(2), std::move(arguments));
    return symbolic::call(name, std::move(arguments));
}

bool is_named_constant(std::string_view name, bool dollar) {
    static constexpr std::array<std::string_view, 5> kConstants = {"pi", "oo", "nan", "None", "NoneSymbol"};
    if (name == "E" || name == "I") return dollar;
    return std::find(kConstants.begin(), kConstants.end(), name) != kConstants.end();
}

bool is_cast(std::string_view name) {
    if (name.ends_with("_t")) name.remove_suffix(2);
    const auto type = code::parse_dtype(name);
    return type && type->is_scalar() && code::scalar_name(type->scalar) == name;
}

}  // namespace sluice::interchange
