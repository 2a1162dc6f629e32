// May the statements of a scop run in another order?
#pragma once

#include "analysis/legality/verdict.h"
#include "analysis/scop/scop.h"

namespace sluice::analysis {

/// Pairs of instances, the first earlier in the graph's order, that touch one element of which one writes; updates by one
/// resolution that commutes are in no order.
poly::UnionMap dependences(const Scop& scop);

/// Yes if the schedule runs every instance once, and the first of each of these pairs strictly before the second.
Verdict reorder(const Scop& scop, const poly::UnionMap& dependences, const poly::Schedule& schedule);

/// Two of these pairs of instances, and an element that both touch.
std::optional<Witness> witness_of(const Scop& scop, const poly::Map& pairs);

}  // namespace sluice::analysis
