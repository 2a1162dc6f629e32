// Many graphs as one program of native code: one run of the C++ compiler, one process that survives none of its crashes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/memory.h"
#include "lower/lower.h"

namespace sluice::fuzz {

struct Configuration {
    std::string target = "cpu";
    bool parallel = true;
    int optimisation = 3;  ///< `-O3`
    int threads = 4;
    std::vector<std::string> sanitizers = {};  ///< `address`, `undefined`
    /// Deliberate faults, for tests.
    lower::LowerOptions lowering = {};
};
/// `-O3, 4 threads`
std::string to_string(const Configuration& configuration);

/// The loops of a graph as the configuration compiles it.
Result<loop::Module> lowered(const ir::Sdfg& sdfg, const Configuration& configuration);

struct Outcome {
    enum class Kind : std::uint8_t {
        Refused,   ///< The target cannot carry the graph out: an L... or B... diagnostic.
        Internal,  ///< A bug of ours before there was code.
        Compiler,  ///< The C++ compiler refused the code.
        Crashed,   ///< A signal, a sanitizer's report, or too long.
        Failed,    ///< The program returned a status.
        Ran,
    } kind = Kind::Ran;
    std::string code, message;
    Memory memory;
};

struct Job {
    const ir::Sdfg* sdfg = nullptr;
    const Memory* before = nullptr;  ///< Arguments at the start.
};

/// Compiles all and runs each once; outcomes in order. `folder` holds the program meanwhile.
std::vector<Outcome> run_unit(const std::vector<Job>& jobs, const Configuration& configuration,
                              const std::filesystem::path& folder);

}  // namespace sluice::fuzz
