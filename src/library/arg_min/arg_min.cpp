// ArgMin: the place of the smallest element of each row.
#include "library/shared/arg_extreme.h"

namespace sluice::library {

Operation arg_min() {
    return arg_extreme("ArgMin", false);
}

}  // namespace sluice::library
