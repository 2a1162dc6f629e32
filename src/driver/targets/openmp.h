// OpenMP's runtime in this process: loaded here, before the first compiled program needs it, because it reads its settings only
// then.
#pragma once

namespace sluice::driver {

/// Loads libgomp, once, for good: its waiting threads outlive every compiled library. They wait in a loop for some microseconds,
/// then sleep, unless the user chose otherwise (OMP_WAIT_POLICY, GOMP_SPINCOUNT) or somebody else has loaded it before.
void load_openmp();

}  // namespace sluice::driver
