// IRFFT: the real numbers whose transform begins with some numbers (0 behind them up to the middle) and mirrors itself, without
// the 1 / N of the inverse, times `factor`.
#include "library/shared/fourier.h"

namespace sluice::library {

Operation irfft() {
    return real_fourier_transform("IRFFT", true,
                                  "_out[j] = factor * sum over all k of x[k] * exp(2 pi i j k / N), where x begins with _inp and "
                                  "x[N - k] is the conjugate of x[k].");
}

}  // namespace sluice::library
