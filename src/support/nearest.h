// Names that someone may have meant: what a diagnostic proposes for one that does not exist.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// The `count` candidates of the smallest Levenshtein distance, letters' case aside; ties by name.
std::vector<std::string> nearest(std::string_view name, std::span<const std::string> candidates, std::size_t count = 3);

}  // namespace sluice
