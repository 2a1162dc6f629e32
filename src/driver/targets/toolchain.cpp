#include "driver/targets/toolchain.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>

#include "driver/cache.h"
#include "driver/process.h"
#include "driver/settings.h"
#include "driver/targets/packaged_compiler.h"

namespace sluice::driver {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

bool is_program(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::string identity_of(const std::string& program) {
    std::error_code error;
    const fs::path real = fs::canonical(program, error);
    struct stat facts {};
    if (error || stat(real.c_str(), &facts) != 0) return program;
    return real.string() + " " + std::to_string(facts.st_size) + " " + std::to_string(facts.st_mtim.tv_sec) + "." +
           std::to_string(facts.st_mtim.tv_nsec);
}

/// Keeps loops that copy as loops; no compiler but GCC knows the word.
constexpr const char* kOfGccAlone = "-fno-tree-loop-distribute-patterns";

/// By the name of what the program is a link to, such as x86_64-linux-gnu-g++-12: asking it would cost every process a start.
bool is_gcc(const std::string& program) {
    std::error_code error;
    const std::string name = fs::canonical(program, error).filename().string();
    return !error && name.find("clang") == std::string::npos &&
           (name.find("g++") != std::string::npos || name.find("gcc") != std::string::npos);
}

/// GNU's other linker: it takes a third of the usual one's time, and linking was a third of compiling a small program. Every GCC
/// knows it by name (mold is no quicker here, and unknown to GCC before 12).
constexpr const char* kQuickLinker = "-fuse-ld=gold";

bool takes_quick_linker(const std::vector<std::string>& command) {
    return !find_program("ld.gold").empty() &&
           std::ranges::none_of(command, [](const std::string& word) { return word.starts_with("-fuse-ld="); });
}

/// The C++ compiler of the CPU's programs. Views reinterpret memory and NumPy's integers wrap, so strict aliasing and overflow
/// assumptions go; loops that copy stay loops (runtime/copy.h); errno and traps are never looked at; NaN and infinity keep their
/// meaning. A product is rounded before it is added to something, as NumPy does, but for sums of products
/// (runtime/multiply_add.h): `(0.299 * r + 0.587 * g + 0.114 * b).astype(np.uint8)` is another picture otherwise.
const CompilerKind& cpp_compiler() {
    static const CompilerKind kind{
        .phrase = "the C++ compiler",
        .command = "cxx",
        .flags = "cxxflags",
        .any = "c++",
        .packaged = "c++",
        .own_flags = {"-std=c++20", "-O3", "-march=native", "-fopenmp", "-fPIC", "-fno-math-errno", "-fno-trapping-math",
                      "-ffp-contract=off", "-fno-strict-aliasing", "-fwrapv", "-fvisibility=hidden", "-w", "-shared"},
        .remedy =
            "install one (`apt-get install g++`; without root `pip install 'sluice[compiler]'`), or name yours by CXX; "
            "`sluice doctor` says what is missing"};
    return kind;
}

Toolchain inspect(const CompilerKind& kind, const std::string& command, const std::string& extra_flags) {
    Toolchain result;
    result.phrase = kind.phrase, result.remedy = kind.remedy;
    std::vector<std::string> words = words_of(command);
    if (words.empty()) words = {kind.any};
    result.compiler = find_program(words[0]);
    // The setting's standard, so nobody has chosen another.
    if (result.compiler.empty() && words == std::vector<std::string>{kind.any} && !kind.packaged.empty()) {
        if (const std::optional<PackagedCompiler> packaged = find_packaged_compiler()) {
            load_packaged_openmp(*packaged);
            result.compiler = packaged->compiler;
            words.push_back(kind.packaged);
            words.insert(words.end(), packaged->words.begin() + 1, packaged->words.end());
            // Its own cache, of start files and the parts of the compiler's library; without it Zig needs HOME.
            if (!std::getenv("ZIG_GLOBAL_CACHE_DIR"))
                result.environment.push_back("ZIG_GLOBAL_CACHE_DIR=" + (default_cache() / "compiler").string());
        }
    }
    if (result.compiler.empty())
        fail({"D001", "there is no " + kind.phrase.substr(4) + " `" + words[0] + "`", {}, {}, kind.remedy, {}});
    result.version = processor() + identity_of(result.compiler);
    bool gcc = is_gcc(result.compiler);
    for (std::size_t i = 1; i < words.size(); ++i) {
        result.prefix.push_back(words[i]);
        const std::string program = words[i][0] == '-' ? "" : find_program(words[i]);
        result.version += "\n" + (program.empty() ? words[i] : identity_of(program));
        gcc = gcc || (!program.empty() && is_gcc(program));
    }
    result.flags = kind.own_flags;
    if (gcc) {
        result.flags.emplace_back(kOfGccAlone);
        if (takes_quick_linker(words)) result.flags.emplace_back(kQuickLinker);
    }
    for (std::string& flag : words_of(extra_flags)) result.flags.push_back(std::move(flag));
    return result;
}

}  // namespace

std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    std::string text;
    for (std::string line; std::getline(file, line) && !line.empty();)
        if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features") ||
            line.starts_with("CPU part"))
            text += line + "\n";
    return text;
}

