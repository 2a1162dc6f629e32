// Minimum and maximum: flattened, sorted, with operands dropped that another one dominates by a constant.
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

Expr extremum(Kind kind, const Expr& a, const Expr& b) {
    std::vector<Expr> kept;
    for (const Expr& side : {a, b}) {
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

Expr minimum(const Expr& a, const Expr& b) {
    return extremum(Kind::Minimum, a, b);
}

Expr maximum(const Expr& a, const Expr& b) {
    return extremum(Kind::Maximum, a, b);
}

}  // namespace sluice::symbolic
