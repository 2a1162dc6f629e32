// What transformations of the order of a static control part share: the part, the edit of its tree of loops, the proof by exact
// dependences, the legal alternative that a refusal names, and the graph that comes out.
//
// Conditions have the same numbers everywhere, behind a letter of the transformation's: 1 the part is a static control part, 2 no
// symbol that it gives a value is read elsewhere, 3 what it asks of the loops, 4 every dependence is respected.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/scop/rebuild.h"
#include "analysis/scop/reorder.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

/// isl's operations for extraction, scheduling, proof and code generation together: the largest kernel of PolyBench needs a quarter
/// of them.
inline constexpr unsigned long kOrderOperations = 10'000'000;

struct OrderedPart {
    analysis::Scop scop;
    poly::UnionMap dependences;
};
/// A part in the order that was proven, as loops.
struct Reordered {
    analysis::Scop scop;
    poly::AstNode loops;
    rewrite::Options chosen = {};
    const rewrite::Options& options() const { return chosen; }
};

/// The block that the pattern names, or else the whole graph.
rewrite::Planned<analysis::Scop> part_of(const rewrite::Site& site, char letter);
/// The same with what depends on what.
rewrite::Planned<OrderedPart> ordered_part(const rewrite::Site& site, char letter);
/// Why the part may not run in this order: a witness where there is one.
std::optional<rewrite::Refusal> why_not_in_order(const OrderedPart& part, const poly::Schedule& schedule, char letter);
rewrite::Planned<Reordered> in_order(OrderedPart part, const poly::Schedule& schedule, char letter);
void apply_order(rewrite::Draft& draft, const Reordered& plan);
/// The statements by name, for whoever named one that is not there.
std::string statements_of(const analysis::Scop& scop);
/// `the loops are i, j, j$1`.
std::string loops_of_tree(const analysis::LoopTree& tree);

/// An order, and the parameters that ask for it.
struct OrderEdit {
    rewrite::Options options;
    analysis::LoopTree tree;
};
/// What to try: the orders that the parameters leave open, the likeliest first, and what is near to them.
struct OrderEdits {
    std::vector<OrderEdit> wanted = {};
    std::vector<OrderEdit> near = {};
    std::string obstacle = {};  ///< Why nothing is wanted.
};
using EditOrder = std::function<OrderEdits(const rewrite::Site&, const OrderedPart&)>;
/// The first wanted order that is legal; a refusal says which of those near to them is, or that none of them is.
rewrite::Planned<Reordered> plan_order(const rewrite::Site& site, char letter, const EditOrder& edits);

/// The patterns of all of them: a loop, a state, or a whole graph.
std::vector<rewrite::Pattern> order_patterns();
/// Their conditions, of which the third is the transformation's own.
std::vector<rewrite::Condition> order_conditions(char letter, std::string third);

}  // namespace sluice::transform
