// Operators and functions of trees on numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "code/dtype.h"

namespace sluice::certify {

/// The value of an operator whose result has this type; integers must fit into a double. nullopt: it has no meaning here.
std::optional<double> meaning(const std::string& name, const std::vector<double>& operands, code::Scalar type);

}  // namespace sluice::certify
