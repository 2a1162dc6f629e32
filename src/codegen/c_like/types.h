// Types as C text.
#pragma once

#include <string>

#include "code/dtype.h"

namespace sluice::codegen {

/// `double`, `int64_t`, `complex128`: what C and C++ call it, or what the runtime does.
std::string scalar_type(code::Scalar scalar);
/// Pointers, structures and functions over what `spell` says.
std::string compound_type(const code::DType& type, std::string (*spell)(const code::DType&));
/// C of the header: complex numbers as `sluice_complex128`, float16 as its bits, vectors as their element.
std::string c_type(const code::DType& type);

/// Arithmetic on the type is done in `int` by C and has to be cut back: integers below 32 bits and bool.
bool is_narrow(const code::DType& type);

}  // namespace sluice::codegen
