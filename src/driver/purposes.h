// Transformations by what they are for: "tile", "less memory", "run in parallel".
#pragma once

#include <string_view>
#include <vector>

#include "driver/transformations.h"

namespace sluice::driver {

struct Purpose {
    const char* sentence;            ///< `less memory, or less of it at a time`
    const char* words;               ///< Beginnings of words that mean it.
    std::vector<const char*> serve;  ///< Transformations, what is tried first first.
};
const std::vector<Purpose>& purposes();

/// Those of the purposes that the words mean, then those whose own name or summary has all the words; each once. None where the
/// words mean nothing.
std::vector<const Descriptor*> transformations_for(const Transformations& transformations, std::string_view words);

}  // namespace sluice::driver
