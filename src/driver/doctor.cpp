#include "driver/doctor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "driver/cache.h"
#include "driver/measure_machine.h"
#include "driver/process.h"
#include "driver/session.h"
#include "driver/settings.h"
#include "driver/targets/cuda.h"
#include "driver/targets/opencl.h"
#include "driver/targets/openmp.h"
#include "driver/targets/shared_library.h"
#include "driver/targets/toolchain.h"
#include "interchange/text_writer.h"
#include "ir/text.h"

namespace sluice::driver {

namespace fs = std::filesystem;

namespace {

/// What a package is called by each manager, in the order of kManagers.
using PackageNames = std::array<const char*, 6>;
constexpr std::array<std::pair<const char*, const char*>, 6> kManagers = {{{"apt-get", "apt-get install"},
                                                                           {"dnf", "dnf install"},
                                                                           {"pacman", "pacman -S"},
                                                                           {"zypper", "zypper install"},
                                                                           {"apk", "apk add"},
                                                                           {"conda", "conda install -c conda-forge"}}};

bool is_on_path(const char* program) {
    return !find_program(program).empty();
}

/// The command of the first package manager that is here.
std::string command_for(const PackageNames& names) {
    for (std::size_t at = 0; at < kManagers.size(); ++at)
        if (is_on_path(kManagers[at].first)) return fmt::format("{} {}", kManagers[at].second, names[at]);
    return fmt::format("install the package that Debian calls {}", names[0]);
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

std::string bytes_text(double bytes) {
    const char* unit = "bytes";
    for (const char* larger : {"KiB", "MiB", "GiB", "TiB"}) {
        if (bytes < 1024) break;
        bytes /= 1024, unit = larger;
    }
    return fmt::format("{:.4g} {}", bytes, unit);
}

// ---- the compiler ----

constexpr const char* kTeamProgram = R"(
#include <omp.h>
extern "C" __attribute__((visibility("default"))) int team() {
    int members = 0;
    #pragma omp parallel reduction(+ : members)
    members += 1;
    return members;
}
)";

/// Threads of a team that a compiled program started. Throws Failure as compile_library and SharedLibrary.
int try_to_compile(const Toolchain& toolchain) {
    load_openmp();
    const PrivateFolder folder(temporary_folder() / "sluice", "D004");
    const fs::path source = folder.path() / "team.cpp", library = folder.path() / "team.so";
    write_file(source, kTeamProgram, "D004");
    compile_library(toolchain, source, library, {}).or_fail();
    return reinterpret_cast<int (*)()>(SharedLibrary(library).symbol("team"))();
}

/// What to do about a compiler that is missing or fails: look at what the user set, if he set something.
std::string compiler_remedy() {
    const SettingValue cxx = setting("cxx"), flags = setting("cxxflags");
    std::string text;
    for (const auto& [key, value] : {std::pair("cxx", cxx), std::pair("cxxflags", flags)})
        if (value.origin != "default") text += fmt::format("correct `{}` = `{}` ({}), or ", key, value.text, value.origin);
    return text + command_for({"g++", "gcc-c++", "gcc", "gcc-c++", "g++ libgomp", "cxx-compiler"});
}

Finding examine_compiler() {
    Finding finding{.subject = "compiler", .found = false, .sentence = {}, .remedy = {}};
    const Result<Toolchain> toolchain = find_toolchain();
    if (!toolchain) {
        finding.sentence = toolchain.error().message;
        finding.remedy = compiler_remedy();
        return finding;
    }
    std::vector<std::string> asked{toolchain->compiler};
    asked.insert(asked.end(), toolchain->prefix.begin(), toolchain->prefix.end());
    asked.push_back("--version");
    const std::string version = first_line(run_process(asked, toolchain->environment).output);
    finding.facts = {{"path", toolchain->compiler}, {"version", version}};
    const Result<int> team = capture([&] { return try_to_compile(*toolchain); });
    finding.found = team.ok() && *team > 0;
    if (!team) {
        finding.sentence = fmt::format("{} ({}): {}", toolchain->compiler, version, team.error().message);
        for (const Note& note : team.error().notes) finding.sentence += "; " + first_line(note.message);
        finding.remedy = team.error().code == "D004" ? team.error().remedy : compiler_remedy();
        return finding;
    }
    finding.facts.emplace_back("team", std::int64_t{*team});
    finding.sentence = fmt::format("{} ({}); compiles, links OpenMP and runs a team of {}", toolchain->compiler, version, *team);
    return finding;
}

// ---- libraries ----

constexpr const char* kProduct = R"(sdfg product(A, B, C) {
  array A: float64[512, 512]
  array B: float64[512, 512]
  array C: float64[512, 512]
  state product {
    n0 = library Gemm product (_a, _b) -> (_c) classpath=dace.libraries.blas.nodes.gemm.Gemm with {transA: false, transB: false}
    n1 = access A
    n2 = access B
    n3 = access C
    n1 -> n0._a : A[0:512, 0:512]
    n2 -> n0._b : B[0:512, 0:512]
    n0._c -> n3 : C[0:512, 0:512]
  }
}
)";

