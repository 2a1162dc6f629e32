// May the elements of a container lie at other places, several at one?
#pragma once

#include "analysis/legality/verdict.h"
#include "analysis/scop/scop.h"

namespace sluice::analysis {

/// Yes if every read of the container in the order of the scop sees the writes that it saw, by value-based dataflow (Feautrier,
/// "Dataflow analysis of array and scalar references", 1991). `places` leads from elements to elements of one name. A no has a
/// write that another read sees instead.
Verdict keeps_values(const Scop& scop, const std::string& container, const poly::Map& places);

/// The scop with the container's elements at these places, in terms of `d0`, `d1`, ...; every memlet of the container
/// is one element.
Scop at_places(Scop scop, const std::string& container, const poly::Map& places, const std::vector<symbolic::Expr>& indices);

/// `d0`, `d1`, ...: the indices of an element before.
std::string old_index(std::size_t dimension);

}  // namespace sluice::analysis