std::string find_program(const std::string& name) {
    if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
        if (is_program(candidate)) return candidate.string();
    }
    return {};
}

Result<Toolchain> find_toolchain() {
    return find_compiler(cpp_compiler());
}

Result<Toolchain> find_c_compiler() {
    static const CompilerKind kind{.phrase = "the C compiler",
                                   .command = "cc",
                                   .flags = "cflags",
                                   .any = "cc",
                                   .packaged = {},
                                   // Without -fno-trapping-math, which takes (double)(int64_t)x for trunc(x).
                                   .own_flags = {"-std=c99", "-pedantic-errors", "-O3", "-march=native", "-fPIC", "-fno-math-errno",
                                                 "-ffp-contract=off", "-fno-strict-aliasing", "-fwrapv", "-shared"},
                                   .remedy = "install one (`apt-get install gcc`), or name yours by CC"};
    return find_compiler(kind);
}

Result<Toolchain> find_mpi_compiler() {
    static const CompilerKind kind = [] {
        CompilerKind made = cpp_compiler();
        made.phrase = "the compiler of an MPI";
        made.command = made.any = "mpicxx";
        made.packaged.clear();
        made.remedy =
            "install one (`apt-get install openmpi-bin libopenmpi-dev`, or `mpich libmpich-dev`), or name yours by MPICXX; "
            "start the program by the mpirun of the same MPI";
        return made;
    }();
    return find_compiler(kind);
}

Result<Toolchain> find_compiler(const CompilerKind& kind) {
    static std::mutex mutex;
    static std::map<std::string, Toolchain> known;
    return capture([&] {
        const std::string command = setting(kind.command).text, flags = setting(kind.flags).text;
        const char* path = std::getenv("PATH");
        const std::string key = kind.phrase + '\n' + command + '\n' + flags + '\n' + (path ? path : "");
        const std::lock_guard lock(mutex);
        if (const auto found = known.find(key); found != known.end()) return found->second;
        return known.emplace(key, inspect(kind, command, flags)).first->second;
    });
}

Result<Done> compile_library(const Toolchain& toolchain, const fs::path& source, const fs::path& output,
                             const std::vector<std::string>& link_words) {
    std::vector<std::string> command{toolchain.compiler};
    command.insert(command.end(), toolchain.prefix.begin(), toolchain.prefix.end());
    command.insert(command.end(), toolchain.flags.begin(), toolchain.flags.end());
    command.insert(command.end(), {"-o", output.string(), source.string()});
    command.insert(command.end(), link_words.begin(), link_words.end());
    const ProcessResult result = run_process(command, toolchain.environment);
    if (!result.started)
        return Diagnostic{"D001", toolchain.phrase + " `" + toolchain.compiler + "` does not start", {}, {}, toolchain.remedy, {}};
    std::error_code error;
    const bool written = fs::file_size(output, error) > 0 && !error;
    if (result.status == 0 && written) return Done{};
    const std::string how = result.signal != 0   ? "was ended by signal " + std::to_string(result.signal)
                            : result.status != 0 ? "failed with status " + std::to_string(result.status)
                                                 : "wrote no library, though it reports success";
    Diagnostic failed{"D002",
                      toolchain.phrase + " `" + toolchain.compiler + "` " + how,
                      {},
                      {},
                      "look at the compiler's message; if it is about generated code, please report it with the program",
                      {}};
    if (result.output.empty()) failed.remedy = "check the compiler that CXX names, and memory and disk space";
    if (!result.output.empty()) failed.notes.push_back({result.output, {}});
    return failed;
}

}  // namespace sluice::driver
