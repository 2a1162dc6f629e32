#include "poly/raw.h"

#include <isl/set.h>
#include <isl/val.h>

#include <cstdlib>

namespace sluice::poly {

std::string take_text(char* text) {
    if (!text) return "unknown";
    std::string taken = text;
    std::free(text);
    return taken;
}

std::int64_t take_integer(isl_val* value) {
    const std::int64_t number = isl_val_get_num_si(value);
    isl_val_free(value);
    return number;
}

isl_set* raw_parameters(const Set& set) {
    isl_set* raw = set.copy();
    return raw && isl_set_is_params(raw) == isl_bool_false ? isl_set_params(raw) : raw;
}

}  // namespace sluice::poly
