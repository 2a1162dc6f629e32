// A producer computed again in each iteration of a loop of its consumers (overlapped tiling; Krishnamoorthy et al., "Effective
// automatic parallelization of stencil computations", PLDI 2007).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/legality/verdict.h"
#include "analysis/scop/scop.h"

namespace sluice::analysis {

/// The scop with the statement that fills a transient in each iteration of a loop, in memory of that iteration.
struct Placed {
    Scop scop;
    std::vector<symbolic::Expr> shape;  ///< Of the transient: what one iteration reads of it, where that is a number.
};
/// Or why not: what it asks of the statements, or a dependence that would be broken.
struct NotPlaced {
    std::string why;
    bool by_dependence = false;
    std::optional<Witness> witness = {};
};
/// Every use of the transient is one element; `shape` is what it has now. The only statement that writes it runs before the loop.
std::variant<Placed, NotPlaced> place_at(const Scop& scop, const std::string& transient, const std::vector<symbolic::Expr>& shape,
                                         const std::string& loop);

}  // namespace sluice::analysis
