// IFFT: the inverse of the discrete Fourier transform without its 1 / N, times `factor`.
#include "library/shared/fourier.h"

namespace sluice::library {

Operation ifft() {
    return fourier_transform("IFFT", 1, "_out[k] = factor * sum over j of _inp[j] * exp(2 pi i j k / N).");
}

}  // namespace sluice::library
