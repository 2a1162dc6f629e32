// From a source file or a graph to a loaded library, through a content-addressed cache.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/signature.h"
#include "ir/sdfg.h"
#include "library/choose.h"
#include "support/result.h"

namespace sluice::driver {

/// Reads every program of a file: a `.py` with `@program` functions, a `.sdfg`/`.sdfgz` (recognised by its first byte), or a
/// textual graph. Errors of the readers, D003 unreadable file. The graphs are verified: the first violation is the error.
Result<std::vector<ir::Sdfg>> read_programs(const std::filesystem::path& path);

struct CompileOptions {
    /// Where the program runs: the name of a target (targets/target.h). D023: there is none of that name.
    std::string target = "cpu";
    /// Cache folder; empty: that of the setting `cache`.
    std::filesystem::path cache;
    bool use_cache = true;
    bool parallel = true;
    /// What the graph leaves open is decided; false: it is taken at its word, and Default means plain loops of one thread.
    bool decide = true;
    std::vector<std::string> extra_flags;
    /// How library nodes that are left are expanded; the settings stand behind it.
    library::ExpandOptions expansions = {};
    /// The user's operations are checked against their references at their first use in a process (verify_operation.h); also off by
    /// the setting `verify_operations`.
    bool verify_operations = true;
};
/// Seconds.
struct CompileTimes {
    double verify = 0, lower = 0, print = 0, compiler = 0, load = 0;
    bool cached = false;
    /// Everything that is not the C++ compiler.
    double own() const { return verify + lower + print + load; }
};

/// What a program did on its device since its library was loaded: launches, and bytes copied.
struct Traffic {
    std::int64_t launches = 0, to_device = 0, from_device = 0, within_device = 0;
    /// Of an FPGA's simulation: processing elements that ran, and elements of off-chip memory that they read and wrote.
    std::int64_t elements = 0, off_chip_reads = 0, off_chip_writes = 0;
};

/// What the host runs of a program for a GPU, by a kernel's standards, and why: "map `i`", `query.py:12`, "it calls `f`".
struct PartOnHost {
    std::string what, place, reason;
};

struct Report;  // profile/profile.h

/// Which of the processes that run a program together this one is.
struct World {
    std::int64_t rank = 0, ranks = 1;
};

/// A loaded program. Copies share the library; unloaded with the last one. Not thread-safe per object.
class CompiledProgram {
public:
    const Signature& signature() const;
    const ShapeSolver& shape_solver() const;
    const CompileTimes& times() const;
    const std::string& source() const;  ///< What was printed and compiled.
    const std::filesystem::path& library() const;
    /// Of what may cost time in every run: rendered diagnostics with the word `warning`.
    const std::vector<std::string>& warnings() const;
    const World& world() const;              ///< Of one process where its target has no ranks.
    std::optional<Traffic> traffic() const;  ///< Missing: its target has no device.
    const std::vector<PartOnHost>& on_host() const;
    /// What its instrumented parts did in all runs of this object. Errors D040: none is instrumented, or no run has finished.
    Result<Report> report() const;

    /// Initialises on the first call and again when sizes of persistent buffers change, then runs. `arguments[i]` is the address of
    /// argument i's data (arrays) or value (scalars of the argument's dtype, symbols as std::int64_t). Error D010: the program
    /// returned a status; D015: it found no memory; D025: its device failed; D031: messages
    /// between ranks did; A003: a container has a negative size; A015: it was interrupted.
    Result<Done> run(std::span<void* const> arguments);
    /// What ends a run of the calling thread when a signal handler makes it 1; null: no loop of the program looks. It stays as it
    /// is set.
    volatile int* interruption() const;
    /// Frees persistent memory; the next run initialises again.
    void finalise();

private:
    friend Result<CompiledProgram> compile(const ir::Sdfg&, const CompileOptions&);
    struct Impl;
    std::shared_ptr<Impl> impl_;
};
/// This process among those that mpirun started. Error D001: no MPI is installed; D031: it fails.
Result<World> world();
Result<CompiledProgram> compile(const ir::Sdfg& sdfg, const CompileOptions& options = {});

/// Writes lib<name>.so, <name>.h, <name>.cpp (or how the text of the target ends) and <name>.sdfg to a folder (made if missing),
/// all or nothing. Returns <name>: the program's own, or one beside it where `-I` or `-l` would find the file in place of one of
/// the system's (stdint.h, libm.so). Error D004: unwritable.
Result<std::string> emit(const ir::Sdfg& sdfg, const std::filesystem::path& folder, const CompileOptions& options = {});
/// One object file: the program, and behind its text `caller`, C++ that calls its functions. Errors as of emit, D002.
Result<Done> emit_object(const ir::Sdfg& sdfg, const std::string& caller, const std::filesystem::path& object,
                         const CompileOptions& options = {});

}  // namespace sluice::driver
