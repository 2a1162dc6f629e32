// What the settings say of expansions: which are preferred, and which libraries count as not installed.
#pragma once

#include <string_view>

#include "library/choose.h"

namespace sluice::driver {

/// Does the text read as lists of names: `MKL, native; Gemm: OpenBLAS; cpu/Dot: native`?
bool is_preference_list(std::string_view text);

/// The options with the settings `expansions` and `without_libraries` behind what they say already: a list for an operation stands
/// before one for all. Throws Failure B001: a list for what is neither operation nor target; D012: a library that nobody knows; as
/// setting().
library::ExpandOptions with_settings(library::ExpandOptions options);

}  // namespace sluice::driver
