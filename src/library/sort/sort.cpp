// Sort: the elements of each row in order.
#include "library/shared/sorting.h"

namespace sluice::library {

Operation sort() {
    return sorting(
        {.name = "Sort", .function = "sluice::sorting::sort", .summary = "The elements of each row from low to high, NaN last."});
}

}  // namespace sluice::library
