// Properties of one range that the relations and the algebra of subsets share. Private to the room.
#pragma once

#include "symbolic/subset.h"

namespace sluice::symbolic {

/// The same indices in ascending order, if the sign of the step is known.
std::optional<Range> ascending(const Range& range, const Assumptions& assumptions);
/// Every element between the smallest and the largest belongs to the range: its step is at most its tile. Ascending ranges only.
bool is_contiguous(const Range& range, const Assumptions& assumptions);
/// At least one index (or none) whatever the symbols are.
bool is_nonempty(const Range& range, const Assumptions& assumptions);
bool is_empty(const Range& range, const Assumptions& assumptions);
/// The assumptions and that the range has an index.
Assumptions with_nonempty(const Assumptions& assumptions, const Range& range);
/// The smaller (larger) one where that is known, else min (max) of both.
Expr smaller(const Expr& a, const Expr& b, const Assumptions& assumptions);
Expr larger(const Expr& a, const Expr& b, const Assumptions& assumptions);
/// Indices of a range whose bounds are constants, if there are at most `limit` elements.
std::optional<std::set<std::int64_t>> elements(const Range& range, std::size_t limit = 2048);

}  // namespace sluice::symbolic
