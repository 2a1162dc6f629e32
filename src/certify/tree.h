// What an instance of a statement computes, as an expression tree in one form for all ways of writing it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "code/infer.h"
#include "symbolic/expr.h"

namespace sluice::certify {

struct Tree;
using TreePtr = std::shared_ptr<const Tree>;

/// Trees are distinguished by their address: a place in one program. Indices and values are in terms of the iterators of the
/// assignment that the tree belongs to, and of parameters.
struct Tree {
    enum class Kind {
        Read,      ///< `container[indices]`, as it is when the assignment runs.
        After,     ///< The same, as the assignment, an update of it, leaves it.
        Constant,  ///< A number; `name` is its text.
        Index,     ///< The value of `indices[0]`.
        Apply,     ///< The operator or function `name` of the operands.
        Operand,   ///< All elements of a library node's operand: the value of assignment `operand`, for each of its positions.
        Input,     ///< `container[indices]` as it was before the program began. Of reads that nobody wrote; made by Sources.
        Fold,      ///< The operator `name` over updates and what stood there before. Of reads after updates; made by Sources.
        Unknown,   ///< `name` says why it is not known.
    } kind = Kind::Unknown;
    std::size_t owner = 0;  ///< The assignment whose iterators it is written in.
    std::string name = {};
    std::string container = {};
    std::vector<symbolic::Expr> indices = {};
    std::vector<TreePtr> operands = {};
    std::size_t operand = 0;
    code::Type type = {};
};

/// `add(mul(A[i, k], B[k, j]), 1)`, without what reads stand for.
std::string to_string(const Tree& tree);

}  // namespace sluice::certify
