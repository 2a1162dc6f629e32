// Assumptions and three-valued decisions. A condition is decided by its own form: comparisons by bounds of the difference of their
// sides, connectives by their operands, anything else by the facts as they stand.
#include <algorithm>
#include <limits>
#include <unordered_map>

#include "symbolic/assumptions.h"
#include "symbolic/prover.h"

namespace sluice::symbolic {

namespace {

constexpr int kConnectiveDepth = 4;

Truth negate(Truth truth) {
    return truth == Truth::Unknown ? truth : truth == Truth::Yes ? Truth::No : Truth::Yes;
}

class Decider {
public:
    explicit Decider(const Assumptions& assumptions) : assumptions_(assumptions), prover_(assumptions) {}

    Truth decide(const Expr& condition, int depth = 0) {
        if (condition.kind() == Kind::Boolean) return condition.integer() ? Truth::Yes : Truth::No;
        if (states(condition)) return Truth::Yes;
        if (states(logical_not(condition))) return Truth::No;
        const auto operands = condition.operands();
        switch (condition.kind()) {
            case Kind::Less:
                return ordered(operands[1] - operands[0], true);
            case Kind::LessEqual:
                return ordered(operands[1] - operands[0], false);
            case Kind::Equal:
                return equal(operands[0] - operands[1]);
            case Kind::Not:
                return negate(decide(operands[0], depth));
            case Kind::And:
                return conjunction(condition, depth);
            case Kind::Or:
                return negate(conjunction(logical_not(condition), depth));
            case Kind::Select:
                return selection(condition, depth);
            default:
                return is_number(condition) ? (number_of(condition).sign() ? Truth::Yes : Truth::No) : Truth::Unknown;
        }
    }

private:
    bool states(const Expr& condition) const {
        return std::find(assumptions_.facts().begin(), assumptions_.facts().end(), condition) != assumptions_.facts().end();
    }

    Truth ordered(const Expr& difference, bool strict) {
        if (strict ? prover_.positive(difference) : prover_.non_negative(difference)) return Truth::Yes;
        if (strict ? prover_.non_negative(-difference) : prover_.positive(-difference)) return Truth::No;
        return Truth::Unknown;
    }

    Truth equal(const Expr& difference) {
        if (difference.is_integer(0)) return Truth::Yes;
        if (prover_.positive(difference) || prover_.positive(-difference)) return Truth::No;
        if (prover_.non_negative(difference) && prover_.non_negative(-difference)) return Truth::Yes;
        return Truth::Unknown;
    }

    // Each operand may rely on the others: where one of those fails, the conjunction is false anyway.
    Truth conjunction(const Expr& condition, int depth) {
        if (condition.kind() != Kind::And) return decide(condition, depth);
        bool all = true;
        for (const Expr& operand : condition.operands()) {
            const Truth own = decide(operand, depth + 1);
            if (is_no(own)) return Truth::No;
            all = all && is_yes(own);
        }
        if (all) return Truth::Yes;
        if (depth >= kConnectiveDepth) return Truth::Unknown;
        for (const Expr& operand : condition.operands()) {
            Assumptions others = assumptions_;
            for (const Expr& other : condition.operands())
                if (other != operand) others.assume(other);
            if (is_no(Decider(others).decide(operand, depth + 1))) return Truth::No;
        }
        return Truth::Unknown;
    }

    Truth selection(const Expr& e, int depth) {
        const auto operands = e.operands();
        const Truth test = decide(operands[0], depth);
        if (test != Truth::Unknown) return decide(operands[is_yes(test) ? 1 : 2], depth);
        if (depth >= kConnectiveDepth) return Truth::Unknown;
        Assumptions if_true = assumptions_, if_false = assumptions_;
        if_true.assume(operands[0]);
        if_false.assume(logical_not(operands[0]));
        const Truth left = Decider(if_true).decide(operands[1], depth + 1);
        return left == Decider(if_false).decide(operands[2], depth + 1) ? left : Truth::Unknown;
    }

