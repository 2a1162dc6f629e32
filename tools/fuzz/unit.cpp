#include "fuzz/unit.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "driver/cache.h"
#include "driver/decisions.h"
#include "driver/for_device.h"
#include "driver/process.h"
#include "driver/targets/target.h"
#include "fuzz/arena.h"
#include "target/target.h"

namespace sluice::fuzz {

namespace fs = std::filesystem;

std::string to_string(const Configuration& configuration) {
    std::string text = configuration.target == "cpu" ? "" : configuration.target + ", ";
    text += fmt::format("-O{}, {}", configuration.optimisation,
                        configuration.parallel ? fmt::format("{} threads", configuration.threads) : "1 thread");
    for (const std::string& sanitizer : configuration.sanitizers) text += ", " + sanitizer;
    return text;
}

namespace {

/// Reads its arguments from the arena, runs one graph after the other on copies of its own, writes the results back.
constexpr std::string_view kMain = R"(
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int, char** words) {
    const int file = open(words[1], O_RDWR);
    struct stat facts;
    if (file < 0 || fstat(file, &facts) != 0) return 100;
    char* base = static_cast<char*>(mmap(nullptr, facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    if (base == MAP_FAILED) return 100;
    int64_t* head = reinterpret_cast<int64_t*>(base);
    for (int64_t k = head[1]; k < head[0]; head[1] = ++k) {
        if (!programs[k].init) continue;
        alarm(20);
        int64_t* table = reinterpret_cast<int64_t*>(base + head[2 + k]);
        const int64_t count = table[0];
        void** arguments = static_cast<void**>(calloc(count + 1, sizeof(void*)));
        for (int64_t i = 0; i < count; ++i) {
            const int64_t size = table[3 + 2 * i];
            if (posix_memalign(&arguments[i], 64, size ? size : 1) != 0) return 100;
            memcpy(arguments[i], base + table[2 + 2 * i], size);
        }
        const int64_t* links = table + 2 + 2 * count;
        for (int64_t i = 0; i < links[0]; ++i) {
            const int64_t* link = links + 1 + 3 * i;
            memcpy(static_cast<char*>(arguments[link[0]]) + link[1], &arguments[link[2]], sizeof(void*));
        }
        void* handle = nullptr;
        int status = programs[k].init(&handle, arguments);
        if (status == 0) {
            status = programs[k].invoke(handle, arguments);
            const int ended = programs[k].finalise(handle);
            if (status == 0) status = ended;
        }
        table[1] = status;
        for (int64_t i = 0; i < links[0]; ++i) {
            const int64_t* link = links + 1 + 3 * i;
            memset(static_cast<char*>(arguments[link[0]]) + link[1], 0, sizeof(void*));
        }
        for (int64_t i = 0; i < count; ++i) {
            memcpy(base + table[2 + 2 * i], arguments[i], table[3 + 2 * i]);
            free(arguments[i]);
        }
        free(arguments);
    }
    return 0;
}
)";

struct Printed {
    std::string source;
    std::vector<std::string> link_words;
};

std::string name_of(std::size_t at) {
    return "graph" + std::to_string(at);
}

/// The text of one graph; the outcome says why if there is none.
Printed print_graph(const ir::Sdfg& sdfg, std::size_t at, const Configuration& configuration, Outcome& outcome) {
    ir::Sdfg renamed = sdfg;
    renamed.name = name_of(at);
    try {
        const Result<loop::Module> module = lowered(renamed, configuration);
        if (!module) {
            outcome = {Outcome::Kind::Refused, module.error().code, render(module.error()), {}};
            return {};
        }
        const codegen::Artifact printed = driver::tools_of(configuration.target).print(*module);
        return {printed.host(), printed.link_words};
    } catch (const InternalError& bug) {
        outcome = {Outcome::Kind::Internal, "internal", bug.what(), {}};
        return {};
    } catch (const Failure& refused) {  // by the printer
        outcome = {Outcome::Kind::Refused, refused.diagnostic.code, render(refused.diagnostic), {}};
        return {};
    }
}

/// Are the graphs compiled by themselves? Their language has no name spaces, or a printed text has functions outside of its own.
bool compiled_apart(const Configuration& configuration) {
    return driver::tools_of(configuration.target).host != codegen::Unit::Kind::HostCpp || target::named(configuration.target).fpga;
}

/// `apart`: the graphs are compiled by themselves, and the program only calls them.
std::string unit_text(const std::vector<Printed>& graphs, bool apart) {
    std::string text = "// Graphs of the fuzzer.\n#include <stdint.h>\n";
    std::string table =
        "struct Program { int (*init)(void**, void* const*); int (*invoke)(void*, void* const*); int (*finalise)(void*); };\n"
        "static const Program programs[] = {\n";
    for (std::size_t at = 0; at < graphs.size(); ++at) {
        if (graphs[at].source.empty()) {
            table += "    {nullptr, nullptr, nullptr},\n";
            continue;
        }
        // Each graph has a namespace of its own for its functions.
        const std::string name = name_of(at);
        if (apart)
            text += fmt::format(
                "extern \"C\" int {0}_init_invoke(void**, void* const*), {0}_invoke(void*, void* const*), "
                "{0}_finalise(void*);\n",
                name);
        else
            text += "#define generated generated_" + std::to_string(at) + "\n" + graphs[at].source + "#undef generated\n";
        table += "    {reinterpret_cast<int (*)(void**, void* const*)>(" + name +
                 "_init_invoke), reinterpret_cast<int (*)(void*, void* const*)>(" + name +
                 "_invoke), reinterpret_cast<int (*)(void*)>(" + name + "_finalise)},\n";
    }
    return text + table + "};\n" + std::string(kMain);
}

/// `program`: not a library.
driver::Toolchain toolchain_for(const std::string& target, bool program, const Configuration& configuration,
                                const fs::path& runtime) {
    driver::Toolchain toolchain = driver::tools_of(target).toolchain().or_fail();
    if (program) std::erase(toolchain.flags, "-shared");
    // Contraction to fused operations changes the last bit.
    for (const std::string& flag :
         {fmt::format("-O{}", configuration.optimisation), std::string("-ffp-contract=off"), "-I" + runtime.string()})
        toolchain.flags.push_back(flag);
    // GCC makes -x of 0.0 - x where x was an integer, optimising or not; under this flag it keeps the sign of zero.
    if (configuration.optimisation == 0) toolchain.flags.push_back("-frounding-math");
    if (!configuration.sanitizers.empty())
        for (const std::string& flag : {fmt::format("-fsanitize={}", fmt::join(configuration.sanitizers, ",")),
                                        std::string("-fno-sanitize-recover=all"), std::string("-g1")})
            toolchain.flags.push_back(flag);
    return toolchain;
}

class UnitRun {
public:
    UnitRun(const std::vector<Job>& jobs, const Configuration& configuration, const fs::path& folder)
        : jobs_(jobs), configuration_(configuration), folder_(folder), outcomes_(jobs.size()) {}

    std::vector<Outcome> run() {
        for (std::size_t at = 0; at < jobs_.size(); ++at)
            graphs_.push_back(print_graph(*jobs_[at].sdfg, at, configuration_, outcomes_[at]));
        runtime_ = driver::runtime_folder(folder_);
        if (!compile()) compile_one_by_one();
        if (std::ranges::any_of(graphs_, [](const Printed& graph) { return !graph.source.empty(); })) execute();
        return std::move(outcomes_);
    }

private:
    bool compile() {
        std::vector<std::string> libraries;
        for (const Printed& graph : graphs_)
            for (const std::string& word : graph.link_words)
                if (std::ranges::find(libraries, word) == libraries.end()) libraries.push_back(word);
        const bool apart = compiled_apart(configuration_);
        const fs::path source = folder_ / "unit.cpp";
        driver::write_file(source, unit_text(graphs_, apart), "D005");
        if (apart) {
            const Result<Done> done = compile_apart(libraries);
            if (!done) complaint_ = done.error();
            if (!done) return false;
        }
        const Result<Done> done =
            driver::compile_library(toolchain_for("cpu", true, configuration_, runtime_), source, folder_ / "unit", libraries);
        if (!done) complaint_ = done.error();
        return done.ok();
    }

    /// A library of the graphs, each a source of its own.
    Result<Done> compile_apart(std::vector<std::string>& libraries) {
        driver::Toolchain toolchain = toolchain_for(configuration_.target, false, configuration_, runtime_);
        const fs::path library = folder_ / "libgraphs.so";
        const std::string suffix = driver::source_suffix(configuration_.target);
        std::vector<std::string> sources;
        for (std::size_t at = 0; at < graphs_.size(); ++at) {
            if (graphs_[at].source.empty()) continue;
            sources.push_back((folder_ / (name_of(at) + suffix)).string());
            driver::write_file(sources.back(), graphs_[at].source, "D005");
        }
        if (sources.empty()) return Done{};
        toolchain.flags.insert(toolchain.flags.end(), sources.begin() + 1, sources.end());
        Result<Done> done = driver::compile_library(toolchain, sources.front(), library, libraries);
        libraries.insert(libraries.begin(), library.string());
        return done;
    }

    /// Something in the unit does not compile: find it, and go on with the rest.
    void compile_one_by_one() {
        std::vector<Printed> all(graphs_.size());
        std::swap(all, graphs_);
        for (std::size_t at = 0; at < all.size(); ++at) {
            if (all[at].source.empty()) continue;
            graphs_[at] = all[at];
            if (!compile()) {
                outcomes_[at] = {Outcome::Kind::Compiler, complaint_.code, render(complaint_), {}};
                all[at] = {};
            }
            graphs_[at] = {};
        }
        graphs_ = std::move(all);
        check(compile(), "graphs compile each, but not together: ", render(complaint_));
    }

    void execute() {
        Arena arena(folder_ / "arena", jobs_);
        ::setenv("OMP_NUM_THREADS", std::to_string(configuration_.threads).c_str(), 1);
        ::setenv("OMP_WAIT_POLICY", "passive", 1);
        ::setenv("OMP_DYNAMIC", "false", 1);
        ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
        for (;;) {
            const driver::ProcessResult result = driver::run_process({(folder_ / "unit").string(), (folder_ / "arena").string()});
            const std::size_t at = arena.next();
            if (result.status == 0 || at >= jobs_.size()) break;
            check(result.status != 100, "a unit of the fuzzer cannot read its arguments");
            outcomes_[at] = {Outcome::Kind::Crashed,
                             fmt::format("status {}", result.status),
                             fmt::format("ended with status {}: {}", result.status, result.output),
                             {}};
            arena.skip();
        }
        for (std::size_t at = 0; at < jobs_.size(); ++at) {
            if (graphs_[at].source.empty() || outcomes_[at].kind == Outcome::Kind::Crashed) continue;
            if (const int status = arena.status(at))
                outcomes_[at] = {
                    Outcome::Kind::Failed, fmt::format("status {}", status), fmt::format("returned status {}", status), {}};
            else
                outcomes_[at].memory = arena.memory(at, *jobs_[at].before);
        }
    }

    const std::vector<Job>& jobs_;
    const Configuration& configuration_;
    const fs::path& folder_;
    std::vector<Outcome> outcomes_;
    std::vector<Printed> graphs_;
    fs::path runtime_;
    Diagnostic complaint_;
};

}  // namespace

Result<loop::Module> lowered(const ir::Sdfg& sdfg, const Configuration& configuration) {
    return capture([&] {
        lower::LowerOptions options = configuration.lowering;
        options.target = driver::tools_of(configuration.target).target;
        options.parallel = configuration.parallel && options.target->threads;
        const ir::Sdfg placed =
            options.target->device ? driver::for_device(sdfg, options.expansions, *options.target).or_fail() : sdfg;
        // Graphs as they are run in order; with decisions, a team shares whatever it can, however small.
        if (!options.parallel) return lower::lower(placed, options).or_fail();
        analysis::Machine eager;
        eager.team = eager.meeting = 1;
        return lower::lower(driver::with_decisions(placed, eager).or_fail(), options).or_fail();
    });
}

std::vector<Outcome> run_unit(const std::vector<Job>& jobs, const Configuration& configuration, const fs::path& folder) {
    return UnitRun(jobs, configuration, folder).run();
}

}  // namespace sluice::fuzz
