// Minimum and maximum: flattened, sorted, with operands dropped that another one dominates by a constant, and with the extrema that
// are terms of all operands in front: min(a - m, b - m) = min(a, b) - m for m = min(a, b), so that an origin moved to the least
// index is 0 and stays there.
#include <algorithm>

#include "symbolic/polynomial.h"

namespace sluice::symbolic {

namespace {

// e = offset + rest, with rest free of a constant.
struct Shifted {
    Number offset;
    Expr rest;
};

Shifted shifted(const Expr& e) {
    if (is_number(e)) return {number_of(e), 0};
    if (e.kind() != Kind::Add || is_opaque(e) || !is_number(e.operands()[0])) return {0, e};
    const Number offset = number_of(e.operands()[0]);
    if (e.operands().size() == 2) return {offset, e.operands()[1]};
    return {offset, intern(Kind::Add, e.operands().subspan(1))};
}

// Keeps the smaller (or larger) of two operands that differ by a constant; returns whether `e` was decided that way.
bool absorb(std::vector<Expr>& kept, const Expr& e, Kind kind) {
    const Shifted own = shifted(e);
    for (Expr& other : kept) {
        if (other == e) return true;
        const Shifted theirs = shifted(other);
        if (theirs.rest != own.rest) continue;
        const int order = own.offset.compare(theirs.offset);
        if (kind == Kind::Minimum ? order < 0 : order > 0) other = e;
        return true;
    }
    return false;
}

// min(a, max(a, b)) = a
bool absorbed_by_dual(const std::vector<Expr>& all, const Expr& e, Kind dual) {
    if (e.kind() != dual) return false;
    return std::any_of(all.begin(), all.end(), [&](const Expr& other) {
        return other != e && std::find(e.operands().begin(), e.operands().end(), other) != e.operands().end();
    });
}

// The sum of the terms that all have and that are multiples of an extremum.
Expr common_extrema(std::span<const Expr> all) {
    Expr common = 0;
    for (const Term& term : terms_of(all[0])) {
        const Kind kind = term.monomial.kind();
        if (kind != Kind::Minimum && kind != Kind::Maximum) continue;
        const bool everywhere = std::ranges::all_of(all.subspan(1), [&](const Expr& other) {
            return std::ranges::any_of(terms_of(other), [&](const Term& theirs) {
                return theirs.monomial == term.monomial && theirs.coefficient.compare(term.coefficient) == 0;
            });
        });
        if (everywhere) common = common + term_expr(term.coefficient, term.monomial);
    }
    return common;
}

Expr extremum(Kind kind, std::span<const Expr> sides) {
    if (const Expr common = common_extrema(sides); !common.is_integer(0)) {
        std::vector<Expr> rest;
        for (const Expr& side : sides) rest.push_back(side - common);
        return common + extremum(kind, rest);
    }
    std::vector<Expr> kept;
    for (const Expr& side : sides) {
        if (side.kind() == kind) {
            for (const Expr& operand : side.operands())
                if (!absorb(kept, operand, kind)) kept.push_back(operand);
        } else if (!absorb(kept, side, kind)) {
            kept.push_back(side);
        }
    }
    const Kind dual = kind == Kind::Minimum ? Kind::Maximum : Kind::Minimum;
    const std::vector<Expr> all = kept;
    std::erase_if(kept, [&](const Expr& e) { return absorbed_by_dual(all, e, dual); });
    if (kept.size() == 1) return kept[0];
    std::sort(kept.begin(), kept.end(), canonical_less);
    return intern(kind, kept);
}

}  // namespace

Expr minimum(std::span<const Expr> operands) {
    return extremum(Kind::Minimum, operands);
}
Expr maximum(std::span<const Expr> operands) {
    return extremum(Kind::Maximum, operands);
}
Expr minimum(const Expr& a, const Expr& b) {
    const Expr both[] = {a, b};
    return minimum(both);
}
Expr maximum(const Expr& a, const Expr& b) {
    const Expr both[] = {a, b};
    return maximum(both);
}

}  // namespace sluice::symbolic
