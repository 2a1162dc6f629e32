// What is known of symbols, and decisions under it: yes, no or unknown, never a guess.
//
// A symbol without an assumption is a positive integer (array sizes, the common case); map parameters and loop variables
// come with the bounds of their range through `assume_in`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "symbolic/expr.h"

namespace sluice::symbolic {

enum class Truth { No, Yes, Unknown };

class Assumptions {
public:
    /// Adds a fact, for example `less_equal(symbol("N"), symbol("M"))`. Facts about a symbol replace its default positivity
    /// only through `assume_any`.
    void assume(const Expr& fact);
    /// The symbol may be any integer: drops the positive default.
    void assume_any(const std::string& symbol);
    /// begin <= symbol < end; drops the positive default. For a map parameter or a loop variable.
    void assume_in(const std::string& symbol, const Expr& begin, const Expr& end);

    const std::vector<Expr>& facts() const { return facts_; }
    bool positive_by_default(const std::string& symbol) const;
    bool operator==(const Assumptions&) const = default;

private:
    std::vector<Expr> facts_;
    std::vector<std::string> any_;
};

/// Decides a boolean expression.
Truth decide(const Expr& condition, const Assumptions& assumptions = {});
/// Smallest and largest value as constants, where one is known.
std::optional<std::int64_t> lower_bound(const Expr& e, const Assumptions& assumptions = {});
std::optional<std::int64_t> upper_bound(const Expr& e, const Assumptions& assumptions = {});

inline bool is_yes(Truth truth) {
    return truth == Truth::Yes;
}
inline bool is_no(Truth truth) {
    return truth == Truth::No;
}

}  // namespace sluice::symbolic
