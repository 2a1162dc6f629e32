// Immutable, hash-consed symbolic expressions in canonical form.
//
// Two expressions that are equal as polynomials over their atoms are the same object, so `==` is a pointer comparison:
// N*2 - N + 1 == N + 1. Integers are exact: an operation whose constant would leave 64 bits stays unfolded, and evaluation
// reports overflow. Symbols stand for integers; element reads, members and calls of unknown functions may be real, so `A[i] < B[i]`
// is not rewritten as `A[i] + 1 <= B[i]`. `true_divide` is exact rational division; `floor_divide` and `modulo` follow Python
// (round to minus infinity, the sign of the divisor). Expressions live as long as the process and are safe to use from many
// threads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace sluice::symbolic {

enum class Kind : std::uint8_t {
    Integer,      // integer()
    Rational,     // integer() / denominator(), reduced, denominator > 1
    Real,         // real()
    Boolean,      // integer() is 0 or 1
    Symbol,       // name()
    Add,          // sum of operands; at most one constant, first
    Multiply,     // product of operands; at most one constant, first
    Power,        // operands: base, exponent
    FloorDivide,  // operands: dividend, divisor
    Modulo,       // operands: dividend, divisor
    Minimum,      // operands sorted, flattened, at least two
    Maximum,
    Equal,      // operands: left, right; the other comparisons are rewritten to these three and Not
    Less,       // left < right
    LessEqual,  // left <= right
    And,        // operands sorted, flattened, at least two
    Or,
    Not,
    Select,  // operands: condition, value if true, value if false
    Call,    // name(operands): an uninterpreted function, kept verbatim. `Subscript`, `Attr`: element and member reads
};

struct Node;  // expr_node.h, private to the room

class Expr {
public:
    /// The integer 0.
    Expr();
    Expr(std::int64_t value);  // NOLINT: an integer is an expression
    Expr(int value) : Expr(static_cast<std::int64_t>(value)) {}
    explicit Expr(const Node* node) : node_(node) {}

    Kind kind() const;
    std::span<const Expr> operands() const;
    /// Value of an Integer or Boolean, numerator of a Rational.
    std::int64_t integer() const;
    std::int64_t denominator() const;
    double real() const;
    /// Name of a Symbol or a Call.
    const std::string& name() const;

    bool is_integer() const { return kind() == Kind::Integer; }
    bool is_integer(std::int64_t value) const { return is_integer() && integer() == value; }
    bool is_symbol() const { return kind() == Kind::Symbol; }
    bool is_symbol(std::string_view name) const;
    /// The value if this is an integer constant.
    std::optional<std::int64_t> constant() const;

    bool operator==(const Expr& other) const { return node_ == other.node_; }
    std::size_t hash() const { return std::hash<const void*>{}(node_); }
    const Node* node() const { return node_; }

private:
    static Expr integer_constant(std::int64_t value);
    const Node* node_;
};

/// A total order that does not depend on addresses: the same in every run. Constants first, then by structure.
bool canonical_less(const Expr& a, const Expr& b);

// ---- construction -------------------------------------------------------------------------------------------------------
Expr integer(std::int64_t value);
Expr rational(std::int64_t numerator, std::int64_t denominator);
Expr real(double value);
Expr boolean(bool value);
Expr symbol(std::string_view name);

Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator-(const Expr& a);
Expr operator*(const Expr& a, const Expr& b);
Expr true_divide(const Expr& a, const Expr& b);
Expr floor_divide(const Expr& a, const Expr& b);
Expr ceil_divide(const Expr& a, const Expr& b);
Expr modulo(const Expr& a, const Expr& b);
Expr power(const Expr& base, const Expr& exponent);
Expr minimum(const Expr& a, const Expr& b);
Expr maximum(const Expr& a, const Expr& b);
/// Of at least one.
Expr minimum(std::span<const Expr> operands);
Expr maximum(std::span<const Expr> operands);
Expr equal(const Expr& a, const Expr& b);
Expr not_equal(const Expr& a, const Expr& b);
Expr less(const Expr& a, const Expr& b);
Expr less_equal(const Expr& a, const Expr& b);
Expr logical_and(const Expr& a, const Expr& b);
Expr logical_or(const Expr& a, const Expr& b);
Expr logical_not(const Expr& a);
Expr select(const Expr& condition, const Expr& if_true, const Expr& if_false);
/// Known names fold (`floor`, `ceiling`, `abs`, `int_floor`, `int_ceil`, `Min`, `Max`, `Mod`, ...); others stay verbatim.
Expr call(std::string_view name, std::vector<Expr> arguments);

// ---- use ----------------------------------------------------------------------------------------------------------------
/// Names of all symbols, sorted.
std::set<std::string> free_symbols(const Expr& e);
bool depends_on(const Expr& e, std::string_view symbol);
using Substitution = std::map<std::string, Expr, std::less<>>;
/// Simultaneous replacement of symbols.
Expr substitute(const Expr& e, const Substitution& replacement);

/// Values of symbols, and optionally of calls that evaluation meets. An element read `A[i, j]` asks for "A" with the indices, a
/// member read `s.x` for "s.x" without arguments, any other call for its name with its arguments.
struct Environment {
    std::function<std::optional<std::int64_t>(const std::string&)> symbol;
    std::function<std::optional<std::int64_t>(const std::string&, std::span<const std::int64_t>)> call;
};
/// Value in 64-bit integers. Errors: S001 overflow, S002 division by zero, S003 unbound symbol, S004 not an integer,
/// S005 unknown function.
Result<std::int64_t> evaluate(const Expr& e, const Environment& environment);
Result<std::int64_t> evaluate(const Expr& e, const std::map<std::string, std::int64_t>& symbols);

/// Python text, minimal parentheses: `2*N + 1`, `N//2`, `min(N, M)`, `i if i < N else 0`. parse(print(e)) == e.
std::string to_string(const Expr& e);
/// C++ text in 64-bit integers. Floor division and modulo print as calls of `sluice_floor_div` / `sluice_floor_mod` unless the
/// operands are known non-negative under `assumptions` (then `/` and `%`). Minima, maxima, powers and absolute values print as
/// `sluice_min`, `sluice_max`, `sluice_ipow`, `sluice_abs` (runtime/integer.h). Rational coefficients print as one exact division
/// by their common denominator: the value must be an integer where it is used as one. Real subexpressions print in double.
class Assumptions;
std::string to_cpp(const Expr& e, const Assumptions& assumptions);

/// Parses the Python expression subset of to_string (plus `/`, `**`, `%`, calls, comparisons, `and or not`, conditionals,
/// subscripts `A[i, j]` as Call "Subscript", attributes `s.x` as Call "Attr"). Error S010 with the column in Span.
Result<Expr> parse(std::string_view text);

}  // namespace sluice::symbolic

template <> struct std::hash<sluice::symbolic::Expr> {
    std::size_t operator()(const sluice::symbolic::Expr& e) const noexcept { return e.hash(); }
};
