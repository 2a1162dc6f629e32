// What functions of libraries compute, for the interpreter: one for each that an expansion of ours calls.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/meaning.h"

namespace sluice::library {

/// Null: nobody has defined the function.
std::function<void(const std::vector<ir::CallValue>&)> reference_of_function(const std::string& function);

}  // namespace sluice::library
