#pragma once

/// @file
/// Operators of write-conflict resolutions and reductions: which one a lambda means, and the algebra that transformations,
/// analyses and lowering rely on. Stated here once.

#include <cstdint>

#include "code/ast.h"
#include "code/dtype.h"

namespace sluice::code {

/// A write-conflict resolution by meaning. Custom: the lambda is evaluated as it stands.
enum class ReductionType : std::uint8_t {
    Custom,
    Sum,
    Product,
    Min,
    Max,
    LogicalAnd,
    LogicalOr,
    LogicalXor,
    BitwiseAnd,
    BitwiseOr,
    BitwiseXor,
    Sub,
    Div,
    Exchange,
};

/// Recognises `lambda a, b: a + b` and its kin (either operand order where the operator commutes), `min(a, b)`, `b` (Exchange).
ReductionType reduction_type(const Expr& lambda);

/// a . b = b . a, and it is associative: partial results may be combined in any order (but for rounding).
bool is_commutative(ReductionType operation);
/// (x . a) . b = (x . b) . a: updates of one element may change places. Also of differences and quotients.
bool updates_commute(ReductionType operation);

/// The value e with e . x = x for every x of a type.
enum class Identity : std::uint8_t { None, Zero, One, AllOnes, Largest, Smallest };

/// None also where no literal of the type can say it (the largest of uint64), and for logical operators of numbers: they make
/// every operand a truth value.
Identity identity_of(ReductionType operation, const DType& type);

}  // namespace sluice::code
