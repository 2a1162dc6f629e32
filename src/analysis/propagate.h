// Memlet propagation: the outer edges of a scope or nested SDFG carry the union of what the inner ones move. Exact where the
// subset is affine in the parameters (image_over says so), an over-approximating hull otherwise, `dynamic` when data-dependent.
#pragma once

#include "ir/sdfg.h"

namespace sluice::analysis {

/// Recomputes every memlet on the outside of scope entries and exits, innermost scope first, and the volumes of the inner ones;
/// into nested SDFGs too. A nested SDFG's own memlets are narrowed to what it touches only where its access sets are exact.
void propagate_memlets(ir::Sdfg& sdfg);
void propagate_memlets(const ir::Sdfg& sdfg, ir::State& state);

}  // namespace sluice::analysis
