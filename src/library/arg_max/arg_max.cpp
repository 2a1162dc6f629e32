// ArgMax: the place of the largest element of each row.
#include "library/shared/arg_extreme.h"

namespace sluice::library {

Operation arg_max() {
    return arg_extreme("ArgMax", true);
}

}  // namespace sluice::library
