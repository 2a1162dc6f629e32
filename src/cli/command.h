// What the subcommands share: registration, reading sources, writing files.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "driver/formats.h"
#include "driver/session.h"
#include "support/result.h"

namespace sluice::cli {

/// Each adds its subcommand; the work is done when the parser reaches it, and failures are thrown.
void add_compile(CLI::App& app);
void add_run(CLI::App& app);
void add_tune(CLI::App& app);
void add_check(CLI::App& app);
void add_show(CLI::App& app);
void add_convert(CLI::App& app);
void add_fuzz(CLI::App& app);
void add_interpret(CLI::App& app);
void add_reduce(CLI::App& app);
void add_certify(CLI::App& app);
void add_diff(CLI::App& app);
void add_doctor(CLI::App& app);
void add_config(CLI::App& app);
void add_machine(CLI::App& app);
/// `--config KEY=VALUE` in front of the command: a setting for this run.
void add_setting_arguments(CLI::App& app);
void add_explain(CLI::App& app);
void add_opt(CLI::App& app);
void add_verify_operation(CLI::App& app);
/// `sdfgcc [-o OUT] [-O] FILE`: options straight on the app.
void add_sdfgcc(CLI::App& app);

/// The option --operations: libraries of the user's operations, loaded when the command line is read.
void add_operations(CLI::App& command);

/// How much is decided before a program is lowered, and what is printed of that.
struct PipelineSettings {
    std::string level;  ///< `0` to `3` or `decide`; empty: not given.
    bool trace = false, time = false, print_changed = false;
    std::string target = "cpu";
};
/// The option -O. Help says what stands where it is not given.
void add_level(CLI::App& command, std::string& level,
               const char* otherwise = "that of the setting `optimize`, else 3 for a .py and decide for a graph");
/// The option --target.
void add_target(CLI::App& command, std::string& target);
/// -O, --trace, --time and --print-changed.
void add_pipeline(CLI::App& command, PipelineSettings& settings,
                  const char* otherwise = "that of the setting `optimize`, else 3 for a .py and decide for a graph");
/// What is asked for by --trace and --print-changed is printed as the session's program changes.
void watch(driver::Session& session, const PipelineSettings& settings);
/// Runs the pipeline of the level; if none is given, that of the setting `optimize`, else `otherwise`; then prints what --time asks
/// for. At `decide` the program stays as it is: what is open is decided when it is compiled. At 3, what was tuned for the class of
/// sizes is taken. Throws Failure D014 for other levels.
void run_pipeline(driver::Session& session, const PipelineSettings& settings, driver::Level otherwise = driver::Level::Decide,
                  const std::string& size_class = {});
void print_times(const driver::Session& session);
/// At level 0 the graph is taken at its word. With --trace each step of an expansion is printed.
driver::CompileOptions compile_options(const PipelineSettings& settings);

/// Writes beside the target and renames, so that a failure leaves the old file. Throws Failure C002.
void write_file(const std::filesystem::path& target, const std::string& bytes);
/// The file that a graph makes, in the format of the target's suffix. Throws Failure C003.
std::string graph_bytes(const ir::Sdfg& sdfg, const std::filesystem::path& target, driver::JsonOptions options = {});
std::string read_text_file(const std::filesystem::path& path);

/// The folder that `cmake --install` put this command into, with headers and library. Throws Failure C014.
std::filesystem::path installed_prefix();

/// Accepts integers from 1 on.
CLI::Validator at_least_one();

[[noreturn]] void fail_usage(std::string code, std::string message, std::string remedy);

}  // namespace sluice::cli
