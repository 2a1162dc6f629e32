// FFT: the discrete Fourier transform of a vector, or of each row of a matrix, times `factor`.
#include "library/shared/fourier.h"

namespace sluice::library {

Operation fft() {
    return fourier_transform("FFT", -1, "_out[k] = factor * sum over j of _inp[j] * exp(-2 pi i j k / N).");
}

}  // namespace sluice::library
