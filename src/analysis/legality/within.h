// Is a part of a container surely a part of it?
#pragma once

#include <string>

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"
#include "symbolic/subset.h"

namespace sluice::analysis {

/// Yes if every element of `part`, where it has any, is one of `whole`; both are boxes of elements of `container`. No: `why` names
/// an element that is not, and the symbols' values. RefineNestedAccess's question.
Verdict lies_within(const symbolic::Subset& part, const symbolic::Subset& whole, const std::string& container,
                    const symbolic::Assumptions& known);

}  // namespace sluice::analysis
