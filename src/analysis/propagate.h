// Memlet propagation: the outer edges of a scope or nested SDFG carry the union of what the inner ones move. Exact where the
// subset is affine in the parameters (image_over says so), an over-approximating hull otherwise, `dynamic` when data-dependent.
#pragma once

#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// Recomputes every memlet on the outside of scope entries and exits, innermost scope first, and the volumes of the inner ones that
/// say none; into nested SDFGs too. The memlets at a nested SDFG keep their subsets: they fix where the inner containers begin.
/// Near-linear in the size of the graph. `known` holds everywhere in the SDFG; a program needs none.
void propagate_memlets(ir::Sdfg& sdfg);
void propagate_memlets(ir::Sdfg& sdfg, const symbolic::Assumptions& known);
void propagate_memlets(const ir::Sdfg& sdfg, ir::State& state, const symbolic::Assumptions& known);

}  // namespace sluice::analysis
