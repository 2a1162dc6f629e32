// May the points of a range be visited in full tiles, without a bound at the last one?
#pragma once

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"
#include "symbolic/subset.h"

namespace sluice::analysis {

/// Tiles of `size` points of the range, one after the other. Yes if every point of every tile is one of the range; no: `why` names
/// values of symbols, a tile, and a point of it that is not. That tiles may be visited in any order is another question: points of
/// a map may. The step is positive; `known` holds around the range.
Verdict tiles_full(const symbolic::Range& range, const symbolic::Expr& size, const symbolic::Assumptions& known);

}  // namespace sluice::analysis
