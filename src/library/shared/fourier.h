// What FFT and IFFT have in common.
#pragma once

#include <string>

#include "library/operation.h"

namespace sluice::library {

/// `sign`: of the exponent.
Operation fourier_transform(const std::string& name, int sign, const std::string& summary);

}  // namespace sluice::library
