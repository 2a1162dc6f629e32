// Maps whose points the ranks of a program share. In the graph such a map is as any other, with the schedule MPI: every rank holds
// all data, and the map means what it means on one. Before such a program is lowered, each rank gets a contiguous share of the
// first dimension, and messages behind the map bring what it wrote to all others.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/scopes.h"
#include "code/reduction.h"
#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::transform {

/// How what leaves a map through one edge comes to all ranks.
struct Exchange {
    ir::EdgeId outer;  ///< Out of the exit, to an access node.
    std::vector<ir::EdgeId> inner;
    /// Missing: the points of a rank write elements of their own, which it brings to the others.
    std::optional<code::ReductionType> combined = {};
    std::string identity = {};  ///< Python text.
};
/// Why the ranks cannot share a map, by a condition of MPITransform.
struct NoShare {
    std::string code, why;
};
/// `known` holds at the top of the state. That points do not conflict is asked elsewhere (analysis/legality/parallel.h).
std::variant<std::vector<Exchange>, NoShare> exchanges_of(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId entry,
                                                          const symbolic::Assumptions& known);

/// The points of a rank, which is given as an expression: a range of the first dimension.
symbolic::Range share_of(const symbolic::Range& all, const symbolic::Expr& rank);

/// The program with shares and messages in the place of the schedule MPI. Failure L027: a map that ranks cannot share.
ir::Sdfg on_ranks(ir::Sdfg sdfg);

}  // namespace sluice::transform
