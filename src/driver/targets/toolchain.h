// Compilers: found, identified, run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/result.h"

namespace sluice::driver {

struct Toolchain {
    std::string phrase = "the C++ compiler";  ///< In sentences.
    std::string remedy;                       ///< Where it does not start.
    std::string compiler;                     ///< Path.
    std::vector<std::string> prefix;  ///< Words before and after it in CXX: `ccache g++ -m64` runs as ccache with arguments.
    /// What tells this compiler and this machine from others, without running it: path, size and modification time of the
    /// binaries, and the CPU's features (`-march=native` depends on them). Part of the cache key.
    std::string version;
    std::vector<std::string> environment;  ///< Variables for it, `NAME=value`.
    std::vector<std::string> flags;        ///< `-O3 -march=native -fopenmp -fno-math-errno -fno-trapping-math ...`
};
/// By the settings `cxx` and `cxxflags`; where `cxx` is not set and there is no `c++`, the compiler of a Python package
/// (packaged_compiler.h). Errors D001: no compiler; D011 to D013. Memoised per value of the two.
Result<Toolchain> find_toolchain();
/// What a compiler is found by, beside the variable and the flags that a user sets.
struct CompilerKind {
    std::string phrase;          ///< `the C++ compiler`
    std::string command, flags;  ///< Settings: `cxx`, `cxxflags`.
    std::string any;             ///< The command where the setting names none: `c++`.
    std::string packaged;        ///< The first word of the packaged compiler's command line.
    std::vector<std::string> own_flags;
    std::string remedy;
};
/// As find_toolchain, for a compiler of that kind.
Result<Toolchain> find_compiler(const CompilerKind& kind);
/// The C compiler of c99, by the settings `cc` and `cflags`.
Result<Toolchain> find_c_compiler();
/// Model and features of this machine's processor, as text.
std::string processor();
/// The compiler of an MPI, by the settings `mpicxx` and `cxxflags`. Error D001 names the packages that bring one.
Result<Toolchain> find_mpi_compiler();
/// The program that a shell would start; empty if there is none.
std::string find_program(const std::string& name);
/// Compiles `source` to the shared library `output`. Error D002 carries the compiler's stderr once.
Result<Done> compile_library(const Toolchain& toolchain, const std::filesystem::path& source, const std::filesystem::path& output,
                             const std::vector<std::string>& link_words);

}  // namespace sluice::driver
