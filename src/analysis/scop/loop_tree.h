// The order of a static control part as a tree of loops: what transformations of its order edit.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "poly/schedule.h"
#include "symbolic/expr.h"

namespace sluice::analysis {

struct Scop;

/// A sequence runs its children one after the other, a loop its only child at each of its times, a leaf the instances of a
/// statement, which may have several leaves with different instances.
struct LoopTree {
    enum class Kind : std::uint8_t { Statement, Loop, Sequence };
    Kind kind = Kind::Sequence;
    std::string name = {};  ///< Of a leaf its statement, of a loop its iterator in the graph, unique in the scop.
    poly::Set domain = {};  ///< Of a leaf.
    /// Of a loop: when each statement in it runs, in terms of its iterators.
    std::map<std::string, symbolic::Expr> times = {};
    bool any_order = false;  ///< Of a loop: its iterations may run at the same time in the graph.
    std::vector<LoopTree> children = {};

    bool is_loop() const { return kind == Kind::Loop; }
};

std::set<std::string> statements_in(const LoopTree& tree);
/// Outermost first, in the order of the graph.
std::vector<const LoopTree*> loops_in(const LoopTree& tree);
/// Those of the name; null: there is none.
LoopTree* find_loop(LoopTree& tree, const std::string& name);
const LoopTree* find_loop(const LoopTree& tree, const std::string& name);
/// Who holds a node of the tree as a child; null: nobody.
LoopTree* parent_of(LoopTree& tree, const LoopTree& node);
/// Sequences in sequences become one, those with one child that child.
LoopTree flattened(LoopTree tree);
/// The same order as a schedule tree.
poly::Schedule schedule_of(const Scop& scop, const LoopTree& tree);

}  // namespace sluice::analysis
