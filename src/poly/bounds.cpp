#include "poly/bounds.h"

#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include "poly/raw.h"

namespace sluice::poly {

Affine least(const Map& map, unsigned coordinate) {
    return Affine(isl_map_dim_min(map.copy(), static_cast<int>(coordinate)));
}
Affine greatest(const Set& set, unsigned coordinate) {
    return Affine(isl_set_dim_max(set.copy(), static_cast<int>(coordinate)));
}
std::optional<std::int64_t> constant_greatest(const Set& set, unsigned coordinate) {
    isl_val* value = isl_set_dim_max_val(set.copy(), static_cast<int>(coordinate));
    if (value && isl_val_is_int(value) == isl_bool_true) return take_integer(value);
    isl_val_free(value);
    return std::nullopt;
}

Map range_product(const Map& first, const Map& second) {
    return Map(isl_map_reset_tuple_id(isl_map_flat_range_product(first.copy(), second.copy()), isl_dim_out));
}

}  // namespace sluice::poly
