// sluice compile, and sdfgcc.
#include <fmt/format.h>

#include "cli/command.h"
#include "driver/staging.h"
#include "driver/targets/target.h"

namespace sluice::cli {

namespace {

struct CompileSettings {
    std::filesystem::path source, folder = "out";
    std::string program;
    PipelineSettings pipeline;
    bool sequential = false;
};

void compile_all(const CompileSettings& settings) {
    std::vector<driver::Session> programs;
    if (settings.program.empty())
        programs = driver::Session::read(settings.source).or_fail();
    else
        programs.push_back(driver::Session::read_one(settings.source, settings.program).or_fail());
    for (driver::Session& session : programs) run_pipeline(session, settings.pipeline, driver::level_for(settings.source));
    driver::CompileOptions options = compile_options(settings.pipeline);
    options.parallel = !settings.sequential;
    driver::Staging together(settings.folder);
    std::vector<std::string> stems;
    for (const driver::Session& session : programs) stems.push_back(session.emit(together.path(), options).or_fail());
    together.publish();
    for (std::size_t at = 0; at < programs.size(); ++at) {
        const std::string base = (settings.folder / stems[at]).string();
        fmt::print("{}: {}, {}.h, {}{}, {}.sdfg\n", programs[at].program().name,
                   (settings.folder / ("lib" + stems[at] + ".so")).string(), base, base, driver::source_suffix(options.target),
                   base);
    }
}

}  // namespace

void add_compile(CLI::App& app) {
    CLI::App* command = app.add_subcommand("compile", "Compile to a shared library with a C header");
    const auto settings = std::make_shared<CompileSettings>();
    command->add_option("SRC", settings->source, "A .py, .sdfg, .sdfgz or textual graph")->required();
    command->add_option("-o,--output", settings->folder, "Folder for the results, made if missing")->capture_default_str();
    command->add_option("--program", settings->program, "Compile only this program of the file");
    add_pipeline(*command, settings->pipeline);
    add_target(*command, settings->pipeline.target);
    add_operations(*command);
    command->add_flag("--sequential", settings->sequential, "One thread: no OpenMP in the generated code");
    command->footer(
        "Writes lib<name>.so, <name>.h, <name>.cpp (.c for c99) and <name>.sdfg for each program, all of them or none. Sizes are "
        "64-bit "
        "integers.\n"
        "`sluice config` lists the settings: the C++ compiler and its flags, the cache.\n\n"
        "Example:\n"
        "  sluice compile examples/jacobi_2d.py -o out && cc user.c -Iout -Lout -ljacobi_2d -Wl,-rpath,'$ORIGIN/out'");
    command->callback([settings] { compile_all(*settings); });
}

void add_sdfgcc(CLI::App& app) {
    struct Settings {
        std::filesystem::path source, output;
        bool optimise = false;
    };
    const auto settings = std::make_shared<Settings>();
    app.add_option("FILE", settings->source, "A .sdfg, .sdfgz, .py or textual graph")->required();
    app.add_option("-o,--out", settings->output, "The library to write (a folder if it ends in /); default: next to the source");
    app.add_flag("-O,--optimize", settings->optimise, "Accepted for compatibility; results are always optimised");
    app.footer(
        "The header is written next to the library.\n\n"
        "Example:\n"
        "  sdfgcc -o libgemm.so gemm.sdfg");
    app.callback([settings] {
        const driver::Session program = driver::Session::read_one(settings->source).or_fail();
        std::filesystem::path library = settings->output;
        if (!library.empty() && (library.filename().empty() || std::filesystem::is_directory(library))) {
            const std::string stem = program.emit(library).or_fail();
            fmt::print("{}\n", (library / ("lib" + stem + ".so")).string());
            return;
        }
        // The paper's tool names the library; the header keeps the program's name beside it.
        const std::filesystem::path folder = (library.empty() ? settings->source : library).parent_path();
        driver::Staging pair(folder.empty() ? std::filesystem::path(".") : folder);
        {
            const driver::PrivateFolder whole(pair.path());
            const std::string stem = program.emit(whole.path()).or_fail(), header = stem + ".h";
            if (library.empty()) library = folder / ("lib" + stem + ".so");
            std::filesystem::rename(whole.path() / ("lib" + stem + ".so"), pair.path() / library.filename());
            std::filesystem::rename(whole.path() / header, pair.path() / header);
        }
        pair.publish();
        fmt::print("{}\n", library.string());
    });
}

}  // namespace sluice::cli
