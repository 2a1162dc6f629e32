#include "symbolic/prover.h"

#include <algorithm>

#include "symbolic/rebuild.h"

namespace sluice::symbolic {

namespace {

constexpr std::size_t kBudget = 150;
constexpr std::size_t kLargestPolynomial = 16;
constexpr std::size_t kLargestCofactor = 2;
constexpr int kCaseSplits = 3;
constexpr int kNesting = 4;

Expr replace_atom(const Expr& e, const Expr& atom, const Expr& by) {
    if (e == atom) return by;
    if (e.kind() != Kind::Add && e.kind() != Kind::Multiply && e.kind() != Kind::Power) return e;
    std::vector<Expr> operands;
    for (const Expr& operand : e.operands()) operands.push_back(replace_atom(operand, atom, by));
    return rebuild(e, operands);
}

// An atom with a value that depends on a case: min, max, select, abs.
std::optional<Expr> case_atom(const Expr& e) {
    for (const Term& term : terms_of(e))
        for (const Factor& factor : factors_of(term.monomial)) {
            const Kind kind = factor.base.kind();
            if (kind == Kind::Minimum || kind == Kind::Maximum || kind == Kind::Select) return factor.base;
            if (kind == Kind::Call && factor.base.name() == "abs") return factor.base;
        }
    return std::nullopt;
}

struct Case {
    Expr value;
    std::vector<Expr> conditions;
};

std::vector<Case> cases_of(const Expr& atom) {
    const auto operands = atom.operands();
    if (atom.kind() == Kind::Select) return {{operands[1], {operands[0]}}, {operands[2], {logical_not(operands[0])}}};
    if (atom.kind() == Kind::Call)
        return {{operands[0], {less_equal(0, operands[0])}}, {-operands[0], {less_equal(operands[0], 0)}}};
    std::vector<Case> cases;
    for (const Expr& chosen : operands) {
        Case each{chosen, {}};
        for (const Expr& other : operands)
            if (other != chosen)
                each.conditions.push_back(atom.kind() == Kind::Minimum ? less_equal(chosen, other) : less_equal(other, chosen));
        cases.push_back(std::move(each));
    }
    return cases;
}

std::optional<Number> sum_bound(const std::optional<Number>& a, const std::optional<Number>& b) {
    if (!a || !b) return std::nullopt;
    return *a + *b;
}

}  // namespace

void Monomial::push_back(Factor factor) {
    if (size_ == few_.size()) many_.assign(few_.begin(), few_.end());
    if (size_ < few_.size())
        few_[size_] = factor;
    else
        many_.push_back(factor);
    ++size_;
}

bool Monomial::operator==(const Monomial& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
}

bool Monomial::operator<(const Monomial& other) const {
    return std::lexicographical_compare(begin(), end(), other.begin(), other.end());
}

std::size_t Monomial::hash() const {
    std::size_t hash = size_;
    for (const auto& [atom, exponent] : *this) hash = (hash * 31 + atom) * 31 + static_cast<std::size_t>(exponent);
    return hash;
}

void SortedPolynomial::add(const Monomial& monomial, const Number& coefficient) {
    if (coefficient.is_zero()) return;
    const auto at = std::lower_bound(terms_.begin(), terms_.end(), monomial,
                                     [](const Term& term, const Monomial& wanted) { return term.first < wanted; });
    if (at == terms_.end() || !(at->first == monomial)) {
        terms_.emplace(at, monomial, coefficient);
        return;
    }
    at->second = at->second + coefficient;
    if (at->second.is_zero()) terms_.erase(at);
}

std::size_t SortedPolynomial::Hash::operator()(const SortedPolynomial& polynomial) const {
    std::size_t hash = polynomial.size();
    for (const auto& [monomial, coefficient] : polynomial)
        hash = (hash * 1000003 + monomial.hash()) * 1000003 + static_cast<std::size_t>(coefficient.numerator());
    return hash;
}

Prover::Prover(const Assumptions& assumptions) : assumptions_(assumptions) {
    for (const Expr& fact : assumptions.facts()) add_fact(fact);
}

void Prover::add_fact(const Expr& condition) {
    const auto operands = condition.operands();
    switch (condition.kind()) {
        case Kind::And:
            for (const Expr& operand : operands) add_fact(operand);
            break;
        case Kind::Equal:
            add_inequality(operands[0] - operands[1]);
            add_inequality(operands[1] - operands[0]);
            break;
        case Kind::Less: {
            const Expr difference = operands[1] - operands[0];
            add_inequality(is_integral(difference) ? difference - 1 : difference);
            break;
        }
        case Kind::LessEqual:
            add_inequality(operands[1] - operands[0]);
            break;
        default:
            break;
    }
}

void Prover::add_inequality(const Expr& at_least_zero) {
    if (has_real(terms_of(at_least_zero))) return;
    Polynomial fact = polynomial(at_least_zero);
    tighten(fact);
    facts_.push_back(std::move(fact));
}

// k*x + c >= 0 bounds the atom x.
void Prover::tighten(const Polynomial& fact) {
    const Monomial* variable = nullptr;
    Number k, c;
    for (const auto& [monomial, coefficient] : fact) {
        if (monomial.empty()) {
            c = coefficient;
        } else {
            if (variable || monomial.size() != 1 || monomial[0].second != 1) return;
            variable = &monomial;
            k = coefficient;
        }
    }
    if (!variable) return;
    Number bound = (-c) / k;
    const std::uint32_t index = (*variable)[0].first;
    bounds(index);
    Interval& known = atoms_[index].bounds;
    const bool integral = is_integral(atoms_[index].e);
    if (k.sign() > 0) {
        if (integral) bound = -Number((-bound).floor());
        if (!known.low || known.low->compare(bound) < 0) known.low = bound;
    } else {
        if (integral) bound = bound.floor();
        if (!known.high || known.high->compare(bound) > 0) known.high = bound;
    }
}

std::uint32_t Prover::atom(const Expr& e) {
    const auto [at, added] = index_.try_emplace(e, static_cast<std::uint32_t>(atoms_.size()));
    const std::uint32_t index = at->second;
    if (added) {
        atoms_.push_back({e, {}, false, false});
        if (describing_ < kNesting) {
            ++describing_;
            describe(e);
            --describing_;
        }
    }
    return index;
}

// The inequalities that define an atom.
void Prover::describe(const Expr& e) {
    const auto operands = e.operands();
    switch (e.kind()) {
        case Kind::FloorDivide:
            describe_quotient(e);
            break;
        case Kind::Modulo: {
            if (!operands[1].is_integer() && above(operands[1], 0)) {
                add_inequality(e);
                if (is_integral(e)) add_inequality(operands[1] - 1 - e);
            }
            const Expr quotient = floor_divide(operands[0], operands[1]);
            const bool finite = !operands[1].is_integer(0) && quotient.kind() == Kind::FloorDivide;
            if (finite && operands[0] == quotient.operands()[0]) {  // a == b * (a // b) + a % b
                add_inequality(operands[0] - quotient * operands[1] - e);
                add_inequality(e + quotient * operands[1] - operands[0]);
            }
            if (above(operands[0], -1) && above(operands[1], 0)) add_inequality(operands[0] - e);
            break;
        }
        case Kind::Minimum:
            for (const Expr& operand : operands) add_inequality(operand - e);
            break;
        case Kind::Maximum:
            for (const Expr& operand : operands) add_inequality(e - operand);
            break;
        default:
            break;
    }
}

// b * q <= a <= b * q + b - 1 for q = a // b and b > 0.
void Prover::describe_quotient(const Expr& quotient) {
    const Expr& a = quotient.operands()[0];
    const Expr& b = quotient.operands()[1];
    if (!above(b, 0)) return;
    add_inequality(a - b * quotient);
    const bool integral = is_integral(a) && is_integral(b);
    add_inequality(b * quotient + b - (integral ? 1 : 0) - a);
}

Monomial Prover::times(const Monomial& a, const Monomial& b) {
    if (a.empty() || b.empty()) return a.empty() ? b : a;
    Monomial result;
    auto left = a.begin(), right = b.begin();
    while (left != a.end() || right != b.end()) {
        if (right == b.end() || (left != a.end() && left->first < right->first)) {
            result.push_back(*left++);
        } else if (left == a.end() || right->first < left->first) {
            result.push_back(*right++);
        } else {
            result.push_back({left->first, checked_add(left->second, right->second)});
            ++left;
            ++right;
        }
    }
    return result;
}

std::optional<Monomial> Prover::quotient(const Monomial& a, const Monomial& b) {
    Monomial result;
    auto divisor = b.begin();
    for (const auto& [atom, exponent] : a) {
        if (divisor != b.end() && divisor->first < atom) return std::nullopt;
        const bool divides = divisor != b.end() && divisor->first == atom;
        if (divides && exponent < divisor->second) return std::nullopt;
        const std::int64_t rest = divides ? exponent - (divisor++)->second : exponent;
        if (rest != 0) result.push_back({atom, rest});
    }
    if (divisor != b.end()) return std::nullopt;
    return result;
}

Prover::Polynomial Prover::add_scaled(const Polynomial& a, const Polynomial& b, const Monomial& shift, const Number& by) {
    Polynomial result;
    result.reserve(a.size() + b.size());
    result = a;
    for (const auto& [monomial, coefficient] : b) result.add(times(monomial, shift), coefficient * by);
    return result;
}

Prover::Polynomial Prover::polynomial(const Expr& e) {
    Polynomial result;
    for (const Term& term : terms_of(e)) {
        Monomial monomial;
        for (const Factor& factor : factors_of(term.monomial)) {
            const bool plain = factor.exponent > 0;
            const Expr base = plain ? factor.base : power(factor.base, Expr(factor.exponent));
            monomial = times(monomial, {atom(base), plain ? factor.exponent : 1});
        }
        result.add(monomial, term.coefficient);
    }
    return result;
}

const Prover::Interval& Prover::bounds(std::uint32_t index) {
    static const Interval kUnknown;
    if (atoms_[index].bounding) return kUnknown;
    if (!atoms_[index].bounded) {
        atoms_[index].bounding = true;
        const Expr e = atoms_[index].e;
        const Interval computed = describing_ < 2 * kNesting ? intrinsic_bounds(e) : Interval{};
        atoms_[index].bounding = false;
        atoms_[index].bounded = true;
        atoms_[index].bounds = computed;
    }
    return atoms_[index].bounds;
}

Prover::Interval Prover::interval(const Expr& e) {
    ++describing_;
    Interval result;
    if (!has_real(terms_of(e))) {
        result.low = constant_lower(polynomial(e));
        if (const auto high = constant_lower(polynomial(-e))) result.high = -*high;
    }
    --describing_;
    return result;
}

// By the bounds of the atoms alone: cheap enough to be asked for every atom.
bool Prover::above(const Expr& e, std::int64_t limit) {
    const Interval range = interval(e);
    return range.low && range.low->compare(limit) > 0;
}

Prover::Interval Prover::extremum_bounds(const Expr& e) {
    const auto operands = e.operands();
    const bool least = e.kind() == Kind::Minimum;
    Interval result = interval(operands[0]);
    for (const Expr& operand : operands.subspan(1)) {
        const Interval other = interval(operand);
        const auto both = [](const auto& a, const auto& b, int keep) {
            return a && b ? (a->compare(*b) * keep > 0 ? a : b) : std::nullopt;
        };
        const auto either = [](const auto& a, const auto& b, int keep) {
            return a && b ? (a->compare(*b) * keep > 0 ? a : b) : a ? a : b;
        };
        result.low = least ? both(result.low, other.low, -1) : either(result.low, other.low, 1);
        result.high = least ? either(result.high, other.high, -1) : both(result.high, other.high, 1);
    }
    return result;
}

Prover::Interval Prover::intrinsic_bounds(const Expr& e) {
    const auto operands = e.operands();
    if (is_truth_valued(e)) return {0, 1};
    switch (e.kind()) {
        case Kind::Symbol:
            return assumptions_.positive_by_default(e.name()) ? Interval{1, {}} : Interval{};
        case Kind::FloorDivide: {
            const Interval a = interval(operands[0]), b = interval(operands[1]);
            if (!b.low || b.low->sign() <= 0 || (b.high && b.high->sign() <= 0)) return {};  // a case that never is may be both
            Interval result;  // a / b is farthest from 0 for the smallest b
            if (a.low) result.low = a.low->sign() < 0 ? (*a.low / *b.low).floor() : b.high ? (*a.low / *b.high).floor() : 0;
            if (a.high) result.high = a.high->sign() >= 0 ? (*a.high / *b.low).floor() : b.high ? (*a.high / *b.high).floor() : -1;
            return result;
        }
        case Kind::Modulo: {
            const Interval a = interval(operands[0]), b = interval(operands[1]);
            if (!b.low || b.low->sign() <= 0) return {};
            Interval result{0, b.high};
            if (result.high && is_integral(e)) result.high = *result.high - 1;
            if (a.low && a.low->sign() >= 0 && a.high && (!result.high || a.high->compare(*result.high) < 0)) result.high = a.high;
            return result;
        }
        case Kind::Minimum:
        case Kind::Maximum:
            return extremum_bounds(e);
        case Kind::Select: {
            const Interval a = interval(operands[1]), b = interval(operands[2]);
            Interval result;
            if (a.low && b.low) result.low = a.low->compare(*b.low) < 0 ? a.low : b.low;
            if (a.high && b.high) result.high = a.high->compare(*b.high) > 0 ? a.high : b.high;
            return result;
        }
        case Kind::Power: {
            const Interval base = interval(operands[0]), exponent = interval(operands[1]);
            const bool reciprocal = operands[1].is_integer() && operands[1].integer() < 0;
            if (base.low && base.low->sign() > 0 && reciprocal)
                return {0, base.low->compare(1) >= 0 ? std::optional<Number>(1) : std::nullopt};
            if (base.low && base.low->compare(1) >= 0 && exponent.low && exponent.low->sign() >= 0) return {1, {}};
            return {};
        }
        case Kind::Call:
            return e.name() == "abs" ? Interval{0, {}} : Interval{};
        default:
            return {};
    }
}

bool Prover::non_negative_monomial(const Monomial& monomial) {
    return std::all_of(monomial.begin(), monomial.end(), [&](const auto& factor) {
        const Interval& range = bounds(factor.first);
        return factor.second % 2 == 0 || (range.low && range.low->sign() >= 0);
    });
}

// p over atoms moved so that each bounded one starts at 0: x = low + x' or x = high - x', x' >= 0.
Prover::Polynomial Prover::shifted(const Polynomial& p) {
    Polynomial result;
    for (const auto& [monomial, coefficient] : p) {
        Polynomial product;
        product.add({}, coefficient);
        for (const auto& [index, exponent] : monomial) {
            const Interval& range = bounds(index);
            const Monomial variable(index, 1);
            const std::optional<Number> origin = range.low ? range.low : range.high;
            if (!origin || origin->is_zero() || exponent > 4) {
                const Number sign = !range.low && range.high && exponent % 2 == 1 ? -1 : 1;
                const bool movable = !origin || origin->is_zero();
                if (!movable && range.low && range.low->sign() < 0) return {};
                product = add_scaled({}, product, {index, exponent}, movable ? sign : Number(1));
                continue;
            }
            for (std::int64_t i = 0; i < exponent; ++i)
                product = add_scaled(add_scaled({}, product, {}, *origin), product, variable, range.low ? 1 : -1);
        }
        for (const auto& [part, k] : product) result.add(part, k);
    }
    return result;
}

std::optional<Number> Prover::constant_lower(const Polynomial& p) {
    for (const auto& [monomial, coefficient] : p) {
        if (coefficient.is_real()) return std::nullopt;
        for (const auto& [index, exponent] : monomial) {
            const Interval range = bounds(index);
            if (!range.low && !range.high && exponent % 2 == 1) return std::nullopt;
            if (exponent > 4) return std::nullopt;
        }
    }
    std::optional<Number> low = Number(0);
    for (const auto& [monomial, coefficient] : shifted(p)) {
        if (monomial.empty()) {
            low = sum_bound(low, coefficient);
            continue;
        }
        if (coefficient.sign() > 0) continue;
        Number width = coefficient;
        for (const auto& [index, exponent] : monomial) {
            const Interval& range = bounds(index);
            if (!range.low || !range.high) return std::nullopt;
            width = width * *power(*range.high - *range.low, exponent);
        }
        low = sum_bound(low, width);
    }
    return low;
}

// A polynomial below the one in question: its constant bound counts, and so will those of its own successors.
void Prover::reach(Polynomial p, Search& state) {
    if (p.size() > kLargestPolynomial || state.seen.size() >= kBudget) return;
    const auto [at, added] = state.seen.insert(std::move(p));
    if (!added) return;
    if (const auto low = constant_lower(*at); low && (!state.best || low->compare(*state.best) > 0)) state.best = low;
    state.open.push_back(&*at);
}

void Prover::cancel_terms(const Polynomial& p, bool negative, Search& state) {
    const std::size_t known_facts = facts_.size();  // bounds of atoms that turn up meanwhile may add facts
    for (const auto& [monomial, coefficient] : p) {
        if (monomial.empty() || (coefficient.sign() < 0) != negative) continue;
        for (std::size_t i = 0; i < known_facts; ++i)
            for (const auto& [known, k] : facts_[i]) {
                if (known.empty() || (k.sign() < 0) != negative) continue;
                const std::optional<Monomial> cofactor = quotient(monomial, known);
                if (!cofactor || cofactor->size() > kLargestCofactor || !non_negative_monomial(*cofactor)) continue;
                reach(add_scaled(p, facts_[i], *cofactor, -(coefficient / k)), state);
                if (state.reached()) return;
            }
    }
}

void Prover::search(Search& state) {
    while (!state.open.empty() && !state.reached() && state.seen.size() < kBudget) {
        const Polynomial& p = *state.open.front();
        state.open.pop_front();
        for (const bool negative : {true, false}) cancel_terms(p, negative, state);
    }
}

std::optional<Number> Prover::lower_with_cases(const Expr& e, std::optional<Number> target, int splits) {
    if (has_real(terms_of(e))) return std::nullopt;
    const Polynomial p = polynomial(e);
    Search state;
    state.target = target;
    reach(p, state);
    search(state);
    if (state.reached() || splits == 0) return state.best;
    const std::optional<Expr> atom_expr = case_atom(e);
    if (!atom_expr) return state.best;
    std::optional<Number> least;
    for (const Case& each : cases_of(*atom_expr)) {
        Prover branch(*this);
        for (const Expr& condition : each.conditions) branch.add_fact(condition);
        const auto low = branch.lower_with_cases(replace_atom(e, *atom_expr, each.value), target, splits - 1);
        if (!low) return state.best;  // this case has no bound
        if (!least || low->compare(*least) < 0) least = low;
    }
    return state.best && state.best->compare(*least) > 0 ? state.best : least;
}

std::optional<Number> Prover::lower(const Expr& e, std::optional<Number> target) {
    try {
        return lower_with_cases(e, target, kCaseSplits);
    } catch (Overflow) {
        return std::nullopt;
    }
}

bool Prover::positive_by(const Expr& e, bool strict) {
    if (e.is_integer()) return e.integer() >= (strict ? 1 : 0);
    // Over integers e >= 0 follows from e > -1; a fractional target keeps bounds that are not whole useful.
    const bool integral = is_integral(e);
    const Number target = integral ? Number::ratio(strict ? 1 : -1, 2) : Number(0);
    const auto low = lower(e, target);
    if (!low) return false;
    const Number threshold = integral ? Number(strict ? 0 : -1) : Number(0);
    const int order = low->compare(threshold);
    return order > 0 || (order == 0 && !integral && !strict);
}

bool Prover::non_negative(const Expr& e) {
    return positive_by(e, false);
}

bool Prover::positive(const Expr& e) {
    return positive_by(e, true);
}

}  // namespace sluice::symbolic
