// The distributions of runtime/distributions.h as two operations, of real numbers and of counts; a property says which one is drawn
// from.
#pragma once

#include <string>
#include <vector>

#include "library/operation.h"

namespace sluice::library {

/// All that draw counts, or all others.
Operation draws_from_distributions(const std::string& name, const std::string& summary, bool counts);

struct NamedDistribution {
    std::string name;                     ///< Of the method of NumPy's Generator and of the function of the runtime.
    std::string operation;                ///< RandomVariates or RandomCounts.
    std::vector<std::string> parameters;  ///< Connectors.
};
const std::vector<NamedDistribution>& named_distributions();

}  // namespace sluice::library
