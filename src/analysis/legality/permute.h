// May the loops of a nest be put into any order, and with that be cut into tiles?
#pragma once

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// `outer` is a counted loop of `region`; its body is nothing but one counted loop, and so on, `depth` loops in all. Legal if no
/// iteration depends on one that comes before it in the nest and after it along some loop: then the loops form a permutable band
/// (Wolf and Lam, 1991), which any order of the loops, and rectangular tiles of any size, leave in order. Transients that an
/// iteration of the innermost loop uses by itself do not count; the verdict lists them as privatised. The ranges are not looked at:
/// who exchanges loops of which one bounds another computes both ranges anew. `known` holds where the outer loop stands.
Verdict loops_permutable(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId outer, std::size_t depth,
                         const symbolic::Assumptions& known);

}  // namespace sluice::analysis