    const Assumptions& assumptions_;
    Prover prover_;
};

/// Answers of decide() by question. Analyses of one graph ask the same again and again, and "unknown" takes the whole budget.
class Memo {
public:
    struct Question {
        Expr condition;
        Assumptions assumptions;
        bool operator==(const Question&) const = default;
    };

    template <class Answer> Truth find_or(const Question& question, const Answer& answer) {
        if (const auto at = answers_.find(question); at != answers_.end()) return at->second;
        const Truth truth = answer();
        if (answers_.size() >= kMost) answers_.clear();
        answers_.emplace(question, truth);
        return truth;
    }

private:
    static constexpr std::size_t kMost = 1 << 15;

    struct Hash {
        std::size_t operator()(const Question& question) const {
            std::size_t hash = question.condition.hash();
            for (const Expr& fact : question.assumptions.facts()) hash = hash * 31 + fact.hash();
            return hash;
        }
    };
    std::unordered_map<Question, Truth, Hash> answers_;
};

/// Of which the integer is the largest or smallest; itself alone if it says nothing of that kind. Python's `max(a, b)` is
/// `a if b < a else b`.
std::vector<Expr> extremes_of(const Expr& e, Kind kind) {
    if (e.kind() == kind) return {e.operands().begin(), e.operands().end()};
    if (e.kind() != Kind::Select) return {e};
    const Expr condition = e.operands()[0], chosen = e.operands()[1], otherwise = e.operands()[2];
    const bool strict = condition.kind() == Kind::Less;
    if (!strict && condition.kind() != Kind::LessEqual) return {e};
    const Expr below = condition.operands()[0] - condition.operands()[1];  // Less than 0, or at most 0, where the first is chosen.
    const auto beyond = (kind == Kind::Minimum ? chosen - otherwise - below : otherwise - chosen - below).constant();
    const bool holds = beyond && (*beyond == 0 || *beyond == (strict ? 1 : -1));
    return holds ? std::vector<Expr>{chosen, otherwise} : std::vector<Expr>{e};
}

}  // namespace

void Assumptions::assume(const Expr& fact) {
    if (fact.kind() == Kind::And) {
        for (const Expr& operand : fact.operands()) assume(operand);
        return;
    }
    if (fact.kind() == Kind::Boolean && fact.integer() != 0) return;
    if (std::find(facts_.begin(), facts_.end(), fact) == facts_.end()) facts_.push_back(fact);
}

void Assumptions::assume_any(const std::string& symbol) {
    if (positive_by_default(symbol)) any_.push_back(symbol);
}

void Assumptions::assume_in(const std::string& symbol, const Expr& begin, const Expr& end) {
    assume_any(symbol);
    const Expr value = sluice::symbolic::symbol(symbol);
    assume(less_equal(begin, value));
    assume(less(value, end));
    // At least the largest of several, less than the smallest: so it is to each of them.
    for (const Expr& one : extremes_of(begin, Kind::Maximum)) assume(less_equal(one, value));
    for (const Expr& one : extremes_of(end, Kind::Minimum)) assume(less(value, one));
}

bool Assumptions::positive_by_default(const std::string& symbol) const {
    return std::find(any_.begin(), any_.end(), symbol) == any_.end();
}

Truth decide(const Expr& condition, const Assumptions& assumptions) {
    if (condition.kind() == Kind::Boolean) return condition.integer() ? Truth::Yes : Truth::No;
    thread_local Memo memo;
    return memo.find_or({condition, assumptions}, [&] {
        try {
            return Decider(assumptions).decide(condition);
        } catch (Overflow) {
            return Truth::Unknown;
        }
    });
}

std::optional<std::int64_t> lower_bound(const Expr& e, const Assumptions& assumptions) {
    if (const auto value = e.constant()) return value;
    try {
        const auto low = Prover(assumptions).lower(e);
        if (!low) return std::nullopt;
        return is_integral(e) ? -(-*low).floor() : low->floor();
    } catch (Overflow) {
        return std::nullopt;
    }
}

std::optional<std::int64_t> upper_bound(const Expr& e, const Assumptions& assumptions) {
    const auto low = lower_bound(-e, assumptions);
    if (!low || *low == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
    return -*low;
}

}  // namespace sluice::symbolic
