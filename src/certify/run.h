// Runs a model on numbers, to show that two programs differ: an element of an argument, and both computations of it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "certify/model.h"

namespace sluice::certify {

/// An element that the two leave with other values.
struct Witness {
    std::string element = {};                             ///< `C[0, 1]`
    std::map<std::string, std::int64_t> parameters = {};  ///< Of the run.
    bool outside = false;  ///< The second program alone touches this element, which its container has not; nothing else is said.
    std::string before = {}, after = {};       ///< Both computations, what they have in common as `...`.
    double value_before = 0, value_after = 0;  ///< For one choice of the inputs.
};

/// Runs both for these values of the parameters; inputs are made up. nullopt: no difference was seen, or they cannot be run so: too
/// many instances, an index that leaves its container, an operation that has no meaning here, a library node.
std::optional<Witness> difference(const Model& before, const Model& after, const std::map<std::string, std::int64_t>& parameters);

}  // namespace sluice::certify
