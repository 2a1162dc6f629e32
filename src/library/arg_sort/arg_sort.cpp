// ArgSort: the places of the elements of each row in order.
#include "library/shared/sorting.h"

namespace sluice::library {

Operation arg_sort() {
    return sorting({.name = "ArgSort",
                    .function = "sluice::sorting::arg_sort",
                    .places = true,
                    .summary = "The places of the elements of each row from low to high, NaN last; equal ones in order."});
}

}  // namespace sluice::library
