// Expansions into calls of BLAS. Whose BLAS it is, the environment says: all have the same C interface.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "library/contract.h"

namespace sluice::library {

Expansion blas_gemm(const std::string& name, const std::string& environment);
/// Gemm of constant small sizes, inlined: sums in registers.
Expansion small_gemm();
/// Gemv by the calling thread, four rows or columns at a time.
Expansion blocked_gemv();
Expansion blas_gemv(const std::string& name, const std::string& environment);
Expansion blas_dot(const std::string& name, const std::string& environment);
Expansion blas_axpy(const std::string& name, const std::string& environment);
Expansion blas_ger(const std::string& name, const std::string& environment);

/// Below this many multiplications, loops that the compiler sees through are faster than a call.
inline constexpr std::int64_t kSmallProduct = 4096;

/// The number that a text is.
std::optional<double> number_in(const std::string& text);
/// Why operands of these types and places cannot be handed to BLAS or LAPACK; empty where they can.
std::string why_not_blas_operands(const Binding& binding, bool with_complex = true);

}  // namespace sluice::library