Finding examine_blas() {
    Finding finding{.subject = "BLAS", .found = false, .sentence = {}, .remedy = {}};
    Session session(ir::parse_text(kProduct).or_fail());
    std::string chosen, rule;
    ExpandOptions options;
    options.on_expanded = [&](const Expanded& step) { chosen = step.expansion, rule = step.rule; };
    session.expand_library_nodes(options).or_fail();
    finding.facts = {{"expansion", chosen}, {"rule", rule}};
    finding.found = chosen != "native";
    if (finding.found) {
        finding.sentence =
            fmt::format("{}, by {}; programs of Python call that of PyPI's numpy where it is installed", chosen, rule);
    } else {
        finding.sentence =
            fmt::format("none is called, by {}: products are loops; programs of Python call that of PyPI's numpy", rule);
        if (rule == "the operation's own order")
            finding.remedy =
                command_for({"libopenblas-dev", "openblas-devel", "openblas", "openblas-devel", "openblas-dev", "openblas"});
    }
    return finding;
}

Finding examine_python() {
    Finding finding{.subject = "Python", .found = false, .sentence = {}, .remedy = {}};
    const char* const question =
        "import sys, numpy\nprint(sys.executable); print(sys.version.split()[0]); print(numpy.__version__)\n"
        "try:\n    import sluice; print(sluice.__file__)\nexcept ImportError: print('')";
    const ProcessResult answer = run_process({"python3", "-c", question});
    if (!answer.started || answer.status != 0) {
        const bool there = is_on_path("python3");
        finding.sentence = there ? "python3 has no NumPy; programs that are compiled here need neither"
                                 : "there is no python3; programs that are compiled here need none";
        finding.remedy =
            there ? "python3 -m pip install numpy"
                  : command_for({"python3-numpy", "python3-numpy", "python-numpy", "python3-numpy", "py3-numpy", "numpy"});
        return finding;
    }
    std::istringstream lines(answer.output);
    std::string path, version, numpy, package;
    std::getline(lines, path), std::getline(lines, version), std::getline(lines, numpy), std::getline(lines, package);
    finding.found = true;
    finding.facts = {{"path", path}, {"version", version}, {"numpy", numpy}, {"package", package}};
    finding.sentence = fmt::format("{} ({}) with NumPy {}; {}", path, version, numpy,
                                   package.empty() ? "it does not find the package sluice" : "it imports sluice from " + package);
    if (package.empty()) finding.remedy = "pip install . in the folder of Sluice's source";
    return finding;
}

Finding examine_graphviz() {
    Finding finding{.subject = "Graphviz", .found = is_on_path("dot"), .sentence = {}, .remedy = {}};
    if (!finding.found) {
        finding.sentence = "missing; it draws --svg and --png, pages need none";
        finding.remedy = command_for({"graphviz", "graphviz", "graphviz", "graphviz", "graphviz", "graphviz"});
        return finding;
    }
    const std::string path = find_program("dot");
    finding.sentence = fmt::format("{} ({})", path, first_line(run_process({path, "-V"}).output));
    finding.facts = {{"path", path}};
    return finding;
}

Finding examine_device(const std::string& subject, const std::string& target, const Result<std::string>& device,
                       const std::string& remedy) {
    Finding finding{.subject = subject, .found = device.ok(), .sentence = {}, .remedy = {}};
    finding.facts = {{"device", device.ok() ? *device : std::string()}};
    finding.sentence =
        device.ok() ? *device + ", for the target " + target : device.error().message + ": the target " + target + " does not run";
    if (!device) finding.remedy = remedy;
    return finding;
}
std::string text_of(std::FILE* file) {
    std::string text;
    std::rewind(file);
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
    return text;
}

