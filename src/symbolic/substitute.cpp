// Free symbols and simultaneous substitution. Replacement rebuilds through the constructors, so the result is canonical again.
#include <unordered_map>

#include "symbolic/polynomial.h"
#include "symbolic/rebuild.h"

namespace sluice::symbolic {

namespace {

void collect(const Expr& e, std::set<std::string>& names) {
    if (e.is_symbol()) names.insert(e.name());
    if (e.node()->symbol_mask == 0) return;
    for (const Expr& operand : e.operands()) collect(operand, names);
}

using Memo = std::unordered_map<Expr, Expr>;

Expr replaced(const Expr& e, const Substitution& replacement, std::uint64_t mask, Memo& memo) {
    if ((e.node()->symbol_mask & mask) == 0) return e;
    if (e.is_symbol()) {
        const auto at = replacement.find(e.name());
        return at == replacement.end() ? e : at->second;
    }
    if (const auto at = memo.find(e); at != memo.end()) return at->second;
    std::vector<Expr> operands;
    bool changed = false;
    for (const Expr& operand : e.operands()) {
        operands.push_back(replaced(operand, replacement, mask, memo));
        changed |= operands.back() != operand;
    }
    const Expr result = changed ? rebuild(e, operands) : e;
    memo.emplace(e, result);
    return result;
}

}  // namespace

Expr rebuild(const Expr& e, std::span<const Expr> operands) {
    const auto fold = [&](Expr (*operation)(const Expr&, const Expr&)) {
        Expr result = operands[0];
        for (const Expr& operand : operands.subspan(1)) result = operation(result, operand);
        return result;
    };
    switch (e.kind()) {
        case Kind::Integer:
        case Kind::Rational:
        case Kind::Real:
        case Kind::Boolean:
        case Kind::Symbol:
            return e;
        case Kind::Add:
            return fold([](const Expr& a, const Expr& b) { return a + b; });
        case Kind::Multiply:
            return multiply_all(operands);
        case Kind::Power:
            return power(operands[0], operands[1]);
        case Kind::FloorDivide:
            return floor_divide(operands[0], operands[1]);
        case Kind::Modulo:
            return modulo(operands[0], operands[1]);
        case Kind::Minimum:
            return fold(minimum);
        case Kind::Maximum:
            return fold(maximum);
        case Kind::Equal:
            return equal(operands[0], operands[1]);
        case Kind::Less:
            return less(operands[0], operands[1]);
        case Kind::LessEqual:
            return less_equal(operands[0], operands[1]);
        case Kind::And:
            return fold(logical_and);
        case Kind::Or:
            return fold(logical_or);
        case Kind::Not:
            return logical_not(operands[0]);
        case Kind::Select:
            return select(operands[0], operands[1], operands[2]);
        case Kind::Call:
            return call(e.name(), {operands.begin(), operands.end()});
    }
    return e;
}

std::set<std::string> free_symbols(const Expr& e) {
    std::set<std::string> names;
    collect(e, names);
    return names;
}

bool depends_on(const Expr& e, std::string_view symbol) {
    if ((e.node()->symbol_mask & symbol_bit(symbol)) == 0) return false;
    if (e.is_symbol(symbol)) return true;
    for (const Expr& operand : e.operands())
        if (depends_on(operand, symbol)) return true;
    return false;
}

Expr substitute(const Expr& e, const Substitution& replacement) {
    std::uint64_t mask = 0;
    for (const auto& [name, value] : replacement) mask |= symbol_bit(name);
    Memo memo;
    return replaced(e, replacement, mask, memo);
}

}  // namespace sluice::symbolic
