// The names under which a library exports its functions.
#pragma once

#include <string>
#include <string_view>

namespace sluice::codegen {

/// `program` followed by `suffix` ("_init", ..., or nothing); where that is a word of C or C++ or a function of the C library, the
/// OpenMP runtime or BLAS, with an underscore behind it: `int_`, `exp_`, but `int_run`.
std::string exported_name(const std::string& program, const std::string& suffix);

}  // namespace sluice::codegen
