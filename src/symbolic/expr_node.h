// The node behind an Expr and the intern table that makes equal nodes one object. Private to the room.
//
// A node is immutable and immortal. Its identity is (kind, opaque, integer, denominator, name, operands); everything else is
// derived.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "symbolic/expr.h"
#include "symbolic/number.h"

namespace sluice::symbolic {

struct Node {
    Kind kind;
    /// An Add, Multiply or Power whose constants would have left 64 bits: kept as written, an atom to polynomial arithmetic.
    bool opaque;
    /// The value is an integer whatever integers its symbols are.
    bool integral;
    std::uint32_t operand_count;
    std::size_t hash;
    std::int64_t integer;  ///< Also the bits of a Real.
    std::int64_t denominator;
    const std::string* name;
    const Expr* operands;
    std::uint64_t symbol_mask;  ///< Bloom filter of the free symbols.
    const Node* monomial;       ///< Of a Multiply with a constant coefficient: the product without it. Else null.
};

struct NodeKey {
    Kind kind;
    bool opaque = false;
    std::int64_t integer = 0;
    std::int64_t denominator = 1;
    const std::string* name = nullptr;
    std::span<const Expr> operands = {};
    const Node* monomial = nullptr;
};

/// The one node with this identity. Thread-safe.
Expr intern(const NodeKey& key);
const std::string* intern_name(std::string_view name);
std::uint64_t symbol_bit(std::string_view name);

inline Expr intern(Kind kind, std::span<const Expr> operands) {
    return intern(NodeKey{.kind = kind, .operands = operands});
}
inline Expr intern(Kind kind, const Expr& a, const Expr& b) {
    const Expr operands[] = {a, b};
    return intern(kind, operands);
}

/// Integer, Rational, Real or Boolean.
bool is_number(const Expr& e);
/// Of a number; a Boolean counts as 0 or 1.
Number number_of(const Expr& e);
Expr constant(const Number& value);
/// A boolean by construction: constant, comparison or connective.
bool is_truth_valued(const Expr& e);
inline bool is_integral(const Expr& e) {
    return e.node()->integral;
}
inline bool is_opaque(const Expr& e) {
    return e.node()->opaque;
}

/// Three-way form of canonical_less.
int canonical_compare(const Expr& a, const Expr& b);

}  // namespace sluice::symbolic
