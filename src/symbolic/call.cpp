// Calls of named functions. A name with a meaning of its own (in Python, SymPy or the `.sdfg` format) becomes that operation.
#include <unordered_map>

#include "symbolic/polynomial.h"

namespace sluice::symbolic {

namespace {

using Arguments = std::span<const Expr>;
using Fold = std::optional<Expr> (*)(Arguments);

std::optional<Expr> fold_all(Arguments arguments, Expr (*operation)(const Expr&, const Expr&)) {
    if (arguments.empty()) return std::nullopt;
    Expr result = arguments[0];
    for (const Expr& argument : arguments.subspan(1)) result = operation(result, argument);
    return result;
}

template <Expr (*operation)(const Expr&, const Expr&)> std::optional<Expr> binary(Arguments a) {
    if (a.size() != 2) return std::nullopt;
    return operation(a[0], a[1]);
}
template <Expr (*operation)(const Expr&, const Expr&)> std::optional<Expr> many(Arguments a) {
    return fold_all(a, operation);
}

std::optional<Expr> floor_of(Arguments a) {
    if (a.size() != 1) return std::nullopt;
    return floor_divide(a[0], 1);
}
std::optional<Expr> ceiling_of(Arguments a) {
    if (a.size() != 1) return std::nullopt;
    return ceil_divide(a[0], 1);
}
std::optional<Expr> not_of(Arguments a) {
    if (a.size() != 1) return std::nullopt;
    return logical_not(a[0]);
}
std::optional<Expr> greater(Arguments a) {
    if (a.size() != 2) return std::nullopt;
    return less(a[1], a[0]);
}
std::optional<Expr> greater_equal(Arguments a) {
    if (a.size() != 2) return std::nullopt;
    return less_equal(a[1], a[0]);
}
std::optional<Expr> select_of(Arguments a) {
    if (a.size() != 3) return std::nullopt;
    return select(a[0], a[1], a[2]);
}
std::optional<Expr> integer_of(Arguments a) {
    if (a.size() != 1 || !is_integral(a[0])) return std::nullopt;
    return a[0] + 0;
}

// abs(-x) and abs(x) are one object, with the leading term of x positive.
std::optional<Expr> absolute(Arguments a) {
    if (a.size() != 1) return std::nullopt;
    if (is_number(a[0])) return number_of(a[0]).sign() < 0 ? -a[0] : a[0] + 0;
    const Terms terms = terms_of(a[0]);
    const Expr argument = leading_term(terms).coefficient.sign() < 0 ? -a[0] : a[0];
    return intern(NodeKey{.kind = Kind::Call, .name = intern_name("abs"), .operands = std::span(&argument, 1)});
}

std::optional<std::int64_t> small(const Expr& e, std::int64_t limit) {
    const auto value = e.constant();
    return value && *value >= 0 && *value < limit ? value : std::nullopt;
}
std::optional<Expr> left_shift(Arguments a) {
    if (a.size() != 2 || !small(a[1], 62)) return std::nullopt;
    return a[0] * Expr(std::int64_t{1} << *a[1].constant());
}
std::optional<Expr> right_shift(Arguments a) {
    if (a.size() != 2 || !small(a[1], 62)) return std::nullopt;
    return floor_divide(a[0], Expr(std::int64_t{1} << *a[1].constant()));
}
template <class Operation> std::optional<Expr> bitwise(Arguments a, Operation operation) {
    if (a.size() != 2 || !a[0].constant() || !a[1].constant()) return std::nullopt;
    return Expr(operation(*a[0].constant(), *a[1].constant()));
}
std::optional<Expr> bitwise_and(Arguments a) {
    return bitwise(a, [](std::int64_t x, std::int64_t y) { return x & y; });
}
std::optional<Expr> bitwise_or(Arguments a) {
    return bitwise(a, [](std::int64_t x, std::int64_t y) { return x | y; });
}
std::optional<Expr> bitwise_xor(Arguments a) {
    return bitwise(a, [](std::int64_t x, std::int64_t y) { return x ^ y; });
}
std::optional<Expr> bitwise_invert(Arguments a) {
    if (a.size() != 1) return std::nullopt;
    return -a[0] - 1;
}

const std::unordered_map<std::string_view, Fold>& folds() {
    static const auto* const table = new std::unordered_map<std::string_view, Fold>{
        {"floor", floor_of},
        {"ceil", ceiling_of},
        {"ceiling", ceiling_of},
        {"int_floor", binary<floor_divide>},
        {"int_ceil", binary<ceil_divide>},
        {"Mod", binary<modulo>},
        {"min", many<minimum>},
        {"Min", many<minimum>},
        {"max", many<maximum>},
        {"Max", many<maximum>},
        {"abs", absolute},
        {"Abs", absolute},
        {"pow", binary<power>},
        {"Pow", binary<power>},
        {"int", integer_of},
        {"Eq", binary<equal>},
        {"Ne", binary<not_equal>},
        {"Lt", binary<less>},
        {"Le", binary<less_equal>},
        {"Gt", greater},
        {"Ge", greater_equal},
        {"And", many<logical_and>},
        {"AND", many<logical_and>},
        {"Or", many<logical_or>},
        {"OR", many<logical_or>},
        {"Not", not_of},
        {"NOT", not_of},
        {"IfExpr", select_of},
        {"ITE", select_of},
        {"left_shift", left_shift},
        {"right_shift", right_shift},
        {"bitwise_and", bitwise_and},
        {"bitwise_or", bitwise_or},
        {"bitwise_xor", bitwise_xor},
        {"bitwise_invert", bitwise_invert},
    };
    return *table;
}

}  // namespace

Expr call(std::string_view name, std::vector<Expr> arguments) {
    const auto fold = folds().find(name);
    if (fold != folds().end())
        if (const std::optional<Expr> folded = fold->second(arguments)) return *folded;
    return intern(NodeKey{.kind = Kind::Call, .name = intern_name(name), .operands = arguments});
}

}  // namespace sluice::symbolic
