#include "cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <sstream>

#include "driver/operations.h"
#include "driver/session.h"
#include "driver/settings.h"
#include "driver/targets/target.h"
#include "driver/tuning/store.h"
#include "ir/text.h"

namespace sluice::cli {

void fail_usage(std::string code, std::string message, std::string remedy) {
    fail({.code = std::move(code),
          .message = std::move(message),
          .where = {},
          .path = {},
          .remedy = std::move(remedy),
          .notes = {}});
}

void add_operations(CLI::App& command) {
    const auto load = [](const std::vector<std::string>& libraries) {
        for (const std::string& library : libraries) driver::load_operations(library);
    };
    command
        .add_option_function<std::vector<std::string>>("--operations", load,
                                                       "A shared library with operations of your own; may be repeated")
        ->allow_extra_args(false);
}

void add_level(CLI::App& command, std::string& level, const char* otherwise) {
    command.add_option(
        "-O,--optimize", level,
        fmt::format("0: what the graph says, plain loops where it leaves something open; 1: simplify; 2: then the CPU's own "
                    "decisions; 3: parallel loops, fused maps and loops in the order of memory on top; decide: the graph as it is, "
                    "with the "
                    "CPU's own decisions (at every level but 0 what is open is decided before compiling). Not given: {}",
                    otherwise));
}

void add_target(CLI::App& command, std::string& target) {
    std::string names;
    for (const driver::TargetTools& one : driver::target_tools())
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", one.target->name, one.target->phrase);
    const auto choose = [](const std::string& name) {
        const auto [chosen, reason] = driver::chosen_target(name);
        if (!reason.empty()) fmt::print(stderr, "target {}: {} ({})\n", name, chosen, reason);
        return chosen;
    };
    command
        .add_option("--target", target, "Where it runs: " + names + "; gpu or fpga: which of them the settings of that name say")
        ->capture_default_str()
        ->transform(choose);
}

void add_pipeline(CLI::App& command, PipelineSettings& settings, const char* otherwise) {
    add_level(command, settings.level, otherwise);
    command.add_flag("--trace", settings.trace,
                     "Print each application with its time, and each expansion of a library node with who chose it, to stderr");
    command.add_flag("--time", settings.time,
                     "Print what each step of the pipeline took and how often it applied something to stderr");
    command.add_flag("--print-changed", settings.print_changed, "Print the graph to stderr after each application that changed it");
}

void watch(driver::Session& session, const PipelineSettings& settings) {
    session.on_change = [settings](const driver::Application& applied, double milliseconds, const ir::Sdfg& before,
                                   const ir::Sdfg& after) {
        if (settings.trace) fmt::print(stderr, "{:8.2f} ms  {}\n", milliseconds, driver::to_string(applied));
        if (settings.print_changed && !(before == after)) fmt::print(stderr, "{}", ir::to_text(after));
    };
}

void run_pipeline(driver::Session& session, const PipelineSettings& settings, driver::Level otherwise,
                  const std::string& size_class) {
    watch(session, settings);
    const driver::Level level = driver::chosen_level(settings.level, otherwise);
    if (level != driver::Level::Decide) driver::run_tuned(session, level, size_class, settings.target).or_fail();
    if (settings.time) print_times(session);
}

void print_times(const driver::Session& session) {
    for (const driver::Measurement& one : session.measurements())
        fmt::print(stderr, "{:8.2f} ms  {} {}: {} applied\n", one.milliseconds, one.pipeline, one.step, one.applications);
}

driver::CompileOptions compile_options(const PipelineSettings& settings) {
    driver::CompileOptions options;
    options.target = settings.target;
    options.decide = driver::chosen_level(settings.level) != driver::Level::O0;
    if (settings.trace)
        options.expansions.on_expanded = [](const driver::Expanded& step) { fmt::print(stderr, "{}\n", to_string(step)); };
    return options;
}

void write_file(const std::filesystem::path& target, const std::string& bytes) {
    std::error_code unknown;
    // What a link names is written, and a terminal or a pipe (/dev/stdout) is written to, not replaced by a file.
    const std::filesystem::path real = std::filesystem::canonical(target, unknown), path = unknown ? target : real;
    if (const auto status = std::filesystem::status(target, unknown);
        std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) && !std::filesystem::is_directory(status)) {
        std::ofstream out(target, std::ios::binary);
        if (out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) return;
        fail_usage("C002", target.string() + " cannot be written", "choose a file in a folder that exists and is writable");
    }
    const std::filesystem::path part = path.string() + ".part" + std::to_string(::getpid());
    std::ofstream out(part, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    std::error_code error;
    if (out) std::filesystem::rename(part, path, error);
    if (out && !error) return;
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    fail_usage("C002", path.string() + " cannot be written", "choose a file in a folder that exists and is writable");
}

std::filesystem::path installed_prefix() {
    std::error_code error;
    const std::filesystem::path command = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::filesystem::path prefix = command.parent_path().parent_path();
    if (!std::filesystem::exists(prefix / "include" / "sluice" / "driver" / "compile.h", error))
        fail_usage("C014", fmt::format("{} was not installed: its folder has no headers", command.string()),
                   "run `make install PREFIX=...` in Sluice's source");
    return prefix;
}

CLI::Validator at_least_one() {
    const auto problem = [](const std::string& text) {
        long long value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool fits = error == std::errc() && end == text.data() + text.size() && value >= 1;
        return fits ? std::string() : fmt::format("`{}` is no integer above 0", text);
    };
    return {problem, "POSITIVE"};
}

std::string read_text_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

}  // namespace sluice::cli
