// What FFT and IFFT have in common, and what RFFT and IRFFT have.
#pragma once

#include <string>

#include "library/operation.h"

namespace sluice::library {

/// `sign`: of the exponent.
Operation fourier_transform(const std::string& name, int sign, const std::string& summary);
/// Between N real numbers and K complex ones, from the latter if `inverse`.
Operation real_fourier_transform(const std::string& name, bool inverse, const std::string& summary);

}  // namespace sluice::library
