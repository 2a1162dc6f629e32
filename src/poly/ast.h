// Loops, conditions and calls that run a schedule: what isl's code generator makes of a tree, as a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poly/schedule.h"
#include "symbolic/expr.h"

namespace sluice::poly {

/// For: `children[0]` for variable = begin, begin + step, ... below end. If: `children[0]` where the condition holds,
/// `children[1]`, if there is one, elsewhere. Block: the children one after the other. Call: the instance of a statement at the
/// arguments.
struct AstNode {
    enum class Kind : std::uint8_t { For, If, Block, Call };
    Kind kind = Kind::Block;
    std::string variable = {};
    symbolic::Expr begin = 0, end = 0;
    std::int64_t step = 1;
    bool parallel = false;   ///< Of a For: no dependence leads from one iteration to another.
    unsigned dimension = 0;  ///< Of a For: of the schedule.
    symbolic::Expr condition = 0;
    std::string statement = {};
    std::vector<symbolic::Expr> arguments = {};
    std::vector<AstNode> children = {};
};

struct AstQuestion {
    Schedule schedule;
    Set context;           ///< What holds of the parameters.
    UnionMap dependences;  ///< Decide which loops are parallel.
    std::string prefix;    ///< Variables are called prefix0, prefix1, ...: those of the loops around each other are different.
};
/// nullopt: not known within the budget, or an expression that has no form here.
std::optional<AstNode> build_ast(const AstQuestion& question);

/// As C, for people and tests: `for (c0 = 0; c0 < N; c0 += 1) ...`, `parallel for` where it is.
std::string to_string(const AstNode& node);

}  // namespace sluice::poly
