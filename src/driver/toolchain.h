// The C++ compiler: found, asked for its version, run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/result.h"

namespace sluice::driver {

struct Toolchain {
    std::string compiler;            ///< Path.
    std::string version;             ///< First line of `--version`: part of the cache key.
    std::vector<std::string> flags;  ///< `-O3 -march=native -fopenmp -fno-math-errno -fno-trapping-math ...`
};
/// `CXX` if set, else `c++`; flags from `SLUICE_CXXFLAGS` are appended. Error D001: no compiler. Memoised.
Result<Toolchain> find_toolchain();
/// Compiles `source` to the shared library `output`. Error D002 carries the compiler's stderr once.
Result<Done> compile_library(const Toolchain& toolchain, const std::filesystem::path& source, const std::filesystem::path& output,
                             const std::vector<std::string>& link_libraries);

}  // namespace sluice::driver
