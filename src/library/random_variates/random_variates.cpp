// RandomVariates: real numbers from one of NumPy's distributions.
#include "library/shared/distributions.h"

namespace sluice::library {

Operation random_variates() {
    return draws_from_distributions("RandomVariates", "Real numbers from a distribution, as NumPy draws them.", false);
}

}  // namespace sluice::library
