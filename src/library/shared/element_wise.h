// One map with one tasklet, for operations that compute every element of the output from elements of the inputs.
#pragma once

#include <string>

#include "library/contract.h"

namespace sluice::library {

/// The tasklet knows the inputs as `_` and their connector and the output as `__o`: `__o = __A + 2 * __x`.
void expand_element_wise(NodeDraft& draft, const std::string& code);

}  // namespace sluice::library
