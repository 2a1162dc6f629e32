// The compiler that `pip install 'sluice[compiler]'` brings, for machines that have none: Zig's Clang with the headers and start
// files of the C library, and LLVM's OpenMP runtime. Generated code includes no header of the C++ library; what it calls of it
// (exceptions, guards of statics) it finds in the one that this process has loaded, so that none has to be built at the first
// compile.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sluice::driver {

struct PackagedCompiler {
    std::filesystem::path compiler;
    std::vector<std::string> words;  ///< Behind the compiler: `c++`, where the headers and libraries are.
    std::filesystem::path openmp;    ///< The runtime library.
};

/// Folders to look in before those beside this library: those of Python's packages.
void set_package_folders(std::vector<std::filesystem::path> folders);
/// Where Python's packages may lie: those, beside this library, and in the virtual environment.
std::vector<std::filesystem::path> package_folders();

/// Both packages in one of the folders; nothing if one of them is missing.
std::optional<PackagedCompiler> find_packaged_compiler();

/// Loads its OpenMP runtime with the waiting that load_openmp chooses for GCC's.
void load_packaged_openmp(const PackagedCompiler& packaged);

}  // namespace sluice::driver
