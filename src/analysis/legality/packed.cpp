#include "analysis/legality/packed.h"

#include <algorithm>

#include "analysis/dependences/order.h"
#include "poly/convert.h"

namespace sluice::analysis {

using symbolic::Expr;

namespace {

const std::string kRow = "$row";

/// Does the divisor divide the value whatever the symbols are? Decided by their residues, so of polynomials with integer factors.
bool always_divides(std::int64_t divisor, const Expr& value) {
    const std::set<std::string> names = symbolic::free_symbols(value);
    if (divisor < 2 || divisor > 4 || names.size() > 4) return false;
    std::map<std::string, std::int64_t> at;
    for (const std::string& name : names) at[name] = 0;
    while (true) {
        const Result<std::int64_t> here = symbolic::evaluate(value, at);
        if (!here.ok() || *here % divisor != 0) return false;
        auto digit = at.begin();
        while (digit != at.end() && ++digit->second == divisor) (digit++)->second = 0;
        if (digit == at.end()) return true;
    }
}

bool is_polynomial(const Expr& e) {
    switch (e.kind()) {
        case symbolic::Kind::Integer:
        case symbolic::Kind::Symbol:
            return true;
        case symbolic::Kind::Add:
        case symbolic::Kind::Multiply:
            return std::ranges::all_of(e.operands(), is_polynomial);
        case symbolic::Kind::Power:
            return is_polynomial(e.operands()[0]) && e.operands()[1].constant() && *e.operands()[1].constant() >= 0;
        default:
            return false;
    }
}

/// The same value with `(i*i + i) // 2` as `i*i/2 + i/2`.
Expr without_floors(const Expr& e) {
    if (e.kind() == symbolic::Kind::FloorDivide) {
        const Expr& value = e.operands()[0];
        const auto divisor = e.operands()[1].constant();
        if (divisor && is_polynomial(value) && always_divides(*divisor, value)) return symbolic::true_divide(value, *divisor);
    }
    if (e.kind() == symbolic::Kind::Add || e.kind() == symbolic::Kind::Multiply) {
        Expr result = e.kind() == symbolic::Kind::Add ? Expr(0) : Expr(1);
        for (const Expr& part : e.operands())
            result = e.kind() == symbolic::Kind::Add ? result + without_floors(part) : result * without_floors(part);
        return result;
    }
    return e;
}

Expr row_begin(const PackedIndex& index, const Expr& row) {
    return symbolic::substitute(index.begin, {{kRow, row}});
}

/// Names of the dimensions get a mark, so that those of two executions differ.
poly::Space marked(poly::Space space, const std::string& mark) {
    for (std::string& name : space.dims) name = mark + name;
    return space;
}
Expr marked(const Expr& e, const poly::Space& space, const std::string& mark) {
    symbolic::Substitution names;
    for (const std::string& name : space.dims) names.insert_or_assign(name, symbolic::symbol(mark + name));
    return symbolic::substitute(e, names);
}

}  // namespace

std::optional<PackedIndex> packed(const Expr& index, const poly::Space& space) {
    const Expr whole = without_floors(index);
    const std::vector<Expr> terms = whole.kind() == symbolic::Kind::Add
                                        ? std::vector<Expr>(whole.operands().begin(), whole.operands().end())
                                        : std::vector{whole};
    PackedIndex result{.row = {}, .begin = 0, .offset = 0};
    for (const Expr& term : terms) {
        if (poly::to_affine(term, space).ok()) {
            result.offset = result.offset + term;
            continue;
        }
        result.begin = result.begin + term;
        for (const std::string& name : symbolic::free_symbols(term)) {
            if (std::ranges::find(space.dims, name) == space.dims.end()) continue;
            if (!result.row.empty() && result.row != name) return std::nullopt;
            result.row = name;
        }
    }
    if (result.row.empty() || !is_polynomial(24 * result.begin)) return std::nullopt;
    result.begin = symbolic::substitute(result.begin, {{result.row, symbolic::symbol(kRow)}});
    return result;
}

namespace {

/// The length of a row: where the next one begins, less where it begins.
Expr row_length(const PackedIndex& index, const Expr& row) {
    return row_begin(index, row + 1) - row_begin(index, row);
}
/// By how much each row is longer than the one before, if that is a number and no row is shorter.
bool never_shorter(const PackedIndex& index) {
    const Expr any = symbolic::symbol(kRow);
    const auto growth = (row_length(index, any + 1) - row_length(index, any)).constant();
    return growth && *growth >= 0;
}

/// Is the value at least 0 wherever the statement runs?
bool never_negative(const AccessModel& model, const Statement& statement, const Expr& value) {
    const poly::Space space = space_of(model, statement);
    const auto parts = packed(value, space);
    if (!parts || !never_shorter(*parts)) return false;
    const auto begin = row_begin(*parts, 0).constant();
    if (!begin || *begin < 0) return false;
    for (const Expr& least : {symbolic::symbol(parts->row), row_length(*parts, 0), parts->offset}) {
        const auto below = poly::to_set(symbolic::less(least, 0), space);
        if (!below.ok() ||
            statement.domain.intersect(*below.value).intersect_parameters(model.context).is_empty() != poly::Answer::Yes)
            return false;
    }
    return true;
}

/// The index of the access; of one that counts from the end where it is negative, what it is where it never is.
Expr index_of(const AccessModel& model, const Use& use) {
    const Expr index = poly::without_check(*use.access->index);
    if (index.kind() != symbolic::Kind::Select) return index;
    const Expr& condition = index.operands()[0];
    if (condition.kind() != symbolic::Kind::Less && condition.kind() != symbolic::Kind::LessEqual) return index;
    const Expr excess = condition.operands()[0] - condition.operands()[1];
    const bool never = never_negative(model, *use.statement, condition.kind() == symbolic::Kind::Less ? excess : excess - 1);
    return never ? index.operands()[2] : index;
}

}  // namespace

bool packed_apart(const AccessModel& model, const Use& first, const Use& second, const poly::Map& together) {
    if (!first.access->index || !second.access->index) return false;
    const poly::Space from = space_of(model, *first.statement), to = space_of(model, *second.statement);
    const auto a = packed(index_of(model, first), from), b = packed(index_of(model, second), to);
    // Where no row is shorter than those before, a later one begins at least the length of the earlier one later.
    if (!a || !b || !(a->begin == b->begin) || !never_shorter(*a)) return false;
    const auto length = [&](const Expr& row) { return row_length(*a, row); };
    const Expr v = symbolic::symbol("$a_" + a->row), w = symbolic::symbol("$b_" + b->row);
    const Expr r = marked(a->offset, from, "$a_"), s = marked(b->offset, to, "$b_");
    const std::vector<Expr> meetings = {
        symbolic::logical_and(symbolic::equal(v, w), symbolic::equal(r, s)),
        symbolic::logical_and(symbolic::less(v, w), symbolic::less_equal(length(v), r - s)),
        symbolic::logical_and(symbolic::less(w, v), symbolic::less_equal(length(w), s - r)),
        symbolic::less(length(v), 0),
        symbolic::less(length(w), 0),
    };
    const poly::Map pairs = together.intersect_domain(first.statement->domain)
                                .intersect_range(second.statement->domain)
                                .intersect_parameters(model.context);
    for (const Expr& meeting : meetings) {
        const auto relation = poly::to_relation(meeting, marked(from, "$a_"), marked(to, "$b_"));
        if (!relation.ok() || pairs.intersect(*relation.value).is_empty() != poly::Answer::Yes) return false;
    }
    return true;
}

}  // namespace sluice::analysis
