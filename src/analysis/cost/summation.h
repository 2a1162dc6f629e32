// Sums of symbolic expressions over ranges.
#pragma once

#include "symbolic/assumptions.h"
#include "symbolic/subset.h"

namespace sluice::analysis {

/// Sum of `summand` for `parameter` in the range. Exact where the summand is a polynomial of it of degree 3 or less (Newton's
/// forward differences); otherwise `exact` becomes false and the result is the count times the larger of both ends.
symbolic::Expr sum_over(const symbolic::Expr& summand, const std::string& parameter, const symbolic::Range& range,
                        const symbolic::Assumptions& known, bool& exact);

}  // namespace sluice::analysis
