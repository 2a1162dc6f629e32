// The smallest and largest coordinates of sets and relations, and relations side by side.
#pragma once

#include <cstdint>
#include <optional>

#include "poly/convert.h"

namespace sluice::poly {

/// The smallest value of a coordinate of the range, for each point of the domain.
Affine least(const Map& map, unsigned coordinate);
/// The largest of a coordinate of the set, for each value of the parameters.
Affine greatest(const Set& set, unsigned coordinate);
/// The largest for any values of the parameters; nullopt: there is none, or it is not known.
std::optional<std::int64_t> constant_greatest(const Set& set, unsigned coordinate);

/// From each point to where the first leads, then where the second does: the coordinates of both, in one tuple without a name.
Map range_product(const Map& first, const Map& second);

}  // namespace sluice::poly