/// What a driver answers to a process of its own, for some abort where they find no memory or no description of the machine.
Result<std::string> asked_apart(const std::string& subject, Result<std::string> (*question)()) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> answer(std::tmpfile(), std::fclose), words(std::tmpfile(), std::fclose);
    const pid_t child = answer && words ? ::fork() : -1;
    if (child < 0) return question();
    if (child == 0) {
        ::dup2(::fileno(words.get()), STDOUT_FILENO);
        ::dup2(::fileno(words.get()), STDERR_FILENO);
        const Result<std::string> device = question();
        if (device)
            fmt::print(answer.get(), "{}", *device);
        else
            fmt::print(answer.get(), "{}\n{}\n{}", device.error().code, device.error().message, device.error().remedy);
        std::fflush(answer.get());
        ::_exit(device.ok() ? 0 : 1);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    const std::string text = text_of(answer.get());
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1) {
        std::istringstream lines(text);
        Diagnostic missing;
        std::getline(lines, missing.code), std::getline(lines, missing.message), std::getline(lines, missing.remedy);
        return missing;
    }
    std::string last;
    std::istringstream lines(text_of(words.get()));
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) last = line;
    Diagnostic ended;
    if (last.ends_with('.')) last.pop_back();
    ended.message = "a driver of " + subject + " ends the program that asks it for a device" + (last.empty() ? "" : ": " + last);
    ended.remedy = "mend that driver, or remove it (OpenCL's are named in /etc/OpenCL/vendors)";
    return ended;
}

Finding examine_opencl() {
    const Result<std::string> device = asked_apart("OpenCL", opencl_device);
    const bool is_missing = !device && device.error().code == "D024";
    return examine_device("OpenCL", "opencl", device,
                          is_missing ? "apt-get install ocl-icd-libopencl1 pocl-opencl-icd"
                          : device   ? ""
                                     : device.error().remedy);
}
Finding examine_cuda() {
    const Result<std::string> device = asked_apart("CUDA", cuda_device);
    return examine_device("CUDA", "cuda", device, device ? "" : device.error().remedy);
}

Finding examine_c_compiler() {
    const Result<Toolchain> toolchain = find_c_compiler();
    Finding finding{.subject = "C-compiler", .found = toolchain.ok(), .sentence = {}, .remedy = {}};
    finding.facts = {{"path", toolchain.ok() ? toolchain->compiler : std::string()}};
    finding.sentence = toolchain.ok() ? toolchain->compiler + ", for the target c99" : toolchain.error().message;
    if (!toolchain) finding.remedy = "apt-get install gcc";
    return finding;
}

Finding examine_mpi() {
    const Result<Toolchain> toolchain = find_mpi_compiler();
    Finding finding{.subject = "MPI", .found = toolchain.ok(), .sentence = {}, .remedy = {}};
    finding.facts = {{"path", toolchain.ok() ? toolchain->compiler : std::string()}};
    finding.sentence = toolchain.ok() ? toolchain->compiler + ", for the target mpi"
                                      : toolchain.error().message + ": programs whose ranks send messages do not run";
    if (!toolchain) finding.remedy = "apt-get install openmpi-bin libopenmpi-dev";
    return finding;
}

// ---- the machine ----

std::string named_environment(std::initializer_list<const char*> names) {
    std::string text;
    for (const char* name : names)
        if (const char* value = std::getenv(name)) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text;
}

Finding examine_threads() {
    const std::string chosen = named_environment({"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}),
                      team =
                          named_environment({"OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OMP_PROC_BIND", "OMP_PLACES", "OMP_DYNAMIC"});
    Finding finding{.subject = "threads", .sentence = {}, .remedy = {}};
    finding.sentence =
        fmt::format("{}; between parallel regions they {}",
                    team.empty() ? "one for each core, unless OMP_NUM_THREADS says otherwise" : "as " + team + " says",
                    chosen.empty() ? "wait in a loop for microseconds, then sleep" : "wait as " + chosen + " says");
    finding.facts = {{"environment", team}, {"waiting", chosen}};
    return finding;
}

/// Processors' worth of time that the control group grants; nothing where there is no limit.
std::string processor_quota() {
    std::ifstream file("/sys/fs/cgroup/cpu.max");
    double quota = 0, period = 0;
    return file >> quota >> period && period > 0
               ? fmt::format(", of which the control group grants the time of {:.3g}", quota / period)
               : "";
}

Finding examine_cores() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    const std::int64_t online = std::max<std::int64_t>(std::thread::hardware_concurrency(), 1);
    const std::int64_t usable = known ? CPU_COUNT(&allowed) : online;
    std::string model;
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) {
            model = line.substr(std::min(line.find(": ") + 2, line.size()));
            break;
        }
    Finding finding{.subject = "cores", .sentence = {}, .remedy = {}};
    finding.facts = {{"model", model}, {"cores", static_cast<std::int64_t>(::sysconf(_SC_NPROCESSORS_ONLN))}, {"usable", usable}};
    finding.sentence = fmt::format("{} usable of {}{}{}", usable, ::sysconf(_SC_NPROCESSORS_ONLN), processor_quota(),
                                   model.empty() ? "" : "; " + model);
    return finding;
}

