// Tasklets as trees: what they store at each output.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "certify/tree.h"
#include "code/ast.h"
#include "symbolic/subset.h"

namespace sluice::certify {

/// What the names in a tasklet's code stand for.
struct TaskletNames {
    /// Inputs: the value at these positions, none given: of the name alone.
    std::map<std::string, std::function<TreePtr(const std::vector<symbolic::Expr>&)>> inputs = {};
    std::map<std::string, code::DType> outputs = {};  ///< Of their elements; what an output has before is not read.
    symbolic::Substitution values = {};               ///< Of symbols that are no parameters.
    std::set<std::string> symbols = {};
    std::size_t owner = 0;
};

struct Stored {
    std::string connector;
    std::vector<symbolic::Expr> positions = {};  ///< Within the memlet; empty: the bare name.
    TreePtr value = {};
};

/// Trees of what the code stores. `why` is set where it does something that has no tree: loops, two stores into one output, an
/// output that only some paths give a value.
struct TaskletTrees {
    std::vector<Stored> stores = {};
    std::string why = {};
};
TaskletTrees trees_of(const code::Body& body, const TaskletNames& names);

/// `lambda old, new: ...` of these two.
TreePtr resolved(const code::Expr& lambda, const TreePtr& old, const TreePtr& value, const TaskletNames& names);

TreePtr unknown_tree(std::size_t owner, const std::string& why);
TreePtr constant_tree(std::size_t owner, double value);
TreePtr index_tree(std::size_t owner, const symbolic::Expr& value);
/// The operator in its canonical form: a - b is a + (-b), what is known is folded.
TreePtr apply_tree(std::size_t owner, const std::string& name, std::vector<TreePtr> operands, const code::Type& type);
/// The value as an element of that type.
TreePtr cast_tree(const TreePtr& value, const code::DType& type);
bool is_commutative(const std::string& name);
/// Also associative: the operators of reductions.
bool is_reduction(const std::string& name);

}  // namespace sluice::certify
