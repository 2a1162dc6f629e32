// RandomCounts: integers from one of NumPy's distributions of counts.
#include "library/shared/distributions.h"

namespace sluice::library {

Operation random_counts() {
    return draws_from_distributions("RandomCounts", "Integers from a distribution of counts, as NumPy draws them.", true);
}

}  // namespace sluice::library
