// Could a copy be left out, and its two containers be one?
#pragma once

#include <string>

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// `twin` is a transient of the state with the indices of `array`, and the copy along `edge` of the state moves elements from one
/// of them to the same elements of the other.
struct TwinCopy {
    ir::EdgeId edge;
    std::string twin, array;
    bool from_array = false;  ///< `array -> twin`, else `twin -> array`.
};
/// Yes if the program means the same with `array` in place of `twin` and without the copy, the access nodes being merged:
/// of a copy `array -> twin`, no write to an element of the array comes between the copy and a read of the twin's; of a copy
/// `twin -> array`, nothing that touches an element of the array comes between the write of the twin's and the copy. What is read
/// of a twin was copied, and what is written of one will be. `known` holds at the top of the state.
Verdict copy_redundant(const ir::Sdfg& sdfg, const ir::State& state, const TwinCopy& copy, const symbolic::Assumptions& known);
/// Yes if the copy may be there as well as not: it is redundant, and what it moves beyond what is used conflicts with nothing.
Verdict copy_insertable(const ir::Sdfg& sdfg, const ir::State& state, const TwinCopy& copy, const symbolic::Assumptions& known);

/// Of a copy `twin -> array`: yes if every element that one execution of it copies was written for certain, by a statement of the
/// scopes in which the copy lies.
Verdict all_written(const ir::Sdfg& sdfg, const ir::State& state, const TwinCopy& copy, const symbolic::Assumptions& known);

/// The edge `out` of the state copies elements of a container to another one, and `back` copies them to where they came from. Yes
/// if no other write to these elements comes between the two copies.
Verdict unchanged_between(const ir::Sdfg& sdfg, const ir::State& state, ir::EdgeId out, ir::EdgeId back,
                          const symbolic::Assumptions& known);

}  // namespace sluice::analysis
