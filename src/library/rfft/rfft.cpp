// RFFT: the first numbers of the discrete Fourier transform of real numbers, or of each row of a matrix, times `factor`.
#include "library/shared/fourier.h"

namespace sluice::library {

Operation rfft() {
    return real_fourier_transform("RFFT", false, "_out[k] = factor * sum over j of _inp[j] * exp(-2 pi i j k / N), for real _inp.");
}

}  // namespace sluice::library
