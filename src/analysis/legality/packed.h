// Elements of rows that lie one after the other in one dimension: `a[N * i + j]`, `a[i * (i + 1) / 2 + j]`. Private to the room.
#pragma once

#include <vector>

#include "analysis/dependences/access_model.h"
#include "poly/relation.h"

namespace sluice::analysis {

struct Use {
    const Statement* statement;
    const StatementAccess* access;
};

/// An index that is not affine: where row `row` begins, and how far in it. `begin` is over `$row` and parameters.
struct PackedIndex {
    std::string row;  ///< An iterator.
    symbolic::Expr begin, offset;
};
/// The parts of an index over the space's dimensions, if there is one such iterator.
std::optional<PackedIndex> packed(const symbolic::Expr& index, const poly::Space& space);

/// Is it proven that no execution of the one and execution of the other, related by `together` (from all iterators of the one to
/// all of the other), touch one element? Rows do not overlap if what is reached beyond the begin of one is less than its length.
bool packed_apart(const AccessModel& model, const Use& first, const Use& second, const poly::Map& together);

}  // namespace sluice::analysis
