// Memlet propagation: the outer edges of a scope or nested SDFG carry the union of what the inner ones move. Exact where the
// subset is affine in the parameters (image_over says so), an over-approximating hull otherwise, `dynamic` when data-dependent.
#pragma once

#include <span>

#include "analysis/scopes.h"
#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// Recomputes every memlet on the outside of scope entries and exits, innermost scope first, and the volumes of the inner ones that
/// say none; into nested SDFGs too. What is right already is not written, so that copies of the graph go on sharing it. The memlets
/// at a nested SDFG keep their subsets: they fix where the inner containers begin. Near-linear in the size of the graph. `known`
/// holds everywhere in the SDFG; a program needs none.
void propagate_memlets(ir::Sdfg& sdfg);
void propagate_memlets(ir::Sdfg& sdfg, const symbolic::Assumptions& known);
void propagate_memlets(const ir::Sdfg& sdfg, ir::State& state, const symbolic::Assumptions& known);
/// After an edit of these nodes and their edges: the memlets on the outside of the scopes that hold them or that they open, and
/// those inside of these. Returns the number of nodes that were looked at. `adjacency` and `scopes` are the state's.
std::size_t propagate_memlets(const ir::Sdfg& sdfg, ir::State& state, const symbolic::Assumptions& known,
                              const ir::Adjacency& adjacency, const ScopeTree& scopes, std::span<const ir::NodeId> touched);

}  // namespace sluice::analysis
