// One map with one tasklet, for operations that compute every element of the output from elements of the inputs. Where an operand
// is a stream its points run in order.
#pragma once

#include <string>

#include "library/contract.h"

namespace sluice::library {

/// `streaming`: what `expand` does serves operands that are streams as well, an element at a time.
Expansion streaming(std::function<void(NodeDraft&)> expand);

/// The tasklet knows the inputs as `_` and their connector and the output as `__o`: `__o = __A + 2 * __x`.
void expand_element_wise(NodeDraft& draft, const std::string& code);

}  // namespace sluice::library
