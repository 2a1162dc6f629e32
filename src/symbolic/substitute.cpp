// Free symbols and simultaneous substitution. Replacement rebuilds through the constructors, so the result is canonical again.
#include <unordered_map>
#include <unordered_set>

#include "symbolic/connectives.h"
#include "symbolic/polynomial.h"
#include "symbolic/rebuild.h"

namespace sluice::symbolic {

namespace {

/// Each part that has the bits of `mask`, once: parts are shared, and there may be exponentially many ways to one of them. Ends
/// where `visit`, which is given the symbols, answers true.
template <class Visit> bool any_symbol(const Expr& e, std::uint64_t mask, const Visit& visit) {
    std::vector<Expr> pending{e};
    std::unordered_set<Expr> seen;
    while (!pending.empty()) {
        const Expr part = pending.back();
        pending.pop_back();
        if ((part.node()->symbol_mask & mask) == 0) continue;
        if (part.is_symbol()) {
            if (visit(part.name())) return true;
        } else if (seen.insert(part).second) {
            pending.insert(pending.end(), part.operands().begin(), part.operands().end());
        }
    }
    return false;
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
            return minimum(operands);
        case Kind::Maximum:
            return maximum(operands);
        case Kind::Equal:
            return equal(operands[0], operands[1]);
        case Kind::Less:
            return less(operands[0], operands[1]);
        case Kind::LessEqual:
            return less_equal(operands[0], operands[1]);
        case Kind::And:
            return logical_and(operands);
        case Kind::Or:
            return logical_or(operands);
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
    any_symbol(e, ~std::uint64_t{0}, [&](const std::string& name) {
        names.insert(name);
        return false;
    });
    return names;
}

bool depends_on(const Expr& e, std::string_view symbol) {
    return any_symbol(e, symbol_bit(symbol), [&](const std::string& name) { return name == symbol; });
}

Expr substitute(const Expr& e, const Substitution& replacement) {
    std::uint64_t mask = 0;
    for (const auto& [name, value] : replacement) mask |= symbol_bit(name);
    Memo memo;
    return replaced(e, replacement, mask, memo);
}

}  // namespace sluice::symbolic
