// What is wrong with a command line, said like anything else that is wrong.
#pragma once

#include <CLI/CLI.hpp>

namespace sluice::cli {

/// Parses the command line and runs its command. Throws Failure C017, there is no such command; C027, the command has no such
/// option, or takes no such word; C028, a value is missing or unfit. Throws CLI::Success and CLI::RuntimeError as the parser does.
void parse(CLI::App& app, int argc, char** argv);

}  // namespace sluice::cli
