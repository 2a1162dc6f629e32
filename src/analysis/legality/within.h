// Is a part of a container surely a part of another one, or surely apart from it?
#pragma once

#include <string>

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"
#include "symbolic/subset.h"

namespace sluice::analysis {

/// Yes if every element of `part`, where it has any, is one of `whole`; both are boxes of elements of `container`. No: `why` names
/// an element that is not, and the symbols' values. RefineNestedAccess's question, MapFusion's about what is handed on.
Verdict lies_within(const symbolic::Subset& part, const symbolic::Subset& whole, const std::string& container,
                    const symbolic::Assumptions& known);

/// Yes if no element of `container` is one of both boxes. No: `why` names one that is, and the symbols' values. What MapFusion asks
/// about the rest that both maps touch at one point.
Verdict lies_apart(const symbolic::Subset& one, const symbolic::Subset& other, const std::string& container,
                   const symbolic::Assumptions& known);

}  // namespace sluice::analysis
