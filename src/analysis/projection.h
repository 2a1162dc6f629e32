// Carries a set of accessed elements out of a scope: the one projection behind propagated memlets and access sets, so that the
// two views cannot disagree.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// What one edge moves of one container, in terms of the symbols known at its place.
struct Moved {
    symbolic::Subset subset;
    bool exact = true;          ///< The subset is exactly what is touched.
    bool dynamic = false;       ///< Whether or how much moves depends on data.
    symbolic::Expr volume = 0;  ///< Elements moved in one execution; with `dynamic` an upper bound, 0 meaning unbounded.
};

/// The names that a scope, a loop or an SDFG binds, outermost first, and names whose values come from data.
struct Binder {
    std::vector<std::pair<std::string, symbolic::Range>> parameters;
    std::set<std::string> data_dependent;
    bool repeats_unknown = false;  ///< The number of executions is not known: a consume scope, a while loop.
};
/// What a map or consume entry binds; empty for other nodes.
Binder binder_of(const ir::Node& entry);

/// Indices of a container's dimension, its `offset` counted in; index 0 beyond its rank.
symbolic::Range whole_dimension(const ir::Container& container, std::size_t dimension);
symbolic::Subset whole(const ir::Container& container);

/// `inside`, seen from outside of the binder, for all iterations together. Every result is in terms of outer symbols: a dimension
/// that cannot be bounded becomes the container's whole extent. `known` holds inside.
Moved leave(Moved inside, const Binder& binder, const ir::Container& container, const symbolic::Assumptions& known);

/// Both. The hull; exact where one covers the other.
Moved together(const Moved& a, const Moved& b, const ir::Container& container, const symbolic::Assumptions& known);

/// The side of a memlet that concerns `data`, one of the two ends of its edge. `source_side`: data is read by the edge.
Moved side_of(const ir::Memlet& memlet, const std::string& data, const ir::Container& container, bool source_side,
              const symbolic::Assumptions& known);

/// Sum of `value` over all indices of the range, exact where it is a polynomial in the parameter of degree 4 or less.
std::optional<symbolic::Expr> sum_over(const symbolic::Expr& value, const std::string& parameter, const symbolic::Range& range,
                                       const symbolic::Assumptions& known);

}  // namespace sluice::analysis