Finding examine_caches() {
    Finding finding{.subject = "caches", .sentence = {}, .remedy = {}};
    for (const auto& [name, key] : {std::pair("L1d", _SC_LEVEL1_DCACHE_SIZE), std::pair("L2", _SC_LEVEL2_CACHE_SIZE),
                                    std::pair("L3", _SC_LEVEL3_CACHE_SIZE)}) {
        const long size = ::sysconf(key);
        if (size <= 0) continue;
        finding.sentence +=
            fmt::format("{}{} {}", finding.sentence.empty() ? "" : ", ", name, bytes_text(static_cast<double>(size)));
        finding.facts.emplace_back(name, static_cast<std::int64_t>(size));
    }
    finding.found = !finding.facts.empty();
    if (!finding.found) finding.sentence = "the system does not say";
    return finding;
}

Finding examine_memory(bool compiles) {
    Finding finding{.subject = "bandwidth", .found = false, .sentence = "not measured: nothing can be compiled", .remedy = {}};
    if (!compiles) return finding;
    const Result<Machine> machine = measure_machine();
    if (!machine) {
        finding.sentence = machine.error().message;
        return finding;
    }
    constexpr double kPicosecondsInNanosecond = 1000;
    const double rate = kPicosecondsInNanosecond / static_cast<double>(machine->byte);
    const SettingValue file = setting("machine");
    finding.found = true;
    finding.facts = {{"gigabytes_per_second", rate}, {"decisions_by", file.text}};
    finding.sentence = fmt::format("{:.3g} GB/s for one thread, measured; decisions are taken for {}", rate,
                                   file.text.empty() ? "the default machine" : file.text);
    if (file.text.empty()) finding.remedy = "sluice machine --measure";
    return finding;
}

Finding examine_cache() {
    const fs::path folder = default_cache();
    Finding finding{.subject = "cache", .sentence = {}, .remedy = {}};
    std::uintmax_t size = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
        std::error_code gone;
        if (each->is_regular_file(gone) && !gone) size += each->file_size(gone);
    }
    const Result<Done> writable = capture([&] { return PrivateFolder(folder / "unfinished"), Done{}; });
    finding.found = writable.ok();
    finding.facts = {{"folder", folder.string()},
                     {"bytes", static_cast<std::int64_t>(size)},
                     {"limit", static_cast<std::int64_t>(cache_limit())}};
    const std::string limit =
        cache_limit() == 0 ? "without a limit" : "of at most " + bytes_text(static_cast<double>(cache_limit()));
    finding.sentence = writable ? fmt::format("{}, {} {}", folder.string(), bytes_text(static_cast<double>(size)), limit)
                                : writable.error().message;
    if (!writable) finding.remedy = writable.error().remedy;
    return finding;
}

}  // namespace

Examination examine() {
    Examination examination;
    const Finding compiler = examine_compiler(), cache = examine_cache();
    examination.compiles = compiler.found && cache.found;
    examination.findings = {compiler,
                            examine_c_compiler(),
                            examine_blas(),
                            examine_threads(),
                            examine_cores(),
                            examine_caches(),
                            examine_memory(compiler.found),
                            cache,
                            examine_python(),
                            examine_graphviz(),
                            examine_opencl(),
                            examine_cuda(),
                            examine_mpi()};
    return examination;
}

std::string to_json(const Examination& examination) {
    interchange::TextWriter out(true);
    out.begin_object();
    out.key("compiles");
    out.boolean(examination.compiles);
    for (const Finding& finding : examination.findings) {
        out.key(finding.subject);
        out.begin_object();
        out.key("found");
        out.boolean(finding.found);
        out.key("sentence");
        out.string(finding.sentence);
        out.key("remedy");
        out.string(finding.remedy);
        for (const auto& [name, fact] : finding.facts) {
            out.key(name);
            if (const bool* truth = std::get_if<bool>(&fact)) out.boolean(*truth);
            if (const std::int64_t* number = std::get_if<std::int64_t>(&fact)) out.integer(*number);
            if (const double* number = std::get_if<double>(&fact)) out.real(*number);
            if (const std::string* text = std::get_if<std::string>(&fact)) out.string(*text);
        }
        out.end_object();
    }
    out.end_object();
    return out.take();
}

}  // namespace sluice::driver
