// Tuples, lists and dictionaries that programs return: literals with the numbers of results in them.
#pragma once

#include <vector>

#include "bindings/convert.h"

namespace sluice::bindings {

/// The structure with results in place of their numbers. `{None: (0, 1)}` is a list of tuples whose columns are the results 0
/// and 1.
nb::object structured(const nb::handle& part, const std::vector<nb::object>& results);

}  // namespace sluice::bindings
