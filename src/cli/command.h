// What the subcommands share: registration, reading sources, writing files.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "driver/formats.h"
#include "driver/pipelines/pipeline.h"
#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::cli {

/// Each adds its subcommand; the work is done when the parser reaches it, and failures are thrown.
void add_compile(CLI::App& app);
void add_run(CLI::App& app);
void add_check(CLI::App& app);
void add_show(CLI::App& app);
void add_convert(CLI::App& app);
void add_fuzz(CLI::App& app);
void add_interpret(CLI::App& app);
void add_reduce(CLI::App& app);
void add_diff(CLI::App& app);
void add_config(CLI::App& app);
void add_machine(CLI::App& app);
/// `--config KEY=VALUE` in front of the command: a setting for this run.
void add_setting_arguments(CLI::App& app);
void add_explain(CLI::App& app);
void add_opt(CLI::App& app);
void add_verify_operation(CLI::App& app);
/// `sdfgcc [-o OUT] [-O] FILE`: options straight on the app.
void add_sdfgcc(CLI::App& app);

/// All programs of a source.
std::vector<ir::Sdfg> read_all(const std::filesystem::path& source);
/// The one called `name`; if that is empty, the only one. Throws Failure C001.
ir::Sdfg read_one(const std::filesystem::path& source, const std::string& name);

/// The option -O: `0` to `3` or `decide`, how much is decided before the program is lowered. Help says what stands where it is not
/// given.
void add_level(CLI::App& command, std::string& level, const char* otherwise = "of the setting `optimize`");
/// The program after the pipeline of the level. At `decide` it is as it was: what is open is decided when it is compiled.
ir::Sdfg optimised(ir::Sdfg program, driver::Level level);

/// Writes beside the target and renames, so that a failure leaves the old file. Throws Failure C002.
void write_file(const std::filesystem::path& path, const std::string& bytes);
/// The file that a graph makes, in the format of the target's suffix. Throws Failure C003.
std::string graph_bytes(const ir::Sdfg& sdfg, const std::filesystem::path& target, driver::JsonOptions options = {});
std::string read_text_file(const std::filesystem::path& path);

[[noreturn]] void fail_usage(std::string code, std::string message, std::string remedy);

}  // namespace sluice::cli
